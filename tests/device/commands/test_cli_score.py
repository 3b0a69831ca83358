"""The contract of `tongbox score`: text or JSON lines in, breakdowns or problems out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer.rulesets.custom import stamp
from scorer.rulesets.files import load_builtin_text, load_sample_text
from tests.device.command import output_of, refusal_of, run_command

HAND = "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E won=wall"

FIELDS = {
    "ruleset": "bmja",
    "exposed": [["B2"] * 3, ["O9"] * 4],
    "concealed": ["C3", "C4", "C5", "DR", "DR", "DR", "WE", "WE"],
    "bonus": ["F1"],
    "winner": True,
    "won_by": ["wall"],
}


def test_a_hand_is_written_out_for_people() -> None:
    output = output_of("score", HAND)
    assert "20 + 2 + 16 + 8 + 2 + 2 + 2 + 4 = 56 · ×2 ×2 = 224" in output
    assert "BMJA-B02" in output
    assert output_of("score", *HAND.split()) == output, "the text may come in several words"


def test_a_hand_as_json() -> None:
    result = json.loads(output_of("score", "--json", HAND))
    assert (result["total"], result["base"], result["doubles"]) == (224, 56, 2)
    assert result["lines"][0].keys() >= {"rule", "label", "points", "doubles", "tiles"}
    assert result.keys() >= {"limited", "special", "not_counted", "sets", "problems"}


@pytest.mark.parametrize("hand", ["B222 | B9X |", "B22222 | | seat=E", "nonsense"])
def test_a_bad_hand_gives_problems_and_status_1(hand: str) -> None:
    outcome = run_command("score", "--json", hand)
    (problem, *_) = json.loads(outcome.output)["problems"]
    assert (outcome.status, problem["level"]) == (1, "error")
    assert problem["message"] in refusal_of("score", hand)


def test_lines_come_out_one_for_one() -> None:
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
    stdin = "\n".join(lines).encode("utf-8", "surrogateescape")
    results = [*map(json.loads, output_of("score", "--jsonl", stdin=stdin).splitlines())]
    assert [result.get("total") for result in results] == list(lines.values())
    assert all(r["problems"][0]["message"] for r in results if "total" not in r)


CLAIMED_HAND = "B888 | B222 C333 O777 WNN | won=wall"
DRAWN_HAND = "| B888 B222 C333 O777 WNN | won=wall"


def score_lines(*words: str) -> list[str]:
    return [line.strip() for line in output_of("score", *words).splitlines()]


def test_two_hands_are_compared() -> None:
    output = score_lines(CLAIMED_HAND, "--against", DRAWN_HAND)
    assert "against  One double more: all concealed." in output
    assert output[-1] == "against  152 instead of 72: 80 more."
    result = json.loads(output_of("score", "--json", CLAIMED_HAND, "--against", DRAWN_HAND))
    assert (result["total"], result["against"]["total"]) == (72, 152)
    assert result["difference"][-1] == "152 instead of 72: 80 more."
    assert "only four" in refusal_of("score", CLAIMED_HAND, "--against", "B22222 | |")


GATES = "| O111 O2345678 O999 O5 | won=discard with=O5"


def test_the_house_rules_that_would_matter() -> None:
    assert [line for line in score_lines(DRAWN_HAND, "--what-if") if line.startswith("what")] == [
        "what if  concealed_needs_sets:on: 76 instead of 152: 76 less. (BMJA-C06)"
    ]
    (choice,) = json.loads(output_of("score", GATES, "--what-if", "--json"))["what_if"]
    assert (choice["option"], choice["rule"]) == ("gates_only_terminal_claimable", "BMJA-C13")
    assert choice["outcome"].endswith(".")


def test_what_a_lost_hand_waited_for_and_was_near() -> None:
    output = score_lines("B222 B333 B555 | B66 B99 | house=clean_hand:off limit=off")
    assert [line for line in output if line.startswith("waits")] == ["waits  for B9 288, B6 256"]
    assert "near  Purity lacks B6 (BMJA-S11)" in output
    assert [line[:3] for line in output if line.startswith("or ")] == ["or "]
    assert output[-1] == "rules  bmja, no limit, clean_hand:off"


def test_reconstructed_figures_say_so() -> None:
    output = score_lines("| DRRR | rules=safalra")
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


def total(args: list[str]) -> int:
    return int(json.loads(output_of("score", "--json", *args))["total"])


def test_an_edited_figure_counts(tmp_path: Path) -> None:
    path = own_file(
        tmp_path, PUNG + "exposed = 4\nconcealed = 8", PUNG + "exposed = 4\nconcealed = 18"
    )
    # (20 + 10 + 2 + 3 × 4 + 8 + 2) × 2 for the dragons, or with 18 in place of 8
    assert total([OWN_HAND]) == 108
    assert total(["--rules", path, OWN_HAND]) == 128


def test_many_hands_by_the_same_file(tmp_path: Path) -> None:
    path = own_file(tmp_path, "points = 20", "points = 0")
    stdin = json.dumps({"hand": OWN_HAND}).encode() + b"\n[]\n"
    output = output_of("score", "--jsonl", "--rules", path, stdin=stdin)
    first, second = map(json.loads, output.splitlines())
    assert first["total"] == 68
    assert second["problems"][0]["code"] == "bad-json"


def test_a_faulty_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = own_file(tmp_path, "points = 20", "points = -20")
    assert "Line " in refusal_of("score", "--rules", path, OWN_HAND)


def test_a_file_of_rules_is_named_by_its_title(tmp_path: Path) -> None:
    file, hand = tmp_path / "ours.toml", "B222 B333 B555 | B66 B99 |"
    file.write_text(load_sample_text("western"))
    title = "rules  Western, after Thompson and Maloney, limit 2000"
    assert title in score_lines("--rules", str(file), hand)
    file.write_text(stamp(load_builtin_text("bmja"), title="Our rules", author="Ann", version=3))
    assert "rules  Our rules, version 3, limit 1000" in score_lines("--rules", str(file), hand)
