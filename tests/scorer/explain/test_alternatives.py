"""The ways of scoring that were weighed against one another (BMJA-H06, S08, S09, F03)."""

from __future__ import annotations

import pytest

from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.score import score

ROWS = [
    ("B222 C345 O777 | B888 O99 | won=wall", [("Ordinary hand", 30)], "one way alone"),
    ("B222 B333 B555 | B666 B99 | F1 S1 won=wall", [("Ordinary hand", 320), ("Purity", 288)],
     "S08, S32: the ordinary sum is more"),
    ("B222 B333 B555 | B666 B99 | won=wall", [("Purity", 256), ("Ordinary hand", 64)], "S30"),
    ("DRRR DGGG | DWW B222 C99 | F1", [("Fishing for Three great scholars", 408),
     ("Ordinary hand", 144)], "F03: the value fished for"),
    ("WEEE WSSS WWWW | WNNN C9 | limit=300", [("Fishing for Four blessings hovering over the door",
     300), ("Ordinary hand", 80)], "each within the limit, L01"),
    ("WEEE WSSS WWWW | WNNN DRR | won=wall", [("Four blessings hovering over the door", 1000),
     ("All Winds and Dragons", 1000), ("Ordinary hand", 352)], "S38: two special hands"),
    ("| B19 C19 O19 WESWN DRGW DR | won=wall", [("The thirteen unique wonders", 1000)],
     "no ordinary hand at all"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "reason"), ROWS)
def test_what_was_weighed(text: str, expected: list[tuple[str, int]], reason: str) -> None:
    result = score(parse_hand(text))
    assert [(to_english(each.label), each.total) for each in result.compared] == expected, reason
    assert [each.chosen for each in result.compared] == [True, *[False] * (len(expected) - 1)]


def test_the_readings_that_matter_are_told_apart_by_their_sets() -> None:
    """Nobody said which tile was claimed; of Purity the best reading stands alone."""
    purity, *ordinary = score(parse_hand("B222 B333 B555 | B666 B99 | won=discard")).compared
    assert (to_english(purity.label), purity.total) == ("Purity", 240)
    assert [each.total for each in ordinary] == [60, 60, 56]
    assert len({each.label for each in ordinary}) == 3
    assert "exposed pung of 6 bamboo; concealed pair of 9 bamboo" in to_english(ordinary[-1].label)
    wild, tame = score(parse_hand("| B2 WS O33 C7 DRRR C555 B99 | goulash")).compared
    assert "concealed kong of red dragons with a wild tile; " in to_english(wild.label)
    assert "wild" not in to_english(tame.label)


def test_a_special_hand_names_its_rule_and_writes_its_sum_out() -> None:
    (ordinary, purity) = score(parse_hand("B222 B333 B555 | B666 B99 | F1 S1 won=wall")).compared
    assert (ordinary.rule, to_english(ordinary.working)) == (None, "40 · ×2 ×2 ×2 = 320")
    assert purity.rule == "BMJA-S11"
    assert (
        to_english(purity.working)
        == "32 · ×2 ×2 ×2 = 256; bonus tiles 8 · ×2 ×2 = 32; together 288"
    )
