"""Lay the hands of a photograph: rows, joint decoding of the tiles, then sets.

A photograph shows one hand, or the hands on all sides of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from msgspec import structs

from scorer.hand import HAND_SIZE, Hand
from scorer.layings import face_down_layings
from scorer.notation import format_hand
from scorer.tiles import FACE_DOWN
from vision.geometry.blocks import find_blocks
from vision.geometry.mat import MARK_CORNERS_MM, MARK_SIDE_MM, Mat
from vision.geometry.plane import Quads, quads_of
from vision.geometry.rows import Layout, lay_out, reading_order
from vision.geometry.table_sides import divide_by_side
from vision.hand.arrangement import arrange, find_adjacent_groups, to_sets
from vision.hand.assembly import AssembledHand
from vision.hand.blocks import read_blocks
from vision.hand.bonus import add_bonus_tiles, possible_bonus_tiles, strange_tiles_beside
from vision.hand.choice import HandChoice, choose_hand
from vision.hand.exposure import separate_exposed_rows
from vision.hand.false_detections import find_false_detections, find_pattern_suspects
from vision.hand.hand_doubts import (
    USUAL_UNFAMILIARITY,
    find_likely_misread,
    measure_unfamiliarity,
    reduce_confidence,
)
from vision.hand.joint_decoding import decode_jointly
from vision.hand.questions import find_winning_tile
from vision.reading import BlockReading, LeftOut, LeftOutReason, Side, TileReading


@dataclass(frozen=True, slots=True)
class LaidHand:
    """Tiles in reading order, and the hand that they make."""

    tiles: tuple[TileReading, ...]
    order: tuple[int, ...]
    """Position of each of `tiles` in the input."""
    layout: Layout
    hand: AssembledHand
    blocks: tuple[BlockReading, ...] = ()
    is_unfamiliar: bool = False
    """Whether the set looks unlike those that were learned."""
    strange_tiles: frozenset[int] = frozenset()
    """Doubtful tiles beside the hand: flowers, if their print says so."""

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Positions in the input of doubtful tiles of the hand and of strange ones beside it."""
        doubtful_tiles = (k for k in self.hand_tiles if self.tiles[k].doubtful)
        return tuple(self.order[k] for k in (*doubtful_tiles, *sorted(self.strange_tiles)))

    @property
    def unfamiliar(self) -> tuple[int, ...]:
        """The same of its other tiles, if its set looks unlike those that were learned."""
        hand_tiles = self.hand_tiles if self.is_unfamiliar else ()
        return tuple(self.order[k] for k in hand_tiles if not self.tiles[k].doubtful)

    @property
    def hand_tiles(self) -> tuple[int, ...]:
        """Positions in `tiles` of those in the hand's sets."""
        return tuple(tile for laid in self.hand.sets for tile in laid.tiles)

    def fields(self) -> dict[str, Any]:
        """Return the fields of a Reading that follow from the hand, by name."""
        hand, left_out = self.hand, sorted(self.layout.left_out.items())
        parts = Hand(hand.exposed, hand.declared_kongs, hand.concealed, hand.bonus)
        return {
            "tiles": self.tiles,
            "sets": to_sets(hand),
            "hand_text": format_hand(parts),
            "left_out": tuple(LeftOut(tile, why) for tile, why in left_out),
            "winning_tile": find_winning_tile(hand, self.layout),
            "blocks": self.blocks,
        }


def lay_hand(
    tiles_of_photo: Sequence[TileReading],
    rules: str,
    gate: float | None = None,
    owner: tuple[float, float] | None = None,
    mat: Mat | None = None,
    other_tiles: Sequence[TileReading] = (),
) -> LaidHand:
    """Return the hand that these tiles make, decoded if there is a gate for doubt.

    `owner` is the direction in pixels in which the hand's owner sits, if known. `other_tiles` are
    tiles of other players in the photograph.
    """
    real_places = [i for i, tile in enumerate(tiles_of_photo) if not (mat and _is_mark(mat, tile))]
    real_tiles = [tiles_of_photo[i] for i in real_places]
    choice = _choose(real_tiles, rules, owner, mat, other_tiles)
    reading = _put_patterns_last(choice.layout, quads_of(real_tiles))
    places = {tile: place for place, tile in enumerate(reading)}
    layout = choice.layout.renumber(places)
    order = tuple(real_places[i] for i in reading)
    tiles = tuple(tiles_of_photo[i] for i in order)
    unfamiliarity = 0.0
    if gate is not None:
        near_tiles = [t for k, t in enumerate(tiles) if k not in layout.left_out]
        unfamiliarity = measure_unfamiliarity(near_tiles)
        groups = [*find_adjacent_groups([t.code for t in tiles], layout.rows)]
        tiles = decode_jointly(tiles, groups, gate, face_down_layings(rules))
        tiles = reduce_confidence(tiles, unfamiliarity, gate)
    codes = [t.code for t in tiles]
    hand = arrange(codes, layout.rows, rules, layout.sideways, layout.bonus_tiles)
    suspects = find_likely_misread(tiles, hand) | find_pattern_suspects(tiles, layout)
    rival = choice.rival.renumber(places) if choice.rival else None
    blocks = tuple(read_blocks(tiles, hand, layout, rules, rival))
    marked_tiles = _mark_doubtful(tiles, suspects)
    questionable_tiles = layout.unclear.union(*(block.tiles for block in blocks))
    left_out = {k: why for k, why in layout.left_out.items() if why != "pattern"}
    tile_count = len(tiles) - len(layout.left_out) + len(left_out)  # what is none comes last
    return LaidHand(
        _settle_backs(marked_tiles, layout, questionable_tiles)[:tile_count],
        order[:tile_count],
        replace(layout, left_out=left_out),
        hand,
        blocks,
        unfamiliarity > USUAL_UNFAMILIARITY,
        strange_tiles_beside(marked_tiles, layout, other_tiles),
    )


def _choose(
    tiles: Sequence[TileReading],
    rules: str,
    owner: tuple[float, float] | None,
    mat: Mat | None,
    other_tiles: Sequence[TileReading],
) -> HandChoice:
    """Return which tiles are the hand and how they lie, flowers with them.

    A mat says where the hand lies, and so does a seat at a table.
    """
    if mat and tiles:
        choice = HandChoice(mat.lay_out(quads_of(tiles)))
    else:
        usual = _lay_out(tiles, owner, other_tiles)
        choice = HandChoice(usual) if owner else choose_hand(tiles, usual, rules)
    layout = separate_exposed_rows(tiles, choice.layout, rules)
    return replace(choice, layout=add_bonus_tiles(tiles, layout, other_tiles))


def _lay_out(
    tiles: Sequence[TileReading],
    owner: tuple[float, float] | None,
    other_tiles: Sequence[TileReading],
) -> Layout:
    """Return the rows of the real tiles; false detections are left out."""
    no_tiles = find_false_detections(tiles, other_tiles)
    real = [k for k in range(len(tiles)) if k not in no_tiles]
    backs = [tiles[k].code == FACE_DOWN for k in real]
    layout = lay_out(quads_of(tiles[k] for k in real), backs, owner)
    layout = layout.renumber(dict(enumerate(real)))
    reasons: dict[int, LeftOutReason] = dict.fromkeys(sorted(no_tiles), "pattern")
    return replace(layout, left_out={**layout.left_out, **reasons})


def _put_patterns_last(layout: Layout, quads: Quads) -> tuple[int, ...]:
    """Return all positions in reading order, those of what is no tile at the end."""
    order = reading_order(layout.rows, quads)
    return tuple(sorted(order, key=lambda k: layout.left_out.get(k) == "pattern"))


def _mark_doubtful(
    tiles: Sequence[TileReading], suspects: frozenset[int]
) -> tuple[TileReading, ...]:
    """Return the tiles with those to be asked about marked as doubtful."""
    return tuple(
        structs.replace(t, doubtful=t.doubtful or k in suspects) for k, t in enumerate(tiles)
    )


def _settle_backs(
    tiles: Sequence[TileReading], layout: Layout, questionable_tiles: frozenset[int]
) -> tuple[TileReading, ...]:
    """Return the tiles without doubt about backs outside the hand: nothing depends on them.

    Those of walls often look uncertain. Tiles that are asked about may belong to the hand.
    """
    return tuple(
        structs.replace(t, doubtful=False)
        if t.code == FACE_DOWN and k in layout.left_out and k not in questionable_tiles
        else t
        for k, t in enumerate(tiles)
    )


def _is_mark(mat: Mat, tile: TileReading) -> bool:
    """Return whether a detection is one of the mat's own marks, which resemble tiles."""
    corners = cv2.perspectiveTransform(np.array([tile.quad], np.float64), mat.to_sheet)
    x, y = corners.mean((0, 1))
    return any(
        left < x < left + MARK_SIDE_MM and top < y < top + MARK_SIDE_MM
        for left, top in MARK_CORNERS_MM
    )


def possible_hand_tiles(
    tiles: Sequence[TileReading], rules: str, mat: Mat | None = None
) -> frozenset[int]:
    """Return the positions of tiles in the hand's rows, and of possible tiles of it around them.

    Only these tiles get a second look. False detections are not among them.
    """
    quads, backs = quads_of(tiles), [tile.code == FACE_DOWN for tile in tiles]
    layout = mat.lay_out(quads) if mat and len(tiles) else _lay_out(tiles, None, ())
    in_rows = layout.row_tiles
    nearby_blocks = find_blocks(quads, layout, backs) if len(in_rows) < HAND_SIZE - 1 else ()
    hand_rows = () if mat else choose_hand(tiles, layout, rules).rows
    return possible_bonus_tiles(tiles, layout).union(
        in_rows, *(block.tiles for block in nearby_blocks), *(row.tiles for row in hand_rows)
    )


@dataclass(frozen=True, slots=True)
class HandAtSide:
    """The hand on one side of the table."""

    side: Side
    tiles: tuple[int, ...]
    """Positions in the list of the table's tiles; positions in `laid_hand` refer to this tuple."""
    laid_hand: LaidHand


def lay_hands_by_side(
    tiles: Sequence[TileReading], rules: str, gate: float | None = None
) -> tuple[HandAtSide, ...]:
    """Return the hand on each side of the table that has one, in the order of play.

    Tiles in the middle are left out of the nearest hand.
    """
    hands = []
    for seat in divide_by_side(quads_of(tiles), [tile.code == FACE_DOWN for tile in tiles]):
        side_tiles = [tiles[i] for i in seat.tiles]
        other_tiles = [tile for i, tile in enumerate(tiles) if i not in seat.tiles]
        laid_hand = lay_hand(side_tiles, rules, gate, seat.owner, other_tiles=other_tiles)
        hands.append(HandAtSide(seat.side, seat.tiles, laid_hand))
    return tuple(hands)
