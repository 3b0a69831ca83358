"""The tile sets of the box, and the registration of new ones."""
