"""What is wrong with a hand before anything is scored, all of it at once."""
