"""Flowers and seasons laid apart: the hand's own are taken in, what may be another's is asked.

What is rather the hand's is taken in, what is rather another's is left out. The player is asked
about either once, and about its name only if that is in doubt, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from scorer.tiles import FACE_DOWN
from tests.vision.laid_tiles import NEAT, LaidTile, at_side, deal, middle_of_table, two_rows
from tests.vision.pinhole_camera import PhotoOfTiles, View, photograph, random_view
from tests.vision.thrown_flowers import THROWN_LAYOUTS, throw_flowers
from tests.vision.truth import as_read, verdict
from vision.geometry.table_sides import divide_by_side
from vision.hand.laid_hand import lay_hand
from vision.hand.questions import questions
from vision.reading import TileReading

LITTLE = 0.015
"""Corner noise at which nothing may go wrong; what does with more is counted by `tests.bench`."""

HAND = [LaidTile("C2", "C2", 1.05 * k, 0.0) for k in range(14)]
"""One row, from 0 to 13.65."""

THEIR_TILES = [LaidTile("B7", "B7", 22.0, 1.03 * k, 90.0, "out") for k in range(6)]
"""Another's row, at the right and turned towards that player."""


@dataclass(frozen=True)
class Case:
    """One tile beside the row, and what becomes of it."""

    reason: str
    x: float
    y: float
    is_taken: bool = True
    is_asked: bool = False
    turn: float = 35.0
    code: str = "F1"
    sure: float = 0.99
    alternatives: tuple[tuple[str, float], ...] = ()
    neighbours: tuple[LaidTile, ...] = ()


CASES = [
    Case("askew at the right", 16.5, 0.0),
    Case("four widths off at the right", 18.2, 0.5),
    Case("askew at the left", -3.0, 0.4, turn=-60),
    Case("above", 6.0, 4.0),
    Case("below, lying across", 6.0, -4.5, turn=90),
    Case("farther than one lays it, though nothing else is about", 21.5, 0.0, is_taken=False),
    Case("a season is a bonus tile", 16.5, 0.0, code="S3"),
    Case("no bonus tile: a discard", 16.5, 2.0, code="C5", is_taken=False),
    Case("another name, but perhaps a flower: asked", 16.5, 2.0, code="B1", sure=0.6,
         alternatives=(("F1", 0.3),), is_asked=True),
    Case("which flower is open, not that it is one", 16.5, 2.0, sure=0.4,
         alternatives=(("F2", 0.3), ("S2", 0.2)), is_asked=False),
    Case("hardly a flower: left to the discards", 16.5, 2.0, code="B1", sure=0.9,
         alternatives=(("F1", 0.05),), is_taken=False),
    Case("perhaps a back, but nobody lays one there: a flower all picture; asked", 16.5, 0.0,
         turn=0, code="??", sure=0.5, is_asked=True),
    Case("surely a back: part of a wall", 16.5, 0.0, turn=0, code="??", sure=0.98, is_taken=False),
    Case("nearer to a discard: asked", 16.5, 2.0, is_asked=True,
         neighbours=(LaidTile("O3", "O3", 18.0, 3.0, 40, "out"),)),
    Case("far and nearer to a discard: left out, asked", 16.5, 4.0, is_taken=False, is_asked=True,
         neighbours=(LaidTile("O3", "O3", 18.0, 5.0, 40, "out"),)),
    Case("nearer to the wall: asked", 6.0, 3.5, is_asked=True,
         neighbours=tuple(LaidTile("??", "B1", 1.02 * k, 5.5, 0.0, "out") for k in range(12))),
    Case("rather at this hand than at another's: asked", 16.5, 1.0, is_asked=True,
         neighbours=tuple(THEIR_TILES)),
    Case("between this hand and another's: left out, asked", 17.5, 2.0, is_taken=False,
         is_asked=True, neighbours=tuple(THEIR_TILES)),
    Case("beside another's hand: that player's", 20.0, 2.0, is_taken=False,
         neighbours=tuple(THEIR_TILES)),
    Case("close to this hand, though another's lies near", 14.8, 1.2,
         neighbours=tuple(THEIR_TILES)),
    Case("flowers in two places: whose are which? asked", 16.5, 0.0, is_asked=True,
         neighbours=(LaidTile("S4", "S4", -3.0, 0.0, 20, "out"),)),
    Case("another's flower far off brings no doubt", 16.5, 0.0,
         neighbours=(LaidTile("S4", "S4", -8.0, 0.0, 20, "out"),)),
    Case("perhaps a flower, among discards: a discard", 16.5, 4.0, is_taken=False, sure=0.7,
         alternatives=(("B1", 0.2),), neighbours=(LaidTile("O3", "O3", 18.0, 5.0, 40, "out"),)),
    Case("in line with the row, yet nearer to another's: asked", 17.0, 0.0, turn=0, is_asked=True,
         neighbours=tuple(replace(t, x=18.6) for t in THEIR_TILES)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason)
@pytest.mark.parametrize("elevation", [90, 60])
def test_a_tile_beside_the_hand(case: Case, elevation: float) -> None:
    rng = np.random.default_rng(4)
    thrown_tile = LaidTile(case.code, case.code, case.x, case.y, case.turn)
    photo = photograph(
        rng, [*HAND, thrown_tile, *case.neighbours], View(elevation, fill=0.4), LITTLE
    )
    tiles = [as_read(tile, quad) for tile, quad in zip(photo.tiles, photo.quads, strict=True)]
    place = photo.tiles.index(thrown_tile)
    tiles[place] = structs.replace(
        tiles[place], confidence=case.sure, alternatives=case.alternatives, doubtful=case.sure < 0.9
    )
    laid_hand = lay_hand(tiles, "bmja")
    place_in_order = laid_hand.order.index(place)
    assert (place_in_order in _in_hand(laid_hand.hand.sets)) == case.is_taken, case.reason
    assert laid_hand.tiles[place_in_order].doubtful == tiles[place].doubtful, (
        "its name has a question of its own"
    )
    asking_blocks = [block for block in laid_hand.blocks if place_in_order in block.tiles]
    assert [block.included for block in asking_blocks] == [case.is_taken] * case.is_asked, (
        case.reason
    )
    problems = questions(
        [t.code for t in laid_hand.tiles], laid_hand.hand, laid_hand.layout, laid_hand.blocks
    )
    assert sum(p.code == "tiles-beside" for p in problems) == len(laid_hand.blocks)


STRANGE_TILES = [
    ("in doubt beside the hand: print may say that it is a flower",
     LaidTile("C5", "C5", 16.5, 2.0, 35.0), 0.3, (), True),
    ("surely a discard", LaidTile("C5", "C5", 16.5, 2.0, 35.0), 0.99, (), False),
    ("in doubt, but far from the hand", LaidTile("C5", "C5", 22.0, 0.0, 35.0), 0.3, (), False),
    ("in doubt, beside another's hand",
     LaidTile("C5", "C5", 20.0, 2.0, 35.0), 0.3, THEIR_TILES, False),
    ("in doubt in the row: read as ever", LaidTile("C5", "C5", 14.7, 0.0), 0.3, (), True),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "strange_tile", "sure", "neighbours", "is_read"), STRANGE_TILES)
def test_a_tile_in_doubt_is_read_where_it_may_be_the_hands(
    reason: str,
    strange_tile: LaidTile,
    sure: float,
    neighbours: tuple[LaidTile, ...],
    is_read: bool,
) -> None:
    photo = photograph(
        np.random.default_rng(4), [*HAND, strange_tile, *neighbours], View(60, fill=0.4), LITTLE
    )
    tiles = [as_read(tile, quad) for tile, quad in zip(photo.tiles, photo.quads, strict=True)]
    place = photo.tiles.index(strange_tile)
    tiles[place] = structs.replace(tiles[place], confidence=sure, doubtful=sure < 0.9)
    assert (place in lay_hand(tiles, "bmja").doubtful) == is_read, reason


def _in_hand(sets: tuple[object, ...]) -> set[int]:
    return {tile for each in sets for tile in each.tiles}  # type: ignore[attr-defined]


@given(
    st.lists(
        st.tuples(*[st.floats(0, 400)] * 3, st.sampled_from(["F1", "S3", "B1", FACE_DOWN])),
        max_size=9,
    ),
    st.booleans(),
    st.integers(0, 99),
)
def test_every_tile_is_in_the_hand_or_left_out(
    strewn_tiles: list[tuple[float, float, float, str]], with_hand: bool, seed: int
) -> None:
    """However tiles lie about, with a hand among them or without."""
    rng = np.random.default_rng(seed)
    tiles = [LaidTile(code, code, x / 20, y / 20, turn) for x, y, turn, code in strewn_tiles]
    tiles += HAND if with_hand else []
    photo = photograph(rng, tiles, View(50.0), LITTLE) if tiles else None
    read_tiles = (
        [as_read(t, q) for t, q in zip(photo.tiles, photo.quads, strict=True)] if photo else []
    )
    laid_hand = lay_hand(read_tiles, "bmja")
    in_hand = [tile for each in laid_hand.hand.sets for tile in each.tiles]
    assert sorted([*in_hand, *laid_hand.layout.left_out]) == list(range(len(read_tiles)))
    offered_places = {place for block in laid_hand.blocks for place in block.tiles}
    assert offered_places >= laid_hand.layout.unclear


@pytest.mark.parametrize("elevation", [90, 60, 45, 35])
@pytest.mark.parametrize("name", THROWN_LAYOUTS)
def test_flowers_thrown_down_are_the_hands_or_asked_about(name: str, elevation: float) -> None:
    may = "asked" if "and" in name else "right"
    for seed in range(4):
        rng = np.random.default_rng([7, seed])
        tiles = THROWN_LAYOUTS[name](rng)
        photo = photograph(rng, tiles, random_view(rng, elevation), LITTLE)
        assert verdict(photo, tiles, "bmja") in ("right", may), seed


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("side", ["right", "left", "below"])
def test_no_neighbours_flower_is_taken_unasked_at_a_table(side: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    hands = [throw_flowers(rng, two_rows(rng, deal(rng, 2), NEAT), side) for _ in range(4)]
    hands = [at_side(hand, k, 13.0) for k, hand in enumerate(hands)]
    table = [tile for hand in hands for tile in hand]
    table += [
        tile
        for tile in middle_of_table(rng)
        if all(math.hypot(tile.x - t.x, tile.y - t.y) > 1.4 for t in table)
    ]
    photo = photograph(rng, table, View(90, fill=0.95), LITTLE)
    seats = _seats(photo)
    for own, hand in zip(seats, hands, strict=True):
        unasked_places = [place for place, asked in own.items() if not asked]
        assert all(photo.tiles[place] in hand for place in unasked_places), "taken from a neighbour"
    flowers = {k for k, tile in enumerate(photo.tiles) if tile.part == "bonus"}
    assert {place for own in seats for place in own} == flowers, "nobody's, and nobody is asked"


def _seats(photo: PhotoOfTiles) -> list[dict[int, bool]]:
    """Return for each side of the table the bonus tiles of its hand, and which are asked about."""
    tiles = [as_read(tile, quad) for tile, quad in zip(photo.tiles, photo.quads, strict=True)]
    seats = []
    for seat in divide_by_side(photo.quads, [tile.code == FACE_DOWN for tile in tiles]):
        other_tiles = [tile for k, tile in enumerate(tiles) if k not in seat.tiles]
        own_tiles: list[TileReading] = [tiles[k] for k in seat.tiles]
        laid_hand = lay_hand(own_tiles, "bmja", owner=seat.owner, other_tiles=other_tiles)
        places = {t for each in laid_hand.hand.sets if each.row == "bonus" for t in each.tiles}
        is_asked = {t: laid_hand.tiles[t].doubtful for t in places}
        is_asked |= {t: True for block in laid_hand.blocks for t in block.tiles}
        seats.append({seat.tiles[laid_hand.order[t]]: is_asked for t, is_asked in is_asked.items()})
    return seats
