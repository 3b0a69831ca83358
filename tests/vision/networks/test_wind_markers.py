"""A wind marker is no tile, and a wind tile on coloured ground is one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.networks.classifier import Classification
from vision.networks.locator import Detection
from vision.networks.wind_markers import drop_wind_markers
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import RGB, straighten

IVORY, INK = (236, 230, 214), (150, 30, 34)
GREEN, BLUE, WOOD, WHITE = (30, 110, 70), (30, 60, 140), (150, 110, 80), (225, 225, 220)
LEFT, TOP, WIDTH, HEIGHT = 180, 150, 60, 80
TILE_AT = (LEFT, TOP)


def table(ground: tuple[int, int, int]) -> RGB:
    """Return a picture of a bare table."""
    return np.full((400, 420, 3), ground, np.uint8)


def lay_tile(rgb: RGB, corner: tuple[int, int]) -> None:
    """Lay a tile whose sign is a closed box, as that of West nearly is."""
    x, y = corner
    cv2.rectangle(rgb, corner, (x + WIDTH, y + HEIGHT), IVORY, cv2.FILLED)
    cv2.rectangle(rgb, (x + 14, y + 24), (x + WIDTH - 14, y + HEIGHT - 20), INK, 4)


def frame(
    rgb: RGB, colour: tuple[int, int, int], width: int, corner: tuple[int, int] = TILE_AT
) -> None:
    """Put a square frame of this width around the tile that lies there."""
    x, y = corner
    corners = (x - width, y - width), (x + WIDTH + width, y + HEIGHT + width)
    cv2.rectangle(rgb, *corners, colour, cv2.FILLED)
    lay_tile(rgb, corner)


def lay_disc(rgb: RGB, colour: tuple[int, int, int], rim: int, *, is_square: bool) -> None:
    """Lay a disc with a coloured rim, or in a square that is hardly wider, out of focus."""
    middle = (LEFT + WIDTH // 2, TOP + HEIGHT // 2)
    if is_square:
        corners = (middle[0] - 62, middle[1] - 62), (middle[0] + 62, middle[1] + 62)
        cv2.rectangle(rgb, *corners, colour, cv2.FILLED)
    cv2.circle(rgb, middle, 62, colour, cv2.FILLED)
    cv2.circle(rgb, middle, 62 - rim, IVORY, cv2.FILLED)
    lay_tile(rgb, TILE_AT)
    rgb[:] = cv2.GaussianBlur(rgb, (5, 5), 0)


def lay_framed_tile(rgb: RGB, corner: tuple[int, int]) -> None:
    """Lay a tile of a set whose print has a frame."""
    x, y = corner
    lay_tile(rgb, corner)
    cv2.rectangle(rgb, (x + 3, y + 3), (x + WIDTH - 3, y + HEIGHT - 3), GREEN, 9)


def detect(rgb: RGB, corner: tuple[int, int], code: str) -> NamedDetection:
    """Return a sure detection of the tile there."""
    x, y = corner
    quad = np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]], np.float32)
    name = Classification(code, 1.0, 1.0, (), 0, 0.0)
    return NamedDetection(Detection(quad, 1.0), name, straighten(rgb, quad))


def codes_left(rgb: RGB, *tiles: tuple[tuple[int, int], str], row_length: int = 4) -> list[str]:
    """Return the codes of the tiles that are left of these; other tiles lie in a row below."""
    row = [(20 + k * WIDTH, 310) for k in range(row_length)]
    for corner in row:
        lay_tile(rgb, corner)
    sights = [detect(rgb, corner, code) for corner, code in (*tiles, *((c, "C1") for c in row))]
    codes = [sight.classification.code for sight in drop_wind_markers(rgb, sights)]
    assert codes[len(codes) - row_length :] == ["C1"] * row_length
    return codes[: len(codes) - row_length]


@pytest.mark.parametrize("code", ["WE", "WS", "WW", "WN"])
@pytest.mark.parametrize(
    ("ground", "colour", "width"),
    [
        pytest.param(WOOD, GREEN, 12, id="a green frame on wood"),
        pytest.param(WHITE, (170, 30, 30), 20, id="a broad red one on white"),
        pytest.param(GREEN, BLUE, 6, id="a thin blue one on green cloth"),
    ],
)
def test_a_sign_in_a_frame_is_a_marker(
    code: str, ground: tuple[int, int, int], colour: tuple[int, int, int], width: int
) -> None:
    rgb = table(ground)
    frame(rgb, colour, width)
    assert codes_left(rgb, (TILE_AT, code)) == []


@pytest.mark.parametrize("is_square", [False, True])
def test_a_disc_with_a_coloured_rim_is_a_marker(*, is_square: bool) -> None:
    rgb = table(WOOD)
    lay_disc(rgb, BLUE, 3 if is_square else 8, is_square=is_square)
    assert codes_left(rgb, (TILE_AT, "WE")) == []


@pytest.mark.parametrize("ground", [WOOD, WHITE, GREEN, BLUE])
def test_the_ground_around_a_wind_tile_is_no_frame(ground: tuple[int, int, int]) -> None:
    rgb = table(ground)
    lay_tile(rgb, TILE_AT)
    assert codes_left(rgb, (TILE_AT, "WW")) == ["WW"]


def test_ground_that_ends_at_other_tiles_is_no_frame() -> None:
    rgb = table(WOOD)
    gap = 14
    frame(rgb, GREEN, gap)
    neighbours = [
        (LEFT + x * (WIDTH + gap), TOP + y * (HEIGHT + gap))
        for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))
    ]
    for corner in neighbours:
        lay_tile(rgb, corner)
    tiles = [(TILE_AT, "WE"), *((corner, "C1") for corner in neighbours)]
    assert codes_left(rgb, *tiles, row_length=0) == ["WE", *["C1"] * 4]


def test_other_signs_than_winds_stay_in_their_frames() -> None:
    rgb = table(WOOD)
    frame(rgb, GREEN, 12)
    assert codes_left(rgb, (TILE_AT, "F1")) == ["F1"]


def test_where_all_tiles_have_the_frame_it_is_their_print() -> None:
    rgb = table(WOOD)
    row = [(20 + k * WIDTH, 310) for k in range(5)]
    for corner in (TILE_AT, *row):
        lay_framed_tile(rgb, corner)
    tiles = [(TILE_AT, "WE"), *((corner, "C1") for corner in row)]
    assert codes_left(rgb, *tiles, row_length=0) == ["WE", *["C1"] * 5]


def test_winds_among_too_few_tiles_are_tiles() -> None:
    """Of one tile that is pointed at nothing tells how its set is printed."""
    rgb = table(WOOD)
    frame(rgb, GREEN, 12)
    assert codes_left(rgb, (TILE_AT, "WE"), row_length=3) == ["WE"]
