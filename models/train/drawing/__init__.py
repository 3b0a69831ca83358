"""Tile sets drawn and tables of them painted, for networks to learn from: see README.md."""
