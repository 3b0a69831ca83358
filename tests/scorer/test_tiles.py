"""The 42 faces."""

from __future__ import annotations

import pytest

from scorer.tiles import CODES, TILES, Tile, copies_in_set


def test_a_full_set_has_144_tiles() -> None:
    assert sum(copies_in_set(tile) for tile in TILES) == 144  # BMJA-T01
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


KINDS = [
    ("B1 B9 C1 C9 O1 O9", "suit terminal major", "BMJA-T02: 1s and 9s are major, but no honours"),
    ("B2 C5 O8", "suit minor", "BMJA-T02: 2 to 8 are minor"),
    ("WE WS WW WN DR DG DW", "honour major", "BMJA-T02: every honour is major"),
    ("F1 F4 S1 S4", "bonus", "BMJA-T05: flowers and seasons are no part of a hand"),
]


@pytest.mark.parametrize(("codes", "kinds", "reason"), KINDS)
def test_what_kind_of_tile_it_is(codes: str, kinds: str, reason: str) -> None:
    for code in codes.split():
        tile = Tile.parse(code)
        is_a = {
            "suit": tile.is_suit,
            "terminal": tile.is_terminal,
            "minor": tile.is_minor,
            "honour": tile.is_honour,
            "major": tile.is_major,
            "bonus": tile.is_bonus,
        }
        assert {kind for kind, holds in is_a.items() if holds} == set(kinds.split()), reason


def test_there_are_four_of_a_playing_tile_and_one_of_a_bonus_tile() -> None:
    assert {copies_in_set(tile) for tile in TILES if not tile.is_bonus} == {4}  # BMJA-T04
    assert {copies_in_set(tile) for tile in TILES if tile.is_bonus} == {1}
