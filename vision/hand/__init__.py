"""From named tiles to a hand: decoded together, arranged in sets, and what is left to ask."""
