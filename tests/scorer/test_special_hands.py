"""Special hands: what each looks like, and what only resembles it; `cases/` has their values."""

from __future__ import annotations

import pytest

from scorer.breakdown import Breakdown
from scorer.errors import HandError
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score

SPECIALS = load_builtin("bmja").specials_by_id

PATTERNS = [
    ("B11 B99 C11 WEE WSS DRR DGG", "S12", "seven pairs of majors"),
    ("B1111 C99 WEEEE DRR DGG", "S12", "S07: four alike are two pairs when undeclared"),
    ("B22 C22 B33 C33 B4 O4 C5 O5 B9 C9", "S13", "C08: two suits, pair by pair"),
    ("B123 C12 O3 B456 C45 O6 B7 O7", "S13", "S35: each rank in two suits"),
    ("B1234 C1234 O1234 B5 C5", "S14", "four ranks in three suits and a couple"),
    ("B1112 C1112 O1112 B7 O7", "S14", "triplets repeat"),
    ("B1234 C1234 O1234 B1 C1", "S14", "the couple has the rank of a triplet"),
    ("C11 C23456789 WESWN", "S17", "the snake"),
    ("O111 O2345678 O999 O5", "S23", "gates, the pair of 5s"),
    ("B111 B2345678 B999 B2", "S23", "S37: the doubled rank may be any from 2"),
    ("C111 C2345678 C999 C8", "S23", "S37: to 8"),
    ("B19 C19 O19 WESWN DRGW B9", "S24", "thirteen wonders, any of them again"),
    ("B19 C19 O19 WESWN DRGW DR", "S24", "thirteen wonders, a pair of red dragons"),
]


@pytest.mark.parametrize("way", ["wall", "discard", "loose", "last-tile", "last-discard"])
@pytest.mark.parametrize(("tiles", "rule", "reason"), PATTERNS)
def test_a_special_hand_of_another_shape_scores_its_value(
    tiles: str, rule: str, reason: str, way: str
) -> None:
    """However it was won: no double but those of bonus tiles touches it (S03)."""
    special = SPECIALS[f"BMJA-{rule}"]
    result = score(parse_hand(f"| {tiles} | won={way} original-call"))
    assert (result.special, result.total) == (special.id, special.value), reason
    assert [(line.rule, line.points, line.doubles) for line in result.lines] == [
        (special.id, special.value, 0)
    ], reason
    assert [each.kind for each in result.sets] == ["loose"], reason


@pytest.mark.parametrize("table", ["players=2", "players=3", "players=5", "goulash"])
@pytest.mark.parametrize(("tiles", "rule", "reason"), PATTERNS)
def test_runs_in_special_hands_are_no_chows(tiles: str, rule: str, reason: str, table: str) -> None:
    """S10: special hands stand at tables without chows; in a goulash its 2s are wild besides."""
    special = SPECIALS[f"BMJA-{rule}"]
    result = score(parse_hand(f"| {tiles} | won=wall {table}"))
    assert result.total == special.value, reason
    # With a 2 of bamboo wild the tiles may make another special hand of the same worth besides.
    assert special.id in {way.rule for way in result.compared if way.total == result.total}, reason


NO_PATTERNS = [
    ("| B11 B99 C11 WEE WSS DRR B22 | won=wall", "not-mah-jong", "S12: 2s are minor"),
    ("| B11 B99 C11 WEE WSS DRR DG DW | won=wall", "not-mah-jong", "S12: no pair"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 B99 | won=wall", "not-mah-jong", "S35: one suit"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 WEE | won=wall", "not-mah-jong", "S13: no honours"),
    ("| B123 C123 O123 WEEE B5 C5 | won=wall", "not-mah-jong", "S14: no honours"),
    ("| B1234 C1234 O1234 B5 B5 | won=wall", "not-mah-jong", "S14: the couple is of two suits"),
    ("| B1234 C1234 O1239 B5 C5 | won=wall", "not-mah-jong", "S14: two ranks are uneven"),
    ("| B19 C19 O19 WESWN DRG DRG | won=wall", "not-mah-jong", "S24: two pairs, and no white"),
    ("| C11 C23456789 WESW DR | won=wall", "not-mah-jong", "S17: the winds"),
    ("| O111 O2345678 O9999 | won=wall", "too-many-chows", "S37: a fourth 9 is refused"),
    ("O111 | O2345678 O999 O5 | won=wall", "too-many-chows", "S05: concealed but for the last"),
    ("O111 | O2345678 O999 O5 | won=discard with=O9", "too-many-chows", "S05: claimed before"),
    ("| [B1111] B99 C11 WEE WSS DRR | won=wall", "winner-count", "S07: a declared kong"),
]


@pytest.mark.parametrize(("text", "code", "reason"), NO_PATTERNS)
def test_what_only_resembles_a_special_hand(text: str, code: str, reason: str) -> None:
    with pytest.raises(HandError) as failure:
        score(parse_hand(text))
    assert [problem.code for problem in failure.value.problems] == [code], reason


def ordinary(result: Breakdown) -> int:
    """Return what the hand would score as an ordinary one."""
    return max(each.total for each in result.compared if each.rule is None)


EVENTS = [
    ("| B222 C345 O777 B888 WNN | won=heaven", "S25", 64,
     "dealt, so neither B12 nor any claim: (20 + 12) × concealed"),
    ("| B222 C345 O777 B888 WNN | seat=S won=earth with=WN", "S26", 32, "a claim: no D16, no B12"),
    ("| [B2222] [C4444] O777 B888 WNN | won=kong-of-kong", "S29", 480,
     "on a loose tile: (20 + 32 + 8) × no chows, concealed, loose"),
    ("B222 C345 O777 | O55 B888 | F1 won=loose with=O5", "S27", 128,
     "(20 + 4 + 4 + 4) × loose, own flower"),
    ("B222 C345 O777 | O11 B888 | won=last-tile with=O1", "S28", 60, "(22 + 4 + 4) × last tile"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rule", "rule_without_event", "reason"), EVENTS)
def test_an_event_replaces_what_the_hand_is_worth_without_it(
    text: str, rule: str, rule_without_event: int, reason: str
) -> None:
    result = score(parse_hand(text))
    assert (result.special, result.total) == (f"BMJA-{rule}", 1000)
    assert ordinary(result) == rule_without_event, reason  # S40
