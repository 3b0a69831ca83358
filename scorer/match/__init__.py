"""The course of a game: seats and winds, log entries, settlement, penalties."""
