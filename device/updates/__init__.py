"""A newer version as one file: whether it is whole and by the right hand; how far it is."""
