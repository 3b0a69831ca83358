"""Lay the hands of a photograph: rows, joint decoding of the tiles, then sets.

A photograph shows one hand, or the hands on all sides of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.tiles import FACE_DOWN
from vision.geometry.mat import MARK, MARKS, Mat
from vision.geometry.plane import quads_of
from vision.geometry.rows import Layout, lay_out, reading_order
from vision.hand.arrange import arrange, lying_together, to_sets
from vision.hand.assemble import AssembledHand
from vision.hand.bonus import with_bonus
from vision.hand.counts import likely_misread
from vision.hand.decode import decode
from vision.hand.patterns import named_as_pattern, patterns
from vision.hand.questions import winning_tile
from vision.hand.strange import doubted_together, strangeness
from vision.reading import LeftOut, TileReading, Why


@dataclass(frozen=True, slots=True)
class LaidHand:
    """Tiles in reading order, and the hand that they make."""

    tiles: tuple[TileReading, ...]
    order: tuple[int, ...]
    """Position of each of `tiles` in the input."""
    layout: Layout
    hand: AssembledHand

    def fields(self) -> dict[str, Any]:
        """Return the fields of a Reading that follow from the hand, by name."""
        hand, left_out = self.hand, sorted(self.layout.left_out.items())
        parts = Hand(hand.exposed, hand.declared_kongs, hand.concealed, hand.bonus)
        return {
            "tiles": self.tiles,
            "sets": to_sets(hand),
            "hand_text": format_hand(parts),
            "left_out": tuple(LeftOut(tile, why) for tile, why in left_out),
            "winning_tile": winning_tile(hand, self.layout),
        }


def lay(
    found: Sequence[TileReading],
    rules: str,
    gate: float | None = None,
    owner: tuple[float, float] | None = None,
    mat: Mat | None = None,
    others: Sequence[TileReading] = (),
) -> LaidHand:
    """Return the hand that these tiles make, decoded if there is a gate for doubt.

    `owner` is the direction in pixels in which the hand's owner sits, if known. `others` are tiles
    of other players in the photograph.
    """
    kept = [i for i, tile in enumerate(found) if not (mat and _is_mark(mat, tile))]
    quads = quads_of(found[i] for i in kept)
    if mat and len(quads):
        layout = mat.lay_out(quads)
    else:
        layout = _lay_out([found[i] for i in kept], owner, others)
    layout = with_bonus([found[i] for i in kept], layout, others)
    reading = reading_order(layout.rows, quads)
    places = {tile: place for place, tile in enumerate(reading)}
    layout = layout.renumbered(places)
    order = tuple(kept[i] for i in reading)
    tiles = tuple(found[i] for i in order)
    if gate is not None:
        strange = strangeness([t for k, t in enumerate(tiles) if k not in layout.left_out])
        tiles = decode(tiles, [*lying_together([t.code for t in tiles], layout.rows)], gate)
        tiles = doubted_together(tiles, strange, gate)
    codes = [t.code for t in tiles]
    hand = arrange(codes, layout.rows, rules, layout.sideways, layout.beside)
    asked = layout.unclear | likely_misread(tiles, hand) | named_as_pattern(tiles, layout)
    return LaidHand(_doubted(tiles, asked), order, layout, hand)


def _lay_out(
    tiles: Sequence[TileReading],
    owner: tuple[float, float] | None,
    others: Sequence[TileReading],
) -> Layout:
    """Return the rows of the real tiles; false detections are left out."""
    no_tiles = patterns(tiles, others)
    real = [k for k in range(len(tiles)) if k not in no_tiles]
    backs = [tiles[k].code == FACE_DOWN for k in real]
    layout = lay_out(quads_of(tiles[k] for k in real), backs, owner)
    layout = layout.renumbered(dict(enumerate(real)))
    said: dict[int, Why] = dict.fromkeys(sorted(no_tiles), "pattern")
    return replace(layout, left_out={**layout.left_out, **said})


def _doubted(tiles: Sequence[TileReading], asked: frozenset[int]) -> tuple[TileReading, ...]:
    """Return the tiles with those to be asked about marked as doubtful."""
    return tuple(replace(t, doubtful=t.doubtful or k in asked) for k, t in enumerate(tiles))


def _is_mark(mat: Mat, tile: TileReading) -> bool:
    """Return whether a detection is one of the mat's own marks, which resemble tiles."""
    corners = cv2.perspectiveTransform(np.array([tile.quad], np.float64), mat.to_sheet)
    x, y = corners.mean((0, 1))
    return any(left < x < left + MARK and top < y < top + MARK for left, top in MARKS)
