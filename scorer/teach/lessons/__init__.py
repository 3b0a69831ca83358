"""Lessons and examples for newcomers, as data that tests compare with the scorer."""
