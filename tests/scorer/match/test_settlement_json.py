"""What a question about a deal may look like, and how it is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorer.match.settlement import SettlementError
from scorer.match.settlement_json import SettlementRequest, answer_request, settle_json

BY_NAME: dict[str, Any] = {"scores": {"Ann": 20, "Bob": 40, "Cy": 0}, "winner": "Bob"}


def test_the_answer_is_the_contracts_object() -> None:
    data = {"scores": {"E": 41, "W": 500}, "winner": "W"}
    assert json.loads(json.dumps(settle_json(data))) == {
        "payments": [
            {"from": "E", "to": "W", "amount": 500, "rules": ["BMJA-N02"],
             "why": "East pays West 500 for going out."},
        ],
        "net": {"E": -500, "W": 500},
        "problems": [
            {"code": "odd-score", "level": "warning",
             "message": "41 for East is an odd number. Under these rules every score is even."},
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "codes"),
    [
        ({"E": 80, "S": 84, "W": 208, "N": 416}, []),
        ({"E": 80, "S": 84, "W": 7, "N": 415}, ["odd-score", "odd-score"]),
        ({"E": 80, "S": 18, "W": 208, "N": 416}, ["low-win"]),
        ({"E": 80, "S": 84, "W": 208, "N": 5120}, []),  # a table may play without a limit
        ({"E": 0, "S": 28, "W": 0}, []),  # three players have no chows
        ({"E": 0, "W": 40}, []),  # whether two need four doubles is not said
    ],
)
def test_a_likely_slip_is_remarked_on(scores: dict[str, int], codes: list[str]) -> None:
    winner = "S" if "S" in scores else "W"
    for names in ({}, {"east": "Ann"}):
        named_scores = dict(zip(("Ann", "Bob", "Cy", "Di"), scores.values(), strict=False))
        request = {"scores": named_scores if names else scores, **names}
        request["winner"] = list(named_scores)[list(scores).index(winner)] if names else winner
        assert [each["code"] for each in settle_json(request)["problems"]] == codes


@pytest.mark.parametrize("wind", ["E", "e", "East", "EAST"])
def test_a_wind_is_known_by_any_of_its_names(wind: str) -> None:
    result = settle_json({"scores": {wind: 20, "W": 0}, "winner": "east"})
    assert result["net"] == {"E": 20, "W": -20}


def test_order_of_play_is_turned_so_that_east_is_first() -> None:
    net = settle_json({**BY_NAME, "east": "Cy"})["net"]
    assert list(net.items()) == [("Cy", -80 - 40), ("Ann", 40 - 40), ("Bob", 120)]


@pytest.mark.parametrize("data", [BY_NAME | {"east": "Cy"}, {"scores": {"E": 40, "W": 8}}])
def test_nobody_pays_after_a_wash_out(data: dict[str, object]) -> None:
    result = settle_json({**data, "winner": None, "wash_out": True})  # BMJA-P18
    assert result["payments"] == []
    assert set(result["net"].values()) == {0}


def test_a_player_may_be_called_by_a_wind() -> None:
    net = settle_json({"scores": {"West": 20, "East": 0}, "winner": "west", "east": "West"})["net"]
    assert list(net.items()) == [("West", 20), ("East", -20)]


def test_the_prevailing_wind_may_double() -> None:
    data = {"scores": {"E": 0, "S": 20, "W": 0, "N": 0}, "winner": "S"}
    assert settle_json(data)["net"]["S"] == 80
    assert settle_json({**data, "double": "S"})["net"]["S"] == 120
    assert settle_json({**data, "players": None, "east": None})["net"]["S"] == 80


BAD_REQUESTS = [
    ([], ["bad-json"], "A deal to settle is a JSON object."),
    ({}, ["bad-json", "bad-json"], '"scores" must be'),
    ({"scores": [1], "winner": 1}, ["bad-json", "bad-json"], '"winner" must be'),
    ({"scores": {"E": "80"}, "winner": "E"}, ["bad-json"], "each with a number"),
    ({"scores": {"E": True}, "winner": "E"}, ["bad-json"], "each with a number"),
    ({**BY_NAME, "east": 1}, ["bad-json"], '"east" must be'),
    ({**BY_NAME, "east": "Ann", "players": "3"}, ["bad-json"], '"players" must be'),
    ({**BY_NAME, "east": "Ann", "double": []}, ["bad-json"], '"double" must be'),
    ({**BY_NAME, "east": "Ann", "in_full": 1}, ["bad-json"], '"in_full" must be'),
    ({"scores": {"E": 4, "W": 8}, "wash_out": 1}, ["bad-json"], '"wash_out" must be'),
    ({"scores": {"E": 4, "W": 8}, "wash_out": True, "winner": "E"}, ["bad-json"], "one of them"),
    ({"scores": {"E": 4, "S": 8}, "wash_out": True}, ["two-players"], "as East and West"),
    ({"scores": {"Ann": 4, "Bob": 8}, "wash_out": True}, ["unknown-wind"], "are no winds"),
    (BY_NAME, ["unknown-wind"], "'Ann', 'Bob' and 'Cy' are no winds"),
    ({"scores": {"E": 4, "W": 20}, "winner": "Ann"}, ["unknown-wind"], "'Ann' is no wind"),
    ({"scores": {}, "winner": "E"}, ["players", "winner"], "nobody yet"),
    ({"scores": {}, "winner": "Bob", "east": "Ann"}, ["east", "winner", "players"], "not 0"),
    ({"scores": dict.fromkeys("abcde", 4), "winner": "a", "east": "b"}, ["players"], "not 5"),
    ({**BY_NAME, "east": "Ann", "players": 4}, ["players"], "but there are 3"),
    ({"scores": {"E": 4, "East": 20}, "winner": "E"}, ["player-twice"], "East stands there twice"),
    ({"scores": {"Al": 4, "al": 20}, "winner": "al", "east": "al"}, ["player-twice"], "al stands"),
]


@pytest.mark.parametrize(("data", "codes", "words"), BAD_REQUESTS)
def test_a_bad_question_is_refused_in_words(data: object, codes: list[str], words: str) -> None:
    with pytest.raises(SettlementError) as failure:
        settle_json(data)
    assert [problem.code for problem in failure.value.problems] == codes
    assert words in str(failure.value)


def test_a_request_has_scores_in_order_of_play() -> None:
    request = SettlementRequest((("Ann", 20), ("Bob", 0)), winner="Ann", east="Bob")
    assert answer_request(request).to_json()["net"] == {"Bob": -20, "Ann": 20}
