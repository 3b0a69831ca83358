"""From a photograph to a reading: find the tiles, name them, arrange them, say how sure it is."""
