"""Decode pictures from outside in a separate process, so that no file can harm the page."""
