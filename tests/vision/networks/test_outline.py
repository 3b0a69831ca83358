"""Outlines as numbers: they lead back to the quad, know no first corner and have no seam."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.networks.outline import ACROSS_SLICE, OUTLINE_NUMBERS, decode, encode

Array = npt.NDArray[np.float32]

sides = st.floats(8, 120)
turns = st.floats(0, 360)
nudges = st.lists(st.floats(-0.12, 0.12), min_size=8, max_size=8)


def quad(width: float, height: float, turn: float, nudge: list[float] | None = None) -> Array:
    """Return a tile (4, 2) turned by so many degrees, its corners pushed by shares of its side."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    corners = corners + np.array(nudge or [0] * 8).reshape(4, 2) * min(width, height)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + (3, -5), np.float32)


@given(sides, st.floats(0.5, 2.5), turns, nudges)
def test_an_outline_leads_back_to_its_quad(
    width: float, ratio: float, turn: float, nudge: list[float]
) -> None:
    """From the tile's own top or, the tile having been turned by half, from its foot."""
    given_quad = quad(width, ratio * width, turn, nudge)
    decoded_quad = decode(encode(given_quad))
    offset = min(
        float(np.abs(np.roll(given_quad, by, axis=0) - decoded_quad).max()) for by in (0, 2)
    )
    assert offset < 0.01 * width * max(ratio, 1)


@given(sides, st.floats(0.5, 2.5), turns, nudges, st.integers(1, 3))
def test_it_does_not_matter_which_corner_is_first(
    width: float, ratio: float, turn: float, nudge: list[float], first: int
) -> None:
    """But for the way that the tile's own short sides lie, and a half turn leaves that, too."""
    tile = quad(width, ratio * width, turn, nudge)
    first_code, other = encode(tile), encode(np.roll(tile, first, axis=0))
    tolerance = 0.01 * width * max(ratio, 1)
    np.testing.assert_allclose(
        first_code[: ACROSS_SLICE.start], other[: ACROSS_SLICE.start], atol=tolerance
    )
    sign = -1 if first % 2 else 1
    np.testing.assert_allclose(first_code[ACROSS_SLICE], sign * other[ACROSS_SLICE], atol=tolerance)


@pytest.mark.parametrize("height", [40, 30, 24], ids=["upright", "square", "seen from low down"])
def test_a_little_turn_changes_little(height: float) -> None:
    """Four ordered corners jump by a tile's whole length at some angle; these numbers nowhere."""
    step = 1.0
    codes = np.stack([encode(quad(30, height, turn)) for turn in np.arange(0, 361, step)])
    steps = np.linalg.norm(np.diff(codes, axis=0), axis=1)
    fastest = 4 * np.radians(step) * 35 * 2
    assert steps.max() < fastest


def test_a_tile_seen_from_low_down_still_tells_its_short_sides() -> None:
    """Perspective has made it wider than tall; the first two corners still span its own top."""
    tile = quad(30, 24, 0)
    np.testing.assert_allclose(decode(encode(tile)), tile, atol=1e-3)
    on_its_side = np.roll(tile, 1, axis=0)
    decoded_quad = decode(encode(on_its_side))
    offset = min(
        float(np.abs(np.roll(on_its_side, by, axis=0) - decoded_quad).max()) for by in (0, 2)
    )
    assert offset < 1e-3


def test_many_at_once_and_none() -> None:
    quads = np.stack([quad(30, 40, turn) for turn in (0, 33, 90)])
    assert encode(quads).shape == (3, OUTLINE_NUMBERS)
    assert decode(encode(quads)).shape == (3, 4, 2)
    assert decode(encode(quads[:0])).shape == (0, 4, 2)


def test_a_network_that_says_nothing_breaks_nothing() -> None:
    assert np.isfinite(decode(np.zeros((2, OUTLINE_NUMBERS), np.float32))).all()
