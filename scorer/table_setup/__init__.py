"""Before the first discard: East, the wall, the dice and the deal, step by step."""
