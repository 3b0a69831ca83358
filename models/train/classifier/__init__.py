"""The classifier: names a straightened tile, says which way up it is and how it looks."""
