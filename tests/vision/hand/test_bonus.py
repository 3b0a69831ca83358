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
from tests.vision.laid import NEAT, Laid, at_side, deal, middle_of_table, two_rows
from tests.vision.seen import Seen, View, photograph, random_view
from tests.vision.thrown import THROWN, thrown_down
from tests.vision.truth import as_read, verdict
from vision.geometry.table_sides import divide_by_side
from vision.hand.laid_hand import lay_hand
from vision.hand.questions import questions
from vision.reading import TileReading

LITTLE = 0.015
"""Corner noise at which nothing may go wrong; what does with more is counted by `tests.bench`."""

HAND = [Laid("C2", "C2", 1.05 * k, 0.0) for k in range(14)]
"""One row, from 0 to 13.65."""

THEIRS = [Laid("B7", "B7", 22.0, 1.03 * k, 90.0, "out") for k in range(6)]
"""Another's row, at the right and turned towards that player."""


@dataclass(frozen=True)
class Case:
    """One tile beside the row, and what becomes of it."""

    why: str
    x: float
    y: float
    taken: bool = True
    asked: bool = False
    turn: float = 35.0
    code: str = "F1"
    sure: float = 0.99
    others: tuple[tuple[str, float], ...] = ()
    about: tuple[Laid, ...] = ()


CASES = [
    Case("askew at the right", 16.5, 0.0),
    Case("four widths off at the right", 18.2, 0.5),
    Case("askew at the left", -3.0, 0.4, turn=-60),
    Case("above", 6.0, 4.0),
    Case("below, lying across", 6.0, -4.5, turn=90),
    Case("farther than one lays it, though nothing else is about", 21.5, 0.0, taken=False),
    Case("a season is a bonus tile", 16.5, 0.0, code="S3"),
    Case("no bonus tile: a discard", 16.5, 2.0, code="C5", taken=False),
    Case("another name, but perhaps a flower: asked", 16.5, 2.0, code="B1", sure=0.6,
         others=(("F1", 0.3),), asked=True),
    Case("which flower is open, not that it is one", 16.5, 2.0, sure=0.4,
         others=(("F2", 0.3), ("S2", 0.2)), asked=False),
    Case("hardly a flower: left to the discards", 16.5, 2.0, code="B1", sure=0.9,
         others=(("F1", 0.05),), taken=False),
    Case("perhaps a back, but nobody lays one there: a flower all picture; asked", 16.5, 0.0,
         turn=0, code="??", sure=0.5, asked=True),
    Case("surely a back: part of a wall", 16.5, 0.0, turn=0, code="??", sure=0.98, taken=False),
    Case("nearer to a discard: asked", 16.5, 2.0, asked=True,
         about=(Laid("O3", "O3", 18.0, 3.0, 40, "out"),)),
    Case("far and nearer to a discard: left out, asked", 16.5, 4.0, taken=False, asked=True,
         about=(Laid("O3", "O3", 18.0, 5.0, 40, "out"),)),
    Case("nearer to the wall: asked", 6.0, 3.5, asked=True,
         about=tuple(Laid("??", "B1", 1.02 * k, 5.5, 0.0, "out") for k in range(12))),
    Case("rather at this hand than at another's: asked", 16.5, 1.0, asked=True,
         about=tuple(THEIRS)),
    Case("between this hand and another's: left out, asked", 17.5, 2.0, taken=False, asked=True,
         about=tuple(THEIRS)),
    Case("beside another's hand: that player's", 20.0, 2.0, taken=False, about=tuple(THEIRS)),
    Case("close to this hand, though another's lies near", 14.8, 1.2, about=tuple(THEIRS)),
    Case("flowers in two places: whose are which? asked", 16.5, 0.0, asked=True,
         about=(Laid("S4", "S4", -3.0, 0.0, 20, "out"),)),
    Case("another's flower far off brings no doubt", 16.5, 0.0,
         about=(Laid("S4", "S4", -8.0, 0.0, 20, "out"),)),
    Case("perhaps a flower, among discards: a discard", 16.5, 4.0, taken=False, sure=0.7,
         others=(("B1", 0.2),), about=(Laid("O3", "O3", 18.0, 5.0, 40, "out"),)),
    Case("in line with the row, yet nearer to another's: asked", 17.0, 0.0, turn=0, asked=True,
         about=tuple(replace(t, x=18.6) for t in THEIRS)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)
@pytest.mark.parametrize("elevation", [90, 60])
def test_a_tile_beside_the_hand(case: Case, elevation: float) -> None:
    rng = np.random.default_rng(4)
    thrown = Laid(case.code, case.code, case.x, case.y, case.turn)
    seen = photograph(rng, [*HAND, thrown, *case.about], View(elevation, fill=0.4), LITTLE)
    tiles = [as_read(tile, quad) for tile, quad in zip(seen.tiles, seen.quads, strict=True)]
    place = seen.tiles.index(thrown)
    tiles[place] = structs.replace(
        tiles[place], confidence=case.sure, alternatives=case.others, doubtful=case.sure < 0.9
    )
    laid = lay_hand(tiles, "bmja")
    at = laid.order.index(place)
    assert (at in _in_hand(laid.hand.sets)) == case.taken, case.why
    assert laid.tiles[at].doubtful == tiles[place].doubtful, "its name has a question of its own"
    asked = [block for block in laid.blocks if at in block.tiles]
    assert [block.included for block in asked] == [case.taken] * case.asked, case.why
    told = questions([t.code for t in laid.tiles], laid.hand, laid.layout, laid.blocks)
    assert sum(p.code == "tiles-beside" for p in told) == len(laid.blocks)


STRANGE = [
    ("in doubt beside the hand: print may say that it is a flower",
     Laid("C5", "C5", 16.5, 2.0, 35.0), 0.3, (), True),
    ("surely a discard", Laid("C5", "C5", 16.5, 2.0, 35.0), 0.99, (), False),
    ("in doubt, but far from the hand", Laid("C5", "C5", 22.0, 0.0, 35.0), 0.3, (), False),
    ("in doubt, beside another's hand", Laid("C5", "C5", 20.0, 2.0, 35.0), 0.3, THEIRS, False),
    ("in doubt in the row: read as ever", Laid("C5", "C5", 14.7, 0.0), 0.3, (), True),
]  # fmt: skip


@pytest.mark.parametrize(("why", "strange", "sure", "about", "is_read"), STRANGE)
def test_a_tile_in_doubt_is_read_where_it_may_be_the_hands(
    why: str, strange: Laid, sure: float, about: tuple[Laid, ...], is_read: bool
) -> None:
    seen = photograph(
        np.random.default_rng(4), [*HAND, strange, *about], View(60, fill=0.4), LITTLE
    )
    tiles = [as_read(tile, quad) for tile, quad in zip(seen.tiles, seen.quads, strict=True)]
    place = seen.tiles.index(strange)
    tiles[place] = structs.replace(tiles[place], confidence=sure, doubtful=sure < 0.9)
    assert (place in lay_hand(tiles, "bmja").doubtful) == is_read, why


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
    strewn: list[tuple[float, float, float, str]], with_hand: bool, seed: int
) -> None:
    """However tiles lie about, with a hand among them or without."""
    rng = np.random.default_rng(seed)
    tiles = [Laid(code, code, x / 20, y / 20, turn) for x, y, turn, code in strewn]
    tiles += HAND if with_hand else []
    seen = photograph(rng, tiles, View(50.0), LITTLE) if tiles else None
    told = [as_read(t, q) for t, q in zip(seen.tiles, seen.quads, strict=True)] if seen else []
    laid = lay_hand(told, "bmja")
    in_hand = [tile for each in laid.hand.sets for tile in each.tiles]
    assert sorted([*in_hand, *laid.layout.left_out]) == list(range(len(told)))
    offered = {place for block in laid.blocks for place in block.tiles}
    assert offered >= laid.layout.unclear


@pytest.mark.parametrize("elevation", [90, 60, 45, 35])
@pytest.mark.parametrize("name", THROWN)
def test_flowers_thrown_down_are_the_hands_or_asked_about(name: str, elevation: float) -> None:
    may = "asked" if "and" in name else "right"
    for seed in range(4):
        rng = np.random.default_rng([7, seed])
        laid = THROWN[name](rng)
        seen = photograph(rng, laid, random_view(rng, elevation), LITTLE)
        assert verdict(seen, laid, "bmja") in ("right", may), seed


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("side", ["right", "left", "below"])
def test_no_neighbours_flower_is_taken_unasked_at_a_table(side: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    hands = [thrown_down(rng, two_rows(rng, deal(rng, 2), NEAT), side) for _ in range(4)]
    hands = [at_side(hand, k, 13.0) for k, hand in enumerate(hands)]
    table = [tile for hand in hands for tile in hand]
    table += [
        tile
        for tile in middle_of_table(rng)
        if all(math.hypot(tile.x - t.x, tile.y - t.y) > 1.4 for t in table)
    ]
    seen = photograph(rng, table, View(90, fill=0.95), LITTLE)
    seats = _seats(seen)
    for own, hand in zip(seats, hands, strict=True):
        unasked = [place for place, asked in own.items() if not asked]
        assert all(seen.tiles[place] in hand for place in unasked), "taken from a neighbour"
    flowers = {k for k, tile in enumerate(seen.tiles) if tile.part == "bonus"}
    assert {place for own in seats for place in own} == flowers, "nobody's, and nobody is asked"


def _seats(seen: Seen) -> list[dict[int, bool]]:
    """Return for each side of the table the bonus tiles of its hand, and which are asked about."""
    tiles = [as_read(tile, quad) for tile, quad in zip(seen.tiles, seen.quads, strict=True)]
    found = []
    for seat in divide_by_side(seen.quads, [tile.code == FACE_DOWN for tile in tiles]):
        others = [tile for k, tile in enumerate(tiles) if k not in seat.tiles]
        own: list[TileReading] = [tiles[k] for k in seat.tiles]
        laid = lay_hand(own, "bmja", owner=seat.owner, other_tiles=others)
        places = {t for each in laid.hand.sets if each.row == "bonus" for t in each.tiles}
        asked = {t: laid.tiles[t].doubtful for t in places}
        asked |= {t: True for block in laid.blocks for t in block.tiles}
        found.append({seat.tiles[laid.order[t]]: is_asked for t, is_asked in asked.items()})
    return found
