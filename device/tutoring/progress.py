"""How far each player has come in practising: marks in the log, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from device.i18n.names import Name, folded, tidied
from device.store import Envelope, Event, Store
from device.store.errors import UnknownStreamError
from device.store.events import ExerciseDone, PracticeEvent, PracticeReset
from device.store.replaying import Projected, Projection, projector

LONGEST_NAME = 24
"""Characters of a name: what fits on a button."""

PASSED = 0.8
"""The share of right answers, in the best round, from which a level is passed."""

MOST = 24
"""Earlier pupils that are offered."""


class BadNameError(ValueError):
    """A name that is too long."""


@dataclass(frozen=True, slots=True)
class Tally:
    """So many right answers of so many."""

    right: int
    asked: int

    @property
    def share(self) -> float:
        """From 0 to 1; 0 where nothing was asked."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def passes(self) -> bool:
        """Whether so many are enough to go on to what is harder."""
        return self.share >= PASSED


@dataclass(frozen=True, slots=True)
class LevelStanding:
    """How far somebody is with one level of one exercise."""

    right: int
    """Of all rounds together."""
    asked: int
    times: int
    """Rounds done."""
    last: datetime
    best: Tally
    """The round with the largest share of right answers."""
    latest: Tally


class PracticeLog:
    """What was practised on this box, and the one way to add to it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = projector(store, PRACTISED)

    def mark(
        self, pupil: str, exercise: str, level: str, *, right: int, asked: int, run: str = ""
    ) -> None:
        """Keep that somebody did an exercise; without a name, nothing is kept.

        A `run` that has an id counts once, however often it is sent.
        """
        if not pupil:
            return
        self._append(ExerciseDone(pupil, exercise, level, right, asked, run))

    def begin_anew(self, pupil: str) -> None:
        """Count from here on; what was done before stays in the log."""
        self._append(PracticeReset(pupil))

    def progress(self, pupil: str) -> Mapping[tuple[str, str], LevelStanding]:
        """Return how far somebody is, by exercise and level; nothing without a name.

        Raises TornEventError for events that make no sense.
        """
        done = self._projector.so_far(_about(pupil)) if pupil else Projected()
        if done.torn:
            raise done.torn
        return done.record.standings if done.record else {}

    def pupils(self) -> tuple[Name, ...]:
        """Return the names under which something was done, the newest first, as last written."""
        found = map(self._store.newest_of, self._store.with_event(ExerciseDone, limit=MOST))
        newest = (each.event for each in found if each)
        return tuple(Name(event.name) for event in newest if isinstance(event, PracticeEvent))

    def _append(self, event: PracticeEvent) -> None:
        # No other phone shows this, so none need look again because somebody practises.
        self._projector.add(_about(event.name), event, news=False)


def checked_name(name: str) -> Name:
    """Return a name without needless spaces and what cannot be printed, empty for none.

    Raises BadNameError for one that is too long.
    """
    tidy = tidied(name)
    if len(tidy) > LONGEST_NAME:
        raise BadNameError(f"a name has at most {LONGEST_NAME} letters")
    return Name(tidy)


def same_pupil(one: str, other: str) -> bool:
    """Whether two names are one person's: `ann` is `Ann`."""
    return _about(one) == _about(other)


def _about(pupil: str) -> str:
    """Return what the events of a pupil are filed under."""
    return f"pupil:{folded(pupil)}"


@dataclass(frozen=True, slots=True)
class _Practised:
    """What the events so far come to."""

    standings: Mapping[tuple[str, str], LevelStanding] = field(default_factory=dict)
    counted: frozenset[tuple[str, str, str]] = frozenset()
    """Exercise, level and id of the rounds that have one."""


def _apply(done: _Practised, envelope: Envelope[Event]) -> _Practised:
    """Return what was done with one event more."""
    match envelope.event:
        case PracticeReset():
            return _Practised()
        case ExerciseDone(exercise=exercise, level=level, run=run) as event:
            if (exercise, level, run) in done.counted:
                return done  # a page that was sent twice
            tally, of = Tally(event.right, event.asked), (exercise, level)
            added = _added(done.standings.get(of), tally, envelope.at)
            counted = done.counted | ({(exercise, level, run)} if run else set())
            return _Practised({**done.standings, of: added}, counted)
    raise ValueError("nothing of the kind happens to one who practises")


def _begun(first: Envelope[Event]) -> _Practised:
    return _apply(_Practised(), first)


PRACTISED = Projection("practice", _begun, _apply, UnknownStreamError)
"""How what somebody has practised comes of the events."""


def _added(before: LevelStanding | None, tally: Tally, at: datetime) -> LevelStanding:
    if before is None:
        return LevelStanding(tally.right, tally.asked, 1, at, tally, tally)
    return LevelStanding(
        right=before.right + tally.right,
        asked=before.asked + tally.asked,
        times=before.times + 1,
        last=at,
        best=max(before.best, tally, key=lambda each: each.share),
        latest=tally,
    )
