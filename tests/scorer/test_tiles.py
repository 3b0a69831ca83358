"""The 42 faces."""

from __future__ import annotations

import pytest

from scorer.tiles import CODES, TILES, Tile, copies


def test_a_full_set_has_144_tiles() -> None:
    assert sum(copies(tile) for tile in TILES) == 144  # BMJA-T01
    assert len(CODES) == 42


@pytest.mark.parametrize("code", CODES)
def test_a_code_and_its_face_are_one(code: str) -> None:
    assert str(Tile.parse(code)) == Tile.parse(code).code == code


@pytest.mark.parametrize("code", ["B0", "WC", "X1", "B", "B12", "", "??", "JK"])
def test_other_codes_have_no_face(code: str) -> None:
    with pytest.raises(ValueError, match="tile"):
        Tile.parse(code)


@pytest.mark.parametrize(
    ("code", "name", "plural"),
    [("B1", "1 bamboo", "1 bamboo"), ("B5", "5 bamboo", "5 bamboo"),
     ("C1", "1 character", "1 characters"), ("O5", "5 circles", "5 circles"),
     ("WE", "East wind", "East winds"), ("DR", "red dragon", "red dragons"),
     ("F1", "flower 1 (plum)", "flower 1 (plum)")],
)  # fmt: skip
def test_tiles_are_named_as_british_players_say_them(code: str, name: str, plural: str) -> None:
    assert (Tile.parse(code).name, Tile.parse(code).plural) == (name, plural)
