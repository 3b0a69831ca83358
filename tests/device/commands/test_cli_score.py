"""The contract of `tongbox score`: text or JSON lines in, breakdowns or problems out."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from device.cli import main

HAND = "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E won=wall"

FIELDS = {
    "ruleset": "bmja",
    "exposed": [["B2"] * 3, ["O9"] * 4],
    "concealed": ["C3", "C4", "C5", "DR", "DR", "DR", "WE", "WE"],
    "bonus": ["F1"],
    "winner": True,
    "won_by": ["wall"],
}


def score_lines(
    lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[dict[str, Any]]:
    stream = io.TextIOWrapper(io.BytesIO("\n".join(lines).encode("utf-8", "surrogateescape")))
    monkeypatch.setattr(sys, "stdin", stream)
    assert main(["score", "--jsonl"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_hand_is_written_out_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", HAND]) == 0
    out = capsys.readouterr().out
    assert "20 + 2 + 16 + 8 + 2 + 2 + 2 + 4 = 56 · ×2 ×2 = 224" in out
    assert "BMJA-B02" in out


def test_the_text_may_come_in_several_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *HAND.split()]) == 0
    assert "224" in capsys.readouterr().out


def test_a_hand_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", HAND]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["total"], result["base"], result["doubles"]) == (224, 56, 2)
    assert result["lines"][0].keys() >= {"rule", "label", "points", "doubles", "tiles"}
    assert result.keys() >= {"limited", "special", "not_counted", "sets", "problems"}


@pytest.mark.parametrize("hand", ["B222 | B9X |", "B22222 | | seat=E", "nonsense"])
def test_a_bad_hand_gives_problems_and_status_1(
    hand: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--json", hand]) == 1
    (problem, *_) = json.loads(capsys.readouterr().out)["problems"]
    assert problem["level"] == "error"
    assert main(["score", hand]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem["message"] in captured.err


def test_lines_come_out_one_for_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {
        json.dumps({"hand": HAND}): 224,
        json.dumps(FIELDS): 224,
        json.dumps({**FIELDS, "limit": 100}): 100,
        "{not json": None,
        "": None,
        "[]": None,
        '{"hand": "B222 | B9X |"}': None,
        '{"hand": 7}': None,
        '{"concealed": "B1"}': None,
        '{"exposed": [["B1", "B1", "B1", "B1", "B1"]]}': None,
        "[" * 100_000: None,
        "9" * 5_000: None,
        '{"hand": "\udcff"}': None,
        json.dumps({"hand": HAND, "comment": "once more"}): 224,
    }
    results = score_lines(list(lines), monkeypatch, capsys)
    assert [result.get("total") for result in results] == list(lines.values())
    assert all(r["problems"][0]["message"] for r in results if "total" not in r)


@pytest.mark.parametrize("arguments", [["score"], ["score", "--jsonl", HAND]])
def test_either_a_hand_or_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert "either a hand or --jsonl" in capsys.readouterr().err
