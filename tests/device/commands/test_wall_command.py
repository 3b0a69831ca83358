"""`tongbox wall`: steps in words, and the square as text."""

from __future__ import annotations

import json

import pytest

from scorer.table_setup.wall import break_wall
from tests.device.command import output_of, refusal_of, run_command
from tests.scorer.walls import BMJA


def test_a_wall_that_breaks_past_the_end() -> None:
    output = output_of("wall", "8", "12", "--seat", "South")
    assert "The wall breaks at pair 2 of West's wall.  (BMJA-P06)" in output
    assert "Dealt: East 14, South 13, West 13, North 13. Left in the live wall: 77 tiles." in output
    picture = output.split("\n\n", 1)[1].splitlines()
    assert max(map(len, picture)) <= 80, "fits a narrow terminal"
    assert picture[3].endswith("22▓▓"), "West's wall is at South's right, its right end far away"
    assert "South" in picture[-8], "one's own seat is at the bottom"


def test_json_has_every_place_once() -> None:
    wall_json = json.loads(output_of("wall", "5+8", "--json", "--players", "3"))
    dealt_places = [place for packet in wall_json["packets"] for place in packet["places"]]
    all_places = [
        tuple(place.values()) for place in wall_json["kong_box"] + dealt_places + wall_json["left"]
    ]
    assert len(all_places) == len(set(all_places)) == 144
    wall = break_wall((5, 8), BMJA)
    assert wall_json["broken_at"] == {"wall": wall.broken_at.wall, "pair": wall.broken_at.number}
    assert [step["rule"] for step in wall_json["steps"]][:3] == ["BMJA-P04", "BMJA-P05", "BMJA-P06"]


def test_the_box_throws_and_says_what() -> None:
    output = output_of("wall", "--rules", "safalra")
    throw = int(output.split("The box throws ")[1].split(".")[0])
    assert 2 <= throw <= 12
    assert f"East throws {throw}:" in output


def test_the_loose_tiles_as_the_book_has_them() -> None:
    assert "on pairs 1 and 3 right" in output_of("wall", "8", "3", "--spread"), "C10"


def test_the_miniature_is_for_two() -> None:
    output = output_of("wall", "12", "--rules", "miniature")
    assert "pair 4 of West's wall" in output, "past the end of eight pairs"
    assert "Dealt: East 14, West 13. Left in the live wall: 29 tiles." in output, "SAF-N03"


REFUSED_WORDS = [
    (["13", "2"], "Two dice show 2 to 12, not 13.", "no two dice do"),
    (["five", "2"], "'five' is no throw", "a word"),
    (["5"], "The dice are thrown twice.", "P06"),
    (["5", "5", "--rules", "safalra"], "The dice are thrown once.", "SAF-S03"),
    (["5", "5", "--players", "7"], "no such wall for 7 players", "nobody plays so"),
]


@pytest.mark.parametrize(("words", "error_text", "reason"), REFUSED_WORDS)
def test_what_cannot_be_is_refused_in_a_sentence(
    words: list[str], error_text: str, reason: str
) -> None:
    assert error_text in refusal_of("wall", *words), reason


def test_a_wrong_throw_is_refused_as_json_too() -> None:
    outcome = run_command("wall", "1", "2", "--json")
    assert (outcome.status, json.loads(outcome.output)["problems"][0]["code"]) == (1, "dice")
