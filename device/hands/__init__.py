"""Hands and their photographs: built from the log, scored, changed and exported."""
