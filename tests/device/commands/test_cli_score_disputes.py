"""`tongbox score` in a dispute: against another hand, under other house rules, and what is near."""

from __future__ import annotations

import json

import pytest

from device.cli import main

CLAIMED = "B888 | B222 C333 O777 WNN | won=wall"
DRAWN = "| B888 B222 C333 O777 WNN | won=wall"


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_two_hands_are_compared_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", CLAIMED, "--against", DRAWN]) == 0
    out = lines(capsys)
    assert "against  One double more: all concealed." in out
    assert out[-1] == "against  152 instead of 72: 80 more."


def test_two_hands_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", CLAIMED, "--against", DRAWN]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["total"], result["against"]["total"]) == (72, 152)
    assert result["difference"][-1] == "152 instead of 72: 80 more."


def test_the_other_hand_may_be_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", CLAIMED, "--against", "B22222 | |"]) == 1
    assert "only four" in capsys.readouterr().err


GATES = "| O111 O2345678 O999 O5 | won=discard with=O5"


def test_the_house_rules_that_would_matter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", DRAWN, "--what-if"]) == 0
    said = [line for line in lines(capsys) if line.startswith("what if")]
    assert said == ["what if  concealed_needs_sets:on: 76 instead of 152: 76 less. (BMJA-C06)"]
    assert main(["score", GATES, "--what-if", "--json"]) == 0
    (choice,) = json.loads(capsys.readouterr().out)["what_if"]
    assert (choice["option"], choice["rule"]) == ("gates_only_terminal_claimable", "BMJA-C13")
    assert choice["outcome"].endswith(".")


@pytest.mark.parametrize("more", [["--against", DRAWN], ["--what-if"]])
def test_many_hands_are_not_disputed(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["score", "--jsonl", *more])
    assert "go with one hand" in capsys.readouterr().err


def test_what_a_lost_hand_waited_for_and_was_near(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "B222 B333 B555 | B66 B99 | house=clean_hand:off limit=off"]) == 0
    out = lines(capsys)
    assert [line for line in out if line.startswith("waits")] == ["waits  for B9 288, B6 256"]
    assert "near  Purity lacks B6 (BMJA-S11)" in out
    assert [line[:3] for line in out if line.startswith("or ")] == ["or "]
    assert out[-1] == "rules  bmja, no limit, clean_hand:off"


def test_reconstructed_figures_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "| DRRR | rules=safalra"]) == 0
    out = lines(capsys)
    assert out[-2] == "rules  safalra, no limit"
    assert "reconstructed" in out[-1]
