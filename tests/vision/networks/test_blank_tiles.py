"""Blank tiles: a white dragon, or a tile lying face down. Their neighbours tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.train.drawing.faces.bank import procedural_bank
from models.train.drawing.faces.style import HOUSE_STYLE
from models.train.drawing.flat_tiles import Faces, shrink_faces
from scorer.tiles import FACE_DOWN
from tests.prove.laid_hands import LaidHand
from tests.prove.styles import photograph_hand
from vision.hand.joint_decoding import TileGroup
from vision.networks.blank_tiles import doubt_gaps, find_faint_blanks, name_blank_tiles
from vision.networks.classifier import Classification
from vision.networks.locator import Detection
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB
from vision.reader import Reader
from vision.reading import TileReading

GATE = 0.9

IVORY, SHADED_IVORY, GREEN, WHITE = (230, 220, 200), (190, 181, 164), (40, 120, 70), (245, 245, 245)
BURNT_WHITE = (255, 255, 252)

BROWN, DIM = (160, 130, 105), (140, 134, 122)

FACE_UP = [("C1", IVORY, "ink")] * 4
"""Four tiles of the same set, surely named."""

TileColours = list[tuple[str, tuple[int, int, int], str]]
"""What each tile is taken for, its colour, and what is on it."""


def sights_of(tiles: TileColours) -> list[NamedDetection]:
    """Return tiles side by side, of these colours."""
    sights = []
    box = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    for k, (code, colour, pattern) in enumerate(tiles):
        crop = np.full((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), colour, np.uint8)
        if pattern == "ink":
            crop[24:56, 20:44] = 30
        if pattern == "frame":
            crop[22:58, 16:48] = (40, 60, 150)
            crop[28:52, 22:42] = colour
        sure, other = (0.6, 0.38) if pattern == "unsure" else (0.97, 0.02)
        classification = Classification(
            code, sure, 0.99, (("DW" if code == FACE_DOWN else FACE_DOWN, other),), 0, 0.0
        )
        sights.append(
            NamedDetection(Detection(box + np.float32(31 * k), 0.9), classification, crop)
        )
    return sights


@pytest.mark.parametrize(
    ("tiles", "code", "sure", "reason"),
    [
        ([("??", IVORY, ""), ("??", GREEN, "")], "DW", False, "of the faces' ivory, backs green"),
        ([("??", SHADED_IVORY, ""), ("??", GREEN, "")], "DW", False, "that ivory, a little shaded"),
        ([("??", IVORY, "")], "DW", False, "no back is seen: the set's may be as white"),
        ([("??", GREEN, "")], "??", True, "a back like any other"),
        ([("??", WHITE, "frame"), ("??", GREEN, "")], "??", True, "not blank, whatever else"),
        ([("DW", IVORY, "unsure"), ("??", GREEN, "")], "DW", False, "that green may be a cloth's"),
        ([("DW", IVORY, "unsure")], "DW", False, "nothing new is known of it"),
        ([("??", GREEN, "unsure")], "??", True, "of another colour than any face: it lies down"),
        ([("DW", GREEN, "unsure")], "??", True, "whatever the network leans to"),
        ([("??", BROWN, "unsure")], "??", True, "off in hue and in brightness, in neither far"),
        ([("??", DIM, "unsure")], "??", False, "dimmer alone: it may lie in a shadow"),
        ([("DW", BURNT_WHITE, "")], "DW", False, "any print is washed out"),
        ([("??", BURNT_WHITE, "")], "??", False, "so it is of a back"),
        ([("??", IVORY, "")] * 5, "??", True, "five: a wall of white backs, no set has so many"),
    ],
)  # fmt: skip
def test_a_blank_tile_is_told_by_its_neighbours(
    tiles: TileColours, code: str, sure: bool, reason: str
) -> None:
    classification = name_blank_tiles(sights_of([*tiles, *FACE_UP]))[0].classification
    assert (classification.code, classification.confidence >= GATE) == (code, sure), reason
    assert (
        classification.confidence + sum(chance for _, chance in classification.alternatives)
        <= 1.001
    )


def test_too_few_faces_tell_no_ivory() -> None:
    sights = sights_of([("??", IVORY, ""), ("??", GREEN, ""), *FACE_UP[:3]])
    assert name_blank_tiles(sights) == sights


SIZE = (30, 40)
"""Pixels of a tile in the picture below."""


def tile_at(x: float, y: float, size: tuple[int, int] = SIZE, score: float = 0.2) -> Detection:
    box = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.array(size, np.float32)
    return Detection(box + np.array([x, y], np.float32), score)


def barely_seen(places: list[Detection], ground: tuple[int, int, int], *, has_ink: bool) -> RGB:
    """Return a picture of four faces in a row, from x = 100 and y = 100, and of tiles in places."""
    rgb = np.full((300, 500, 3), ground, np.uint8)
    for k, tile in enumerate([*(tile_at(100 + 31 * k, 100) for k in range(4)), *places]):
        x, y = tile.quad[0].astype(int)
        wide, high = (tile.quad[2] - tile.quad[0]).astype(int)
        rgb[y : y + high, x : x + wide] = IVORY
        if k < 4 or has_ink:
            rgb[y + 10 : y + 30, x + 8 : x + 22] = 30
    return rgb


@pytest.mark.parametrize(
    ("places", "found_count", "reason"),
    [
        ([tile_at(224, 100)], 1, "it touches the row's last"),
        ([tile_at(224, 100), tile_at(255, 100), tile_at(286, 100)], 3, "each leads to the next"),
        ([tile_at(240, 100)], 1, "between groups there is a gap"),
        ([tile_at(300, 100)], 0, "too far to be of the row"),
        ([tile_at(224, 120)], 0, "half a tile lower"),
        ([tile_at(224, 100, (20, 26))], 0, "smaller than a tile: a box or an eraser"),
        ([tile_at(224 + 31 * k, 100) for k in range(5)], 0, "no set has five white dragons"),
    ],
)
def test_a_blank_tile_that_was_barely_seen_is_found_in_a_row(
    places: list[Detection], found_count: int, reason: str
) -> None:
    row = [
        replace(s, detection=tile_at(100 + 31 * k, 100)) for k, s in enumerate(sights_of(FACE_UP))
    ]
    rgb = barely_seen(places, GREEN, has_ink=False)
    blank = find_faint_blanks(rgb, row, places)
    assert [tuple(tile.quad[0]) for tile in blank] == [
        tuple(t.quad[0]) for t in places[:found_count]
    ], reason
    assert find_faint_blanks(barely_seen(places, GREEN, has_ink=True), row, places) == [], "inked"
    backs = [replace(s, detection=tile_at(50, 20)) for s in sights_of([("??", GREEN, "")] * 5)]
    assert len(find_faint_blanks(rgb, [*row, *backs], places)) == found_count, (
        "a wall of green backs"
    )
    light = np.full_like(rgb, IVORY)
    assert find_faint_blanks(light, row, places) == [], "a table as light as the tiles"
    assert find_faint_blanks(rgb, row[:3], places) == [], "three faces tell no ivory"


@pytest.mark.parametrize(
    ("code", "colour", "ground", "is_asked", "reason"),
    [
        ("DW", SHADED_IVORY, IVORY, True, "a gap in the shadow of its neighbours"),
        ("??", SHADED_IVORY, IVORY, True, "the same, taken for a back"),
        ("DW", IVORY, GREEN, False, "a tile on a ground of another colour"),
        ("??", GREEN, IVORY, False, "a back on a light ground"),
        ("??", IVORY, SHADED_IVORY, False, "a back on cloth of its colour is lighter than that"),
        ("B1", SHADED_IVORY, IVORY, False, "no blank tile"),
    ],
)
def test_a_blank_tile_that_looks_like_the_ground_is_asked_about(
    code: str,
    colour: tuple[int, int, int],
    ground: tuple[int, int, int],
    is_asked: bool,
    reason: str,
) -> None:
    rgb = barely_seen([], ground, has_ink=True)
    rgb[100:140, 224:254] = colour
    tiles = [reading_at(100 + 31 * k, 100, name) for k, name in enumerate(["C1"] * 4 + [code])]
    assert [tile.doubtful for tile in doubt_gaps(rgb, tiles)] == [False] * 4 + [is_asked], reason
    tile_above = reading_at(224, 58, "C1")
    assert not doubt_gaps(rgb, [*tiles, tile_above])[4].doubtful, "no ground lies above it"
    at_edge = reading_at(224, 0, code)
    assert not doubt_gaps(rgb[100:140], [at_edge])[0].doubtful, "it fills the photo's height"


def reading_at(x: float, y: float, code: str) -> TileReading:
    a, b, c, d = [(float(x), float(y)) for x, y in tile_at(x, y).quad]
    return TileReading(code, 0.99, (a, b, c, d), 0, (), False)


@pytest.fixture(scope="module")
def faces() -> Faces:
    """Return the page's own set, as makers print it who leave the white dragon blank."""
    style = replace(HOUSE_STYLE, white="blank", index="none", wear=0.0)
    return shrink_faces(procedural_bank(style))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_pung_of_blank_whites_beside_a_tile_face_down(faces: Faces, seed: int) -> None:
    """A photograph as a player sends it: the locator is sure of few blank tiles."""
    codes = (
        *["C1", "C2", "C3", "DW", "DW", "DW", "O4", "O5", "O6", "B7", "B8", "B9", "WE"],
        FACE_DOWN,
    )
    groups = tuple(TileGroup((k, k + 1, k + 2), False) for k in (0, 3, 6, 9))
    laid_hand = LaidHand(codes, (*groups, TileGroup((12, 13), False)))
    case = photograph_hand(laid_hand, faces, np.random.default_rng(seed))
    read = [tile.code for tile in Reader.load().read(case.photo).tiles]
    assert read.count("DW") == 3
    assert read.count(FACE_DOWN) <= 1
