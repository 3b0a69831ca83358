"""Rows from quads: laid hands, seen from anywhere, come out as they were laid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorer.tiles import FACE_DOWN
from tests.vision.laid_tiles import LAYOUTS, LaidTile, deal, discards, neighbour, two_rows, wall
from tests.vision.laid_tiles import NEAT as NEATLY
from tests.vision.pinhole_camera import SIZE, View, photograph, random_view
from tests.vision.truth import verdict
from vision.geometry.plane import UNSEEN_PLANE, Plane, fit_plane
from vision.geometry.rows import Layout, find_owner_side, lay_out
from vision.preprocess import Float64s

LITTLE = 0.015
"""Corner noise at which nothing may go wrong; what does with more is counted by `tests.bench`."""


OPEN = {"a fifth of the tiles upside down", "face-down tiles, BMJA, no gaps"}
"""Layouts that cannot always be told: what is wrong in them must at least be asked about."""


@pytest.mark.parametrize("elevation", [90, 60, 45, 35])
@pytest.mark.parametrize("name", LAYOUTS)
def test_a_hand_comes_out_as_it_was_laid(name: str, elevation: float) -> None:
    rules = "safalra" if "Safalra" in name else "bmja"
    max_bearing = 40.0 if "rack" in name else 180.0
    may = "asked" if name in OPEN else "right"
    if "rack" in name and elevation == 90:
        elevation = 55  # what stands on a rack cannot be seen from straight above
    for seed in range(3):
        rng = np.random.default_rng([7, seed])
        tiles, view = LAYOUTS[name](rng), random_view(rng, elevation, max_bearing)
        photo = photograph(rng, tiles, view, LITTLE)
        assert verdict(photo, tiles, rules) in ("right", may), (seed, view)


@given(
    st.sampled_from(sorted(LAYOUTS)),
    st.integers(0, 10**6),
    st.sampled_from([90.0, 60.0, 45.0, 35.0]),
)
@example("a fifth of the tiles upside down", 1754, 90.0)  # nine up, five down
def test_turning_the_photo_by_a_quarter_changes_nothing(
    name: str, seed: int, elevation: float
) -> None:
    rng = np.random.default_rng(seed)
    photo = photograph(rng, LAYOUTS[name](rng), random_view(rng, elevation, 40), LITTLE)
    backs = [code == FACE_DOWN for code in photo.codes]
    layout = lay_out(photo.quads, backs)
    quads = photo.quads
    for _ in range(3):
        quads = np.stack([SIZE[1] - quads[..., 1], quads[..., 0]], -1).astype(np.float32)
        turned_layout = lay_out(quads, backs)
        assert turned_layout.upright == layout.upright
        if layout.upright:
            assert turned_layout == layout
        else:  # then only how the photo is held can say which row is whose
            assert _without_order(turned_layout) == _without_order(layout)


@pytest.mark.parametrize(
    ("up_votes", "near_growth", "held_growth", "expected", "reason"),
    [
        (4, -0.1, -1.0, (True, True), "four of five are a majority, however the view is"),
        (3, 0.1, -1.0, (True, True), "the camera is at the owner's side, and most agree"),
        (2, 0.1, 1.0, (True, False), "the camera is at the owner's side, but most do not agree"),
        (3, 0.0, 1.0, (True, False), "held as most tiles lie: still a guess"),
        (2, 0.0, 1.0, (True, False), "held otherwise than most tiles lie"),
        (3, 0.0, 0.1, (True, False), "held askew: then as most tiles lie"),
    ],
)
def test_which_way_up_is_clear_however_the_photo_is_held(
    up_votes: int, near_growth: float, held_growth: float, expected: tuple[bool, bool], reason: str
) -> None:
    """And the same from the other side of the table."""
    for side in (1.0, -1.0):
        plane = _oblique(side * np.array([0.0, held_growth]), side * np.array([0.0, near_growth]))
        right = side * np.array([[1.0, 0.0]] * up_votes + [[-1.0, 0.0]] * (5 - up_votes))
        assert find_owner_side(right, plane) == (expected[0] == (side > 0), expected[1]), reason


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_an_oblique_view_decides_where_as_many_tiles_lie_either_way(side: float) -> None:
    plane = _oblique(np.array([1.0, 0.0]), np.array([0.0, side * 0.1]))
    assert find_owner_side(np.array([[1.0, 0.0], [-1.0, 0.0]]), plane) == (side > 0, True)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_an_oblique_view_that_belies_two_tiles_in_three_is_asked_about(side: float) -> None:
    """A careless player turned seven of ten round: nobody leans over the table to take a photo."""
    plane = _oblique(np.array([1.0, 0.0]), np.array([0.0, side * 0.02]))
    right = side * np.array([[-1.0, 0.0]] * 7 + [[1.0, 0.0]] * 3)
    assert find_owner_side(right, plane) == (side > 0, False)


def _oblique(held_direction: Float64s, near_direction: Float64s) -> Plane:
    return replace(UNSEEN_PLANE, owner_direction=held_direction, near_direction=near_direction)


def _without_order(layout: Layout) -> set[frozenset[frozenset[int]]]:
    return {frozenset(frozenset(group) for group in row.groups) for row in layout.rows}


@pytest.mark.parametrize("elevation", [90, 60, 45, 35])
def test_the_table_is_seen_straight_from_above(elevation: float) -> None:
    """Tiles come out where they lie, but for where the table begins and how it is turned."""
    rng = np.random.default_rng(3)
    tiles = two_rows(rng, deal(rng, 2), NEATLY)
    photo = photograph(rng, tiles, random_view(rng, elevation))
    row = np.array([k for k, tile in enumerate(photo.tiles) if tile.part == "concealed"])
    flat_middles = fit_plane(photo.quads, row).flatten(photo.quads).mean(1) @ [1, -1j]
    true = np.array([t.corners[:, :2].mean(0) for t in photo.tiles]) @ [1, 1j]
    flat_middles, true = flat_middles - flat_middles.mean(), true - true.mean()
    scale = (flat_middles.conj() @ true) / (flat_middles.conj() @ flat_middles)
    assert np.abs(scale * flat_middles - true).max() < 0.15, "tile widths, with the locator's noise"


@pytest.mark.parametrize(
    ("throw", "reason"), [(wall, "backs"), (discards, "far"), (neighbour, "far")]
)
def test_what_is_left_out_and_why(throw: object, reason: str) -> None:
    assert callable(throw)
    rng = np.random.default_rng(5)
    hand = two_rows(rng, deal(rng, 2), NEATLY)
    photo = photograph(rng, [*hand, *throw(rng, hand)], View(70.0, fill=0.4), LITTLE)
    layout = lay_out(photo.quads, [code == FACE_DOWN for code in photo.codes])
    out_places = {k for k, tile in enumerate(photo.tiles) if tile.part == "out"}
    assert layout.left_out.keys() == out_places
    assert reason in layout.left_out.values()


@given(
    st.lists(st.tuples(*[st.floats(0, 400)] * 3, st.booleans()), max_size=12), st.integers(0, 99)
)
def test_every_tile_is_in_one_row_or_left_out(
    strewn_tiles: list[tuple[float, float, float, bool]], seed: int
) -> None:
    """However tiles lie about, whichever of them lie face down, and whatever is no tile."""
    rng = np.random.default_rng(seed)
    tiles = [
        LaidTile("??" if down else "B1", "B1", x / 20, y / 20, t) for x, y, t, down in strewn_tiles
    ]
    photo = photograph(rng, tiles, View(50.0), LITTLE) if tiles else None
    quads = photo.quads if photo else np.zeros((0, 4, 2), np.float32)
    layout = lay_out(quads, [code == FACE_DOWN for code in photo.codes] if photo else [])
    in_rows = [tile for row in layout.rows for tile in row.tiles]
    assert sorted([*in_rows, *layout.left_out]) == list(range(len(quads)))


def test_a_wall_alone_is_no_hand() -> None:
    rng = np.random.default_rng(2)
    photo = photograph(rng, [replace(t, part="bonus") for t in wall(rng, [])], View(60.0), LITTLE)
    layout = lay_out(photo.quads, [True] * len(photo.tiles))
    assert layout.rows == ()
    assert set(layout.left_out.values()) == {"backs"}


@pytest.mark.parametrize(
    ("down_count", "stays", "reason"),
    [(2, True, "two kongs' ends may meet"), (3, False, "no hand has three in line: a wall")],
)
def test_a_wall_is_more_tiles_face_down_in_line_than_a_hand_has(
    down_count: int, stays: bool, reason: str
) -> None:
    codes = [*["B1", "B2", "B3", "B4", "B5", "B6", "B7"], *["??"] * down_count]
    tiles = [LaidTile(code, "B1", float(x), 0.0) for x, code in enumerate(codes)]
    photo = photograph(np.random.default_rng(2), tiles, View(60.0), LITTLE)
    layout = lay_out(photo.quads, [code == FACE_DOWN for code in photo.codes])
    down_places = {k for k, code in enumerate(photo.codes) if code == FACE_DOWN}
    assert set(layout.left_out) == (set() if stays else down_places), reason


def test_a_tile_whose_quad_begins_on_a_long_side_lies_as_it_lies() -> None:
    """The classifier may be wrong about a quarter turn; the sides of a tile are not."""
    rng = np.random.default_rng(1)
    photo = photograph(rng, two_rows(rng, deal(rng, 2), NEATLY), View(60.0), LITTLE)
    quads = photo.quads.copy()
    quads[4] = np.roll(quads[4], 1, axis=0)
    assert lay_out(quads).sideways == frozenset()
    assert lay_out(quads) == lay_out(photo.quads)


def test_a_nearly_square_quad_is_not_taken_for_a_sideways_tile() -> None:
    """The first of the lower row, far away and seen from low down, won nothing."""
    assert lay_out(np.array(LEANING, np.float32)).sideways == frozenset()


LEANING = (
    ((204, 122), (249, 147), (204, 188), (158, 163)),
    ((261, 140), (308, 170), (256, 212), (208, 181)),
    ((318, 161), (371, 189), (319, 238), (265, 208)),
    ((398, 190), (459, 215), (412, 276), (350, 251)),
    ((465, 218), (522, 243), (476, 303), (418, 277)),
    ((531, 240), (597, 267), (552, 331), (484, 304)),
    ((101, 173), (155, 206), (95, 256), (40, 221)),
    ((153, 196), (211, 228), (155, 283), (96, 250)),
    ((212, 213), (279, 248), (218, 314), (150, 279)),
    ((303, 252), (367, 283), (314, 352), (248, 321)),
    ((385, 384), (316, 350), (374, 279), (442, 312)),
    ((446, 306), (514, 338), (463, 419), (394, 386)),
    ((561, 364), (640, 393), (590, 474), (510, 444)),
    ((637, 391), (730, 415), (692, 507), (597, 482)),
    ((807, 425), (901, 446), (871, 540), (775, 519)),
    ((906, 470), (999, 486), (976, 582), (881, 565)),
)
"""Quads of a rendered photograph, as the locator found them."""
