"""Special hands: what makes them, what they are worth, and what one tile short of them is.

`tests/scorer/cases/` prices many more of them with their bonus tiles; here stands what each looks
like, and what only resembles it.
"""

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


@pytest.mark.parametrize("won", ["wall", "discard", "loose", "last-tile", "last-discard"])
@pytest.mark.parametrize(("tiles", "rule", "why"), PATTERNS)
def test_a_special_hand_of_another_shape_scores_its_value(
    tiles: str, rule: str, why: str, won: str
) -> None:
    """However it was won: no double but those of bonus tiles touches it (S03)."""
    special = SPECIALS[f"BMJA-{rule}"]
    result = score(parse_hand(f"| {tiles} | won={won} original-call"))
    assert (result.special, result.total) == (special.id, special.value), why
    assert [(line.rule, line.points, line.doubles) for line in result.lines] == [
        (special.id, special.value, 0)
    ], why
    assert [each.kind for each in result.sets] == ["loose"], why


@pytest.mark.parametrize("table", ["players=2", "players=3", "players=5", "goulash"])
@pytest.mark.parametrize(("tiles", "rule", "why"), PATTERNS)
def test_runs_in_special_hands_are_no_chows(tiles: str, rule: str, why: str, table: str) -> None:
    """S10: special hands stand at tables without chows; in a goulash its 2s are wild besides."""
    special = SPECIALS[f"BMJA-{rule}"]
    result = score(parse_hand(f"| {tiles} | won=wall {table}"))
    assert result.total == special.value, why
    # With a 2 of bamboo wild the tiles may make another special hand of the same worth besides.
    assert special.id in {way.rule for way in result.compared if way.total == result.total}, why


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


@pytest.mark.parametrize(("text", "code", "why"), NO_PATTERNS)
def test_what_only_resembles_a_special_hand(text: str, code: str, why: str) -> None:
    with pytest.raises(HandError) as caught:
        score(parse_hand(text))
    assert [problem.code for problem in caught.value.problems] == [code], why


WORTH = [
    ("| O111 O2345678 O999 O5 | won=discard with=O1", "S23", 1000, "S37: claimed, among the own"),
    ("O111 | O2345678 O999 O5 | won=discard with=O1", "S23", 1000, "S37: claimed, and laid down"),
    ("O567 | O111 O2345 O8 O999 | won=discard with=O5", "S23", 1000, "S05: with a run laid down"),
    ("DRR | B19 C19 O19 WESWN DGW | won=discard with=DR", "S24", 1000, "S05: its pair laid down"),
    ("B222 B333 B555 | B666 B99 | won=wall", "S11", 256, "(20 + 2 + 2×3 + 4) × 8"),
    ("B222 B333 B555 | B678 B99 | won=wall", "", 28, "S11 has no chow (C18): 20 + 2 + 6"),
    ("| B222 B333 B555 DRRR B99 | won=wall", "S15", 1000, "four concealed pungs, with honours"),
    ("| B222 B333 B555 DRRR B99 | won=discard with=B5", "S15", 1000, "C09: the last pung claimed"),
    ("B555 | B222 B333 DRRR B99 | won=discard with=B5", "S15", 1000, "C09: and laid down"),
    ("B555 | B222 B333 DRRR B99 | won=discard with=B9", "", 304,
     "S15: claimed before the last tile: (20 + 2 + 4 + 4 + 8) × no chows, one suit, dragons"),
    ("| B222 B333 B555 B666 B99 | won=wall", "S15", 1000, "S36: beats Purity"),
    ("| [B2222] B333 B555 DRRR B99 | won=wall limit=off", "", 864,
     "S07: a declared kong is no pung: (22 + 16 + 4 + 4 + 8) × 2^4"),
    ("| B222 B333 C555 DRRR B99 | won=wall", "", 336,
     "S15: two suits: (22 + 4×3 + 8) × no chows, dragons, concealed"),
    ("B111 B999 C111 | C999 O11 | won=wall", "S16", 1000, "1s and 9s"),
    ("B111 B999 C111 | C999 WEE | won=wall", "", 184,
     "S16: no honours, and the pair too (S06): (22 + 12 + 8 + 4) × no chows, all major"),
    ("B222 B333 B444 | DGGG B88 | won=wall", "S18", 1000, "green tiles"),
    ("B222 B333 B444 | B666 B88 | won=wall", "S18", 1000, "the green dragon is not compulsory"),
    ("B222 B333 B234 | DGGG B88 | won=wall", "", 136, "C14: no chows: (22 + 4 + 8) × 4"),
    ("DRRR DGGG DWWWW | B222 C99 | won=wall", "S19", 1000, "three dragons"),
    ("DRRR DGGG DWWWW | B234 C99 | won=wall", "", 368, "S19: no chow: (22 + 24) × 8"),
    ("WEEE WSSS WWWW | WNNN C99 | won=wall", "S20", 1000, "four winds, any pair"),
    ("WEEE WSSS WWWW | DRRR DGG | won=wall", "S21", 1000, "all honours"),
    ("B2222 C3333 O9999 | [WEEEE] C44 | won=wall", "S22", 1000, "four kongs"),
    ("B2222 C3333 O9999 | C444 B55 | won=wall", "", 116,
     "S22: three kongs are not four: (22 + 8 + 8 + 16 + 4) × no chows"),
    ("B222 C345 O777 | B888 WNN | F1 won=loose with=B8", "", 128,
     "an ordinary loose tile: (20 + 8 + 4) × loose, own flower"),
    ("B222 C345 O777 | O55 B888 | F1 won=loose with=O5", "S27", 1000, "the plum blossom"),
    ("B222 C345 O777 | O11 B888 | won=last-tile with=O1", "S28", 1000, "the moon"),
    ("B222 C345 O777 | O11 B888 | won=wall with=O1", "", 30, "S28: not the last tile"),
    ("| B222 C345 O777 WNN B888 | won=heaven", "S25", 1000, "heaven's blessing"),
    ("| B222 C345 O777 WNN B888 | F2 won=heaven", "", 72,
     "S39: after a replaced flower it is an ordinary hand: (20 + 12 + 4) × concealed"),
    ("| B222 C345 O777 WNN B888 | seat=S won=earth with=WN", "S26", 1000, "earth's blessing"),
    ("B2222 C4444 O777 | B888 WNN | won=kong-of-kong", "S29", 1000, "a kong of a kong"),
    ("| B111 C111 B555 C555 O11 | won=wall", "S13", 500, "knitting in the shape of four pungs"),
]  # fmt: skip
"""What is complete, and what only resembles it."""


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


@pytest.mark.parametrize(("text", "rule", "without", "why"), EVENTS)
def test_an_event_replaces_what_the_hand_is_worth_without_it(
    text: str, rule: str, without: int, why: str
) -> None:
    result = score(parse_hand(text))
    assert (result.special, result.total) == (f"BMJA-{rule}", 1000)
    assert ordinary(result) == without, why  # S40


FISHING = [
    ("| B19 C19 O19 WESWN DRGW |", "S24", 400, "thirteen of the wonders: any one of them again"),
    ("| O111 O2345678 O999 |", "S23", 400, "gates: any extra tile"),
    ("B222 B333 B555 | B66 B99 |", "S11", 48, "Purity, S33: 6 × 8"),
    ("| B222 B333 B555 DRR B99 |", "S15", 400, "Buried treasure: the last pung"),
    ("DRRR DGGG | DWW B222 C99 |", "S19", 400, "the third dragon"),
    ("DRRR DGGG | DWW B234 C99 |", "", 40, "S19: no chow: (4 + 4 + 2) × 4"),
    ("B222 B333 C555 | B66 B99 |", "", 6, "an ordinary hand that fishes is worth no more, F05"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 B9 |", "S13", 200, "knitting"),
    ("O111 | O2345678 O99 O5 |", "", 4, "S05: the set was laid down before the last tile"),
    ("| B1111 C99 WEEEE DRR DG |", "", 264,
     "S07, S34: two pairs each make 200, but two kongs (32 + 32 + 2) × own and prevailing more"),
    ("| B1111 C99 WSSSS DRR DG |", "S12", 200, "S07: fours in hand are two pairs each"),
    ("| B1111 C99 WSSSS DRR |", "", 66, "12 tiles: two short"),
    ("B2222 C3333 O9999 | [WEEEE] C4 |", "S22", 400, "four kongs that lack the pair"),
    ("| [DRRRR] [DGGGG] [DWWWW] O888 WN | F2 S1 seat=E round=S", "", 1000,
     "C01: (100 + 8) × 2^4 is more than 400 and 8 × 2"),
]  # fmt: skip
"""What is one tile short."""


@pytest.mark.parametrize(("text", "rule", "total", "why"), [*WORTH, *FISHING])
def test_a_special_hand_scores_its_value_and_one_tile_short_its_fishing_value(
    text: str, rule: str, total: int, why: str
) -> None:
    result = score(parse_hand(text))
    assert result.special == (f"BMJA-{rule}" if rule else None), why
    assert result.fishing == (bool(rule) and "won=" not in text), why
    assert result.total == total, why


def test_every_special_hand_is_recognised_by_a_row() -> None:
    rows = {rule for _, rule, _ in PATTERNS} | {rule for _, rule, _, _ in WORTH if rule}
    assert {f"BMJA-{rule}" for rule in rows} == set(SPECIALS)
    fished = {rule for _, rule, _, _ in FISHING if rule}
    assert {f"BMJA-{rule}" for rule in fished} <= {
        special.id for special in SPECIALS.values() if special.fishing or special.doubles
    }
