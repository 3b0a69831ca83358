"""How far each player has come in practising: marks in the log, and what they come to."""

from __future__ import annotations

from device.store import Store

_KIND = "exercise-done"


class PracticeLog:
    """What was practised on this box, and the one way to add to it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def mark(self, pupil: str, exercise: str, level: str, *, right: int, asked: int) -> None:
        """Keep that somebody did an exercise; without a name, nothing is kept."""
        if pupil:
            data = {"exercise": exercise, "level": level, "right": right, "asked": asked}
            self._store.append(f"pupil:{pupil}", _KIND, data)
