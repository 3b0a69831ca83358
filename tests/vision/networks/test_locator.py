"""From the locator's maps to tiles."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.networks.locator import decode, shared_area
from vision.networks.outline import OUTLINE_NUMBERS, encode
from vision.preprocess import CELL_SIDE_PX, OFFSET_UNIT_PX

Array = npt.NDArray[np.float32]


def square(x: float, y: float, side: float = 40.0) -> Array:
    half = side / 2
    return np.array(
        [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]],
        np.float32,
    )


def maps(tiles: list[tuple[Array, float]]) -> tuple[Array, Array]:
    """Return what a perfect locator says of a 400 by 400 picture with these quads and logits."""
    logits = np.full((100, 100), -9, np.float32)
    outlines = np.zeros((OUTLINE_NUMBERS, 100, 100), np.float32)
    for quad, logit in tiles:
        column, row = (quad.mean(0) // CELL_SIDE_PX).astype(int)
        logits[row, column] = logit
        centre = (np.array([column, row]) + 0.5) * CELL_SIDE_PX
        outlines[:, row, column] = encode((quad - centre).astype(np.float32)) / OFFSET_UNIT_PX
    return logits, outlines


def test_tiles_come_back_where_they_were_surest_first() -> None:
    quads = [square(100, 80), square(142, 80), square(300, 300)]
    tiles_found = decode(*maps([(quads[0], 2.0), (quads[1], 5.0), (quads[2], 3.0)]), threshold=0.3)
    assert [round(tile.score, 2) for tile in tiles_found] == [0.99, 0.95, 0.88]
    for tile, quad in zip(tiles_found, (quads[1], quads[2], quads[0]), strict=True):
        np.testing.assert_allclose(tile.quad, quad, atol=1e-3)


@pytest.mark.parametrize(
    ("tiles", "kept_count", "reason"),
    [
        ([(square(100, 100), 4.0), (square(110, 100), 3.0)], 1, "two answers to one tile"),
        ([(square(100, 100), 4.0), (square(100, 100, 16), 3.0)], 1, "a tile within a tile"),
        ([(square(100, 100), 4.0), (square(140, 100), 3.0)], 2, "tiles that touch are two"),
        ([(square(100, 100), -3.0)], 0, "below the threshold"),
        ([(square(100, 100) * [1, 0.02] + [0, 98], 4.0)], 0, "a sliver"),
    ],
)
def test_each_tile_is_found_once(
    tiles: list[tuple[Array, float]], kept_count: int, reason: str
) -> None:
    assert len(decode(*maps(tiles), threshold=0.3)) == kept_count, reason


@pytest.mark.parametrize(
    ("other", "share"),
    [
        (square(100, 100), 1.0),
        (square(120, 100), 0.5),
        (square(100, 100, 10), 1.0),
        (square(300, 300), 0.0),
    ],
)
def test_shared_area(other: Array, share: float) -> None:
    assert shared_area(square(100, 100), other) == pytest.approx(share, abs=0.01)
