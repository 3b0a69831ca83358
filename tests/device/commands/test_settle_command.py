"""The contract of `tongbox settle`: scores in, who pays whom out."""

from __future__ import annotations

import json

import pytest

from tests.device.command import output_of, refusal_of, run_command, usage_error_of

BY_WIND = ["East=80", "s=84", "West=208", "n=416", "--winner", "south"]
BY_NAME = ["Ben=208", "Jack=416", "Rod=80", "Bill=84", "--east", "rod", "--winner", "Bill"]
ROD = {"E": 80, "S": 84, "W": 208, "N": 416}
NET = {"E": -1096, "S": 336, "W": -36, "N": 796}


def test_payments_are_written_out_for_people() -> None:
    output = output_of("settle", *BY_WIND).splitlines()
    assert output[0].split(maxsplit=1) == [
        "168",
        "East pays South 84 for going out, doubled because East pays: 168.  (BMJA-M01, BMJA-M03)",
    ]
    assert [line.split() for line in output[-4:]] == [
        ["−1096", "East"], ["+336", "South"], ["−36", "West"], ["+796", "North"],
    ]  # fmt: skip


def test_players_may_be_named() -> None:
    output = output_of("settle", *BY_NAME)
    assert "Rod pays Jack the difference, 416 − 80 = 336, doubled because East pays: 672." in output
    assert "−1096  Rod (East)\n    +336  Bill\n" in output


SINGLE_SCORES = [
    (["80", "84", "208", "416", "--winner", "S"], ("E", "S"), "from East on"),
    (["84", "208", "416", "80", "--winner", "1", "--east", "4"], ("4", "1"), "in order of play"),
    (["80", "84", "--winner", "W"], ("E", "W"), "two sit East and West"),
    (["80", "84", "90", "--winner", "W"], ("E", "W"), "three sit East, South and West"),
]


@pytest.mark.parametrize(("args", "payer_and_payee", "reason"), SINGLE_SCORES)
def test_scores_may_stand_alone(
    args: list[str], payer_and_payee: tuple[str, str], reason: str
) -> None:
    first = json.loads(output_of("settle", "--json", *args))["payments"][0]
    assert (first["from"], first["to"]) == payer_and_payee, reason


def test_nobody_may_owe_anything() -> None:
    output = output_of("settle", "E=0", "W=0", "--winner", "E")
    assert "Nobody pays anything." in output
    assert "       0  East" in output
    assert "note  East went out with 0. A winner has at least 26." in output


def test_nobody_pays_after_a_wash_out() -> None:
    scores = ["Ben=208", "Jack=416", "Rod=80", "Bill=84", "--east", "rod"]
    output = output_of("settle", *scores, "--wash-out")
    assert "Nobody pays anything." in output
    assert "       0  Rod (East)\n       0  Bill\n" in output
    result = json.loads(output_of("settle", "E=80", "W=20", "--wash-out", "--json"))
    # BMJA-P18
    assert result == {"payments": [], "net": {"E": 0, "W": 0}, "problems": []}


def test_payments_as_json() -> None:
    result = json.loads(output_of("settle", "--json", *BY_NAME))
    assert result["net"] == {"Rod": -1096, "Bill": 336, "Ben": -36, "Jack": 796}
    assert result["payments"][-1] == {
        "from": "Ben",
        "to": "Jack",
        "amount": 208,
        "why": "Ben pays Jack the difference, 416 − 208 = 208.",
        "rules": ["BMJA-M02"],
    }
    assert result["problems"] == []


def test_what_the_table_agreed() -> None:
    payments = json.loads(output_of("settle", *BY_WIND, "--json", "--in-full", "--double", "N"))[
        "payments"
    ]
    assert {rule for payment in payments for rule in payment["rules"]} == {
        "BMJA-M01", "BMJA-M04", "BMJA-C15",
    }  # fmt: skip


BAD = [
    (["East=80", "South", "=3", "West=x", "--winner", "E"], 3, "'South' is no score"),
    (["Rod=80", "Bill=84", "Ben=20", "--winner", "Bill"], 1, "say who is East"),
    (["E=80", "S=84", "X=20", "--winner", "S"], 1, "'X' is no wind"),
    (["E=80", "S=84", "W=20", "--winner", "S", "--players", "4"], 1, "but there are 3"),
    (["E=80", "S=-84", "W=20", "--winner", "N"], 2, "below 0"),
    (["E=80", "S=-84", "W=20", "--wash-out"], 1, "below 0"),
    (["E=80", "S=84", "--wash-out"], 1, "sit opposite"),
    (["Rod=80", "Bill=84", "--east", "Ann", "--wash-out"], 1, "East must be one of"),
]


@pytest.mark.parametrize(("words", "number", "message"), BAD)
def test_a_bad_deal_gives_problems_and_status_1(
    words: list[str], number: int, message: str
) -> None:
    outcome = run_command("settle", "--json", *words)
    problems = json.loads(outcome.output)["problems"]
    assert (outcome.status, len(problems)) == (1, number)
    assert message in problems[0]["message"]
    error_lines = refusal_of("settle", *words).splitlines()
    assert error_lines == [f"tongbox: {p['message']}" for p in problems]


USAGE = [
    (["settle"], "either scores or --jsonl"),
    (["settle", "--jsonl", "E=80"], "either scores or --jsonl"),
    (["settle", "E=80", "W=20"], "say who won"),
    (["settle", "E=80", "W=20", "--winner", "E", "--wash-out"], "not allowed with argument"),
]


@pytest.mark.parametrize(("words", "message"), USAGE)
def test_what_is_missing_is_said(words: list[str], message: str) -> None:
    assert message in usage_error_of(*words)


def test_lines_come_out_one_for_one() -> None:
    lines: dict[str, dict[str, int] | None] = {
        json.dumps({"scores": ROD, "winner": "S", "players": 4}): NET,
        json.dumps({"scores": ROD, "winner": "S", "players": 5, "in_full": True}): NET,
        json.dumps({"scores": {"Ann": 40, "Bob": 26}, "winner": "bob", "east": "Ann"}): {
            "Ann": -12,
            "Bob": 12,
        },
        json.dumps({"scores": ROD, "wash_out": True}): dict.fromkeys("ESWN", 0),
        json.dumps({"scores": ROD, "wash_out": True, "winner": "S"}): None,
        json.dumps({"scores": ROD, "wash_out": "yes"}): None,
        json.dumps({"scores": ROD, "wash_out": False}): None,
        "{not json": None,
        "[]": None,
        "{}": None,
        json.dumps({"scores": ROD, "winner": "X"}): None,
        '{"scores": "\udcff"}': None,
        json.dumps({"scores": ROD, "winner": "S", "comment": "once more"}): NET,
    }
    stdin = "\n".join(lines).encode("utf-8", "surrogateescape")
    results = [*map(json.loads, output_of("settle", "--jsonl", stdin=stdin).splitlines())]
    assert [result.get("net") for result in results] == list(lines.values())
    assert all(r["problems"][0]["message"] for r in results if "net" not in r)
