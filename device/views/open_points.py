"""What is open about a hand before anybody can say that it looks right, the first thing first.

Each kind is one short function; the page's one button leads to the first that is open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from device.hands.hand import HandRecord
from device.hands.scoring import hand_from, total_of
from device.i18n.words import say, say_count
from device.store.events import SetMoved, TileMoved, TilesGrouped
from device.views.tableau import doubtful_places
from scorer.breakdown import Breakdown
from scorer.errors import HandError, HandProblem
from scorer.score import total

Lead = Literal["seems", "mirrored", "photo", "tile", "add", "who", "sets", "won"]
"""What the button leads to."""

WayOut = Literal["", "confirm", "settle", "unknown"]
"""What a player may say in place of mending it: that all tiles are right, that it is so, or that
nobody can tell."""

SPOILT = frozenset({"too-dark", "too-far", "blurred"})
"""Remarks of the reader that spoil a whole photograph."""

ASKED_HERE = SPOILT | {"exposed-or-concealed", "tile-count"}
"""Remarks of the reader that are asked about as open points, in place of being told."""

_SETS_TOLD = frozenset({SetMoved.kind, TileMoved.kind, TilesGrouped.kind})


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """One thing that is open."""

    code: str
    label: str
    """What the button says: `12 of 13: one is missing`."""
    leads: Lead
    sentence: str = ""
    """What is asked beside the tiles; empty where the button says all."""
    answer: WayOut = ""
    place: int = 0
    """The tile, for `tile`."""


@dataclass(frozen=True, slots=True)
class _Seen:
    record: HandRecord
    breakdown: Breakdown | None
    errors: tuple[HandProblem, ...]

    def told(self, *codes: str) -> str:
        """Return what the reader said by one of these codes; empty for nothing of the kind."""
        said = self.record.reading.problems if self.record.reading else ()
        return next((say(problem.message) for problem in said if problem.code in codes), "")


def open_points(
    record: HandRecord, breakdown: Breakdown | None, errors: tuple[HandProblem, ...]
) -> tuple[OpenPoint, ...]:
    """Return all that is open, the first to be asked first; none once all is well."""
    seen = _Seen(record, breakdown, errors)
    return tuple(point for point in (find(seen) for find in _POINTS) if point)


def _several(seen: _Seen) -> OpenPoint | None:
    if seen.record.changes or not seen.told("not-a-hand"):
        return None
    return OpenPoint("several", say("open.several"), "seems")


def _mirrored(seen: _Seen) -> OpenPoint | None:
    if not seen.record.asks_whether_mirrored:
        return None
    return OpenPoint("mirrored", say("hand.mirrored-check"), "mirrored")


def _photo(seen: _Seen) -> OpenPoint | None:
    sentence = seen.told(*SPOILT)
    if not sentence or seen.record.tiles_right or seen.record.settled:
        return None
    return OpenPoint("photo", say("open.photo"), "photo", sentence, "confirm")


def _doubtful(seen: _Seen) -> OpenPoint | None:
    places = doubtful_places(seen.record)
    if not places:
        return None
    return OpenPoint("tile", say_count("at-table.check", len(places)), "tile", place=places[0])


def _unscored(seen: _Seen) -> OpenPoint | None:
    if seen.breakdown:
        return None
    first = seen.errors[0]
    if first.code == "winner-count":
        return OpenPoint("unscored", _counted(first), "add", say(first.message))
    label = say(f"open.{first.code}" if first.code in _NAMED else "open.no-score")
    return OpenPoint("unscored", label, "sets", say(first.message))


_NAMED = ("not-mah-jong", "too-many-chows", "two-suits", "five-of-a-kind", "no-tiles")
"""Codes of errors for which the button has words of its own."""


def _complete(seen: _Seen) -> OpenPoint | None:
    """Ask of a whole Mah-Jong whether it really did not go out, as the table has it."""
    record, said = seen.record, seen.record.situation
    unsaid = not record.match and "winner" not in said.answered
    if said.winner or unsaid or not _is_mah_jong(record) or "complete" in record.said_so:
        return None
    asks = say("open.complete-who", who=record.player) if record.player else say("open.complete")
    return OpenPoint("complete", say("open.complete-check"), "who", asks, "settle")


def _is_mah_jong(record: HandRecord) -> bool:
    won = replace(record.situation, winner=True, won_by="wall", winning_tile=None)
    return total_of(replace(record, situation=won)) is not None


def _count(seen: _Seen) -> OpenPoint | None:
    settled = {"count", "complete"} & seen.record.said_so
    found = seen.breakdown.problems if seen.breakdown else ()
    missing = next((problem for problem in found if problem.code == "tile-count"), None)
    if missing is None or settled:
        return None
    return OpenPoint("count", _counted(missing), "add", say("open.count"), "settle")


def _counted(problem: HandProblem) -> str:
    """Return `12 of 13: one is missing`."""
    held, due = (int(str(problem.message.values[name])) for name in ("held", "due"))
    return say_count(
        "open.missing" if held < due else "open.over", abs(due - held), held=held, due=due
    )


def _rows(seen: _Seen) -> OpenPoint | None:
    """Ask which sets of one row were exposed, where points hang on it."""
    record = seen.record
    told = any(change.kind in _SETS_TOLD for change in record.changes)
    asked = seen.told("exposed-or-concealed")
    if not asked or told or "rows" in record.said_so:
        return None
    return OpenPoint("rows", say("open.rows-check"), "sets", say("open.rows"), "settle")


def _won(seen: _Seen) -> OpenPoint | None:
    """Ask which tile won, where points hang on it."""
    said = seen.record.situation
    known = said.winning_tile is not None or "winning_tile" in said.answered
    if not (said.winner and seen.breakdown) or known or not _decides(seen.record, seen.breakdown):
        return None
    return OpenPoint("won", say("situation.which"), "won", say("situation.which"), "unknown")


def _decides(record: HandRecord, breakdown: Breakdown) -> bool:
    """Whether the hand comes to something else with one winning tile than with another."""
    hand = hand_from(record)
    totals = {breakdown.total}
    for code in dict.fromkeys(hand.tiles):
        try:
            totals.add(total(replace(hand, winning_tile=code)))
        except HandError:
            continue
        if len(totals) > 1:
            return True
    return False


_POINTS: tuple[Callable[[_Seen], OpenPoint | None], ...] = (
    _several,
    _mirrored,
    _photo,
    _doubtful,
    _unscored,
    _complete,
    _count,
    _rows,
    _won,
)
