"""Special hands are recognised, so that none is silently taken for an ordinary hand."""

from __future__ import annotations

import pytest

from scorer.errors import HandError
from scorer.notation import parse_hand
from scorer.rules import SPECIAL_HANDS
from scorer.score import score

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
    ("B19 C19 O19 WESWN DRGW DR", "S24", "thirteen wonders, a pair of red dragons"),
]


@pytest.mark.parametrize("won", ["wall", "discard"])
@pytest.mark.parametrize(("tiles", "rule", "why"), PATTERNS)
def test_a_special_hand_of_another_shape_is_named(
    tiles: str, rule: str, why: str, won: str
) -> None:
    with pytest.raises(HandError) as caught:
        score(parse_hand(f"| {tiles} | won={won}"))
    (problem,) = caught.value.problems
    special = SPECIAL_HANDS[f"BMJA-{rule}"]
    assert problem.code == "special-hand", why
    assert special.name in problem.message
    assert special.id in problem.message
    assert "not scored yet" in problem.message


NO_PATTERNS = [
    ("| B11 B99 C11 WEE WSS DRR B22 | won=wall", "not-mah-jong", "S12: 2s are minor"),
    ("| B11 B99 C11 WEE WSS DRR DG DW | won=wall", "not-mah-jong", "S12: no pair"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 B99 | won=wall", "not-mah-jong", "S35: one suit"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 WEE | won=wall", "not-mah-jong", "S13: no honours"),
    ("| B123 C123 O123 WEEE B5 C5 | won=wall", "not-mah-jong", "S14: no honours"),
    ("| B1234 C1234 O1234 B5 B5 | won=wall", "not-mah-jong", "S14: the couple is of two suits"),
    ("| B1234 C1234 O1239 B5 C5 | won=wall", "not-mah-jong", "S14: two ranks are uneven"),
    ("| C11 C23456789 WESW DR | won=wall", "not-mah-jong", "S17: the winds"),
    ("| O111 O2345678 O9999 | won=wall", "too-many-chows", "S37: a fourth 9 is refused"),
    ("O111 | O2345678 O999 O5 | won=wall", "too-many-chows", "S05: concealed but for the last"),
    ("O111 | O2345678 O999 O5 | won=discard with=O9", "too-many-chows", "S05: claimed before"),
    ("| [B1111] B99 C11 WEE WSS DRR | won=wall", "winner-count", "S07: a declared kong"),
]


@pytest.mark.parametrize(("text", "code", "why"), NO_PATTERNS)
def test_what_only_resembles_a_special_hand(text: str, code: str, why: str) -> None:
    with pytest.raises(HandError) as caught:
        score(parse_hand(text))
    assert [problem.code for problem in caught.value.problems] == [code], why


def test_the_last_tile_of_a_concealed_hand_may_be_claimed() -> None:
    with pytest.raises(HandError, match="gates of heaven"):  # S37
        score(parse_hand("O111 | O2345678 O999 O5 | won=discard with=O1"))


STANDARD = [
    ("B222 B333 B555 | B666 B99 | won=wall", "S11", "one suit"),
    ("B222 B333 B555 | B678 B99 | won=wall", "", "S11 has no chow (C18)"),
    ("| B222 B333 B555 DRRR B99 | won=wall", "S15", "four concealed pungs, one suit, honours"),
    ("| B222 B333 B555 DRRR B99 | won=discard with=B5", "S15", "C09: the last pung claimed"),
    ("B555 | B222 B333 DRRR B99 | won=discard with=B5", "S15", "C09: and laid down"),
    ("B555 | B222 B333 DRRR B99 | won=discard with=B9", "", "S15: claimed before the last tile"),
    ("| B222 B333 B555 B666 B99 | won=wall", "S15", "S36: beats Purity"),
    ("| [B2222] B333 B555 DRRR B99 | won=wall", "", "S07: a declared kong is no pung"),
    ("| B222 B333 C555 DRRR B99 | won=wall", "", "S15: two suits"),
    ("B111 B999 C111 | C999 O11 | won=wall", "S16", "1s and 9s"),
    ("B111 B999 C111 | C999 WEE | won=wall", "", "S16: no honours, and the pair too (S06)"),
    ("B222 B333 B444 | DGGG B88 | won=wall", "S18", "green tiles"),
    ("B222 B333 B444 | B666 B88 | won=wall", "S18", "the green dragon is not compulsory"),
    ("B222 B333 B234 | DGGG B88 | won=wall", "", "C14: no chows"),
    ("DRRR DGGG DWWWW | B222 C99 | won=wall", "S19", "three dragons"),
    ("DRRR DGGG DWWWW | B234 C99 | won=wall", "", "S19: no chow"),
    ("WEEE WSSS WWWW | WNNN C99 | won=wall", "S20", "four winds, any pair"),
    ("WEEE WSSS WWWW | DRRR DGG | won=wall", "S21", "all honours"),
    ("B2222 C3333 O9999 | [WEEEE] C44 | won=wall", "S22", "four kongs"),
    ("B222 C345 O777 | B888 WNN | F1 won=loose with=B8", "", "an ordinary loose tile"),
    ("B222 C345 O777 | O55 B888 | F1 won=loose with=O5", "S27", "the plum blossom"),
    ("B222 C345 O777 | O11 B888 | won=last-tile with=O1", "S28", "the moon"),
    ("B222 C345 O777 | O11 B888 | won=wall with=O1", "", "S28: not the last tile"),
    ("| B222 C345 O777 WNN B888 | won=heaven", "S25", "heaven's blessing"),
    ("| B222 C345 O777 WNN B888 | seat=S won=earth with=WN", "S26", "earth's blessing"),
    ("B2222 C4444 O777 | B888 WNN | won=kong-of-kong", "S29", "a kong of a kong"),
    ("| B111 C111 B555 C555 O11 | won=wall", "S13", "knitting in the shape of four pungs"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rule", "why"), STANDARD)
def test_a_special_hand_of_four_sets_is_scored_with_a_warning(
    text: str, rule: str, why: str
) -> None:
    special = [p.message for p in score(parse_hand(text)).problems if p.code == "special-hand"]
    if not rule:
        assert not special, why
        return
    assert len(special) == 1, why
    expected = SPECIAL_HANDS[f"BMJA-{rule}"]
    assert all(words in special[0] for words in (expected.name, expected.id, expected.worth)), why


FISHING = [
    ("| B19 C19 O19 WESWN DRGW |", "S24", "thirteen of the wonders: any one of them again"),
    ("| O111 O2345678 O999 |", "S23", "gates: any extra tile"),
    ("B222 B333 B555 | B66 B99 |", "S11", "Purity, S33"),
    ("| B222 B333 B555 DRR B99 |", "S15", "Buried treasure: the last pung"),
    ("DRRR DGGG | DWW B222 C99 |", "S19", "the third dragon"),
    ("DRRR DGGG | DWW B234 C99 |", "", "S19: no chow"),
    ("B222 B333 C555 | B66 B99 |", "", "an ordinary hand that fishes is worth no more, F05"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 B9 |", "S13", "knitting"),
    ("O111 | O2345678 O99 O5 |", "", "S05: the set was laid down before the last tile"),
    ("| B1111 C99 WEEEE DRR DG |", "S12", "S07: fours in hand are two pairs each"),
    ("| B1111 C99 WEEEE DRR |", "", "12 tiles: two short"),
    ("B2222 C3333 O9999 | [WEEEE] C4 |", "S22", "four kongs that lack the pair"),
]


@pytest.mark.parametrize(("text", "rule", "why"), FISHING)
def test_one_tile_short_of_a_special_hand_is_remarked_on(text: str, rule: str, why: str) -> None:
    special = [p.message for p in score(parse_hand(text)).problems if p.code == "special-hand"]
    assert [f"BMJA-{rule}" in message for message in special] == [True] * bool(rule), why


def test_every_special_hand_is_recognised_by_a_row() -> None:
    assert {f"BMJA-{rule}" for _, rule, _ in (*PATTERNS, *STANDARD) if rule} == set(SPECIAL_HANDS)
    assert len(SPECIAL_HANDS) == 19
