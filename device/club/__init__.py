"""The club: several tables on one box, and what is told of them all."""
