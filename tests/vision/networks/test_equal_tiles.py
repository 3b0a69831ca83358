"""Tiles that look alike are asked about together where the print of one denies their name."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec import structs

from vision.networks.equal_tiles import doubt_equal_tiles
from vision.networks.print_reader import PrintReader
from vision.preprocess import RGB
from vision.reading import TileReading

IVORY, INK = (236, 230, 214), (30, 30, 34)
WIDTH, HEIGHT = 90, 120
ALL = range(3)


def face(numeral: str) -> RGB:
    """Return an upright tile with a numeral in its corner, or worn so that none is seen."""
    tile = np.full((320, 240, 3), IVORY, np.uint8)
    cv2.putText(tile, numeral, (22, 82), cv2.FONT_HERSHEY_DUPLEX, 2.2, INK, 6, cv2.LINE_AA)
    cv2.circle(tile, (120, 220), 46, (40, 120, 60), 5, cv2.LINE_AA)
    return np.asarray(cv2.resize(tile, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def lay_equal(code: str, look_group: int = 1, smaller: int = 0) -> list[TileReading]:
    """Return three sure tiles side by side; all but the last are smaller by so many pixels."""
    tiles = []
    for k in ALL:
        x, right = float(WIDTH * k), float(WIDTH * (k + 1))
        foot = float(HEIGHT - (smaller if k < 2 else 0))
        quad = ((x, 0.0), (right, 0.0), (right, foot), (x, foot))
        tiles.append(
            TileReading(code, 1.0, quad, 0, (), doubtful=False, alike=look_group, alone=1.0)
        )
    return tiles


@pytest.mark.parametrize(
    ("numerals", "tiles", "places", "is_asked", "reason"),
    [
        ("222", lay_equal("B4"), ALL, True, "a 2 stands on all three"),
        ("555", lay_equal("C3"), ALL, True, "a 5"),
        ("222", lay_equal("B2"), ALL, False, "their name says so"),
        ("   ", lay_equal("B4"), ALL, False, "nothing is printed there"),
        ("111", lay_equal("B4"), ALL, False, "any stroke looks like a 1"),
        ("888", lay_equal("B9"), ALL, False, "canes look like an 8"),
        ("  2", lay_equal("B4", smaller=12), ALL, True, "worn off two, it stands on the largest"),
        ("222", lay_equal("B4", look_group=0), ALL, False, "they do not look alike"),
        ("222", lay_equal("B4"), range(1), False, "the others are not of the hand"),
        ("222", lay_equal("WE"), ALL, False, "no suit: letters of honours look like numerals"),
    ],
)
def test_equal_tiles_are_asked_about_by_their_index(
    numerals: str, tiles: list[TileReading], places: range, is_asked: bool, reason: str
) -> None:
    rgb = np.hstack([face(numeral) for numeral in numerals])
    after = doubt_equal_tiles(rgb, tiles, tiles, places, PrintReader())
    assert [tile.doubtful for tile in after] == [is_asked] * 3, reason
    if is_asked:
        (next_name, _), *_ = after[0].alternatives
        assert next_name == f"{tiles[0].code[0]}{numerals[-1]}", "the numeral says what to tap"
        assert [tile.code for tile in after] == [tile.code for tile in tiles]


def test_a_doubt_about_the_pips_of_one_is_one_about_all() -> None:
    tiles = lay_equal("B4")
    doubt = structs.replace(tiles[1], confidence=0.5, alternatives=(("B6", 0.5),), doubtful=True)
    rgb = np.hstack([face(" ")] * 3)
    after = doubt_equal_tiles(rgb, tiles, [tiles[0], doubt, tiles[2]], ALL, PrintReader())
    assert [(t.code, t.confidence, t.alternatives) for t in after] == [
        ("B4", 0.5, (("B6", 0.5),))
    ] * 3


@pytest.mark.parametrize(("chance", "is_asked"), [(0.85, False), (0.95, True)])
def test_a_numeral_denies_only_when_it_is_clear(
    monkeypatch: pytest.MonkeyPatch, chance: float, is_asked: bool
) -> None:
    reader, tiles = PrintReader(), lay_equal("B4")
    monkeypatch.setattr(reader, "read_indexes", lambda rgb, quads: [("2", chance)] * len(quads))
    after = doubt_equal_tiles(np.hstack([face(" ")] * 3), tiles, tiles, ALL, reader)
    assert [tile.doubtful for tile in after] == [is_asked] * 3
