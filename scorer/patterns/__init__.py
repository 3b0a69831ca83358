"""Patterns of special hands: the notation that a player writes, and the tiles that it allows."""
