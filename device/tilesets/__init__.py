"""The tile sets that the box knows, and how a new one is registered."""
