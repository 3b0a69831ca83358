"""Near misses: the rules that a player may have hoped for, and why they do not count."""

from __future__ import annotations

import pytest

from scorer.near_misses import NEAR_MISSES
from scorer.notation import parse_hand
from scorer.rules import RULES
from scorer.score import score

ROWS = [
    ("B234 | |", "B01", "chow scores nothing", "a rule that gives nothing says so"),
    ("| C55 |", "B09", "only if it is of dragons", "a pair of no worth"),
    ("B222 C345 O777 | B888 O99 | won=discard with=O9", "B12", "claimed", "not from the wall"),
    ("B222 C345 O777 | B888 O99 | F2 won=loose", "B12", "doubles instead", "from the kong box"),
    ("| B222 C345 O777 B888 O99 | won=heaven", "B12", "", "dealt: nobody wonders"),
    ("| DRR |", "D01", "never doubles", "a pair of dragons"),
    ("| WSSS | seat=E round=N", "D02", "South is neither", "a wind of no use"),
    ("| WEE | seat=S", "D02", "", "a pair of winds is no near miss"),
    ("| | F2 seat=E", "D04", "East's own is flower 1", "another's flower"),
    ("| | F1234", "D04", "bouquet", "included in the bouquet"),
    ("| | S2 seat=E", "D05", "East's own is season 1", "another's season"),
    ("| | F2", "D05", "", "no season at all"),
    ("| | F123", "D06", "flower 4", "three flowers"),
    ("| | F12", "D06", "", "two flowers are far from a bouquet"),
    ("| | S234", "D07", "season 1", "three seasons"),
    ("B222 C345 O777 | B888 O99 | won=wall", "D09", "3-4-5 characters", "the chow"),
    ("B222 C333 O777 | B888 O99 | won=wall goulash", "D09", "goulash", "H03"),
    ("B222 C333 O777 | B888 O99 | won=wall players=3", "D09", "fewer than four", "H03"),
    ("B222 C333 O777 | B888 O99 |", "D09", "", "no question for one who did not win"),
    ("B222 B333 B777 | B888 B99 | won=wall", "D10", "no honour", "one suit alone"),
    ("B222 B333 B777 | C888 WNN | won=wall", "D10", "bamboo and character", "two suits"),
    ("B222 C333 O777 | C888 WNN | won=wall", "D10", "", "three suits are far from it"),
    ("WEEE WSSS WWWW | DRRR DGG | won=wall", "D10", "no suit tile", "honours alone"),
    ("B111 C999 O111 | B345 WNN | won=wall", "D15", "3-4-5 bamboo", "one set of minors"),
    ("B111 C999 O111 | B999 C11 | won=wall", "D15", "no honour", "1s and 9s alone"),
    ("WEEE WSSS WWWW | DRRR DGG | won=wall", "D15", "no 1 or 9", "honours alone"),
    ("B222 C333 O111 | B999 WNN | won=wall", "D15", "", "two sets of minors are far from it"),
    ("B111 C999 O111 | B999 WNN | won=wall", "D15", "", "it does count"),
    ("| B222 C345 O777 B888 O99 | won=wall", "D16", "no honour", "concealed, without honours"),
    ("| WEEE WSSS WWWW DRRR DGG | won=wall", "D16", "no suit tile", "concealed, without suits"),
    ("| B222 C345 O777 B888 WNN | won=discard with=WN", "D16", "exposes the pair", "K03"),
    ("B222 | C345 O777 B888 WNN | won=wall", "D16", "exposed pung of 2 bamboo", "one set exposed"),
    ("B222 C345 | O777 B888 WNN | won=wall", "D16", "", "two exposed sets are far from it"),
]


@pytest.mark.parametrize(("text", "rule", "words", "why"), ROWS)
def test_a_near_miss_is_explained(text: str, rule: str, words: str, why: str) -> None:
    not_counted = {each.rule: each.reason for each in score(parse_hand(text)).not_counted}
    if words:
        assert words in not_counted[f"BMJA-{rule}"], why
    else:
        assert f"BMJA-{rule}" not in not_counted, why


def test_every_near_miss_has_a_row() -> None:
    explained = {f"BMJA-{rule}" for _, rule, words, _ in ROWS if words}
    assert explained >= set(NEAR_MISSES) | {rule.id for rule in RULES.values() if not rule.gives}
