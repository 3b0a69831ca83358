"""Where the locator looks closer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.networks.locator import (
    MAX_TARGET_TILE_PX,
    MAX_WINDOWS,
    MIN_LOCATOR_TILE_PX,
    TARGET_TILE_PX,
    choose_windows,
    picture_side,
)
from vision.preprocess import LOCATOR_SIDE_PX

Quad = npt.NDArray[np.float32]


def row(count: int, wide: float, x: float, y: float) -> list[Quad]:
    """Return a row of touching upright tiles from x, y."""
    tile = np.array([[0, 0], [1, 0], [1, 1.35], [0, 1.35]], np.float32) * np.float32(wide)
    return [tile + np.array([x + k * wide, y], np.float32) for k in range(count)]


@pytest.mark.parametrize(
    ("quads", "size", "windows"),
    [
        pytest.param([], (4000, 3000), 0, id="nothing found, nowhere to look"),
        pytest.param(row(14, 200, 500, 900), (4000, 3000), 0, id="large enough at the first look"),
        pytest.param(row(14, 60, 1500, 900), (4000, 3000), 1, id="a hand small in the middle"),
        pytest.param(row(24, 100, 800, 900), (4000, 3000), 3, id="a long row is cut in three"),
        pytest.param(
            row(14, 33, 100, 300), (1280, 960), 1, id="a small photo is not enlarged so far"
        ),
        pytest.param(
            [quad for y in (100, 1500, 2900) for quad in row(30, 80, 100, y)],
            (4096, 3072),
            16,
            id="a whole table, as clearly as the photo shows it",
        ),
        pytest.param(row(3, 20, 10, 10), (640, 480), 1, id="at the edge, in a small photo"),
    ],
)
def test_windows(quads: list[Quad], size: tuple[int, int], windows: int) -> None:
    assert len(choose_windows(quads, *size)) == windows


def test_a_closer_look_makes_small_tiles_comfortable() -> None:
    ((x0, y0, x1, y1),) = choose_windows(row(14, 60, 1500, 900), 4000, 3000)
    assert 60 * LOCATOR_SIDE_PX / max(x1 - x0, y1 - y0) >= TARGET_TILE_PX


@pytest.mark.parametrize(
    ("count", "side", "reason"),
    [
        (
            1,
            6.35 * MAX_TARGET_TILE_PX,
            "one small tile and a margin: not enlarged beyond what is known",
        ),
        (3, 8 * MAX_TARGET_TILE_PX, "three"),
        (4, LOCATOR_SIDE_PX, "four: as large as can be"),
        (14, LOCATOR_SIDE_PX, "a hand"),
    ],
)
def test_how_large_a_closer_look_is(count: int, side: float, reason: str) -> None:
    quads = row(count, 60, 1500, 900)
    (window,) = choose_windows(quads, 4000, 3000)
    assert picture_side(window, quads) == pytest.approx(side, abs=5), reason


@given(st.integers(1, 40), st.floats(8, 400), st.floats(0, 3000), st.floats(0, 2900), st.booleans())
def test_every_tile_lies_whole_in_a_window(
    count: int, wide: float, x: float, y: float, tall: bool
) -> None:
    quads = row(count, wide, x, y)
    if tall:
        quads = [quad[:, ::-1] for quad in quads]
    quads = [q for q in quads if (q >= 0).all() and (q <= (4000, 3000)).all()]
    windows = choose_windows(quads, 4000, 3000)
    assert len(windows) <= MAX_WINDOWS
    if quads and wide * LOCATOR_SIDE_PX / 4000 < MIN_LOCATOR_TILE_PX * 0.99:
        assert windows
    for x0, y0, x1, y1 in windows:
        assert 0 <= x0 < x1 <= 4000
        assert 0 <= y0 < y1 <= 3000
    if windows:
        for quad in quads:
            low, high = quad.min(0), quad.max(0)
            assert any(
                (low >= (x0, y0)).all() and (high <= (x1, y1)).all() for x0, y0, x1, y1 in windows
            ), (quad, windows)
