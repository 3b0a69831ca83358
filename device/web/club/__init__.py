"""The pages of the club: what a box with one table never needs."""
