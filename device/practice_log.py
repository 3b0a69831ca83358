"""How far each player has come in practising: marks in the log, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from device.store import Store

_KIND = "exercise-done"


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody's exercises of one level come to."""

    right: int
    asked: int
    last: datetime


class PracticeLog:
    """What was practised on this box, and the one way to add to it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def mark(self, pupil: str, exercise: str, level: str, *, right: int, asked: int) -> None:
        """Keep that somebody did an exercise; without a name, nothing is kept."""
        if pupil:
            data = {"exercise": exercise, "level": level, "right": right, "asked": asked}
            self._store.append(f"pupil:{pupil}", _KIND, data)

    def progress(self, pupil: str) -> Mapping[tuple[str, str], Standing]:
        """Return how far somebody has come, by exercise and level; nothing without a name."""
        found: dict[tuple[str, str], Standing] = {}
        for event in self._store.events(f"pupil:{pupil}") if pupil else ():
            if event.kind == _KIND:
                done = event.data
                key = (str(done["exercise"]), str(done["level"]))
                before = found.get(key, Standing(0, 0, event.at))
                found[key] = Standing(
                    before.right + int(done["right"]), before.asked + int(done["asked"]), event.at
                )
        return found
