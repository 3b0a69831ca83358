"""Check a hand before it is scored, and report every problem at once."""
