"""The pages of a match, on every phone at the table: seats, scores, payments and history."""
