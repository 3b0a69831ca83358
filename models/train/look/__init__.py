"""How a tile looks: what the box learns its own set by."""
