"""The tutor's data: the progress of each player, and the square of walls."""
