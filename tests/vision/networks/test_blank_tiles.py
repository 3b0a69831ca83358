"""Blank tiles: a white dragon, or a tile lying face down. Their neighbours tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.train.data.flat_tiles import Faces, shrink_faces
from models.train.faces.bank import procedural_bank
from models.train.faces.style import HOUSE_STYLE
from scorer.tiles import FACE_DOWN
from tests.prove.laid_hands import LaidHand
from tests.prove.styles import photograph_hand
from vision.hand.joint_decoding import TileGroup
from vision.networks.blank_tiles import name_blank_tiles
from vision.networks.classifier import Classification
from vision.networks.locator import Detection
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX
from vision.reader import Reader

GATE = 0.9

IVORY, SHADED, GREEN, WHITE = (230, 220, 200), (190, 181, 164), (40, 120, 70), (245, 245, 245)
BURNT = (255, 255, 252)

BROWN, DIM = (160, 130, 105), (140, 134, 122)

FACE_UP = [("C1", IVORY, "ink")] * 4
"""Four tiles of the same set, surely named."""

Laying = list[tuple[str, tuple[int, int, int], str]]
"""What each tile is taken for, its colour, and what is on it."""


def seen(tiles: Laying) -> list[NamedDetection]:
    """Return tiles side by side, of these colours."""
    sights = []
    box = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    for k, (code, colour, what) in enumerate(tiles):
        crop = np.full((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), colour, np.uint8)
        if what == "ink":
            crop[24:56, 20:44] = 30
        if what == "frame":
            crop[22:58, 16:48] = (40, 60, 150)
            crop[28:52, 22:42] = colour
        sure, other = (0.6, 0.38) if what == "unsure" else (0.97, 0.02)
        named = Classification(
            code, sure, 0.99, (("DW" if code == FACE_DOWN else FACE_DOWN, other),), 0, 0.0
        )
        sights.append(NamedDetection(Detection(box + np.float32(31 * k), 0.9), named, crop))
    return sights


@pytest.mark.parametrize(
    ("tiles", "code", "sure", "why"),
    [
        ([("??", IVORY, ""), ("??", GREEN, "")], "DW", False, "of the faces' ivory, backs green"),
        ([("??", SHADED, ""), ("??", GREEN, "")], "DW", False, "the same ivory in a little shade"),
        ([("??", IVORY, "")], "DW", False, "no back is seen: the set's may be as white"),
        ([("??", GREEN, "")], "??", True, "a back like any other"),
        ([("??", WHITE, "frame"), ("??", GREEN, "")], "??", True, "not blank, whatever else"),
        ([("DW", IVORY, "unsure"), ("??", GREEN, "")], "DW", False, "that green may be a cloth's"),
        ([("DW", IVORY, "unsure")], "DW", False, "nothing new is known of it"),
        ([("??", GREEN, "unsure")], "??", True, "of another colour than any face: it lies down"),
        ([("DW", GREEN, "unsure")], "??", True, "whatever the network leans to"),
        ([("??", BROWN, "unsure")], "??", True, "off in hue and in brightness, in neither far"),
        ([("??", DIM, "unsure")], "??", False, "dimmer alone: it may lie in a shadow"),
        ([("DW", BURNT, "")], "DW", False, "any print is washed out"),
        ([("??", BURNT, "")], "??", False, "so it is of a back"),
        ([("??", IVORY, "")] * 5, "??", True, "five: a wall of white backs, no set has so many"),
    ],
)  # fmt: skip
def test_a_blank_tile_is_told_by_its_neighbours(
    tiles: Laying, code: str, sure: bool, why: str
) -> None:
    named = name_blank_tiles(seen([*tiles, *FACE_UP]))[0].named
    assert (named.code, named.confidence >= GATE) == (code, sure), why
    assert named.confidence + sum(chance for _, chance in named.alternatives) <= 1.001


def test_too_few_faces_tell_no_ivory() -> None:
    sights = seen([("??", IVORY, ""), ("??", GREEN, ""), *FACE_UP[:3]])
    assert name_blank_tiles(sights) == sights


@pytest.fixture(scope="module")
def faces() -> Faces:
    """Return the page's own set, as makers print it who leave the white dragon blank."""
    style = replace(HOUSE_STYLE, white="blank", index="none", wear=0.0)
    return shrink_faces(procedural_bank(style))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_pung_of_blank_whites_beside_a_tile_face_down(faces: Faces, seed: int) -> None:
    """A photograph as a player sends it. The locator may miss a blank tile in some light."""
    codes = (
        *["C1", "C2", "C3", "DW", "DW", "DW", "O4", "O5", "O6", "B7", "B8", "B9", "WE"],
        FACE_DOWN,
    )
    groups = tuple(TileGroup((k, k + 1, k + 2), False) for k in (0, 3, 6, 9))
    laid = LaidHand(codes, (*groups, TileGroup((12, 13), False)))
    case = photograph_hand(laid, faces, np.random.default_rng(seed))
    read = [tile.code for tile in Reader.load().read(case.photo).tiles]
    assert read.count("DW") >= 2
    assert read.count(FACE_DOWN) <= 1
