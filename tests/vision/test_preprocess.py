"""How pixels reach the networks."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pytest

from vision.preprocess import (
    CROP_HEIGHT_PX,
    CROP_WIDTH_PX,
    INPUT_STRIDE_PX,
    shrink_for_locator,
    shrink_with_border,
    straighten,
)


@pytest.mark.parametrize(
    ("height", "width", "reason"),
    [
        (480, 640, "fits"),
        (853, 640, "upright phone photo"),
        (3040, 4056, "12 megapixels"),
        (90, 60, "tiny pictures are enlarged"),
        (100, 2000, "a strip"),
        (1, 2000, "a line"),
    ],
)
def test_the_locators_picture_has_a_fixed_longer_side(height: int, width: int, reason: str) -> None:
    rgb = np.full((height, width, 3), 200, np.uint8)
    picture, scale = shrink_for_locator(rgb)
    assert picture.shape[0] % INPUT_STRIDE_PX == picture.shape[1] % INPUT_STRIDE_PX == 0, reason
    assert abs(max(height, width) * scale - 640) < 1, reason
    assert picture[max(0, round(height * scale) - 2), round(width * scale) - 2, 0] == 200, reason


def test_the_locators_picture_is_the_same_on_every_processor() -> None:
    """The bytes were also made on an emulated Cortex-A72 (arm64), with its own OpenCV."""
    rows, columns = np.mgrid[:1200, :1600].astype(np.uint32)
    waves = [(rows * rows * k + columns * columns) // 700 % 256 for k in (1, 2, 3)]
    picture, _ = shrink_for_locator(np.stack(waves, 2).astype(np.uint8))
    assert sha256(picture.tobytes()).hexdigest()[:16] == "017699389af005bc"


@pytest.mark.parametrize(
    ("height", "width", "side"), [(480, 640, 256), (1600, 1200, 112), (90, 60, 256), (1, 2000, 112)]
)
def test_from_further_back_the_photo_lies_in_a_border_like_its_edge(
    height: int, width: int, side: int
) -> None:
    rgb = np.full((height, width, 3), (200, 30, 90), np.uint8)
    picture, scale, border = shrink_with_border(rgb, side)
    assert picture.shape[0] % INPUT_STRIDE_PX == picture.shape[1] % INPUT_STRIDE_PX == 0
    assert abs(max(height, width) * scale - side) < 1
    assert min(picture.shape[:2]) > 2 * border >= side / 2
    assert (picture == (200, 30, 90)).all()


@pytest.mark.parametrize("size", [20, 60, 400])
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_straightened_tile_has_its_first_corner_at_the_top_left(size: int, turn: int) -> None:
    rgb = np.full((3 * size, 3 * size, 3), 90, np.uint8)
    rgb[size : 2 * size, size : 2 * size] = 255
    rgb[size : size + size // 2, size : size + size // 2] = (255, 0, 0)
    square = np.array([[1, 1], [2, 1], [2, 2], [1, 2]], np.float32) * size
    crop = straighten(rgb, np.roll(square, turn, axis=0))
    assert crop.shape == (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3)
    quarters = [(20, 16), (20, 48), (60, 48), (60, 16)]  # clockwise from the top left
    red = [bool(crop[y, x, 1] < 60) for y, x in quarters]
    assert red.index(True) == turn
    assert sum(red) == 1


def test_a_quad_at_the_edge_of_the_photo_is_cut_out_all_the_same() -> None:
    rgb = np.full((300, 300, 3), 90, np.uint8)
    quad = np.array([[-60, -60], [200, -60], [200, 260], [-60, 260]], np.float32)
    assert straighten(rgb, quad).shape == (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3)
