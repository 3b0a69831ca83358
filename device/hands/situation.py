"""The state of one hand: photographs, tiles, circumstances, and players' changes.

Circumstances are what no tile can tell (BMJA-V13): whether and how the hand won, and the winds.
`device.hands.replay` builds a `HandRecord` from the hand's events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from scorer.hand import HAND_SIZE, SOURCES
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.tiles import WINDS
from vision.hand.assemble import LaidSet
from vision.reading import Reading, SetReading

WAYS = ("wall", "discard", "loose", "last-tile", "last-discard", "robbed-kong")
"""Ways to win that the page offers first. Only one applies (BMJA-D18); an original call goes with
any."""


def all_ways() -> tuple[str, ...]:
    """Return all ways to win, rare ones last."""
    return (*WAYS, *(way for way in SOURCES if way not in WAYS))


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the table plays by; fixed while a match runs."""

    ruleset: str = "bmja"
    players: int = 4
    goulash: bool = False
    """Whether this deal follows a wash-out (BMJA-P18)."""
    limit: int | None = 1000
    """The most that a hand may score (BMJA-L01); None without a limit."""
    house: tuple[str, ...] = ()
    """House rules as in a hand text: `name:on` or `name:off`."""

    @property
    def rules(self) -> Ruleset:
        """The ruleset with these choices; always the same object for equal agreements.

        The scorer caches its results by that object.
        """
        return load_builtin(self.ruleset).with_choices(self.house).with_limit(self.limit)

    def rules_called(self, name: str) -> Ruleset:
        """Return the rules with this name, with the table's choices if it plays by them."""
        return self.rules if self.ruleset == name else load_builtin(name)


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances of a hand. Unanswered fields are assumed, and shown as assumed."""

    winner: bool = False
    won_by: str = "wall"
    """One of `ways_to_win()`; unused unless `winner`."""
    winning_tile: int | None = None
    """Position of the tile that completed the hand."""
    original_call: bool = False
    seat_wind: str = "E"
    prevailing_wind: str = "E"
    answered: frozenset[str] = frozenset()
    """Names of the fields above that the player has set."""

    def __post_init__(self) -> None:
        if self.won_by not in all_ways():
            raise ValueError(f"{self.won_by!r} is no way to win")
        if {self.seat_wind, self.prevailing_wind} - WINDS.keys():
            raise ValueError(f"{self.seat_wind!r} or {self.prevailing_wind!r} is no wind")

    def with_answers(self, answers: Mapping[str, Any]) -> Situation:
        """Return the situation with answers from the player; raise ValueError."""
        if answers.keys() - ANSWERS:
            raise ValueError(f"not part of a situation: {sorted(answers.keys() - ANSWERS)}")
        return replace(self, **answers, answered=self.answered | answers.keys())


ANSWERS = frozenset(f.name for f in fields(Situation)) - {"answered"}
"""The fields that a player may set."""


def first_guess(situation: Situation, reading: Reading) -> Situation:
    """Return what the photograph suggests, for the player to confirm or change.

    The winning tile lies sideways in its set. In the exposed row it was claimed, in the concealed
    row it was drawn. Without such a tile, fourteen tiles mean that the hand won.
    """
    winning = reading.winning_tile
    if winning is not None:
        guess = replace(situation, winner=True, winning_tile=winning)
        return guess_claimed(guess, reading.sets)
    return replace(situation, winner=_counted(reading) >= HAND_SIZE)


def guess_claimed(situation: Situation, sets: Iterable[SetReading | LaidSet]) -> Situation:
    """Guess where the winning tile came from by its row, unless the player has answered."""
    if situation.winning_tile is None or "won_by" in situation.answered:
        return situation
    rows = [laid.row for laid in sets if situation.winning_tile in laid.tiles]
    return replace(situation, won_by="discard" if rows == ["exposed"] else "wall")


def guess_won(situation: Situation, counted: int) -> Situation:
    """Guess from the number of tiles whether the hand won, unless the player has answered.

    A kong counts as three.
    """
    if "winner" in situation.answered:
        return situation
    return replace(situation, winner=counted >= HAND_SIZE)


def _counted(reading: Reading) -> int:
    in_sets = (
        min(len(s.tiles), 3) if s.kind == "kong" else len(s.tiles)
        for s in reading.sets
        if s.row != "bonus"
    )
    return sum(in_sets)
