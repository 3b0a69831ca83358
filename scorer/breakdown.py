"""What a hand scored, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.errors import HandProblem
from scorer.hand import Codes
from scorer.tiles import BY_CODE, Tile

SetKind = Literal["chow", "pung", "kong", "pair", "loose"]
"""What a group of tiles is; `loose` tiles belong to no set."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """Tiles that are read together, as one set."""

    kind: SetKind
    tiles: Codes
    concealed: bool

    @property
    def tile(self) -> Tile:
        """The first tile, which stands for all of a pung, a kong or a pair."""
        return BY_CODE[self.tiles[0]]


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


@dataclass(frozen=True, slots=True)
class NotCounted:
    """A rule that a player might have expected to apply, and why it does not."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A scored hand: total = base × 2^doubles, or the limit."""

    total: int
    base: int
    doubles: int
    limited: bool
    """Whether the limit cut the total."""
    special: str | None
    """The rule id of the special hand that was scored; None for an ordinary hand."""
    lines: tuple[Line, ...]
    not_counted: tuple[NotCounted, ...]
    sets: tuple[TileSet, ...]
    """The reading of the hand that was scored (BMJA-H06)."""
    problems: tuple[HandProblem, ...]
    """Warnings; a hand with errors has no breakdown."""
