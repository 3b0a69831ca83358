"""What a camera makes of light, and where layouts lay tiles."""

from __future__ import annotations

import numpy as np
import pytest

from models.train.drawing.compose.bodies import random_body
from models.train.drawing.compose.camera import Look, expose, random_look
from models.train.drawing.compose.layouts import LAYOUTS, Layout, random_habit


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_every_layout_lays_tiles_that_do_not_overlap(layout: Layout) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        body = random_body(rng)
        spots = layout(rng, body, random_habit(rng))
        assert spots
        for k, s in enumerate(spots):
            for t in spots[:k]:
                # Neighbours in a column of sideways tiles are the closest that can lie flat.
                assert np.hypot(s.x - t.x, s.y - t.y) > 0.93 * body.width


@pytest.mark.parametrize("seed", range(4))
def test_a_photograph_keeps_the_shape_and_has_bytes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    light = rng.random((40 + seed, 31, 3), dtype=np.float32)
    photo = expose(light, random_look(rng), rng)
    assert photo.shape == light.shape
    assert photo.dtype == np.uint8


def test_a_plain_look_leaves_black_white_and_hue_alone() -> None:
    rng = np.random.default_rng(1)
    light = np.zeros((8, 24, 3), dtype=np.float32)
    light[:, 8:16] = (0.5, 0.1, 0.1)
    light[:, 16:] = 1.4
    photo = expose(light, Look(), rng)
    assert photo[4, 2].max() == 0
    assert photo[4, 22].min() > 245
    r, g, b = photo[4, 12].astype(int)
    assert r > 1.5 * g
    assert g == b


def test_looks_stay_within_what_jpeg_and_eyes_bear() -> None:
    rng = np.random.default_rng(9)
    for _ in range(200):
        look = random_look(rng)
        assert 55 <= look.jpeg <= 95
        assert 0.15 < look.exposure < 2.5
