"""What a hand scored, line by line, and what else it might have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.errors import HandProblem
from scorer.hand import Codes
from scorer.message import Message
from scorer.tiles import BY_CODE, Tile

SetKind = Literal["chow", "pung", "kong", "pair", "loose"]
"""What a group of tiles is; `loose` tiles belong to no set."""

Part = Literal["hand", "bonus"]
"""Which sum a line belongs to: with a special hand, bonus tiles are summed apart (BMJA-S02)."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """Tiles that are read together, as one set."""

    kind: SetKind
    tiles: Codes
    """As they lie; a wild tile has its own code."""
    concealed: bool
    stands_for: Codes = ()
    """What the tiles are read as, wild ones included; empty where they are what they are."""

    @property
    def faces(self) -> Codes:
        """The codes that the tiles count as."""
        return self.stands_for or self.tiles

    @property
    def tile(self) -> Tile:
        """The first tile, which stands for all of a pung, a kong or a pair."""
        return BY_CODE[self.faces[0]]


@dataclass(frozen=True, slots=True)
class Line:
    """One award: points or doubles, the rule that gives them and the tiles that earned them."""

    rule: str
    """The rule's id, such as `BMJA-B03`."""
    label: str
    points: int
    doubles: int
    tiles: Codes
    """Empty when the award is for the way of winning."""
    sentence: str = ""
    """The rule in one plain sentence."""
    part: Part = "hand"


@dataclass(frozen=True, slots=True)
class NotCounted:
    """A rule that a player might have expected to apply, and why it does not."""

    rule: str
    reason: Message


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the ways in which the hand could be scored (BMJA-H06, BMJA-S08, BMJA-F03)."""

    label: Message
    """`Purity`, `Fishing for Purity`, `Ordinary hand`; with its sets where that matters."""
    rule: str | None
    """The special hand's id; None for an ordinary hand."""
    total: int
    """Within the limit."""
    working: Message
    """The sum written out."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that would complete the hand of a player who did not win."""

    tile: str
    left: int
    """How many of it the player does not hold: 0 cannot come any more."""
    total: int
    """What the hand would score with it, drawn from the live wall."""
    special: str | None
    """The special hand that it would make, by rule id."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A special hand that the tiles are not far from, for teaching."""

    rule: str
    name: str
    needed: Codes
    """The tiles that are lacking; any order."""


@dataclass(frozen=True, slots=True)
class OptionInForce:
    """One of the table's choices, as it was when the hand was scored."""

    name: str
    rule: str
    value: bool
    default: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Score:
    """A scored hand: base × 2^doubles + bonus_base × 2^bonus_doubles, or the limit."""

    total: int
    base: int
    doubles: int
    limited: bool
    """Whether the limit cut the total."""
    special: str | None
    """The rule id of the special hand that was scored; None for an ordinary hand."""
    lines: tuple[Line, ...]
    problems: tuple[HandProblem, ...]
    """Warnings; a hand with errors has no score."""
    bonus_base: int = 0
    """Points of bonus tiles that are summed apart from the hand (BMJA-S02)."""
    bonus_doubles: int = 0
    fishing: bool = False
    """Whether `special` is what the hand was fishing for, one tile short of it (BMJA-F02)."""
    ruleset: str = "bmja"
    notice: str = ""
    """What the ruleset says of itself and every score must show, if anything."""
    limit: int | None = None
    """The limit in force; None when there is none."""


@dataclass(frozen=True, slots=True)
class Breakdown(Score):
    """A score with its explanation: what the tiles were read as, and what else they might be."""

    sets: tuple[TileSet, ...] = ()
    """The reading of the hand that was scored (BMJA-H06)."""
    not_counted: tuple[NotCounted, ...] = ()
    compared: tuple[Compared, ...] = ()
    """Every way of scoring that was weighed, the chosen one first."""
    waits: tuple[Wait, ...] = ()
    """What a hand one tile short of Mah-Jong waits for."""
    nearest: tuple[Nearest, ...] = ()
    """The special hands that a hand which did not win is nearest to, nearest first."""
    options: tuple[OptionInForce, ...] = ()
    """The table's choices in force."""
