"""Pips are read whatever they look like: on faces drawn here, in pixels, as makers lay them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.networks import pips
from vision.networks.pips import CODES_WITH_PIPS, read_pips
from vision.preprocess import RGB

WIDTH, HEIGHT = 136, 170
IVORY, GREEN, RED, NAVY = (236, 230, 214), (30, 110, 50), (180, 40, 40), (20, 25, 70)

Point = tuple[int, int]
PipDrawer = Callable[[RGB, Point, tuple[int, int, int]], object]


def ring(tile: RGB, point: Point, ink: tuple[int, int, int]) -> None:
    cv2.circle(tile, point, 12, ink, 2, cv2.LINE_AA)
    cv2.circle(tile, point, 5, ink, 2, cv2.LINE_AA)


def disc(tile: RGB, point: Point, ink: tuple[int, int, int]) -> None:
    cv2.circle(tile, point, 11, ink, cv2.FILLED, cv2.LINE_AA)


def cane(tile: RGB, point: Point, ink: tuple[int, int, int]) -> None:
    (x, y), line = point, cv2.FILLED
    cv2.rectangle(tile, (x - 3, y - 18), (x + 3, y + 18), ink, line)
    cv2.rectangle(tile, (x - 5, y - 2), (x + 5, y + 2), ink, line)


def chain(tile: RGB, point: Point, ink: tuple[int, int, int]) -> None:
    """Draw a cane in two links that do not touch."""
    for y in (point[1] - 10, point[1] + 10):
        cv2.ellipse(tile, (point[0], y), (5, 8), 0, 0, 360, ink, 2, cv2.LINE_AA)


def six(tile: RGB, point: Point) -> None:
    """Draw a numeral; OpenCV's own letters are other ones in each of its releases."""
    (x, y), line = point, cv2.LINE_AA
    cv2.circle(tile, point, 4, NAVY, 2, line)
    cv2.line(tile, (x - 4, y - 1), (x + 2, y - 9), NAVY, 2, line)


CORNERS = [(46, 55), (90, 55), (46, 115), (90, 115)]
SIX = [(x, y) for x in (40, 68, 96) for y in (60, 110)]
NINE = [(x, y) for x in (40, 68, 96) for y in (44, 85, 126)]
TALL_NINE = [(x, y) for x in (40, 68, 96) for y in (41, 85, 129)]
EIGHT = [(x, y) for x in (53, 83) for y in (43, 71, 99, 127)]

FACES: list[tuple[str, PipDrawer, Sequence[Point], set[str]]] = [
    ("a 3 of rings", ring, [(44, 48), (68, 85), (92, 122)], {"O3"}),
    ("the other diagonal", disc, [(92, 48), (68, 85), (44, 122)], {"O3"}),
    ("a 3 of canes", cane, [(68, 60), (46, 110), (90, 110)], {"B3"}),
    ("a 3 of chains", chain, [(68, 60), (46, 110), (90, 110)], {"B3"}),
    ("a 4 of rings", ring, CORNERS, {"B4", "O4"}),
    ("a 4 of canes", cane, CORNERS, {"B4", "O4"}),
    ("a 4 of chains has eight parts", chain, CORNERS, {"B4", "O8"}),
    ("a 5 of discs", disc, [*CORNERS, (68, 85)], {"B5", "O5"}),
    ("a 5 of chains", chain, [(42, 55), (94, 55), (42, 115), (94, 115), (68, 85)], {"B5"}),
    ("a 6 of rings in pairs", ring, [(x, y) for x in (53, 83) for y in (42, 90, 119)],
     {"B6", "O6"}),
    ("a 6 of canes", cane, SIX, {"B6"}),
    ("a 6 of chains, which is no 9", chain, SIX, {"B6"}),
    ("a 6 of canes in two columns", cane, [(x, y) for x in (50, 86) for y in (42, 85, 128)],
     {"B6", "O6"}),
    ("a 7 of rings", disc, [(40, 40), (66, 52), (92, 64), (50, 96), (82, 96), (50, 126), (82, 126)],
     {"O7"}),
    ("a 7 of canes", cane, [(68, 42), *((x, y) for x in (42, 68, 94) for y in (85, 127))], {"B7"}),
    ("an 8 of rings", ring, EIGHT, {"B4", "O8"}),
    ("a 9 of rings", ring, NINE, {"B9", "O9"}),
    ("a 9 of canes", cane, TALL_NINE, {"B9", "O9"}),
    ("a 9 of chains", chain, TALL_NINE, {"B9"}),
    ("circles that touch", disc, [(x, y) for x in (50, 86) for y in (52, 74, 96, 118)],
     {"B4", "O8"}),
]  # fmt: skip


def face(
    draw: PipDrawer,
    places: Sequence[Point],
    ink: tuple[int, int, int] = GREEN,
    *,
    numeral: bool = False,
) -> RGB:
    """Return a straightened tile with these pips, dark around it, with a numeral in its corner."""
    tile = np.full((HEIGHT, WIDTH, 3), 40, np.uint8)
    cv2.rectangle(tile, (8, 10), (WIDTH - 9, HEIGHT - 11), IVORY, cv2.FILLED)
    for each in places:
        draw(tile, each, ink)
    if numeral:
        six(tile, (18, 29))
    return tile


@pytest.mark.parametrize(
    ("draw", "places", "codes"), [row[1:] for row in FACES], ids=[row[0] for row in FACES]
)
@pytest.mark.parametrize("turn", [None, cv2.ROTATE_180])
def test_pips_tell_a_tile_whatever_they_look_like(
    draw: PipDrawer, places: Sequence[Point], codes: set[str], turn: int | None
) -> None:
    for ink in (GREEN, RED, NAVY):
        for numeral in (False, True):
            tile = face(draw, places, ink, numeral=numeral)
            assert read_pips(tile if turn is None else cv2.rotate(tile, turn)) == codes  # type: ignore[arg-type]


def test_every_tile_that_may_have_pips_is_drawn_here() -> None:
    assert set().union(*(codes for *_, codes in FACES)) == CODES_WITH_PIPS


def _eight_of_canes(tile: RGB) -> None:
    for y, to in ((50, 30), (120, 140)):
        line = [(42, y + 14), (42, y - 14), (68, y - 30 + to // 3), (94, y - 14), (94, y + 14)]
        cv2.polylines(tile, [np.array(line)], False, GREEN, 7, cv2.LINE_AA)


def _word(tile: RGB) -> None:
    cv2.putText(tile, "EAST", (20, 95), cv2.FONT_HERSHEY_DUPLEX, 1.1, RED, 3, cv2.LINE_AA)


def _draw_one(tile: RGB) -> None:
    cv2.circle(tile, (68, 85), 34, RED, 6, cv2.LINE_AA)


def _six_and_a_stain(tile: RGB) -> None:
    for each in SIX:
        cane(tile, each, GREEN)
    cv2.circle(tile, (110, 85), 22, RED, cv2.FILLED)


def _nine_but_one(tile: RGB) -> None:
    for each in NINE[:-1]:
        ring(tile, each, GREEN)


def _of_two_sizes(tile: RGB) -> None:
    for at, radius in zip(CORNERS, (5, 14, 14, 5), strict=True):
        cv2.circle(tile, at, radius, GREEN, cv2.FILLED, cv2.LINE_AA)


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (lambda tile: None, "nothing is printed"),
        (_draw_one, "one circle"),
        (_word, "four letters in a row"),
        (_eight_of_canes, "canes that touch in an M and a W"),
        (_six_and_a_stain, "most of the ink is no pip"),
        (_nine_but_one, "no tile has eight so: light hides one"),
        (_of_two_sizes, "pips of a tile are of one size"),
    ],
)
def test_what_is_not_clear_says_nothing(draw: Callable[[RGB], None], reason: str) -> None:
    tile = face(ring, [])
    draw(tile)
    assert read_pips(tile) == frozenset(), reason


@pytest.mark.parametrize("side", [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT])
@pytest.mark.parametrize(
    ("wider", "equal_blobs", "reason"),
    [(0, [1, 2], "half as large again, to the pixel"), (1, [2], "a pixel more")],
)
def test_pips_of_one_size_are_told_by_whole_pixels(
    side: int, wider: int, equal_blobs: list[int], reason: str
) -> None:
    """Logarithms of 2 n and 3 n differ by that of 1.5 for some n, and in each NumPy for others."""
    for n in range(1, 40):
        stats = np.full((3, 5), 40, np.int32)
        stats[1:, side] = 2 * n, 3 * n + wider
        stats[2, cv2.CC_STAT_AREA] = 50
        assert pips._of_one_size(stats).tolist() == equal_blobs, f"{reason}: {n}"


def test_noise_says_nothing() -> None:
    rng = np.random.default_rng(4)
    for grain in (4, 8, 16, 32):
        for _ in range(25):
            small = rng.integers(0, 255, (HEIGHT // grain + 1, WIDTH // grain + 1, 3), np.uint8)
            noise = cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
            assert read_pips(np.asarray(noise, np.uint8)) == frozenset()


@given(
    st.sampled_from(FACES),
    st.floats(-4, 4),
    st.floats(-0.06, 0.06),
    st.floats(0.9, 1.06),
    st.sampled_from([(1.0, 1.0, 1.0), (1.0, 0.85, 0.6), (0.5, 0.5, 0.55)]),
)
def test_a_tile_that_was_not_cut_out_well_is_read_the_same_or_not_at_all(
    row: tuple[str, PipDrawer, Sequence[Point], set[str]],
    degrees: float,
    slant: float,
    scale: float,
    light: tuple[float, float, float],
) -> None:
    _, draw, places, codes = row
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), degrees, scale)
    turn[0, 1] += slant
    turn[0, 2] -= slant * HEIGHT / 2
    tile = cv2.warpAffine(face(draw, places), turn, (WIDTH, HEIGHT), borderValue=(40, 40, 40))
    tiles_read = read_pips((tile * np.array(light)).astype(np.uint8))
    assert tiles_read in (frozenset(), codes)
