"""The result of scoring: a score line by line, and its explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.errors import HandProblem
from scorer.hand import Codes
from scorer.message import Message, Words
from scorer.tiles import BY_CODE, Tile

SetKind = Literal["chow", "pung", "kong", "pair", "loose"]
"""The kind of a group of tiles; `loose` tiles belong to no set."""

LinePart = Literal["hand", "bonus"]
"""The sum that a line belongs to. With a special hand, bonus tiles are summed apart (BMJA-S02)."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """Tiles that form one set, or are loose together."""

    kind: SetKind
    tiles: Codes
    """The codes as they lie; a wild tile has its own code."""
    concealed: bool
    stands_for: Codes = ()
    """The codes that the tiles count as when some are wild; empty without wild tiles."""

    @property
    def faces(self) -> Codes:
        """The codes that the tiles count as."""
        return self.stands_for or self.tiles

    @property
    def tile(self) -> Tile:
        """The first tile; in a pung, a kong or a pair all others are like it."""
        return BY_CODE[self.faces[0]]


@dataclass(frozen=True, slots=True)
class Line:
    """One award: points or doubles, the rule that gives them and the tiles that earned them."""

    rule: str
    """The rule's id, such as `BMJA-B03`."""
    label: Message
    points: int
    doubles: int
    tiles: Codes
    """Empty when the award is for the way of winning."""
    sentence: Message
    """The rule in one plain sentence."""
    part: LinePart = "hand"

    def __hash__(self) -> int:  # lines are often looked up, and their sentences are long
        return hash((self.rule, self.points, self.doubles, self.tiles))


@dataclass(frozen=True, slots=True)
class UncountedRule:
    """A rule that a player might have expected to count, and why it does not."""

    rule: str
    reason: Message


@dataclass(frozen=True, slots=True)
class ScoringAlternative:
    """One of the ways in which the hand could be scored (BMJA-H06, BMJA-S08, BMJA-F03)."""

    label: Message
    """`Purity`, `Fishing for Purity`, `Ordinary hand`; with its sets where that matters."""
    rule: str | None
    """The special hand's id; None for an ordinary hand."""
    total: int
    """The score, cut to the limit."""
    working: Message
    """The sum written out."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that would complete the hand of a player who did not win."""

    tile: str
    left: int
    """How many the player does not hold; with 0 the tile cannot come any more."""
    total: int
    """The score of the hand with this tile, drawn from the live wall."""
    special: str | None
    """The rule id of the special hand that it would make, if any."""


@dataclass(frozen=True, slots=True)
class NearbySpecial:
    """A special hand that is within reach, for teaching."""

    rule: str
    name: Message
    needed: Codes
    """The missing tiles, in any order."""


@dataclass(frozen=True, slots=True)
class OptionInForce:
    """One of the table's choices, as it was when the hand was scored."""

    name: str
    rule: str
    value: bool
    default: bool
    sentence: Message

    @property
    def is_usual(self) -> bool:
        """Whether the table plays by it as the rules come."""
        return self.value == self.default


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
    """Points of the bonus tiles, where they are summed apart from the hand (BMJA-S02)."""
    bonus_doubles: int = 0
    fishing: bool = False
    """Whether the hand was one tile short of `special`, and scores for fishing (BMJA-F02)."""
    ruleset: str = "bmja"
    notice: Words = ""
    """What the ruleset says of itself and every score must show, if anything."""
    limit: int | None = None
    """The limit in force; None when there is none."""


@dataclass(frozen=True, slots=True)
class Breakdown(Score):
    """A score with its explanation: the sets, the alternatives, and what was not counted."""

    sets: tuple[TileSet, ...] = ()
    """The arrangement of the hand that was scored (BMJA-H06)."""
    not_counted: tuple[UncountedRule, ...] = ()
    compared: tuple[ScoringAlternative, ...] = ()
    """Every way of scoring that was compared, the chosen one first."""
    waits: tuple[Wait, ...] = ()
    """The tiles that would complete a hand one tile short of Mah-Jong."""
    nearest: tuple[NearbySpecial, ...] = ()
    """The special hands nearest to a hand that did not win, nearest first."""
    options: tuple[OptionInForce, ...] = ()
    """The table's choices in force."""
