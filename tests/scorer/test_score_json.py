"""The JSON that goes in and comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer.errors import HandError, NotationError, ScorerError
from scorer.hand import Hand
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.score_json import breakdown_to_json, format_json_line, hand_from_json, problems_to_json

LONG: dict[str, Any] = {
    "ruleset": "bmja", "exposed": [["B2", "B2", "B2"]], "declared_kongs": [["O5"] * 4],
    "concealed": ["C3", "C4", "C5", "DR", "DR", "DR", "WE", "WE"], "bonus": ["F1"],
    "winner": True, "seat_wind": "E", "prevailing_wind": "S", "winning_tile": "C5",
    "won_by": ["wall"], "players": 4, "goulash": False, "original_call": False, "limit": 1000,
    "house": ["clean_hand:off"],
}  # fmt: skip
TEXT = "B222 | [O5555] C345 DRRR WEE | F1 seat=E round=S won=wall with=C5 house=clean_hand:off"


def test_both_forms_say_the_same() -> None:
    assert hand_from_json(LONG) == hand_from_json({"hand": TEXT}) == parse_hand(TEXT)


def test_fields_left_out_take_their_defaults() -> None:
    assert hand_from_json({}) == Hand()
    assert hand_from_json({"limit": None, "winning_tile": None}).limit is None
    assert hand_from_json({"id": 7, "concealed": ["B1"]}) == Hand(concealed=("B1",))


@pytest.mark.parametrize(
    "text",
    [
        TEXT,  # bonus tiles, a declared kong
        "B111 | C22 DRR | F2 seat=E",  # a loser with too few tiles: problems, nearest
        "| B1112345678999 |",  # waits and other ways
    ],
)
def test_a_line_of_json_says_what_the_contracts_object_says(text: str) -> None:
    breakdown = score(parse_hand(text))
    assert json.loads(format_json_line(breakdown)) == json.loads(
        json.dumps(breakdown_to_json(breakdown))
    )


def test_a_breakdown_is_the_contracts_object() -> None:
    hand = parse_hand("B111 | C22 DRR | F2 seat=E")
    data = json.loads(json.dumps(breakdown_to_json(score(hand))))
    options = data.pop("options")
    assert options[0] == {
        "name": "fishing_intrinsic_includes_bonus", "rule": "BMJA-C01", "value": True,
        "default": True, "sentence": "Fishing: the hand may be scored with its bonus tiles among "
        "the points instead, where that is more.",
    }  # fmt: skip
    assert len(options) == len(load_builtin("bmja").options)
    sentences = {rule.id: to_english(rule.sentence) for rule in load_builtin("bmja").rules}
    assert all(each.keys() == {"rule", "name", "needed"} for each in data.pop("nearest"))
    assert data == {
        "total": 10,
        "base": 10,
        "doubles": 0,
        "bonus_base": 0,
        "bonus_doubles": 0,
        "limited": False,
        "limit": 1000,
        "special": None,
        "fishing": False,
        "ruleset": "bmja",
        "notice": "",
        "waits": [],
        "compared": [
            {"label": "Ordinary hand", "rule": None, "total": 10, "working": "10",
             "chosen": True},
        ],
        "lines": [
            {"rule": "BMJA-B03", "label": "Exposed pung of a major tile", "points": 4,
             "doubles": 0, "tiles": ["B1", "B1", "B1"], "sentence": sentences["BMJA-B03"],
             "part": "hand"},
            {"rule": "BMJA-B06", "label": "Pair of dragons", "points": 2, "doubles": 0,
             "tiles": ["DR", "DR"], "sentence": sentences["BMJA-B06"], "part": "hand"},
            {"rule": "BMJA-B10", "label": "Flower or season", "points": 4, "doubles": 0,
             "tiles": ["F2"], "sentence": sentences["BMJA-B10"], "part": "hand"},
        ],
        "not_counted": [
            {"rule": "BMJA-B09", "reason": "A pair scores only if it is of dragons, the player's "
             "seat wind or the prevailing wind."},
            {"rule": "BMJA-D01", "reason": "A pair of dragons scores, but never doubles."},
            {"rule": "BMJA-D04",
             "reason": "East's own tile is flower 1 (plum), which the hand does not have."},
        ],
        "sets": [
            {"kind": "pung", "tiles": ["B1", "B1", "B1"], "concealed": False, "stands_for": []},
            {"kind": "pair", "tiles": ["C2", "C2"], "concealed": True, "stands_for": []},
            {"kind": "pair", "tiles": ["DR", "DR"], "concealed": True, "stands_for": []},
        ],
        "problems": [
            {"code": "tile-count", "level": "warning",
             "message": "This hand needs 13 tiles and has 7: 6 seem to be missing. "
             "It is scored as it lies."},
        ],
    }  # fmt: skip


def test_a_special_hand_shows_both_sums_and_what_it_was_weighed_against() -> None:
    data = breakdown_to_json(score(parse_hand("B222 B333 B555 | B66 B99 | F2 seat=E")))
    figures = {name: data[name] for name in ("total", "base", "doubles", "bonus_base",
                                           "bonus_doubles", "special", "fishing")}  # fmt: skip
    # Purity one tile short: 6 × 2^3, the flower apart; as an ordinary hand 6 + 4.
    assert figures == {"total": 52, "base": 6, "doubles": 3, "bonus_base": 4, "bonus_doubles": 0,
                     "special": "BMJA-S11", "fishing": True}  # fmt: skip
    assert [(way["label"], way["total"], way["chosen"]) for way in data["compared"]] == [
        ("Fishing for Purity", 52, True), ("Ordinary hand", 10, False),
    ]  # fmt: skip
    assert [line["part"] for line in data["lines"]] == ["hand"] * 4 + ["bonus"]
    # Drawn: (20 + 2 + 6) × 8, and 4 more for a pung of 6s, 8 for one of 9s; and the flower.
    assert list(data["waits"]) == [
        {"tile": "B9", "left": 2, "total": 292, "special": "BMJA-S11"},
        {"tile": "B6", "left": 2, "total": 260, "special": "BMJA-S11"},
    ]


def test_wild_tiles_show_what_they_stand_for() -> None:
    data = breakdown_to_json(score(parse_hand("DRR+JK | | goulash")))
    assert data["sets"][0] == {"kind": "pung", "tiles": ("DR", "DR", "JK"), "concealed": False,
                               "stands_for": ("DR", "DR", "DR")}  # fmt: skip
    assert data["total"] == 8  # G06: an exposed pung of red dragons, 4 × 2


def test_safalras_scores_say_that_they_are_reconstructed() -> None:
    data = breakdown_to_json(score(parse_hand("B111 | | rules=safalra")))
    assert data["ruleset"] == "safalra"
    assert "reconstructed" in data["notice"]
    assert (data["limit"], data["options"]) == (None, ())


def outcome(data: object) -> dict[str, Any]:
    with pytest.raises(ScorerError) as failure:
        score(hand_from_json(data))
    return problems_to_json(failure.value)


def test_problems_are_the_contracts_object() -> None:
    assert outcome({"concealed": ["B1"] * 5}) == {
        "problems": [
            {"code": "five-of-a-kind", "level": "error",
             "message": "The hand has 5 of the 1 bamboo; there are only four."},
        ]
    }  # fmt: skip
    assert outcome({"hand": "B1 | B"}) == {
        "problems": [
            {"code": "hand-text", "level": "error",
             "message": "At character 7: a hand has two bars: "
             "exposed sets | concealed tiles | bonus tiles."},
        ]
    }  # fmt: skip


WRONG_TYPES = [
    ([], "A hand is a JSON object."),
    ("B1", "A hand is a JSON object."),
    ({"hand": 3}, '"hand" must be a line of hand text.'),
    ({"concealed": "B1"}, '"concealed" must be a list'),
    ({"concealed": [1]}, '"concealed" must be a list'),
    ({"exposed": ["B1"]}, '"exposed" must be a list of sets'),
    ({"declared_kongs": [{}]}, '"declared_kongs" must be a list of kongs'),
    ({"bonus": None}, '"bonus" must be a list'),
    ({"winner": 1}, '"winner" must be true or false'),
    ({"won_by": "wall"}, '"won_by" must be a list'),
    ({"winning_tile": 5}, '"winning_tile" must be'),
    ({"seat_wind": None}, '"seat_wind" must be'),
    ({"players": "4"}, '"players" must be a number'),
    ({"players": True}, '"players" must be a number'),
    ({"limit": 10.5}, '"limit" must be a number or null'),
    ({"house": "clean_hand:off"}, '"house" must be a list of choices'),
    ({"house": [True]}, '"house" must be a list of choices'),
]


@pytest.mark.parametrize(("data", "message"), WRONG_TYPES)
def test_a_value_of_the_wrong_type_is_refused(data: object, message: str) -> None:
    with pytest.raises(HandError) as failure:
        hand_from_json(data)
    (problem,) = failure.value.problems
    assert problem.code == "bad-json"
    assert problem.text.startswith(message)


def test_all_wrong_fields_are_named_at_once() -> None:
    with pytest.raises(HandError) as failure:
        hand_from_json({"players": "4", "winner": "yes", "seat_wind": "E"})
    assert len(failure.value.problems) == 2


def test_a_bad_text_keeps_its_position() -> None:
    with pytest.raises(NotationError) as failure:
        hand_from_json({"hand": "| BX |"})
    assert failure.value.position == 3
