"""Show an example hand: its sets in their rows, all faces up, with its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.i18n.words import say
from device.views.score import format_working
from scorer.breakdown import Breakdown, Line, TileSet
from scorer.hand import Codes, Hand
from scorer.notation import format_hand
from scorer.ruleset import Ruleset
from scorer.score import score
from vision.reading import RowName


@dataclass(frozen=True, slots=True)
class ShownSet:
    """A group of tiles."""

    name: str
    """The kind of set: `Pung`; empty for loose tiles."""
    codes: tuple[str, ...]


ShownRows = tuple[tuple[RowName, tuple[ShownSet, ...]], ...]
"""Sets row by row."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand, and its score."""

    rows: ShownRows
    """Exposed, concealed and bonus tiles; a row without tiles is left out."""
    points: tuple[Line, ...]
    doubles: tuple[Line, ...]
    total: int
    working: tuple[str, ...]
    """The sum written out, in a line or two."""
    breakdown: Breakdown
    hand_text: str
    winning_tile: str | None


def show_hand(hand: Hand, rules: Ruleset | None = None) -> ShownHand:
    """Return a hand with its score; raise HandError for an invalid hand."""
    breakdown = score(hand, rules)
    exposed = [show_set(each) for each in breakdown.sets if not each.concealed]
    concealed = [show_set(each) for each in breakdown.sets if each.concealed]
    return ShownHand(
        rows=arrange_rows(exposed, concealed, hand.bonus),
        points=tuple(line for line in breakdown.lines if not line.doubles),
        doubles=tuple(line for line in breakdown.lines if line.doubles),
        total=breakdown.total,
        working=format_working(breakdown),
        breakdown=breakdown,
        hand_text=format_hand(hand),
        winning_tile=hand.winning_tile,
    )


def arrange_rows(
    exposed: Sequence[ShownSet], concealed: Sequence[ShownSet], bonus: Codes
) -> ShownRows:
    """Return the sets and bonus tiles in their rows; a row without tiles is left out."""
    rows: ShownRows = (
        ("exposed", tuple(exposed)),
        ("concealed", tuple(concealed)),
        ("bonus", (ShownSet("", bonus),) if bonus else ()),
    )
    return tuple((row, sets) for row, sets in rows if sets)


def show_set(tile_set: TileSet) -> ShownSet:
    """Return a set with its name."""
    name = "" if tile_set.kind == "loose" else say(f"kind.{tile_set.kind}")
    return ShownSet(name, tile_set.tiles)
