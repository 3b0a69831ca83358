"""Training crops for the classifier."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from models.train.classifier.crops import (
    NO_FACE,
    TURNS,
    UNKNOWN_TURN,
    draw_batch,
    from_empty_places,
    from_faces,
    from_pictures,
    random_crop,
)
from models.train.data.relight import relight
from models.train.drawing.faces.bank import procedural_bank
from models.train.drawing.faces.style import HOUSE_STYLE
from models.train.drawing.flat_tiles import Faces, flat_tile, random_face, shrink_faces
from models.train.tiled_picture import TiledPicture
from scorer.tiles import CODES
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, LABELS, NO_TILE


@cache
def faces() -> Faces:
    return shrink_faces(procedural_bank(HOUSE_STYLE))


def marked_picture(*, exact: bool) -> TiledPicture:
    """Return cloth with one tile whose top left quarter is black."""
    rgb = np.full((300, 300, 3), 120, np.uint8)
    rgb[100:220, 100:190] = 250
    rgb[100:160, 100:145] = 0
    outline = np.array([[[100, 100], [190, 100], [190, 220], [100, 220]]], np.float32)
    return TiledPicture(rgb, outline, ("C4",), np.array([exact]), np.ones((300, 300), np.uint8))


def test_the_turn_label_says_how_the_tile_lies_in_the_crop() -> None:
    rng = np.random.default_rng(3)
    turns = set()
    for _ in range(120):
        crop, face, turn = random_crop(marked_picture(exact=True), 0, rng)
        quarters = [(22, 18), (22, 46), (58, 46), (58, 18)]  # clockwise from the top left
        levels = [float(crop[y - 8 : y + 8, x - 8 : x + 8].mean()) for y, x in quarters]
        assert int(np.argmin(levels)) == turn, f"{TURNS[turn]} degrees clockwise"
        assert LABELS[face] == "C4"
        turns.add(turn)
    assert turns == {0, 1, 2, 3}


def test_a_box_does_not_tell_which_way_up_its_tile_lies() -> None:
    rng = np.random.default_rng(3)
    turns = {random_crop(marked_picture(exact=False), 0, rng)[2] for _ in range(20)}
    assert turns == {UNKNOWN_TURN}


@pytest.mark.slow
def test_every_face_is_drawn_flat() -> None:
    rng = np.random.default_rng(1)
    codes = {flat_tile(faces(), rng).codes[0] for _ in range(800)}
    jokers = {code for code in codes if code not in LABELS}
    assert codes - jokers == {*LABELS} - {NO_TILE}
    assert jokers <= {*faces()}


def test_a_joker_has_no_name_to_learn() -> None:
    odd = replace(marked_picture(exact=True), codes=("odd 0",))
    assert random_crop(odd, 0, np.random.default_rng(1))[1] == NO_FACE


def test_what_lies_between_tiles_is_no_tile() -> None:
    plain = marked_picture(exact=True)
    empty = replace(
        plain, quads=np.empty((0, 4, 2), np.float32), codes=(), exact=np.array([], bool)
    )
    source = from_empty_places([replace(plain, rgb=np.full_like(plain.rgb, 255)), empty])
    rng = np.random.default_rng(5)
    assert {source(rng)[1] for _ in range(50)} == {LABELS.index(NO_TILE)}


def test_things_are_shown_as_no_tile_unless_a_tile_lies_there() -> None:
    plain = marked_picture(exact=True)
    rgb = np.full_like(plain.rgb, 255)
    rgb[20:60, 230:270] = 0  # a die
    thing = np.array([[[230, 20], [270, 20], [270, 60], [230, 60]]], np.float32)
    source = from_empty_places(
        [replace(plain, rgb=rgb, other_quads=np.concatenate((thing, plain.quads)))]
    )
    rng = np.random.default_rng(5)
    crops = [source(rng) for _ in range(200)]
    assert {face for _, face, _ in crops} == {LABELS.index(NO_TILE)}
    dice = sum(float(crop[35:45, 27:37].mean()) < 90 for crop, _, _ in crops)
    assert dice > 60, "about half, though the tile, wrongly among the things, is never shown"


def test_nothing_is_taken_from_where_tiles_may_lie_unlabelled() -> None:
    plain = marked_picture(exact=True)
    known_mask = np.zeros((300, 300), np.uint8)
    known_mask[:, 240:] = 1  # all that is known
    marked_strip = plain.rgb.copy()
    marked_strip[:, 215:] = 0
    source = from_empty_places([replace(plain, rgb=marked_strip, known_mask=known_mask)])
    rng = np.random.default_rng(5)
    for _ in range(20):
        assert source(rng)[0][35:45, 27:37].mean() < 60, "the middle of the crop is on the strip"


def test_rare_faces_are_shown_as_often_as_common_ones() -> None:
    common, rare = marked_picture(exact=True), marked_picture(exact=True)
    rare = replace(rare, codes=("C5",))
    source = from_pictures([common] * 50 + [rare])
    rng = np.random.default_rng(1)
    faces = [source(rng)[1] for _ in range(200)]
    assert 70 < faces.count(CODES.index("C5")) < 130


def test_flowers_and_seasons_are_shown_more_often() -> None:
    rng = np.random.default_rng(1)
    codes = [random_face(CODES, rng) for _ in range(3000)]
    bonus = sum(code[0] in "FS" for code in codes) / len(codes)
    assert bonus == pytest.approx(16 / 50, abs=0.03)


def test_a_batch_has_the_classifiers_shape() -> None:
    batch = draw_batch([(1.0, from_faces([faces()]))], 5, np.random.default_rng(2))
    assert batch["crop"].shape == (5, CROP_HEIGHT_PX, CROP_WIDTH_PX, 3)
    assert batch["crop"].dtype == np.uint8
    assert batch["face"].shape == batch["turn"].shape == (5,)


@pytest.mark.parametrize("seed", range(8))
def test_relighting_keeps_what_is_seen(seed: int) -> None:
    picture = marked_picture(exact=True).rgb
    relit = relight(picture, np.random.default_rng(seed))
    assert relit.shape == picture.shape
    assert relit.dtype == np.uint8
    assert relit[110:150, 105:140].mean() < relit[170:210, 105:180].mean() - 20
