"""The points to settle before a hand can be confirmed, the most urgent first.

One short function checks for each kind. The page's main button leads to the first open point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from device.hands.record import COMMON_WAYS, HandRecord
from device.hands.scoring import find_hand_total, find_total, hand_from
from device.i18n.words import say, say_count
from scorer.breakdown import Breakdown
from scorer.errors import HandProblem
from scorer.hand import Hand
from scorer.tiles import WINDS
from vision.hand.questions import ask_block

ButtonTarget = Literal[
    "seems", "mirrored", "photo", "tile", "add", "who", "winds", "way", "sets", "won"
]
"""The part of the page that the button leads to."""

WayOut = Literal["", "confirm", "settle", "unknown", "block"]
"""What a player may answer instead of correcting it: all tiles are right, it is so, nobody can
tell, or the block beside the hand is theirs or not."""

SPOILT_PHOTO_CODES = frozenset({"too-dark", "too-far", "blurred"})
"""Reader's remarks about a photograph that is spoilt as a whole."""

CODES_ASKED_AS_POINTS = SPOILT_PHOTO_CODES | {
    "exposed-or-concealed",
    "tile-count",
    "tiles-beside",
}
"""Reader's remarks that become questions here instead of notes."""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """One point to settle."""

    code: str
    label: str
    """The text of the button: `12 of 13: one is missing`."""
    leads: ButtonTarget
    sentence: str = ""
    """The question beside the tiles; empty where the button says it all."""
    answer: WayOut = ""


@dataclass(frozen=True)
class _HandState:
    record: HandRecord
    breakdown: Breakdown | None
    errors: tuple[HandProblem, ...]
    doubtful: tuple[int, ...]

    @cached_property
    def hand(self) -> Hand:
        """The hand to score; there is one where there is a breakdown."""
        return hand_from(self.record)

    def depends_on(self, name: str, values: Iterable[Any]) -> bool:
        """Return whether another value of this field of the hand changes the total."""
        other_hands = (replace(self.hand, **{name: value}) for value in values)
        total = self.breakdown.total if self.breakdown else None
        rules = self.record.agreement.custom_rules
        return any(find_hand_total(other, rules) not in (None, total) for other in other_hands)

    def find_remark(self, *codes: str) -> str:
        """Return the reader's remark with one of these codes; empty for none."""
        problems = self.record.reading.problems if self.record.reading else ()
        return next((say(problem.message) for problem in problems if problem.code in codes), "")


def open_points(
    record: HandRecord,
    breakdown: Breakdown | None,
    errors: tuple[HandProblem, ...],
    doubtful: tuple[int, ...],
) -> tuple[OpenPoint, ...]:
    """Return all open points, the most urgent first; `doubtful` are the places of such tiles."""
    state = _HandState(record, breakdown, errors, doubtful)
    return tuple(point for point in (find(state) for find in _CHECKS) if point)


def _check_several_hands(state: _HandState) -> OpenPoint | None:
    if state.record.changes or not state.find_remark("not-a-hand"):
        return None
    return OpenPoint("several", say("open.several"), "seems")


def _check_mirrored(state: _HandState) -> OpenPoint | None:
    if not state.record.asks_whether_mirrored:
        return None
    return OpenPoint("mirrored", say("hand.mirrored-check"), "mirrored")


def _check_photo(state: _HandState) -> OpenPoint | None:
    sentence = state.find_remark(*SPOILT_PHOTO_CODES)
    if not sentence or state.record.tiles_right or state.record.processed_photo_count:
        return None
    return OpenPoint("photo", say("open.photo"), "photo", sentence, "confirm")


def _check_block(state: _HandState) -> OpenPoint | None:
    """Ask whether tiles beside the hand are the player's.

    Until then there is no score, unless the hand includes them.
    """
    block = state.record.block_in_question
    if block is None:
        return None
    sentence = say(ask_block(block).message)
    return OpenPoint("block", say("open.block-check"), "sets", sentence, "block")


def _check_doubtful_tiles(state: _HandState) -> OpenPoint | None:
    if not state.doubtful:
        return None
    label = say_count("at-table.check", len(state.doubtful))
    if state.record.tiles[state.doubtful[0]].doubtful:
        return OpenPoint("tile", label, "tile")
    reason = say(state.errors[0].message)
    return OpenPoint("tile", label, "tile", say("open.misread", why=reason))


def _check_score(state: _HandState) -> OpenPoint | None:
    if state.breakdown or state.errors[0].code == "tiles-beside":
        return None
    first = state.errors[0]
    if first.code == "winner-count":
        return OpenPoint("unscored", _describe_tile_count(first), "add", say(first.message))
    label = say(f"open.{first.code}" if first.code in _ERRORS_WITH_LABEL else "open.no-score")
    return OpenPoint("unscored", label, "sets", say(first.message))


_ERRORS_WITH_LABEL = ("not-mah-jong", "too-many-chows", "two-suits", "five-of-a-kind", "no-tiles")
"""Error codes that have their own button text."""


def _check_complete_hand(state: _HandState) -> OpenPoint | None:
    """Ask about a complete Mah-Jong hand that is marked as not having won."""
    record, situation = state.record, state.record.situation
    is_unanswered = not record.match and "winner" not in situation.answered
    if (
        situation.winner
        or is_unanswered
        or not _is_mah_jong(record)
        or "complete" in record.settled_points
    ):
        return None
    asks = say("open.complete-who", who=record.player) if record.player else say("open.complete")
    return OpenPoint("complete", say("open.complete-check"), "who", asks, "settle")


def _is_mah_jong(record: HandRecord) -> bool:
    situation = replace(record.situation, winner=True, won_by="wall", winning_tile=None)
    return find_total(replace(record, situation=situation)) is not None


def _check_tile_count(state: _HandState) -> OpenPoint | None:
    settled_points = {"count", "complete"} & state.record.settled_points
    problems = state.breakdown.problems if state.breakdown else ()
    missing = next((problem for problem in problems if problem.code == "tile-count"), None)
    if missing is None or settled_points:
        return None
    return OpenPoint("count", _describe_tile_count(missing), "add", say("open.count"), "settle")


def _describe_tile_count(problem: HandProblem) -> str:
    """Return the count in words: `12 of 13: one is missing`."""
    tile_count, due = (int(str(problem.message.values[name])) for name in ("held", "due"))
    return say_count(
        "open.missing" if tile_count < due else "open.over",
        abs(due - tile_count),
        held=tile_count,
        due=due,
    )


def _check_rows(state: _HandState) -> OpenPoint | None:
    """Ask which sets were exposed where the rows do not tell, until that is said to be all."""
    record = state.record
    remark = state.find_remark("exposed-or-concealed")
    if not remark or record.is_agreed or "rows" in record.settled_points:
        return None
    return OpenPoint("rows", say("open.rows-check"), "sets", say("open.rows"), "settle")


def _check_winds(state: _HandState) -> OpenPoint | None:
    """Ask for the winds of a hand outside a match, where they change the score."""
    if not any(_matters(state, name, WINDS) for name in ("seat_wind", "prevailing_wind")):
        return None
    return OpenPoint("winds", say("open.winds-check"), "winds", say("open.winds"))


def _check_way_of_winning(state: _HandState) -> OpenPoint | None:
    """Ask how a hand outside a match won, unless a tile that lies sideways tells."""
    record = state.record
    is_seen = record.reading and record.reading.winning_tile is not None
    ways = [(way,) for way in COMMON_WAYS]
    if is_seen or not record.situation.winner or not _matters(state, "won_by", ways):
        return None
    return OpenPoint("way", say("situation.how"), "way", say("situation.how"))


def _matters(state: _HandState, name: str, values: Iterable[Any]) -> bool:
    """Return whether another value of an assumed field of the situation changes the total."""
    record = state.record
    if record.match or state.breakdown is None or name in record.situation.answered:
        return False
    return state.depends_on(name, values)


def _check_winning_tile(state: _HandState) -> OpenPoint | None:
    """Ask which tile won, where that changes the score."""
    situation = state.record.situation
    is_known = situation.winning_tile is not None or "winning_tile" in situation.answered
    if (
        not (situation.winner and state.breakdown)
        or is_known
        or not state.depends_on("winning_tile", dict.fromkeys(state.hand.tiles))
    ):
        return None
    return OpenPoint("won", say("situation.which"), "won", say("situation.which"), "unknown")


_CHECKS: tuple[Callable[[_HandState], OpenPoint | None], ...] = (
    _check_several_hands,
    _check_mirrored,
    _check_photo,
    _check_block,
    _check_doubtful_tiles,
    _check_score,
    _check_complete_hand,
    _check_tile_count,
    _check_rows,
    _check_winds,
    _check_way_of_winning,
    _check_winning_tile,
)
