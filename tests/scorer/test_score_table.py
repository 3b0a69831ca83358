"""Hands with the score that the rules give them, each row with its reason.

The figures are worked out by hand from the rules; `has` and `lacks` are the rules that must and
must not be among the lines (without their `BMJA-`).
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from scorer.explain.sums import write_score
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score


class Row(NamedTuple):
    """One hand."""

    text: str
    total: int
    why: str
    has: str = ""
    lacks: str = ""


CHECK_FIGURES = [
    Row(
        "| [WEEEE] [DRRRR] [DGGGG] [B1111] DWW | F1234 S1234 seat=E round=E won=loose limit=off",
        1_490_944,
        "L03: 20 + 8×4 + 4×32 + 2 = 182, thirteen doubles",
        has="D01 D02 D03 D06 D07 D09 D10 D11 D15 D16",
        lacks="B12 D04 D05 D12",
    ),
    Row(
        "| [WEEEE] [DRRRR] [DGGGG] [B1111] DWW | F1234 S1234 seat=E round=E won=loose",
        1000,
        "L01: the same hand, limited",
    ),
    Row(
        "| [DRRRR] O999 O222 O555 O11 | seat=E round=E won=wall limit=off",
        1120,
        "I04: 20 + 2 + 32 + 8 + 4 + 4 = 70; no chows, dragons, one suit, concealed",
        has="B12 D01 D09 D10 D16",
    ),
    Row(
        "| [DRRRR] O999 O222 O555 O11 | seat=E round=E won=discard with=O1 limit=off",
        544,
        "K03: the claimed pair exposes the hand: 68, no chows, dragons, one suit",
        has="D01 D09 D10",
        lacks="B12 D16",
    ),
    Row(
        "| [DRRRR] [DGGGG] WSSS WWWW DW | F4 seat=N round=E",
        672,
        "I01: (8 + 8 + 32 + 32 + 4) × 2 × 2 × 2, a hand that did not win",
        has="D01 D04",
        lacks="B11 D09 D16",
    ),
    Row(
        "| [DRRRR] [DGGGG] WSSS WWWW DW | F3 seat=W round=E limit=off",
        1344,
        "I01: with a pung of the own wind 84 × 16",
        has="D02",
    ),
    Row(
        "| [DRRRR] [DGGGG] [DWWWW] O888 WN | F2 S1 seat=E round=S limit=off",
        1728,
        "C01: (100 + 8) × 2 × 2 × 2 × 2",
        has="D01 D05",
        lacks="D04",
    ),
]

SETS_AND_PAIRS = [
    Row("B222 | |", 2, "B02 exposed", has="B02"),
    Row("| B222 |", 4, "B02 concealed", has="B02"),
    Row("B999 WNNN | |", 8, "B03 exposed: 4 + 4; North is neither own nor prevailing", has="B03"),
    Row("| B111 WNNN |", 16, "B03 concealed: 8 + 8", has="B03", lacks="D02 D03"),
    Row("C8888 | |", 8, "B04 exposed", has="B04"),
    Row("| [C8888] |", 16, "B04 declared and concealed", has="B04"),
    Row("| C8888 |", 16, "K05: four in hand, undeclared, are a concealed kong", has="B04"),
    Row("O1111 | |", 16, "B05 exposed", has="B05"),
    Row("| [O9999] |", 32, "B05 concealed", has="B05"),
    Row("B234 | C567 |", 0, "B01: chows score nothing", lacks="B01"),
    Row("| DRR DWW |", 4, "B06 twice, and B09: pairs never double", has="B06", lacks="D01"),
    Row("| WEE | seat=E round=S", 2, "B07", has="B07", lacks="B08"),
    Row("| WSS | seat=E round=S", 2, "B08", has="B08", lacks="B07"),
    Row("| WEE | seat=E round=E", 4, "B07 and B08 on one pair", has="B07 B08"),
    Row(
        "| WEE WSS | seat=E round=S", 4, "B09: several pairs of one who did not win", has="B07 B08"
    ),
    Row("| WNN B11 C55 | seat=E round=S", 0, "B09: other pairs, of 1s as well"),
    Row("| | F3 S2", 8, "B10: bonus tiles alone", has="B10", lacks="D04 D05"),
    Row("| |", 0, "nothing at all"),
]

DOUBLES_FOR_ALL = [
    Row("DRRR DGGG | |", 32, "D01 twice: 8 × 4", has="D01", lacks="D09"),
    Row("WSSS | | seat=S round=E", 8, "D02: 4 × 2", has="D02", lacks="D03"),
    Row("WSSS | | seat=N round=S", 8, "D03: 4 × 2", has="D03", lacks="D02"),
    Row("WSSSS | | seat=S round=S", 64, "D02 and D03 on one kong: 16 × 4", has="D02 D03"),
    Row("| | F2 seat=S", 8, "D04: South's own flower is 2 (T03)", has="D04"),
    Row("| | F2 seat=E round=S", 4, "T03: the number follows the seat, not the round", lacks="D04"),
    Row("| | S3 seat=W", 8, "D05: West's own season is 3", has="D05"),
    Row("| | F4 S4 seat=N", 32, "D04 and D05: 8 × 4", has="D04 D05"),
    Row("| | F1234 seat=N", 64, "D06 includes D04: 16 × 4", has="D06", lacks="D04"),
    Row("| | S1234 seat=E", 64, "D07 includes D05: 16 × 4", has="D07", lacks="D05"),
    Row("| | F1234 S2 seat=S", 160, "D06 with an own season: 20 × 8", has="D06 D05"),
    Row("| | F1234 S1234", 512, "D06 and D07: 32 × 16", has="D06 D07"),
    Row("B222 | | original-call", 4, "D08 for one who did not win", has="D08", lacks="D17"),
]

WINNERS = [
    Row(
        "B222 C345 O777 | B888 O99 | won=discard with=O9",
        28,
        "B11: 20 + 2 + 2 + 4",
        has="B11",
        lacks="B12 D09",
    ),
    Row("B222 C345 O777 | B888 O99 | won=wall", 30, "B12: 2 for the live wall", has="B12"),
    Row(
        "B222 C345 O777 | B888 O99 | F2 won=loose",
        64,
        "D11, no B12: (20 + 8 + 4) × 2",
        has="D11",
        lacks="B12",
    ),
    Row("B222 C345 O777 | B888 O99 | won=last-tile", 60, "C12: D12 and B12: 30 × 2", has="B12 D12"),
    Row(
        "B222 C345 O777 | B888 O99 | won=last-discard with=O9",
        56,
        "D13: 28 × 2",
        has="D13",
        lacks="B12 D12",
    ),
    Row(
        "B222 C345 O777 | B888 O99 | won=robbed-kong with=C4",
        56,
        "D14: 28 × 2",
        has="D14",
        lacks="B12",
    ),
    Row(
        "B222 C345 O777 | B888 O99 | won=wall+original-call",
        120,
        "D08 and D17: 30 × 4",
        has="D08 D17",
    ),
    Row(
        "B222 C345 O777 | B888 O99 | won=wall original-call",
        120,
        "the same, said as a flag",
        has="D08 D17",
    ),
    Row("B222 C333 O777 | B888 O99 | won=discard with=O9", 60, "D09: 30 × 2", has="D09"),
    Row(
        "B444 C333 O777 | B888 O99 | won=discard with=O9 goulash",
        30,
        "H03: none in a goulash; 4s, for the 2s are wild (G07)",
        lacks="D09",
    ),
    Row(
        "B222 C333 O777 | B888 O99 | won=discard with=O9 players=3",
        30,
        "H03: none with three",
        lacks="D09",
    ),
    Row(
        "| [DRRRR] [DGGGG] C444 O777 WEE | won=wall players=2",
        784,
        "H03: none with two: (20 + 2 + 32 + 32 + 4 + 4 + 4) × dragons twice, concealed",
        has="D01 D16 B07 B08",
        lacks="D09",
    ),
    Row(
        "B222 B333 B444 DRRR | B88 | won=discard with=B8 original-call players=2",
        480,
        "N02: four doubles are enough: (20 + 3×2 + 4) × dragons, one suit, original call twice",
        has="D01 D08 D10 D17",
        lacks="D09",
    ),
    Row(
        "B222 C333 O777 | B888 O99 | won=discard with=O9 players=5",
        60,
        "N03: five play as four do, so D09 counts: 30 × 2",
        has="D09",
    ),
    Row(
        "B222 B345 B777 | B888 WNN | won=discard with=WN",
        56,
        "D10, a pair of honours will do",
        has="D10",
        lacks="D09",
    ),
    Row(
        "WSSS WWWW DRRR | DGGG B22 | seat=N round=E won=discard with=B2",
        640,
        "D10, a pair of the suit will do: (20 + 4×3 + 8) × 2^4",
        has="D10 D09 D01",
    ),
    Row(
        "B222 B345 B777 | B888 B99 | won=discard with=B9",
        28,
        "D10 needs an honour (C18)",
        lacks="D10 D09",
    ),
    Row(
        "B111 C999 O111 | O999 WNN | won=discard with=WN",
        160,
        "D15 with a pair of honours: (20 + 4×3 + 8) × 4",
        has="D15 D09",
        lacks="D10",
    ),
    Row(
        "WSSS WWWW DRRR | DGGG B11 | seat=N round=E won=discard with=B1",
        1000,
        "D15 and D10 with a pair of 1s: 40 × 2^5 = 1,280",
        has="D15 D10 D09 D01",
    ),
    Row(
        "| B222 C345 O777 B888 WNN | won=wall",
        68,
        "D16 over a chow and mixed suits: 34 × 2",
        has="D16",
        lacks="D09",
    ),
    Row("| B222 C345 O777 B888 O99 | won=wall", 34, "D16 needs an honour", lacks="D16"),
    Row(
        "| [B2222] C345 O777 B888 WNN | F2 won=wall",
        100,
        "D16: declared kongs and bonus tiles do no harm: (22 + 16 + 8 + 4) × 2",
        has="D16",
    ),
    Row(
        "B222 C345 O777 | B8888 O99 | won=wall",
        42,
        "15 tiles: the four in hand are a kong",
        has="B04",
    ),
]

CLAIMED_AND_CONCEALED = [
    Row(
        "B222 C345 O777 | B888 O99 | won=discard with=B8",
        26,
        "K02: the pung it completed is exposed",
    ),
    Row("B222 C345 O777 B888 | O99 | won=discard with=B8", 26, "K02: written left of the bar"),
    Row(
        "B222 C345 O777 B888 | O99 | won=wall with=O9", 28, "left of the bar it was claimed before"
    ),
    Row(
        "B222 C345 O777 O99 | B888 | won=discard with=O9",
        28,
        "K03: the claimed pair left of the bar",
    ),
    Row(
        "WEE B222 C345 O777 | B888 | seat=S won=discard",
        30,
        "K03: an exposed pair is what the tile completed, said or not",
        has="B08",
    ),
    Row(
        "| B222 C345 O777 B888 WNN | won=discard with=C3",
        32,
        "K02: a claimed chow spoils D16",
        lacks="D16",
    ),
    Row(
        "| B222 C345 O777 B888 WNN | won=discard with=WN",
        32,
        "K03: a claimed pair spoils D16",
        lacks="D16",
    ),
    Row(
        "| B222 C345 O777 B888 WNN | won=robbed-kong with=C3",
        64,
        "K04: as a claim; D14",
        has="D14",
        lacks="D16",
    ),
    Row(
        "| B222 C345 O777 B888 WNN | F2 won=loose with=WN",
        144,
        "drawn from the kong box: still concealed: (20 + 12 + 4) × 4",
        has="D11 D16",
    ),
]

BEST_READING = [
    Row(
        "| B11123 C888 O888 WEEE | seat=E round=S won=wall",
        152,
        "pair of 1s and a chow: (22 + 4 + 4 + 8) × own wind, concealed",
        has="D02 D16",
    ),
    Row(
        "| B222333444 C888 WNN | won=wall",
        152,
        "H06: three pungs, not three chows: (22 + 16) × no chows, concealed",
        has="D09 D16",
    ),
    Row(
        "C888 O888 DRRR | B22234 | won=discard with=B2",
        56,
        "a pair of 2s and a chow: (20 + 2 + 2 + 4) × 2",
        has="D01",
    ),
    Row(
        "C888 O888 | B111123 WEE | seat=E round=S won=discard with=B1",
        34,
        "H06: the claimed 1 goes to the chow, so the pung stays concealed: 20 + 4 + 8 + 2",
        has="B07",
    ),
    Row(
        "C888 O888 | B111123 WEE | seat=E round=S won=discard with=B2",
        34,
        "the 2 can only be in the chow",
    ),
    Row("| B234 C33 B8888 |", 16, "a chow in a hand that did not win takes nothing away"),
    Row("| B2223344 |", 4, "a pung is worth more than the chow that would break it", has="B02"),
]

SPECIALS = [
    Row("B222 B333 B555 | B666 B99 | S1 seat=E won=discard with=B9", 248,
        "S30: (20 + 2 + 2 + 2 + 4) × 2 × 2 × 2, the own season apart: 4 × 2",
        has="S11 B11 B02 B10 D05", lacks="D09"),
    Row("B222 B333 B555 | B666 B99 | S2 seat=E won=last-discard with=B9", 248,
        "S04: the final discard doubles the season alone: 30 × 8 + 4 × 2",
        has="S11 S04", lacks="D13"),
    Row("| B1234 C1234 O1234 B5 C5 | F1 S2 seat=E won=last-discard", 532,
        "S04: of a hand of 500 too: 500 + 8 × own flower, final discard",
        has="S04 D04 B10", lacks="D13"),
    Row("B111 B999 C111 | C999 O11 | F2 seat=E won=last-discard with=O1 limit=off", 1004,
        "S04: but not of a hand of 1,000: 1,000 + 4", has="B10", lacks="S04 D13"),
    Row("B222 B333 B555 | B666 B99 | S1 seat=E won=last-discard with=B9", 272,
        "S32: with an own season it is more as an ordinary hand: 34 × no chows, season, discard",
        has="D05 D09 D13", lacks="S11 S04"),
    Row("B222 B333 B555 | B666 B99 | S2 seat=E won=loose with=B9", 260,
        "C02: Purity has 2 for a tile from the kong box: (30 + 2) × 8 + 4",
        has="S30", lacks="B12 D11"),
    Row("| [B2222] B333 B555 B666 B99 | F1234 seat=E won=wall with=B9", 1000,
        "S32: (20 + 2 + 16 + 12 + 16) × no chows, concealed, bouquet = 66 × 16",
        has="S32 D06 D09 B12", lacks="S11 D16"),
]  # fmt: skip

ROWS = [
    *SPECIALS,
    *CHECK_FIGURES,
    *SETS_AND_PAIRS,
    *DOUBLES_FOR_ALL,
    *WINNERS,
    *CLAIMED_AND_CONCEALED,
    *BEST_READING,
]


def rules_of(words: str) -> set[str]:
    return {f"BMJA-{word}" for word in words.split()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.text)
def test_a_hand_scores_what_the_rules_give_it(row: Row) -> None:
    result = score(parse_hand(row.text))
    awarded = {line.rule for line in result.lines}
    shown = (
        f"{row.why}; got {to_english(write_score(result))}: "
        f"{[(x.rule, x.label) for x in result.lines]}"
    )
    assert result.total == row.total, shown
    assert rules_of(row.has) <= awarded, shown
    assert not rules_of(row.lacks) & awarded, shown


def test_every_rule_that_gives_something_has_a_row() -> None:
    tested = {rule for row in ROWS for rule in rules_of(row.has)}
    priced = {rule.id for rule in load_builtin("bmja").rules if rule.gives}
    assert tested == priced | {"BMJA-S11"}  # Purity doubles; `test_special_hands` has the others
