"""What is said of a photograph, on drawn hands that are dim_rgb on purpose."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
from msgspec import structs
from PIL import Image

from tests.device.fake_reader import picture
from tests.prove.degradations import darken, defocus, move, shine, shrink
from tests.vision.laid_hand import HEIGHT, TILE_WIDTH, WIDTH, read_rows, reading_of
from vision.photo import Photo
from vision.preprocess import RGB, straighten
from vision.quality import USUAL_LIMITS, TileLook, find_faults, measure_looks
from vision.reading import Point, Problem, Reading, TileReading

pytestmark = pytest.mark.slow

ROWS = ("B2 B2 B2 | O9 O9 O9 ??", "C3 C4 C5 | DR DR DR | WE WE")
SHARP = read_rows(ROWS)
UNSURE = read_rows(ROWS, {3: ("O9", 0.5)})
"""The fourth tile of the top row is doubtful."""

FOURTH = np.array(SHARP.tiles[3].quad, np.float32)

Spoil = Callable[[RGB], RGB]


def draw_reading(reading: Reading) -> RGB:
    with Image.open(io.BytesIO(picture(reading))) as image:
        return np.asarray(image)


def map_tiles(way: Callable[[float, float], Point]) -> tuple[TileReading, ...]:
    """Return the tiles with every corner moved."""
    corners = ((tile, [way(x, y) for x, y in tile.quad]) for tile in SHARP.tiles)
    return tuple(structs.replace(tile, quad=(a, b, c, d)) for tile, (a, b, c, d) in corners)


def crops(rgb: RGB, tiles: Sequence[TileReading]) -> list[RGB]:
    return [straighten(rgb, np.array(tile.quad, np.float32)) for tile in tiles]


def faults_of(rgb: RGB, reading: Reading) -> tuple[Problem, ...]:
    return find_faults(Photo("a.jpg", rgb), reading.tiles, reading.sets, crops(rgb, reading.tiles))


def looked_at(rgb: RGB) -> tuple[TileLook, ...]:
    return measure_looks(Photo("a.jpg", rgb), SHARP.tiles, crops(rgb, SHARP.tiles))


def shone(rgb: RGB) -> RGB:
    return shine(rgb, FOURTH, 0.5, np.random.default_rng(3))


def smear_one(rgb: RGB) -> RGB:
    x, y = FOURTH[0].astype(int)
    area = np.s_[y - 10 : y + 100, x - 10 : x + 80]
    smeared_picture = rgb.copy()
    smeared_picture[area] = defocus(rgb[area], 8)
    return smeared_picture


@pytest.mark.parametrize(
    ("reading", "spoil", "code", "words", "reason"),
    [
        (SHARP, lambda rgb: rgb, "", "", "nothing is wrong"),
        (UNSURE, lambda rgb: rgb, "", "", "a doubt alone is no fault of the photo"),
        (SHARP, lambda rgb: darken(rgb, 6, np.random.default_rng(1)), "too-dark",
         "more light", "hardly any light"),
        (SHARP, lambda rgb: darken(rgb, 2, np.random.default_rng(1)), "", "",
         "a dim room is light enough"),
        (SHARP, lambda rgb: defocus(rgb, 8), "blurred", "hold still", "out of focus"),
        (SHARP, lambda rgb: move(rgb, 20, 0.0), "blurred", "hold still", "moved across"),
        (SHARP, lambda rgb: move(rgb, 20, 0.8), "blurred", "hold still", "moved aslant"),
        (UNSURE, shone, "glare", "the fourth tile from the left in the top row",
         "a lamp shines in a tile that is doubtful"),
        (SHARP, shone, "", "", "one that is read surely needs no second photo"),
        (UNSURE, smear_one, "blurred-tile", "the fourth tile from the left in the top row",
         "one tile of many"),
    ],
)  # fmt: skip
def test_what_is_said(reading: Reading, spoil: Spoil, code: str, words: str, reason: str) -> None:
    problems = faults_of(spoil(draw_reading(reading)), reading)
    assert " ".join(problem.code for problem in problems) == code, reason
    assert words in " ".join(problem.text for problem in problems)
    assert all(problem.text.endswith(".") for problem in problems)


def test_tiles_too_small() -> None:
    scale = 10 / TILE_WIDTH
    small = shrink(draw_reading(SHARP), scale)
    tiles = map_tiles(lambda x, y: (x * scale, y * scale))
    (problem,) = faults_of(small, structs.replace(SHARP, tiles=tiles))
    assert problem.code == "too-far", "and not that it is blurred, which follows from it"
    assert "closer" in problem.text


@pytest.mark.parametrize(
    ("share", "codes", "reason"),
    [(0.0, [], "up to the edge"), (0.1, [], "a sliver is off"), (0.4, ["cut-off"], "much is off")],
)
def test_a_tile_at_the_edge(share: float, codes: list[str], reason: str) -> None:
    left = 200 + int(share * TILE_WIDTH)
    tiles = map_tiles(lambda x, y: (x - left, y))
    problems = faults_of(draw_reading(SHARP)[:, left:], structs.replace(SHARP, tiles=tiles))
    assert [problem.code for problem in problems] == codes, reason
    if codes:
        assert "the leftmost tile in the top row and the leftmost tile in the bottom row" in (
            problems[0].text
        )


def test_more_tiles_than_a_hand_holds() -> None:
    wall = read_rows(("B1 B2 B3 B4 B5 B6 B7 B8 B9 C1 C2 C3 C4 C5",) * 2)
    problems = faults_of(draw_reading(wall), wall)
    assert [problem.code for problem in problems] == ["not-a-hand"]


@pytest.mark.parametrize(
    ("level", "codes", "reason"),
    [(6, ["too-dark"], "nothing could be seen"), (120, [], "no tiles is said elsewhere")],
)
def test_a_photo_without_tiles(level: int, codes: list[str], reason: str) -> None:
    problems = faults_of(np.full((HEIGHT, WIDTH, 3), level, np.uint8), reading_of([], "a.jpg"))
    assert [problem.code for problem in problems] == codes, reason


def test_blur_is_the_spread_of_edges() -> None:
    """A Gaussian of so many pixels of the crop adds to what is there as variances do."""
    rgb = draw_reading(SHARP)
    before = looked_at(rgb)[0].blur
    after = looked_at(defocus(rgb, 6))[0].blur
    disc = (
        6 / 2 * 64 * 0.88 / TILE_WIDTH
    )  # a disc spreads by half its radius; the crop has a margin
    assert after == pytest.approx(np.hypot(before, disc), rel=0.2)


def test_a_blank_tile_has_no_edges_to_be_blurred() -> None:
    blank = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)
    assert all(np.isnan(look.blur) for look in looked_at(blank))


def dim(rgb: RGB) -> RGB:
    return (rgb * 0.4).astype(np.uint8)


def press_flat(rgb: RGB) -> RGB:
    return np.asarray(cv2.resize(rgb, (WIDTH, int(HEIGHT * 0.6)), interpolation=cv2.INTER_AREA))


def keep_shape(rgb: RGB) -> RGB:
    return rgb


@pytest.mark.parametrize(
    ("unsure_count", "spoil", "high", "code", "reason"),
    [
        (0, dim, 1.0, "", "a dim room is light enough where the tiles are read surely"),
        (2, dim, 1.0, "", "two of 16 in doubt say nothing of the photo"),
        (4, dim, 1.0, "too-dark", "a quarter of them is in doubt, and it is dim"),
        (4, keep_shape, 1.0, "", "nothing is wrong with the photo: it may be a strange set"),
        (4, lambda rgb: defocus(rgb, 5), 1.0, "blurred", "a little out of focus"),
        (0, press_flat, 0.6, "", "flat tiles, read surely"),
        (4, press_flat, 0.6, "too-low", "the camera was held low"),
    ],
)  # fmt: skip
def test_many_tiles_in_doubt_are_laid_to_a_photo_that_is_none_too_good(
    unsure_count: int, spoil: Spoil, high: float, code: str, reason: str
) -> None:
    problems = faults_of(spoil(draw_reading(SHARP)), doubt_first(unsure_count, high))
    assert " ".join(problem.code for problem in problems) == code, reason


def doubt_first(count: int, high: float = 1.0) -> Reading:
    """Return the reading with so many tiles in doubt, and all of them so high."""
    names = {k: (tile.code, 0.5) for k, tile in enumerate(SHARP.tiles[:count])}
    tiles = tuple(
        structs.replace(tile, quad=tuple((x, y * high) for x, y in tile.quad))
        for tile in read_rows(ROWS, names).tiles
    )
    return structs.replace(SHARP, tiles=tiles)


def test_alike_tiles_in_one_doubt_count_once() -> None:
    reading = doubt_first(4)
    tiles = tuple(structs.replace(tile, alike=int(tile.code == "B2")) for tile in reading.tiles)
    assert faults_of(dim(draw_reading(SHARP)), structs.replace(reading, tiles=tiles)) == ()


def test_a_lamp_in_a_dim_room_is_named_before_the_dark() -> None:
    problems = faults_of(shone(dim(draw_reading(SHARP))), doubt_first(4))
    assert [problem.code for problem in problems] == ["glare"]


def test_a_hand_of_a_whole_table_may_look_flat() -> None:
    tiles = doubt_first(4, high=0.6).tiles
    rgb = press_flat(draw_reading(SHARP))
    assert not find_faults(
        Photo("a.jpg", rgb), tiles, SHARP.sets, crops(rgb, tiles), unsure_limits=USUAL_LIMITS
    )
