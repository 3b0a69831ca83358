"""What is found on a patterned cloth is no tile of the hand beside it, and nobody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from msgspec import structs

from tests.vision.laid import Laid
from tests.vision.seen import View, photograph
from tests.vision.truth import as_read
from vision.hand.laid_hand import LaidHand, lay_hand
from vision.hand.questions import questions

HAND = [Laid(f"C{k % 9 + 1}", f"C{k % 9 + 1}", 1.05 * k, 0.0) for k in range(13)]
"""One row, from 0 to 12.6."""

STACK = [
    Laid(f"C{k // 3 + 1}", f"C{k // 3 + 1}", 1.05 * (k % 3), 1.6 * (k // 3)) for k in range(14)
]
"""Sets of three above one another, and a pair, from 0 to 2.1 and from 0 to 6.4."""


@dataclass(frozen=True)
class Case:
    """Things of one size beside the hand, and whether they are of it."""

    why: str
    names: tuple[tuple[str, float], ...]
    wide: float
    tall: float
    taken: bool = False
    left: str = "pattern"


CASES = [
    Case("squares of a cloth, taken for flowers",
         (("F4", 0.53), ("S3", 0.65), ("S3", 0.31), ("F4", 0.68), ("S2", 0.22)), 0.8, 0.6),
    Case("small squares, less faintly named", (("F4", 0.76), ("S3", 0.87)), 0.45, 0.4),
    Case("rings of a cloth, surely named: no set has 22 of a face", (("O1", 0.98),) * 22, 0.9, 0.7),
    Case("a flower that is hard to read", (("F4", 0.53),), 1.0, 1.0, taken=True),
    Case("a flower seen a little askew", (("F4", 0.53),), 0.9, 0.85, taken=True),
    Case("a small flower, surely named", (("F4", 0.99),), 0.8, 0.7, taken=True),
    Case("two of one flower: one is misread", (("F4", 0.6), ("F4", 0.6)), 1.0, 1.0, taken=True),
    Case("a die", (("O1", 0.99),), 0.5, 0.4, left="size"),
]  # fmt: skip


def laid_with(
    case: Case,
    elevation: float,
    hand: Sequence[Laid] = HAND,
    corner: tuple[float, float] = (-1, 2.6),
) -> tuple[LaidHand, list[int]]:
    """Return the hand as it is read, and where in it the things are, from this corner on."""
    left, top = corner
    places = [(left + 3.0 * (k % 6), top + 1.9 * (k // 6)) for k in range(len(case.names))]
    beside = [Laid(code, code, x, y) for (code, _), (x, y) in zip(case.names, places, strict=True)]
    seen = photograph(
        np.random.default_rng(3), [*hand, *beside], View(elevation, fill=0.7), noise=0.01
    )
    tiles = [as_read(tile, quad) for tile, quad in zip(seen.tiles, seen.quads, strict=True)]
    things = []
    for thing, (code, sure) in zip(beside, case.names, strict=True):
        k = next(k for k, tile in enumerate(seen.tiles) if tile is thing)
        quad = seen.quads[k].astype(float)
        across, down = (quad[1] - quad[0]) / 2 * case.wide, (quad[3] - quad[0]) / 2 * case.tall
        middle = quad.mean(0)
        corners = middle + np.array([-across - down, across - down, across + down, down - across])
        read = as_read(thing, corners)
        tiles[k] = structs.replace(read, code=code, confidence=sure, doubtful=sure < 0.9)
        things.append(k)
    laid = lay_hand(tiles, "bmja")
    return laid, [laid.order.index(k) for k in things]


@pytest.mark.parametrize("elevation", [90, 50])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.why)
def test_what_lies_beside_a_hand(case: Case, elevation: float) -> None:
    laid, things = laid_with(case, elevation)
    in_hand = {tile for each in laid.hand.sets for tile in each.tiles}
    assert in_hand.issuperset(things) == case.taken, case.why
    if not case.taken:
        assert in_hand.isdisjoint(things), case.why
        assert {laid.layout.left_out[k] for k in things} == {case.left}
        told = questions([t.code for t in laid.tiles], laid.hand, laid.layout)
        assert [p.code for p in told] == [], "nobody is asked about it"


def test_where_no_hand_lies_nothing_is_a_pattern() -> None:
    """Two tiles tell no size: what is about them stays."""
    tiles = [as_read(Laid("F1", "F1", 0, 0), np.array([[0, 0], [s, 0], [s, s], [0, s]]) + 60 * k)
             for k, s in enumerate((30, 20, 30))]  # fmt: skip
    laid = lay_hand(
        [structs.replace(tile, confidence=0.4, doubtful=True) for tile in tiles], "bmja"
    )
    assert "pattern" not in laid.layout.left_out.values()


def test_a_ring_of_a_tiles_size_among_smaller_ones_is_asked_about() -> None:
    """One of a pattern may be as large as a tile: then only the player can tell."""
    case = Case("rings", (("O1", 0.98),) * 10, 0.9, 0.7)
    laid, things = laid_with(case, 90)
    one = Laid("O1", "O1", 14.0, 0.0)  # the row's next place
    seen = photograph(np.random.default_rng(3), [*HAND, one], View(90, fill=0.7), noise=0.01)
    tiles = [as_read(tile, quad) for tile, quad in zip(seen.tiles, seen.quads, strict=True)]
    rings = [laid.tiles[k] for k in things]
    again = lay_hand([*tiles, *rings], "bmja")
    place = again.order.index(seen.tiles.index(one))
    assert any(place in each.tiles for each in again.hand.sets)
    assert again.tiles[place].doubtful


@pytest.mark.parametrize("elevation", [90, 50])
def test_a_checked_cloth_under_sets_that_lie_above_one_another(elevation: float) -> None:
    """No row of such a hand is longer than a set, and many squares lie beside it."""
    squares = Case("squares", (("F4", 0.53), ("S2", 0.41), ("F1", 0.62)) * 8, 0.6, 0.5)
    laid, things = laid_with(squares, elevation, STACK, (4.2, -0.4))
    assert {laid.layout.left_out[k] for k in things} == {"pattern"}
    assert sorted(len(each.tiles) for each in laid.hand.sets) == [2, 3, 3, 3, 3]
