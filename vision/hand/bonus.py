"""Assign flowers and seasons beside the hand: players lay them apart, turned, on any side.

Tiles that clearly belong to the hand are added, and likely ones too, but these are asked about.
Possible ones are left out and asked about. Bonus tiles are never discarded, so one that lies around
belongs to some player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from scorer.tiles import FACE_DOWN
from vision.geometry.ownership import (
    MAX_HAND_DISTANCE_WIDTHS,
    MAX_TABLE_DISTANCE_WIDTHS,
    Ownership,
    judge_ownership,
    view_from_above,
)
from vision.geometry.plane import quads_of
from vision.geometry.rows import Layout
from vision.hand.arrangement import is_bonus
from vision.reading import LeftOutReason, TileReading

MIN_SURE_BONUS_CHANCE, MIN_LIKELY_BONUS_CHANCE, MIN_POSSIBLE_BONUS_CHANCE = 0.9, 0.5, 0.2
"""Chances that a tile is a bonus tile, whichever it is. From the first it counts wherever it lies,
because strewn tiles are misread too. From the second it counts beside the hand. From the third it
counts there, but the player is asked."""

REASONS_WITHOUT_FLOWERS: frozenset[LeftOutReason] = frozenset(("size", "pattern"))
"""Reasons for leaving a tile out that never apply to a flower."""

MIN_FACE_DOWN_CONFIDENCE = 0.7
"""A face-down tile by itself with less confidence than this may be a flower with a picture all
over. Nobody lays tiles face down beside a hand, and a wall's are more certain."""


def add_bonus_tiles(
    tiles: Sequence[TileReading], layout: Layout, other_tiles: Sequence[TileReading] = ()
) -> Layout:
    """Return the layout with the bonus tiles beside the hand added; unclear ones are marked.

    `other_tiles` are other players' tiles. Flowers without a hand beside them stay as they are.
    """
    claims = _judge_bonus_tiles(tiles, layout, other_tiles, _may_be_flower)
    if not claims:
        return layout
    loose_tiles = [k for k in claims if k in layout.left_out]
    flowers = {k for k in loose_tiles if bonus_chance(tiles[k]) >= MIN_LIKELY_BONUS_CHANCE}
    hand_bonus = [
        k for k in loose_tiles if claims[k] == "own" or (claims[k] == "likely" and k in flowers)
    ]
    doubtful_claims = {
        k for k in claims if claims[k] != "own" and (k not in loose_tiles or k in hand_bonus)
    }
    doubtful_claims |= {k for k in hand_bonus if k not in flowers or not is_bonus(tiles[k].code)}
    doubtful_claims |= {
        k for k in loose_tiles if claims[k] == "possible" and is_bonus(tiles[k].code)
    }
    left_out = {k: why for k, why in layout.left_out.items() if k not in hand_bonus}
    ordered_bonus = sorted(hand_bonus, key=lambda k: float(np.mean(tiles[k].quad, axis=0)[0]))
    flowers_laid, unclear = tuple(ordered_bonus), frozenset(doubtful_claims)
    return replace(layout, bonus_tiles=flowers_laid, left_out=left_out, unclear=unclear)


def possible_bonus_tiles(tiles: Sequence[TileReading], layout: Layout) -> frozenset[int]:
    """Return the tiles left out of the rows that may still be bonus tiles of the hand.

    A likely one counts wherever it lies, because a closer look may confirm it. Others count only
    near the hand.
    """
    claims = _judge_bonus_tiles(tiles, layout, (), _may_be_flower)
    possible_tiles = frozenset(
        k for k, of in claims.items() if of != "not" and k in layout.left_out
    )
    return possible_tiles.union(
        k
        for k, why in layout.left_out.items()
        if k not in layout.odd
        and why != "pattern"
        and bonus_chance(tiles[k]) >= MIN_LIKELY_BONUS_CHANCE
    )


def strange_tiles_beside(
    tiles: Sequence[TileReading], layout: Layout, other_tiles: Sequence[TileReading]
) -> frozenset[int]:
    """Return the doubtful tiles beside the hand that are flowers if their print says so."""
    strange_tiles = [k for k, why in layout.left_out.items() if _is_strange(tiles[k], why)]
    claims = _judge_bonus_tiles(tiles, layout, other_tiles, _is_strange) if strange_tiles else {}
    return frozenset(k for k in strange_tiles if claims.get(k, "not") != "not")


def _judge_bonus_tiles(
    tiles: Sequence[TileReading],
    layout: Layout,
    other_tiles: Sequence[TileReading],
    may_be_flower: Callable[[TileReading, LeftOutReason], bool],
) -> dict[int, Ownership]:
    """Return the ownership of each bonus tile outside a set; empty if nothing is unclear."""
    loose_tiles = [
        tile
        for tile, why in layout.left_out.items()
        if tile not in layout.odd and may_be_flower(tiles[tile], why)
    ]
    in_line = [
        tile
        for row in layout.rows
        for group in row.groups
        if all(is_bonus(tiles[k].code) for k in group)
        for tile in group
    ]
    discards = [*in_line, *loose_tiles]
    if not loose_tiles and not (in_line and (layout.left_out or other_tiles)):
        return {}
    if all(tile in discards for row in layout.rows for tile in row.tiles):
        return {}
    backs = [tile.code == FACE_DOWN for tile in (*tiles, *other_tiles)]
    view = view_from_above(quads_of(tiles), layout, discards, backs, quads_of(other_tiles))
    faint = [k for k in loose_tiles if bonus_chance(tiles[k]) < MIN_SURE_BONUS_CHANCE]
    reach = MAX_TABLE_DISTANCE_WIDTHS if other_tiles else MAX_HAND_DISTANCE_WIDTHS
    return judge_ownership(view, discards, faint, reach)


def _may_be_flower(tile: TileReading, reason: LeftOutReason) -> bool:
    if reason == "backs":
        return tile.confidence < MIN_FACE_DOWN_CONFIDENCE
    return reason not in REASONS_WITHOUT_FLOWERS and bonus_chance(tile) >= MIN_POSSIBLE_BONUS_CHANCE


def _is_strange(tile: TileReading, reason: LeftOutReason) -> bool:
    if tile.code == FACE_DOWN and tile.confidence >= MIN_FACE_DOWN_CONFIDENCE:
        return False
    return tile.doubtful and reason not in REASONS_WITHOUT_FLOWERS


def bonus_chance(tile: TileReading) -> float:
    """Return the chance that a tile is a flower or a season."""
    code_chances = ((tile.code, tile.confidence), *tile.alternatives)
    return sum(chance for code, chance in code_chances if is_bonus(code))
