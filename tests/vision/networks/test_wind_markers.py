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


def round_marker(rgb: RGB, colour: tuple[int, int, int]) -> None:
    """Lay a disc with a coloured rim."""
    middle = (LEFT + WIDTH // 2, TOP + HEIGHT // 2)
    cv2.circle(rgb, middle, 62, colour, cv2.FILLED)
    cv2.circle(rgb, middle, 54, IVORY, cv2.FILLED)
    lay_tile(rgb, TILE_AT)


def detect(rgb: RGB, corner: tuple[int, int], code: str) -> NamedDetection:
    """Return a sure detection of the tile there."""
    x, y = corner
    quad = np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]], np.float32)
    name = Classification(code, 1.0, 1.0, (), 0, 0.0)
    return NamedDetection(Detection(quad, 1.0), name, straighten(rgb, quad))


def codes_left(rgb: RGB, *tiles: tuple[tuple[int, int], str]) -> list[str]:
    """Return the codes of the tiles that are left of these."""
    sights = [detect(rgb, corner, code) for corner, code in tiles]
    return [sight.classification.code for sight in drop_wind_markers(rgb, sights)]


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


def test_a_disc_with_a_coloured_rim_is_a_marker() -> None:
    rgb = table(WOOD)
    round_marker(rgb, BLUE)
    assert codes_left(rgb, (TILE_AT, "WE")) == []


@pytest.mark.parametrize("ground", [WOOD, WHITE, GREEN, BLUE])
def test_the_ground_around_a_wind_tile_is_no_frame(ground: tuple[int, int, int]) -> None:
    rgb = table(ground)
    lay_tile(rgb, TILE_AT)
    assert codes_left(rgb, (TILE_AT, "WW")) == ["WW"]


def test_ground_between_tiles_is_no_frame() -> None:
    rgb = table(GREEN)
    gap = 14
    places = [
        (LEFT + x * (WIDTH + gap), TOP + y * (HEIGHT + gap)) for x in (-1, 0, 1) for y in (-1, 0, 1)
    ]
    for corner in places:
        lay_tile(rgb, corner)
    codes = ["WE" if corner == TILE_AT else "C1" for corner in places]
    assert codes_left(rgb, *zip(places, codes, strict=True)) == codes


def test_other_signs_than_winds_stay_in_their_frames() -> None:
    rgb = table(WOOD)
    frame(rgb, GREEN, 12)
    assert codes_left(rgb, (TILE_AT, "F1")) == ["F1"]


def test_where_all_tiles_have_the_frame_it_is_their_print() -> None:
    rgb = table(WOOD)
    other_corner = (LEFT - 3 * WIDTH // 2 - 40, TOP)
    for corner in (TILE_AT, other_corner):
        frame(rgb, GREEN, 6, corner)
    assert codes_left(rgb, (TILE_AT, "WE"), (other_corner, "C1")) == ["WE", "C1"]
