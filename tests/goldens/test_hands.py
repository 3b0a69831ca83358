"""The real networks on a rendered photograph of every way to lay a hand (`hands.toml`).

What each shows was written down before a ray tracer, deleted since, rendered it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from scorer.notation import parse_hand
from scorer.tiles import FACE_DOWN
from tests.vision.test_samples import rows_of_hand
from vision.hand.laid_hand import lay_hand
from vision.photo import Photo, open_photo
from vision.preprocess import straighten
from vision.reader import Reader
from vision.reading import Quad, Reading

FOLDER = Path(__file__).with_name("hands")
TABLE = tomllib.loads(FOLDER.with_suffix(".toml").read_text(encoding="utf-8"))
ENTRIES: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in TABLE["hand"]}
RULESETS = ("bmja", "safalra")


READ = [(name, rules) for name, entry in ENTRIES.items() for rules in RULESETS if rules in entry]


@cache
def _reader() -> Reader:
    return Reader.load()


@cache
def _photo(name: str) -> Photo:
    return open_photo((FOLDER / f"{name}.jpg").read_bytes(), name)


@cache
def _read(name: str, rules: str) -> Reading:
    return _reader().read(_photo(name), rules)


def _tiles(entry: dict[str, Any]) -> list[str]:
    """Return the hand's tiles as laid, those face down by what they are."""
    rows = [*entry["rows"], [entry.get("bonus", "")]]
    return sorted(mark.lstrip("_>^") for row in rows for group in row for mark in group.split())


@pytest.mark.parametrize(("name", "rules"), READ)
def test_the_table_names_the_tiles_that_were_laid(name: str, rules: str) -> None:
    hand = parse_hand(ENTRIES[name][rules])
    groups = (*hand.exposed, *hand.declared_kongs, hand.concealed, hand.bonus)
    assert sorted(code for group in groups for code in group) == _tiles(ENTRIES[name])


@pytest.mark.parametrize(("name", "rules"), READ)
def test_a_hand_is_read_as_it_was_laid(name: str, rules: str) -> None:
    entry, reading = ENTRIES[name], _read(name, rules)
    assert rows_of_hand(parse_hand(reading.hand_text)) == rows_of_hand(parse_hand(entry[rules])), (
        entry["why"]
    )
    winning_tile = reading.winning_tile
    assert (None if winning_tile is None else reading.tiles[winning_tile].code) == entry.get("won")
    assert [problem.code for problem in reading.problems] == entry.get("notes", [])


@pytest.mark.parametrize("name", ENTRIES)
def test_only_the_tiles_that_the_table_names_are_asked_about(name: str) -> None:
    reading = _read(name, "bmja" if "bmja" in ENTRIES[name] else "safalra")
    hand_tiles = {i for s in reading.sets for i in s.tiles}
    asked_codes = [
        tile.code for i, tile in enumerate(reading.tiles) if tile.doubtful and i in hand_tiles
    ]
    assert asked_codes == ENTRIES[name].get("asked", [])


@pytest.mark.parametrize("quarters", [1, 2, 3])
@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if "mat" not in entry])
def test_turning_the_quads_changes_nothing(name: str, quarters: int) -> None:
    rules = "bmja" if "bmja" in ENTRIES[name] else "safalra"
    reading = _read(name, rules)
    tiles = [structs.replace(tile, quad=turn_quad(tile.quad, quarters)) for tile in reading.tiles]
    assert lay_hand(tiles, rules).fields()["hand_text"] == reading.hand_text


def turn_quad(quad: Quad, quarters: int) -> Quad:
    a, b, c, d = quad
    for _ in range(quarters):
        a, b, c, d = ((-y, x) for x, y in (a, b, c, d))
    return a, b, c, d


@pytest.mark.parametrize(
    ("name", "quarters"),
    [
        pytest.param(name, at % 3 + 1, marks=[pytest.mark.prove] * ((at + 1) % 2))
        for at, name in enumerate(ENTRIES)
    ],
)
def test_turning_the_photograph_changes_nothing_unasked(name: str, quarters: int) -> None:
    """Turned, a tile may look otherwise to the networks; then it is asked about."""
    rules = "bmja" if "bmja" in ENTRIES[name] else "safalra"
    upright = _photo(name)
    rgb = np.ascontiguousarray(np.rot90(upright.rgb, quarters))
    turned_reading = _reader().read(Photo(upright.name, rgb), rules)
    is_same = rows_of_hand(parse_hand(turned_reading.hand_text)) == rows_of_hand(
        parse_hand(_read(name, rules).hand_text)
    )
    assert is_same or turned_reading.problems or any(tile.doubtful for tile in turned_reading.tiles)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.prove] * (at % 2)) for at, name in enumerate(ENTRIES)],
)
def test_a_mirror_image_is_asked_about(name: str) -> None:
    rules = "bmja" if "bmja" in ENTRIES[name] else "safalra"
    reading = _reader().read(_photo(name).mirrored_copy, rules)
    assert "mirrored" in [each.code for each in reading.problems]


@pytest.mark.parametrize("name", [*ENTRIES][::4])
def test_a_mirror_image_is_read_the_other_way_round(name: str) -> None:
    rules = "bmja" if "bmja" in ENTRIES[name] else "safalra"
    mirrored_photo, laid_reading = _photo(name).mirrored_copy, _read(name, rules)
    second_reading = _reader().read(mirrored_photo.mirrored_copy, rules)
    assert second_reading.hand_text == laid_reading.hand_text
    for seen_tile, laid_tile in zip(
        second_reading.mirrored_copy().tiles, laid_reading.tiles, strict=True
    ):
        crops = [
            straighten(photo.rgb, np.array(tile.quad, np.float32))
            for photo, tile in ((mirrored_photo, seen_tile), (_photo(name), laid_tile))
        ]
        assert np.abs(crops[0].astype(int) - crops[1]).mean() < 5, "but for the pixels between"


def test_face_down_tiles_are_seen_as_such() -> None:
    down_count = [tile.code for tile in _read("kongs-declared", "bmja").tiles].count(FACE_DOWN)
    assert down_count == 3
