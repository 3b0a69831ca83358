"""The table: a match, its deals and who sits where, derived from the log as the hands are."""
