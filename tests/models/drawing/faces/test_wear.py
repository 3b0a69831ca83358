"""What years do to a set, each kind by itself."""

from __future__ import annotations

import numpy as np
import pytest

from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.raster import (
    Pixels,
    colour_film,
    lay_over,
    premultiply,
    rasterise,
    unpremultiply,
)
from models.train.drawing.faces.shapes import Circle, Drawing, line
from models.train.drawing.faces.wear import Weathering, random_weathering, weather

RED, BLUE = (190, 20, 30), (20, 40, 160)
FACE = rasterise(Drawing((Circle((30, 25), 16, RED), line([(8, 60), (52, 60)], BLUE, 8))), 96, 128)


def age(weathering: Weathering, seed: int = 1) -> Pixels:
    return weather(FACE, weathering, np.random.default_rng(seed))


def test_a_new_set_stays_as_it_was_painted() -> None:
    assert (age(Weathering()) == FACE).all()
    assert random_weathering(0.0, Dice(np.random.default_rng(2))).loss == 0


@pytest.mark.parametrize(
    ("weathering", "paint", "tile"),
    [
        (Weathering(core=0.6), "lighter", "bare"),
        (Weathering(core=-0.6), "lighter", "bare"),
        (Weathering(fade=0.8), "lighter", "bare"),
        (Weathering(loss=0.6), "thinner", "bare"),
        (Weathering(chips=1.0), "thinner", "bare"),
        (Weathering(scratches=1.0), "any", "any"),
        (Weathering(dirt=0.8), "any", "soiled"),
        (Weathering(stain=0.8), "any", "soiled"),
        (Weathering(slip=(3.0, 2.0)), "any", "any"),
    ],
    ids=["light core", "light rim", "fade", "loss", "chips", "scratches", "dirt", "stain", "slip"],
)
def test_each_kind_of_wear_does_its_own_to_paint_and_tile(
    weathering: Weathering, paint: str, tile: str
) -> None:
    old = age(weathering)
    is_ink, clear = FACE[..., 3] > 250, FACE[..., 3] == 0
    assert (old != FACE).any()
    assert (old == age(weathering)).all(), "the same seed wears a face in the same way"
    if paint == "lighter":
        assert old[is_ink][:, :3].mean() > FACE[is_ink][:, :3].mean() + 5
        assert (old[..., 3] == FACE[..., 3]).all()
    if paint == "thinner":
        assert 0.3 * 255 < old[is_ink][:, 3].mean() < 250
    if tile != "any":
        assert old[clear][:, 3].any() == (tile == "soiled")


def test_slipped_paint_is_red_and_lies_beside_its_cut() -> None:
    old = age(Weathering(slip=(4.0, 0.0)))
    reds = [
        np.nonzero((face[..., 3] > 200) & (face[..., 0] > 120))[1].mean() for face in (FACE, old)
    ]
    blues = [
        np.nonzero((face[..., 3] > 200) & (face[..., 2] > 120))[1].mean() for face in (FACE, old)
    ]
    assert reds[1] - reds[0] == pytest.approx(4, abs=0.5)
    assert blues[1] == pytest.approx(blues[0], abs=0.2)


def test_layers_keep_colours_and_cover_one_another() -> None:
    second_face = unpremultiply(premultiply(FACE))
    solid = FACE[..., 3] > 200
    assert np.abs(second_face[solid].astype(int) - FACE[solid]).max() <= 2
    half = colour_film(BLUE, np.full(FACE.shape[:2], 0.5, np.float32))
    assert (lay_over(FACE, half)[20, 48] == lay_over(FACE, half)[30, 48]).all()
    assert lay_over(FACE, half)[20, 48, :3] == pytest.approx(np.mean([RED, BLUE], axis=0), abs=3)
    assert lay_over(half, FACE)[20, 48, :3] == pytest.approx(RED, abs=2)
    assert lay_over(half, FACE)[0, 0, 3] == pytest.approx(128, abs=2)
