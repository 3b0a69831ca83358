"""The contract of `tongbox score`: text or JSON lines in, breakdowns or problems out."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from scorer.rulesets.custom import stamp
from scorer.rulesets.files import load_builtin_text, load_sample_text

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
    output = capsys.readouterr().out
    assert "20 + 2 + 16 + 8 + 2 + 2 + 2 + 4 = 56 · ×2 ×2 = 224" in output
    assert "BMJA-B02" in output


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
    output = capsys.readouterr()
    assert output.out == ""
    assert problem["message"] in output.err


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
        '{"concealed": "B1"}': None,
        '{"exposed": [["B1", "B1", "B1", "B1", "B1"]]}': None,
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


CLAIMED_HAND = "B888 | B222 C333 O777 WNN | won=wall"
DRAWN_HAND = "| B888 B222 C333 O777 WNN | won=wall"


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_two_hands_are_compared_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", CLAIMED_HAND, "--against", DRAWN_HAND]) == 0
    output = lines(capsys)
    assert "against  One double more: all concealed." in output
    assert output[-1] == "against  152 instead of 72: 80 more."


def test_two_hands_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", CLAIMED_HAND, "--against", DRAWN_HAND]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["total"], result["against"]["total"]) == (72, 152)
    assert result["difference"][-1] == "152 instead of 72: 80 more."


def test_the_other_hand_may_be_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", CLAIMED_HAND, "--against", "B22222 | |"]) == 1
    assert "only four" in capsys.readouterr().err


GATES = "| O111 O2345678 O999 O5 | won=discard with=O5"


def test_the_house_rules_that_would_matter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", DRAWN_HAND, "--what-if"]) == 0
    option_lines = [line for line in lines(capsys) if line.startswith("what if")]
    assert option_lines == [
        "what if  concealed_needs_sets:on: 76 instead of 152: 76 less. (BMJA-C06)"
    ]
    assert main(["score", GATES, "--what-if", "--json"]) == 0
    (choice,) = json.loads(capsys.readouterr().out)["what_if"]
    assert (choice["option"], choice["rule"]) == ("gates_only_terminal_claimable", "BMJA-C13")
    assert choice["outcome"].endswith(".")


@pytest.mark.parametrize("options", [["--against", DRAWN_HAND], ["--what-if"]])
def test_many_hands_are_not_disputed(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["score", "--jsonl", *options])
    assert "go with one hand" in capsys.readouterr().err


def test_what_a_lost_hand_waited_for_and_was_near(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "B222 B333 B555 | B66 B99 | house=clean_hand:off limit=off"]) == 0
    output = lines(capsys)
    assert [line for line in output if line.startswith("waits")] == ["waits  for B9 288, B6 256"]
    assert "near  Purity lacks B6 (BMJA-S11)" in output
    assert [line[:3] for line in output if line.startswith("or ")] == ["or "]
    assert output[-1] == "rules  bmja, no limit, clean_hand:off"


def test_reconstructed_figures_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "| DRRR | rules=safalra"]) == 0
    output = lines(capsys)
    assert output[-2] == "rules  safalra, no limit"
    assert "reconstructed" in output[-1]


OWN_HAND = "| DRRR B222 B333 B444 WEE | won=wall rules=safalra"
PUNG = 'id = "SAF-R03"\nof = "set"\nkinds = ["pung"]\nwhen = "honour"\nlabel = "pung of honours"\n'


def own_file(tmp_path: Path, old: str, new: str) -> str:
    text = load_builtin_text("safalra")
    assert old in text
    path = tmp_path / "ours.toml"
    path.write_text(text.replace(old, new), "utf-8")
    return str(path)


def total(args: list[str], capsys: pytest.CaptureFixture[str]) -> int:
    assert main(["score", "--json", *args]) == 0
    return int(json.loads(capsys.readouterr().out)["total"])


def test_an_edited_figure_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_file(
        tmp_path, PUNG + "exposed = 4\nconcealed = 8", PUNG + "exposed = 4\nconcealed = 18"
    )
    # (20 + 10 + 2 + 3 × 4 + 8 + 2) × 2 for the dragons, or with 18 in place of 8
    assert total([OWN_HAND], capsys) == 108
    assert total(["--rules", path, OWN_HAND], capsys) == 128


def test_many_hands_by_the_same_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = own_file(tmp_path, "points = 20", "points = 0")
    lines = io.BytesIO(json.dumps({"hand": OWN_HAND}).encode() + b"\n[]\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(lines))
    assert main(["score", "--jsonl", "--rules", path]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["total"] == 68
    assert second["problems"][0]["code"] == "bad-json"


def test_a_faulty_file_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_file(tmp_path, "points = 20", "points = -20")
    assert main(["score", "--rules", path, OWN_HAND]) == 1
    assert "Line " in capsys.readouterr().err


def test_a_file_of_rules_is_named_by_its_title(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(load_sample_text("western"))
    assert main(["score", "--rules", str(file), "B222 B333 B555 | B66 B99 |"]) == 0
    assert "rules  Western, after Thompson and Maloney, limit 2000" in lines(capsys)
    named_rules = stamp(load_builtin_text("bmja"), title="Our rules", author="Ann", version=3)
    file.write_text(named_rules)
    assert main(["score", "--rules", str(file), "B222 B333 B555 | B66 B99 |"]) == 0
    assert "rules  Our rules, version 3, limit 1000" in lines(capsys)
