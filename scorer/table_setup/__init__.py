"""Before the first discard: who is East, the wall, the dice and the deal, step by step."""
