"""A hand and its photographs: derived from the log, scored, changed, exported."""
