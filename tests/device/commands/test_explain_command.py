"""`tongbox explain`: a hand taught in words, every figure of it from the score itself."""

from __future__ import annotations

import json
import re

import pytest

from device.commands.explain import explain_hand
from scorer.errors import ScorerError
from scorer.notation import parse_hand
from scorer.score import score
from scorer.validate.circumstance_checks import choose_rules
from tests.device.command import output_of, refusal_of, run_command
from tests.scorer.test_cases import SCORED_CASES

HAND = "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E won=wall with=C5"
FISHING = "| B19 C19 O19 WESWN DRGW | F1 S2"
PURITY = "C222 C555 | C777 C444 C99 | F1 won=last-discard with=C9 seat=S"


def explanation(*arguments: str) -> str:
    return output_of("explain", *arguments)


@pytest.mark.parametrize(
    ("hand", "words", "reason"),
    [
        (HAND, "Exposed kong of 9 circles.", "what each set is"),
        (HAND, "The player is East; East prevails.", "the winds"),
        (HAND, "It won with the 5 characters from the live wall.", "how it was won"),
        (HAND, "Exposed kong of a major tile: O9 O9 O9 O9", "a line with its tiles"),
        (HAND, "score 16 exposed and 32 concealed. (BMJA-B05)", "and its rule in a sentence"),
        (HAND, "Points together: 56.", "the sum begins with the points"),
        (HAND, "Double 2: 112 × 2 = 224.", "and goes on double by double"),
        (HAND, "The hand has a chow", "what nearly counted"),
        (f"{HAND} limit=100", "The limit of 100 cuts 224 to 100.", "the limit"),
        (FISHING, "1 bamboo for The thirteen unique wonders: would score 1000", "a wait's worth"),
        (FISHING, "The thirteen unique wonders lacks 1:", "what is near, and what is missing"),
        (FISHING, "Flowers and seasons apart: 8, doubled once = 16.", "the bonus tiles' own sum"),
        (PURITY, "Ordinary hand: 36 · ×2 ×2 = 144, which gives 144.", "the other way"),
        (f"{HAND} house=clean_hand:off", "No: One suit with honours doubles. (BMJA-C17)", "rules"),
        ("| B11 | rules=safalra", "reconstructed", "what the rules say of themselves"),
        ("B222 | |", "10 seem to be missing", "what is to be looked at again"),
        (
            "C44+JK | | goulash",
            "Exposed pung of 4 characters with a wild tile (C4 C4 JK).",
            "G05: which of them is none of its own",
        ),
        ("B222 | C1 |", "Single tiles: 1 character.", "tiles of no set"),
    ],
)
def test_what_is_said_of_a_hand(hand: str, words: str, reason: str) -> None:
    assert words in explanation(hand), reason


def test_the_parts_come_in_the_order_of_learning() -> None:
    output = explanation(*HAND.split())
    titles = [line for line in output.splitlines() if line and not line.startswith(" ")]
    assert titles == [
        "The hand",
        "Points",
        "Doubles",
        "The sum",
        "What did not count",
        "What counts elsewhere",
        "The rules",
    ]


def test_as_json_every_part_is_there_beside_the_breakdown() -> None:
    data = json.loads(explanation("--json", HAND))
    assert data["total"] == 224
    assert [part["title"] for part in data["explained"]][:3] == ["The hand", "Points", "Doubles"]
    assert all(part["lines"] for part in data["explained"])


@pytest.mark.parametrize("arguments", [["B22 | B9X |"], ["B2 | |"], ["--rules", "none.toml", HAND]])
def test_what_cannot_be_scored_is_refused_in_a_sentence(arguments: list[str]) -> None:
    assert refusal_of("explain", *arguments).startswith("tongbox: ")
    outcome = run_command("explain", "--json", *arguments)
    assert outcome.status == 1
    assert json.loads(outcome.output)["problems"]


def test_the_sum_step_by_step_ends_in_the_total_of_every_known_hand() -> None:
    explained_hands = 0
    for case in SCORED_CASES.values():
        hand = parse_hand(case.hand)
        try:
            breakdown = score(hand)
        except ScorerError:
            continue
        steps = explain_hand(hand, breakdown, choose_rules(hand, None))["The sum"]
        figures = [int(found) for line in steps[:-1] for found in re.findall(r"(\d+)\.$", line)]
        assert figures[-1] == breakdown.total, case.hand
        assert steps[-1].startswith(f"The hand scores {breakdown.total}.")
        explained_hands += 1
    assert explained_hands > 500
