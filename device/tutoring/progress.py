"""Keep each player's practice rounds in the log, and derive the progress from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from device.i18n.names import fold_name, tidy_name
from device.store import Envelope, Event, Store
from device.store.errors import UnknownStreamError
from device.store.events import ExerciseDone, PracticeEvent, PracticeReset
from device.store.projection import Projection, ProjectionState, get_projector

MAX_PUPIL_NAME_CHARACTERS = 24
"""Limit of a name: what fits on a button."""

MIN_PASSING_SHARE = 0.8
"""Share of right answers in the best round that passes a level."""

MAX_PUPILS_OFFERED = 24
"""Limit of the earlier pupils that are offered."""


class BadNameError(ValueError):
    """A name that is too long."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The right answers of one round."""

    right: int
    asked: int

    @property
    def share(self) -> float:
        """Share of right answers, 0 to 1; 0 if nothing was asked."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def passes(self) -> bool:
        """Whether the round passes the level."""
        return self.share >= MIN_PASSING_SHARE


@dataclass(frozen=True, slots=True)
class LevelStanding:
    """A player's results at one level of one exercise."""

    right: int
    """Right answers in all rounds."""
    asked: int
    times: int
    """Number of rounds."""
    best: Tally
    """The round with the largest share of right answers."""


class PracticeLog:
    """Reads and records what was practised on this box."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = get_projector(store, PRACTICE)

    def mark(
        self, pupil: str, exercise: str, level: str, *, right: int, asked: int, run: str = ""
    ) -> None:
        """Record a round of an exercise; without a name, record nothing.

        A `run` with an id counts once, however often it is sent.
        """
        if not pupil:
            return
        self._append(ExerciseDone(pupil, exercise, level, right, asked, run))

    def reset(self, pupil: str) -> None:
        """Start counting again. Earlier rounds stay in the log."""
        self._append(PracticeReset(pupil))

    def progress(self, pupil: str) -> Mapping[tuple[str, str], LevelStanding]:
        """Return a player's results by exercise and level; none without a name.

        Raises TornEventError.
        """
        state = self._projector.state_of(_stream_of(pupil)) if pupil else ProjectionState()
        if state.torn_error:
            raise state.torn_error.copy()
        return state.record.standings if state.record else {}

    def pupils(self) -> tuple[str, ...]:
        """Return the names under which something was done, the newest first, as last written."""
        events = map(
            self._store.latest_of_stream,
            self._store.with_event(ExerciseDone, limit=MAX_PUPILS_OFFERED),
        )
        newest_events = (each.event for each in events if each)
        return tuple(event.name for event in newest_events if isinstance(event, PracticeEvent))

    def _append(self, event: PracticeEvent) -> None:
        # No other phone shows this, so none needs to reload.
        self._projector.add(_stream_of(event.name), event, news=False)


def check_name(name: str) -> str:
    """Return a name without needless spaces and what cannot be printed, empty for none.

    Raises BadNameError if it is too long.
    """
    tidy = tidy_name(name)
    if len(tidy) > MAX_PUPIL_NAME_CHARACTERS:
        raise BadNameError(f"a name has at most {MAX_PUPIL_NAME_CHARACTERS} letters")
    return tidy


def is_same_pupil(name: str, other: str) -> bool:
    """Whether two names are one person's: `ann` is `Ann`."""
    return _stream_of(name) == _stream_of(other)


def _stream_of(pupil: str) -> str:
    """Return the stream of a pupil."""
    return f"pupil:{fold_name(pupil)}"


@dataclass(frozen=True, slots=True)
class _PracticeRecord:
    """The record of a player's practice events."""

    standings: Mapping[tuple[str, str], LevelStanding] = field(default_factory=dict)
    counted_rounds: frozenset[tuple[str, str, str]] = frozenset()
    """Exercise, level and id of the rounds that have an id."""


def _apply(record: _PracticeRecord, envelope: Envelope[Event]) -> _PracticeRecord:
    """Apply an event."""
    match envelope.event:
        case PracticeReset():
            return _PracticeRecord()
        case ExerciseDone(exercise=exercise, level=level, run=run) as event:
            if (exercise, level, run) in record.counted_rounds:
                return record  # the page was sent twice
            tally, level_key = Tally(event.right, event.asked), (exercise, level)
            new_standing = _add_round(record.standings.get(level_key), tally)
            counted_rounds = record.counted_rounds | ({(exercise, level, run)} if run else set())
            return _PracticeRecord({**record.standings, level_key: new_standing}, counted_rounds)
    raise ValueError("nothing of the kind happens to one who practises")


def _begin(first: Envelope[Event]) -> _PracticeRecord:
    return _apply(_PracticeRecord(), first)


PRACTICE = Projection("practice", _begin, _apply, UnknownStreamError)
"""How a player's practice events become a record."""


def _add_round(before: LevelStanding | None, tally: Tally) -> LevelStanding:
    if before is None:
        return LevelStanding(tally.right, tally.asked, 1, tally)
    return LevelStanding(
        right=before.right + tally.right,
        asked=before.asked + tally.asked,
        times=before.times + 1,
        best=max(before.best, tally, key=lambda tally: tally.share),
    )
