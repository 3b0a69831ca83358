"""The 42 faces as drawings and pixels, in the house style and in invented ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest

from models.train.drawing.faces.face import draw_face, index_text
from models.train.drawing.faces.random_style import random_style
from models.train.drawing.faces.raster import Pixels, rasterise
from models.train.drawing.faces.shapes import PAPER, Circle, Drawing, Group, line, polygon
from models.train.drawing.faces.style import HOUSE_STYLE, Style
from scorer.tiles import CODES

pytestmark = pytest.mark.slow

RED = (200, 10, 20)


def faces(style: Style, width: int = 48, height: int = 64) -> dict[str, Pixels]:
    return {code: rasterise(draw_face(code, style), width, height) for code in CODES}


def on_ivory(face: Pixels) -> Pixels:
    alpha = face[..., 3:] / 255
    return (face[..., :3] * alpha + 245 * (1 - alpha)).astype(np.uint8)


def test_raster_gives_straight_rgba_of_the_size_asked() -> None:
    pixels = rasterise(Drawing((polygon([(0, 0), (30, 0), (30, 80), (0, 80)], RED),)), 90, 120)
    assert pixels.shape == (120, 90, 4)
    assert pixels.dtype == np.uint8
    assert tuple(pixels[60, 20]) == (*RED, 255)
    assert pixels[60, 70, 3] == 0


def test_edges_keep_their_colour_and_fade_in_alpha_alone() -> None:
    pixels = rasterise(Drawing((Circle((30, 40), 20, RED),)), 60, 80)
    edge = (pixels[..., 3] > 60) & (pixels[..., 3] < 200)
    assert edge.sum() > 40
    assert np.abs(pixels[edge][:, :3].astype(int) - RED).max() <= 6


def test_paper_clears_what_lies_below() -> None:
    shapes = (Circle((30, 40), 25, RED), Circle((30, 40), 10, PAPER))
    pixels = rasterise(Drawing((Group("picture", shapes),)), 60, 80)
    assert pixels[40, 30, 3] == 0
    assert pixels[40, 47, 3] == 255


def test_lines_have_their_width_in_units_of_the_face() -> None:
    pixels = rasterise(Drawing((line([(10, 40), (50, 40)], RED, 8),)), 120, 160)
    assert (pixels[:, 60, 3] > 128).sum() == pytest.approx(16, abs=1)


@pytest.mark.parametrize("seed", range(8))
def test_every_face_of_an_invented_set_has_ink(seed: int) -> None:
    style = random_style(np.random.default_rng(seed))
    for code, face in faces(style).items():
        if code != "DW" or style.white != "blank":
            assert face[..., 3].mean() > 4, code


def test_a_blank_white_dragon_without_an_index_has_no_ink() -> None:
    blank = replace(HOUSE_STYLE, white="blank", index="none")
    assert not rasterise(draw_face("DW", blank), 48, 64).any()


def test_house_faces_differ_clearly_from_each_other() -> None:
    """Every pair differs in at least 4 % of the face, seen as small as a phone shows it."""
    pictures = {
        code: cv2.resize(on_ivory(face), (33, 44)).astype(int)
        for code, face in faces(HOUSE_STYLE, 44, 58).items()
    }
    for a, b in combinations(CODES, 2):
        different = (np.abs(pictures[a] - pictures[b]).max(axis=2) > 60).mean()
        assert different > 0.04, (a, b, different)


def test_house_index_names_every_face_uniquely_within_its_family() -> None:
    texts = [(code[0], index_text(code, HOUSE_STYLE)) for code in CODES]
    assert len(set(texts)) == 42
    assert all(text for _, text in texts)
    letters = [text for family, text in texts if family in "WD"]
    assert len(set(letters)) == 7, "West and the white dragon must not share a letter"


def test_index_is_a_group_of_its_own() -> None:
    for code in CODES:
        picture, index = draw_face(code, HOUSE_STYLE).shapes
        assert isinstance(picture, Group)
        assert isinstance(index, Group)
        assert (picture.name, index.name) == ("picture", "index")
        assert index.shapes


def test_the_same_seed_gives_the_same_set() -> None:
    first, second, other = (random_style(np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert first == second != other
    second_faces = faces(second)
    for code, face in faces(first).items():
        assert (face == second_faces[code]).all()
        assert face.any() != (code == "DW" and first.white == "blank")
