"""Matches: their deals, who sits where, and what the table agreed, built from the log."""
