"""A tournament: who sits where in each round, what comes of it, and who is first."""
