"""What is printed on tiles is read from faces drawn here, with the network that is shipped."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources

import cv2
import numpy as np
import pytest

from vision.networks.model import Model
from vision.networks.print_evidence import is_legible
from vision.networks.print_reader import TILE_BOXES, PrintReader, TilePart, TilePrint, add_part
from vision.networks.print_signs import CHINESE_NUMERALS, CODE_BY_CHARACTER, NUMERALS, SIGNS
from vision.preprocess import RGB, Float32s

IVORY, INK, RED, BLUE = (236, 230, 214), (30, 30, 34), (190, 40, 40), (40, 60, 180)

READER = PrintReader.load_verified()


def face(left: str = "", right: str = "", ink: tuple[int, int, int] = INK, width: int = 240) -> RGB:
    """Return an upright tile that fills its picture, with signs in its upper corners."""
    tile = np.full((320, 240, 3), IVORY, np.uint8)
    for sign, x in ((left, 22), (right, 172)):
        cv2.putText(tile, sign, (x, 82), cv2.FONT_HERSHEY_DUPLEX, 2.2, ink, 6, cv2.LINE_AA)
    cv2.circle(tile, (120, 220), 46, (40, 120, 60), 5, cv2.LINE_AA)
    size = (width, width * 4 // 3)
    return cv2.resize(tile, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


def read(*tiles: RGB) -> list[TilePrint]:
    """Return what is printed on tiles that fill their pictures, read side by side in one photo."""
    return READER.read(*side_by_side(*tiles), [tuple(TILE_BOXES)] * len(tiles))


def side_by_side(*tiles: RGB) -> tuple[RGB, list[Float32s]]:
    high, wide = tiles[0].shape[:2]
    edges = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    return np.hstack(tiles), [
        edges + np.array([wide * k, 0], np.float32) for k in range(len(tiles))
    ]


@pytest.mark.parametrize("width", [240, 120, 40])
@pytest.mark.parametrize("place", ["left", "right"])
def test_numerals_are_read_in_both_corners(place: str, width: int) -> None:
    """A thin 7 is taken for a 1, which is why a 1 says little about sevens."""
    is_left = place == "left"
    tiles = [
        face(left=numeral if is_left else "", right="" if is_left else numeral, width=width)
        for numeral in NUMERALS
    ]
    for numeral, tile_print in zip(NUMERALS, read(*tiles), strict=True):
        near_corner, far_corner = (tile_print.left, tile_print.right)[:: 1 if is_left else -1]
        best = int(near_corner.numerals.argmax())
        is_thin = numeral == "7"
        assert (*NUMERALS, *CHINESE_NUMERALS)[best] in (("7", "1") if is_thin else (numeral,))
        assert near_corner.numerals[best] > (0.5 if is_thin else 0.7)
        assert far_corner.numerals.max() < 0.5


def test_ink_is_told_by_the_tiles_own_paper() -> None:
    """In yellow lamplight the paper is yellow; blue ink is then nearly black."""
    lamp = np.array([1.0, 0.86, 0.62])
    for ink, red, blue in ((RED, True, False), (BLUE, False, True), (INK, False, False)):
        for light in (1.0, lamp):
            tile = (face(left="2", ink=ink) * light).astype(np.uint8)
            ink_read = read(tile)[0].left.ink
            assert (ink_read.red > 0.5, ink_read.blue > 0.5) == (red, blue)
            assert ink_read.ink_share > 0.05


def test_a_plain_tile_says_nothing() -> None:
    """Neither does one with a picture and no sign."""
    tile_print = read(face())[0]
    for corner in (tile_print.left, tile_print.right):
        assert corner.numerals.max() < 0.3
        assert corner.ink.ink_share < 0.05
    assert max(tile_print.middle[SIGNS.index(sign)] for sign in CODE_BY_CHARACTER) < 0.35


WORDS = {
    # a word of Western sets, the baseline that it stands on of 320, what it names
    "PLUM": (290, "F1"),
    "Orchid": (295, "F2"),
    "CHRYS": (285, "F3"),
    "BAMBOO": (60, "F4"),
    "SPR": (300, "S1"),
    "SUMMER": (280, "S2"),
    "Autumn": (70, "S3"),
    "WIN": (190, "S4"),
    "EAST": (290, ""),
    "JOKER": (190, ""),
}


def draw_word(word: str, base: int, width: int) -> RGB:
    """Return an upright tile with a word from edge to edge, at most so high."""
    tile = np.full((320, 240, 3), IVORY, np.uint8)
    (wide, high), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 1, 2)
    scale = min(190 / wide, 42 / high)
    origin = (120 - round(wide * scale / 2), base)
    cv2.putText(tile, word, origin, cv2.FONT_HERSHEY_DUPLEX, scale, INK, 3, cv2.LINE_AA)
    size = (width, width * 4 // 3)
    return cv2.resize(tile, size, interpolation=cv2.INTER_AREA).astype(np.uint8)


@pytest.mark.parametrize("width", [120, 60])
@pytest.mark.parametrize("word", WORDS)
def test_words_are_read_along_the_foot_on_the_middle_and_above(word: str, width: int) -> None:
    base, code = WORDS[word]
    tile = draw_word(word, base, width)
    quad = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * tile.shape[1::-1]
    (tile_print,) = READER.read_words(tile, [quad])
    assert {each for each, chance in tile_print.words.items() if chance > 0.5} == {code} - {""}


def test_the_numeral_nearest_to_the_edge_counts() -> None:
    """The cane of the flower bamboo reads like a 1 beside its 4, here on the left of it."""
    answers = np.zeros((3, 6, len(SIGNS)), np.float32)
    answers[..., -1] = 1
    answers[:, 1], answers[:, 4] = _only_sign("1"), _only_sign("4")
    right = add_part(TilePrint(), "right", answers).right.numerals
    assert right.tolist() == [each == "4" for each in (*NUMERALS, *CHINESE_NUMERALS)]


@pytest.mark.parametrize(
    ("left", "right", "parts", "windows", "reason"),
    [
        ("2", "3", ("left", "right", "middle"), 1, "the numeral at the left is enough"),
        ("", "3", ("left", "right", "middle"), 2, "the left corner is blank"),
        ("", "3", ("right", "left", "middle"), 1, "the right corner is read first"),
        ("2", "", ("right", "left", "middle"), 2, "the right corner is blank"),
        ("", "", ("left", "right", "middle"), 3, "nothing is printed: all parts are tried"),
        ("", "3", ("left",), 1, "no other part is worth a look"),
    ],
)
def test_a_glance_ends_at_the_first_legible_sign(
    left: str, right: str, parts: tuple[TilePart, ...], windows: int, reason: str
) -> None:
    prints: list[TilePrint] = []

    def is_enough(place: int, tile_print: TilePrint) -> bool:
        assert place == 0
        prints.append(tile_print)
        return is_legible({}, tile_print)

    (tile_print,) = READER.glance(*side_by_side(face(left, right)), [parts], is_enough)
    assert len(prints) == len(parts), "once before each part"
    assert [is_legible({}, each) for each in prints].count(False) == windows, reason
    (whole_print,) = read(face(left, right))
    assert (tile_print.left.ink, tile_print.right.ink) == (
        whole_print.left.ink,
        whole_print.right.ink,
    ), "ink costs nothing"


@pytest.mark.parametrize(
    ("left", "windows", "reason"),
    [
        ("", 4, "one window of each part, none with a trace of a sign"),
        ("2", 6, "and both other sizes of the corner with a sign"),
    ],
)
def test_other_windows_are_read_where_the_first_shows_a_trace(
    left: str, windows: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = count_parts(monkeypatch)
    read(face(left))
    assert counts["signs"] == windows, reason


def count_parts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return what will count how many windows or strips each network reads."""
    counts = Counter[str]()
    run = Model.run

    def count(model: Model, pictures: Float32s) -> list[Float32s]:
        counts[model.card.name] += len(pictures)
        return run(model, pictures)

    monkeypatch.setattr(Model, "run", count)
    return counts


def test_windows_are_read_by_the_large_network_where_the_small_one_is_unsure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of a 3 may be many signs; a tile without any is nothing for the large one."""
    counts = count_parts(monkeypatch)
    read(face())
    assert not counts["printed"]
    tile = face("3")
    tile[:52] = IVORY
    read(tile)
    assert 0 < counts["printed"] < counts["signs"]


def test_words_are_read_by_the_large_network_where_the_small_one_sees_a_trace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strip_counts = count_parts(monkeypatch)
    tiles = [draw_word(word, WORDS[word][0], 120) for word in ("PLUM", "EAST")]
    READER.read_words(*side_by_side(*tiles))
    assert strip_counts == Counter(signs=6, printed=1)


def _only_sign(sign: str) -> Float32s:
    return np.array([each == sign for each in SIGNS], np.float32)


def test_the_card_says_whose_the_network_is() -> None:
    card = json.loads((resources.files("models") / "printed.json").read_text(encoding="utf-8"))
    assert card["licence"].startswith("Apache-2.0")
    assert {"package", "wheel_sha256", "file", "file_sha256"} <= card["made_from"].keys()
    assert "PaddleOCR" in card["credits"]
    licence = (resources.files("models") / "LICENSE-printed").read_text(encoding="utf-8")
    assert "Apache License" in licence
