"""A hand as the tutor shows it: its sets in their rows, all faces up, and how it scores."""

from __future__ import annotations

from dataclasses import dataclass

from device.web.scoresheet import working
from device.web.words import say
from scorer.breakdown import Breakdown, Line, TileSet
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.ruleset import Ruleset
from scorer.score import score
from vision.reading import Row


@dataclass(frozen=True, slots=True)
class ShownSet:
    """Tiles that lie together."""

    name: str
    """What they are: `Pung`; empty for loose tiles."""
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand, and its score."""

    rows: tuple[tuple[Row, tuple[ShownSet, ...]], ...]
    """Exposed, concealed and bonus tiles; a row without tiles is left out."""
    points: tuple[Line, ...]
    doubles: tuple[Line, ...]
    total: int
    working: tuple[str, ...]
    """The sum written out, in a line or two."""
    breakdown: Breakdown
    hand_text: str
    winning_tile: str | None


def shown_hand(hand: Hand, rules: Ruleset | None = None) -> ShownHand:
    """Return how a hand is shown; raise HandError for what is no hand."""
    breakdown = score(hand, rules)
    exposed = tuple(_shown(each) for each in breakdown.sets if not each.concealed)
    concealed = tuple(_shown(each) for each in breakdown.sets if each.concealed)
    bonus = (ShownSet("", hand.bonus),) if hand.bonus else ()
    rows: tuple[tuple[Row, tuple[ShownSet, ...]], ...] = (
        ("exposed", exposed),
        ("concealed", concealed),
        ("bonus", bonus),
    )
    return ShownHand(
        rows=tuple((row, sets) for row, sets in rows if sets),
        points=tuple(line for line in breakdown.lines if not line.doubles),
        doubles=tuple(line for line in breakdown.lines if line.doubles),
        total=breakdown.total,
        working=working(breakdown),
        breakdown=breakdown,
        hand_text=format_hand(hand),
        winning_tile=hand.winning_tile,
    )


def _shown(tile_set: TileSet) -> ShownSet:
    name = "" if tile_set.kind == "loose" else say(f"kind.{tile_set.kind}")
    return ShownSet(name, tile_set.tiles)
