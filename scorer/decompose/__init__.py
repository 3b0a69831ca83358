"""The ways in which tiles fall into sets: whole hands, unfinished ones, wild tiles."""
