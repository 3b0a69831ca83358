"""What is found on a patterned cloth is no tile of the hand beside it, and nobody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from scorer.tiles import FACE_DOWN
from tests.vision.laid_tiles import LaidTile
from tests.vision.pinhole_camera import View, photograph
from tests.vision.truth import as_read
from vision.geometry.plane import quads_of
from vision.hand.false_detections import find_false_detections
from vision.hand.laid_hand import LaidHand, lay_hand, possible_hand_tiles
from vision.hand.questions import questions
from vision.reading import Quad, TileReading

HAND = [LaidTile(f"C{k % 9 + 1}", f"C{k % 9 + 1}", 1.05 * k, 0.0) for k in range(13)]
"""One row, from 0 to 12.6."""

STACK = [
    LaidTile(f"C{k // 3 + 1}", f"C{k // 3 + 1}", 1.05 * (k % 3), 1.6 * (k // 3)) for k in range(14)
]
"""Sets of three above one another, and a pair, from 0 to 2.1 and from 0 to 6.4."""


@dataclass(frozen=True)
class Case:
    """Things of one size beside the hand, and whether they are of it."""

    reason: str
    names: tuple[tuple[str, float], ...]
    wide: float
    tall: float
    is_taken: bool = False
    left: str = "pattern"


CASES = [
    Case("squares of a cloth, taken for flowers",
         (("F4", 0.53), ("S3", 0.65), ("S3", 0.31), ("F4", 0.68), ("S2", 0.22)), 0.8, 0.6),
    Case("small squares, less faintly named", (("F4", 0.76), ("S3", 0.87)), 0.45, 0.4),
    Case("rings of a cloth, surely named: no set has 22 of a face", (("O1", 0.98),) * 22, 0.9, 0.7),
    Case("a flower that is hard to read", (("F4", 0.53),), 1.0, 1.0, is_taken=True),
    Case("a flower seen a little askew", (("F4", 0.53),), 0.9, 0.85, is_taken=True),
    Case("a small flower, surely named", (("F4", 0.99),), 0.8, 0.7, is_taken=True),
    Case("two of one flower: one is misread", (("F4", 0.6), ("F4", 0.6)), 1.0, 1.0, is_taken=True),
    Case("a die", (("O1", 0.99),), 0.5, 0.4, left="size"),
]  # fmt: skip


def lay_with(
    case: Case,
    elevation: float,
    hand: Sequence[LaidTile] = HAND,
    corner: tuple[float, float] = (-1, 2.6),
) -> tuple[LaidHand, list[TileReading]]:
    """Return the hand as it is read, and the things beside it, from this corner on."""
    left, top = corner
    places = [(left + 3.0 * (k % 6), top + 1.9 * (k // 6)) for k in range(len(case.names))]
    things_beside = [
        LaidTile(code, code, x, y) for (code, _), (x, y) in zip(case.names, places, strict=True)
    ]
    photo = photograph(
        np.random.default_rng(3), [*hand, *things_beside], View(elevation, fill=0.7), noise=0.01
    )
    tiles = [as_read(tile, quad) for tile, quad in zip(photo.tiles, photo.quads, strict=True)]
    things = []
    for thing, (code, sure) in zip(things_beside, case.names, strict=True):
        k = next(k for k, tile in enumerate(photo.tiles) if tile is thing)
        quad = photo.quads[k].astype(float)
        horizontal, vertical = (
            (quad[1] - quad[0]) / 2 * case.wide,
            (quad[3] - quad[0]) / 2 * case.tall,
        )
        middle = quad.mean(0)
        corners = middle + np.array(
            [
                -horizontal - vertical,
                horizontal - vertical,
                horizontal + vertical,
                vertical - horizontal,
            ]
        )
        read = as_read(thing, corners)
        tiles[k] = structs.replace(read, code=code, confidence=sure, doubtful=sure < 0.9)
        things.append(k)
    laid_hand = lay_hand(tiles, "bmja")
    return laid_hand, [tiles[k] for k in things]


def _quads(tiles: Sequence[TileReading]) -> set[Quad]:
    return {tile.quad for tile in tiles}


@pytest.mark.parametrize("elevation", [90, 50])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason)
def test_what_lies_beside_a_hand(case: Case, elevation: float) -> None:
    laid_hand, things = lay_with(case, elevation)
    in_hand = [laid_hand.tiles[k].quad for each in laid_hand.hand.sets for k in each.tiles]
    assert all(thing.quad in in_hand for thing in things) == case.is_taken, case.reason
    if not case.is_taken:
        assert not any(thing.quad in in_hand for thing in things), case.reason
        quads = _quads(things)
        left = [k for k, tile in enumerate(laid_hand.tiles) if tile.quad in quads]
        reasons = {laid_hand.layout.left_out[k] for k in left}
        assert reasons == ({case.left} - {"pattern"}), "what is no tile is none of the reading's"
        problems = questions([t.code for t in laid_hand.tiles], laid_hand.hand, laid_hand.layout)
        assert [p.code for p in problems] == [], "nobody is asked about it"


def test_where_no_hand_lies_nothing_is_a_pattern() -> None:
    """Two tiles tell no size: what is about them stays."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    tiles = [
        as_read(LaidTile("F1", "F1", 0, 0), side * square + 60 * k)
        for k, side in enumerate((30, 20, 30))
    ]
    laid_hand = lay_hand(
        [structs.replace(tile, confidence=0.4, doubtful=True) for tile in tiles], "bmja"
    )
    assert "pattern" not in laid_hand.layout.left_out.values()


def test_a_ring_of_a_tiles_size_among_smaller_ones_is_asked_about() -> None:
    """One of a pattern may be as large as a tile: then only the player can tell."""
    case = Case("rings", (("O1", 0.98),) * 10, 0.9, 0.7)
    laid_hand, things = lay_with(case, 90)
    ring = LaidTile("O1", "O1", 14.0, 0.0)  # the row's next place
    photo = photograph(np.random.default_rng(3), [*HAND, ring], View(90, fill=0.7), noise=0.01)
    tiles = [as_read(tile, quad) for tile, quad in zip(photo.tiles, photo.quads, strict=True)]
    assert len(laid_hand.tiles) == len(HAND), "ten rings are none"
    second_hand = lay_hand([*tiles, *things], "bmja")
    place = second_hand.order.index(photo.tiles.index(ring))
    assert any(place in each.tiles for each in second_hand.hand.sets)
    assert second_hand.tiles[place].doubtful


@pytest.mark.parametrize("elevation", [90, 50])
def test_a_checked_cloth_under_sets_that_lie_above_one_another(elevation: float) -> None:
    """No row of such a hand is longer than a set, and many squares lie beside it."""
    squares = Case("squares", (("F4", 0.53), ("S2", 0.41), ("F1", 0.62)) * 8, 0.6, 0.5)
    laid_hand, things = lay_with(squares, elevation, STACK, (4.2, -0.4))
    assert not _quads(things) & _quads(laid_hand.tiles)
    assert sorted(len(each.tiles) for each in laid_hand.hand.sets) == [2, 3, 3, 3, 3]


def lay_keys(keys: int, sure: int, corner: tuple[float, float] = (0.0, 0.0)) -> list[TileReading]:
    """Return keys in rows of eleven, so many of them with a sure name."""
    square = np.array([[0, 0], [30, 0], [30, 40], [0, 40]]) + np.array(corner)
    return [
        structs.replace(
            as_read(LaidTile("B1", "B1", 0, 0), square + np.array([32 * (k % 11), 44 * (k // 11)])),
            code=f"B{k % 9 + 1}",
            confidence=0.99 if k < sure else 0.4,
            doubtful=k >= sure,
        )
        for k in range(keys)
    ]


@pytest.mark.parametrize(
    ("keys", "sure", "is_hand"),
    [
        pytest.param(44, 2, False, id="a keyboard"),
        pytest.param(20, 1, False, id="a part of one"),
        pytest.param(20, 2, True, id="a strange set, two of its tiles known"),
        pytest.param(19, 0, True, id="a whole hand that nobody can name"),
    ],
)
def test_where_hardly_any_name_is_sure_lie_keys(keys: int, sure: int, is_hand: bool) -> None:
    tiles = lay_keys(keys, sure)
    assert bool(lay_hand(tiles, "bmja").tiles) == is_hand
    assert bool(possible_hand_tiles(tiles, "bmja")) == is_hand


MIN_FREE_GAP_HEIGHTS = 1.2
"""Nearer, keys of a tile's size may count as one with the hand, and then none is dropped."""


@example(size=1.0, turn=0.0, x=0.0, gap=2.0, hand=4, keys=59, confidence=0.4)
@example(size=0.45, turn=0.0, x=-60.0, gap=0.05, hand=11, keys=56, confidence=0.4)
@example(size=1.5, turn=0.0, x=0.0, gap=0.5, hand=4, keys=24, confidence=0.75)
@example(size=0.5, turn=0.0, x=-60.0, gap=2.0, hand=11, keys=36, confidence=0.75)
@given(
    size=st.floats(0.4, 1.5),
    turn=st.floats(-30, 30),
    x=st.floats(-150, 250),
    gap=st.floats(0.05, 6),
    hand=st.sampled_from((4, 8, 11)),
    keys=st.integers(24, 60),
    confidence=st.sampled_from((0.4, 0.75)),
)
def test_a_keyboard_beside_a_hand_is_none_of_it(
    size: float, turn: float, x: float, gap: float, hand: int, keys: int, confidence: float
) -> None:
    """However large, turned and near it lies; where the hand lies nothing changes."""
    board = [
        structs.replace(key, confidence=confidence) if key.doubtful else key
        for key in lay_keys(keys, keys // 30)
    ]
    c, s = size * np.cos(np.radians(turn)), size * np.sin(np.radians(turn))
    quads = quads_of(board) @ np.array([[c, s], [-s, c]])
    quads += np.array([x, gap * 40 - quads[..., 1].min()])
    board = [
        structs.replace(key, quad=tuple(map(tuple, quad)))
        for key, quad in zip(board, quads.tolist(), strict=True)
    ]
    tiles = lay_keys(hand, hand, (-60.0, -40.0))
    tiles[2] = structs.replace(tiles[2], confidence=0.5, doubtful=True)
    false_positions = find_false_detections([*tiles, *board])
    assert false_positions.isdisjoint(range(hand))
    if gap >= MIN_FREE_GAP_HEIGHTS:
        assert len(false_positions) == keys


def test_a_wall_of_doubtful_backs_is_no_keyboard() -> None:
    wall = [structs.replace(key, code=FACE_DOWN) for key in lay_keys(30, 0)]
    hand = lay_keys(11, 11, (0.0, 150.0))
    assert find_false_detections([*hand, *wall]) == frozenset()


def test_figures_on_paper_get_no_second_look() -> None:
    figures = Case("a score sheet", (("F4", 0.53), ("S3", 0.65), ("B1", 0.4)) * 4, 0.6, 0.5)
    laid_hand, things = lay_with(figures, 50)
    tiles = [*laid_hand.tiles, *things]
    assert possible_hand_tiles(tiles, "bmja") == set(range(len(HAND)))
