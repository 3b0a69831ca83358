"""Special hands of a table's own: the scorer and the second reading of docs/special-hands.md agree.

Random patterns, in hands that lie at random (exposed, declared, undeclared, claimed last), with
random figures: totals, what each tile would complete, and which tiles are missing.
"""

from __future__ import annotations

import pytest

from scorer.explain.prospects import specials_within_reach
from scorer.notation import parse_hand
from scorer.score import score
from tests.scorer.oracle.own_agreement import compare, differences, rules_of
from tests.scorer.oracle.own_hands import OwnHand, verdict
from tests.scorer.patterns.own_rules import OWN_ID, is_made, rules_with

HANDS_OF_A_PART, PARTS = 500, 40


def faults(count: int, seed: object) -> list[str]:
    """Return a line for each thing that the scorer says otherwise."""
    return [str(each) for _, wrong in compare(count, seed) for each in wrong]


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, 2])
def test_random_own_hands_are_scored_as_the_page_says(part: int) -> None:
    assert faults(30, f"quick {part}") == []


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_thousands_of_own_hands_are_scored_as_the_page_says(part: int) -> None:
    assert faults(HANDS_OF_A_PART, f"prove {part}") == []


RUN, RUNS = "x1-9, pung/kong y/honour, pair x", "pung x/honour, chow y, pung y, pung y, pair y"
LIES = [
    (RUN, "O666 | C123456789 C99 | won=wall with=C9", True, "y lies in the exposed pung alone"),
    (RUN, "WEEE | C123456789 C99 | won=wall with=C9", False, "there is no y"),
    (RUN, "C999 | C123456789 C11 | won=wall with=C1", False, "five 9s, and no y"),
    (RUNS, "O666 | C234 C555 C777 C99 | won=wall with=C9", True, "x lies in the exposed pung"),
    (RUNS, "WEEE | C234 C555 C777 C99 | won=wall with=C9", False, "there is no x"),
    ("x1-9, pung dragon, pair y; x1-9, pung y, pair wind", "O666 | C123456789 WEE | won=wall",
     True, "y lies in the exposed pung, in the second version"),
    ("2 chows x, 2 pungs y, pair z", "B123 B456 | C555 C777 O99 | won=wall", True,
     "S10: two chows are laid down, where one is the most"),
    ("2 chows x, 2 pungs y, pair z", "B123 B456 | C555 C777 B99 | won=wall", False,
     "no z, and two chows are too many"),
    ("x1-9, pung y, pair z", "C555 B123 | B456789 O11 | won=discard with=B1", True,
     "the run's beginning was laid down with the claimed tile"),
    ("x1-9, pung y, pair z", "C555 B123 | B456789 O11 | won=wall with=B4", False,
     "a chow was laid down before, which is no part of it"),
    ("x1-9, pung/kong y, pair z", "| [C5555] B123456789 O11 | won=wall", True, "a declared kong"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "text", "is_expected", "reason"), LIES)
def test_a_hand_is_made_however_its_sets_lie(
    pattern: str, text: str, is_expected: bool, reason: str
) -> None:
    hand = parse_hand(f"{text} limit=off")
    assert is_made(hand, rules_with(pattern)) == is_expected, reason
    assert (verdict((OwnHand(pattern, value=900_000),), hand).total or 0) // 800_000 == is_expected


def test_a_declared_kong_leaves_a_hand_concealed() -> None:
    rules = rules_with("x1-9, pung/kong wind, pair x", concealed=True)
    with_kong, exposed = "| C123456789 [WEEEE] C55 | won=wall", "WEEEE | C123456789 C55 | won=wall"
    assert is_made(parse_hand(f"{with_kong} limit=off"), rules)
    assert not is_made(parse_hand(f"{exposed} limit=off"), rules)
    fishing = score(parse_hand("| C123456789 [WEEEE] C5 | limit=off"), rules)
    assert fishing.special == OWN_ID
    assert [wait.tile for wait in fishing.waits] == ["C5"]


MISSING = [
    ("x19, each dragon, x1-9", "| DRW C23456799 B2 B5 B8 |", "C1 C1 C8 DG", "1s are needed twice"),
    ("3 pungs x, pung/kong B, pair x134", "B999 B222 B555 | B9 C3 C8 O5 |", "B1 B1 B3 B3 B3",
     "there is no fifth 9"),
    ("4 kongs any, pair any", "| [B1111] [C2222] [O3333] WEEE DR |", "WE DR", "declared kongs"),
    ("4 kongs any, pair any", "C2222 | [B1111] [O3333] WEEE DR |", "", "one of them is exposed"),
    (RUN, "O666 | C123456789 C9 |", "C9", "y lies in the exposed pung alone"),
    ("7 pairs x/honour", "| WEE WSS WWW WNN DRR DGG DW |", "B1 B1", "a suit must occur"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "text", "missing_tiles", "reason"), MISSING)
def test_the_fewest_tiles_that_there_can_be_are_missing(
    pattern: str, text: str, missing_tiles: str, reason: str
) -> None:
    own_hand = OwnHand(pattern, concealed="kongs" in pattern, value=1000, fishing=400)
    hand = parse_hand(text)
    specials = specials_within_reach(hand, rules_of((own_hand,)), {})
    assert [" ".join(each.needed) for each in specials] == (
        [missing_tiles] if missing_tiles else []
    ), reason
    assert list(differences((own_hand,), hand)) == []
