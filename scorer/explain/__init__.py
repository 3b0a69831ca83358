"""Why the score is what it is: sums, what was not counted, alternatives, waits, what is missing."""
