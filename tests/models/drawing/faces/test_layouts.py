"""How many dots and sticks each face shows, counted in the picture itself."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.train.drawing.faces.face import draw_face
from models.train.drawing.faces.raster import rasterise
from models.train.drawing.faces.style import HOUSE_STYLE

PLAIN = replace(HOUSE_STYLE, index="none", circle="disc", circle_size=0.9, bamboo_size=0.6)


def blobs(code: str) -> list[tuple[float, float, str]]:
    """Return x and y, 0 to 1, and the ink of every connected patch of a face without index."""
    pixels = rasterise(draw_face(code, PLAIN), 240, 320)
    solid = (pixels[..., 3] > 128).astype(np.uint8)
    outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    inks = {"red": PLAIN.red, "green": PLAIN.green, "blue": PLAIN.blue}
    patches = []
    for outline in outlines:
        inside_mask = cv2.drawContours(np.zeros_like(solid), [outline], -1, 1, cv2.FILLED) > 0
        colour = np.median(pixels[inside_mask & (pixels[..., 3] > 250)][:, :3], axis=0)
        name = min(inks, key=lambda ink: float(np.abs(colour - inks[ink]).sum()))
        y, x = (float(places.mean()) for places in np.nonzero(inside_mask))
        patches.append((x / 240, y / 320, name))
    return patches


@pytest.mark.parametrize("rank", range(2, 10))
def test_circles_show_their_number(rank: int) -> None:
    assert len(blobs(f"O{rank}")) == rank


@pytest.mark.parametrize("rank", [2, 3, 4, 5, 6, 7, 9])
def test_bamboos_show_their_number(rank: int) -> None:
    """The 8 is left out: its sticks meet in a W over an M."""
    assert len(blobs(f"B{rank}")) == rank


@pytest.mark.parametrize(
    ("code", "ink", "places"),
    [
        ("B5", "red", [(0.5, 0.5)]),
        ("B7", "red", [(0.5, 0.2)]),
        ("B9", "red", [(0.5, 0.2), (0.5, 0.5), (0.5, 0.8)]),
        ("O7", "green", [(0.25, 0.18), (0.5, 0.28), (0.75, 0.36)]),
        ("O3", "red", [(0.5, 0.5)]),
    ],
    ids=["middle stick", "top stick", "middle column", "the slope of three", "middle dot"],
)
def test_odd_coloured_pieces_lie_where_real_sets_have_them(
    code: str, ink: str, places: list[tuple[float, float]]
) -> None:
    patch_places = sorted((x, y) for x, y, name in blobs(code) if name == ink)
    assert np.allclose(patch_places, sorted(places), atol=0.06)


def test_eight_bamboos_are_a_w_over_an_m() -> None:
    """In the W the slanting sticks rise to the middle; in the M below they fall to it."""
    alpha = rasterise(draw_face("B8", PLAIN), 240, 320)[..., 3]
    rows = np.nonzero(alpha[:, 116:124].max(axis=1) > 128)[0]
    upper, lower = rows[rows < 160].mean(), rows[rows >= 160].mean()
    assert upper / 320 < 0.3
    assert lower / 320 > 0.7
