"""What the tutor keeps and draws: a player's progress, the square of walls."""
