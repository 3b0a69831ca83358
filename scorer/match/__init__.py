"""The game's course: seats and winds, entries, settlement, penalties."""
