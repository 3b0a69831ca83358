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
