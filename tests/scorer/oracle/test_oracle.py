"""The oracles against the figures that the rules themselves print, and against plain cases."""

from __future__ import annotations

import pytest

from scorer.notation import format_hand, parse_hand
from tests.scorer.oracle import bmja_oracle
from tests.scorer.oracle.deals import KINDS, deals
from tests.scorer.oracle.judge import verdict

FIGURES = [
    # BMJA-L03: the highest score of all
    (
        "| [WEEEE] [DRRRR] [DGGGG] [B1111] DWW | F1234 S1234 seat=E round=E won=loose with=DW"
        " limit=off",
        1490944,
    ),
    # I01: the intrinsic value of a fishing All Winds and Dragons, bonus tiles inside
    ("| WSSS WWWW [DRRRR] [DGGGG] WN | F1 seat=E round=E", 672),
    # I01 again: with the seat wind in it 1,344, so the limit
    ("| WSSS WWWW [DRRRR] [DGGGG] WN | F2 seat=S round=E", 1000),
    # C01 by the method of 672: 108 x 16, so the limit
    ("| [DRRRR] [DGGGG] [DWWWW] O888 C2 | F1 S2 seat=E round=E", 1000),
    ("| [DRRRR] [DGGGG] [DWWWW] O888 C2 | F1 S2 seat=E round=E limit=off", 1728),
    # S30: Purity 30 x 8, and 8 for the own season
    ("C222 C333 C444 | C666 C88 | S2 seat=S round=E won=discard with=C8", 248),
    # S32: Purity 304, intrinsic 352
    ("C222 C333 | C444 C666 C88 | F13 S1 seat=E round=S won=discard with=C8", 352),
    # S04: the final discard doubles the bonus tiles once more
    ("| B1C1O1 B3C3O3 B4C4O4 B7C7O7 B8C8 | F13 seat=E round=E won=last-discard with=C8", 532),
    # I04: four doubles on 70, so the limit
    ("| [DRRRR] O999 O222 O555 O11 | seat=E round=E won=wall with=O2", 1000),
    ("| [DRRRR] O999 O222 O555 O11 | seat=E round=E won=wall with=O2 limit=off", 1120),
    # SAF-H04: the highest score under Safalra's rules, limit or no limit
    ("| [DRRRR] [DGGGG] [DWWWW] [WEEEE] WNN | seat=E round=E won=wall with=WN rules=safalra", 2592),
    # SAF-R1: the best hand without honours
    ("| [B2222] [B3333] [B4444] [B6666] B88 | seat=E round=E won=wall rules=safalra", 192),
]


@pytest.mark.parametrize(("text", "total"), FIGURES)
def test_printed_figures(text: str, total: int) -> None:
    text = text.replace("C1O1", " C1 O1").replace("C3O3", " C3 O3").replace("C4O4", " C4 O4")
    text = text.replace("C7O7", " C7 O7").replace("B8C8", "B8 C8")
    assert verdict(parse_hand(text)).total == total


def test_published_figure_of_c01(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bmja_oracle, "INTRINSIC_INCLUDES_BONUS", False)
    hand = parse_hand("| [DRRRR] [DGGGG] [DWWWW] O888 C2 | F1 S2 seat=E round=E")
    assert verdict(hand).total == 800 + 16


def test_both_values_of_a_purity() -> None:
    hand = parse_hand("C222 C333 | C444 C666 C88 | F13 S1 seat=E round=S won=discard with=C8")
    points = {claim.points for claim in bmja_oracle.winner_claims(hand)}
    assert points == {304, 352}


CASES = [
    # H02: one chow, two chows
    ("| B123 C222 C333 C444 O55 | seat=E round=S won=wall", 20 + 12 + 2),
    ("| B123 C234 C333 C444 O55 | seat=E round=S won=wall", None),
    # H03: none when three play
    ("| B123 C222 C333 C444 O55 | seat=E round=S won=wall players=3", None),
    # D09: no chows
    ("| B222 C222 C333 C444 O55 | seat=E round=S won=wall", (20 + 16 + 2) * 2),
    # K02: the claimed set counts as exposed, on either side of the bar
    ("| B222 C222 C333 C444 O55 | seat=E round=S won=discard with=B2", (20 + 14) * 2),
    ("B222 | C222 C333 C444 O55 | seat=E round=S won=discard with=B2", (20 + 14) * 2),
    # not said: the pair, which is best
    ("| B222 C222 C333 C444 O55 | seat=E round=S won=discard", (20 + 16) * 2),
    # K03: a claimed pair, on the left of the bar
    ("O55 | B222 C222 C333 C444 | seat=E round=S won=discard with=O5", (20 + 16) * 2),
    # T04
    ("| B222 B222 C333 C444 O55 | seat=E round=S won=wall", None),
    # N02: neither four doubles nor 500; then with four doubles
    ("| B222 C222 C333 C444 O55 | seat=E round=S won=wall players=2", None),
    ("B222 C222 | DRRR DGGG O55 | F1 S1 seat=E round=S won=wall players=2", 50 * 16),
    # K05: an undeclared four of a kind of a player who lost
    ("| DRRRR B1 B3 B5 C1 C3 C5 O1 O3 O5 | seat=E round=E", 64),
    # S34: fishing for All pair honours with two pairs of the same tile
    ("| DRRRR WEE WSS B11 B99 C1 | seat=N round=N", 200),
    # S05: Buried treasure with a set laid down too early, so a clean hand without limit
    ("B222 | B444 B666 WSS DRRR | seat=E round=E won=wall limit=off", (20 + 2 + 18) * 8),
    # S27, S28, and neither when another tile wins
    ("B222 | C444 B666 WSSS O55 | seat=E round=E won=loose with=O5", 1000),
    ("B222 | C444 B666 WSSS O11 | seat=E round=E won=last-tile with=O1", 1000),
    ("B222 | C444 B666 WSSS O55 | seat=E round=E won=loose with=B6", 38 * 4),
    # S39: bonus tiles spoil Heaven's blessing
    ("| B222 C444 B666 O333 O77 | seat=E round=E won=heaven", 1000),
    ("| B222 C444 B666 O333 O77 | F2 seat=E round=E won=heaven", 40 * 2),
    # G05: one wild tile in a pung; two only when the last of them was drawn
    ("C222 | B44 JK B666 O333 O77 | seat=E round=E won=wall with=B6 goulash", 36),
    ("C222 B444 B666 O333 | B7 JK | seat=E round=E won=wall with=JK goulash", 30),
    ("C222 B444 B666 | O333 JK JK | seat=E round=E won=wall with=JK goulash", 36),
    ("C222 B444 B666 | O3 JK JK C88 | seat=E round=E won=wall with=JK goulash", 32),
    ("C222 B444 B666 O3333 | JK JK | seat=E round=E won=loose with=JK goulash", None),
    # the drawn wild tiles as a pair of the wind that is own and prevailing
    ("C222 B444 B666 O333 | JK JK | seat=E round=E won=wall with=JK goulash", 34),
    # G01: a bamboo 2 is wild
    ("C222 | B44 B2 B666 O333 O77 | seat=E round=E won=wall with=B6 goulash", 36),
    # SAF-H02: two suits
    ("| B222 B333 B444 B666 C88 | seat=E round=E won=wall rules=safalra", None),
    # SAF-V04: the claimed pung is exposed
    ("| B222 B333 B444 B666 WNN | seat=E round=E won=discard with=B2 rules=safalra", 14 + 2 + 30),
    # a part of a hand scores as it lies
    ("| | F1 seat=E round=E", 8),
    ("B222 | DRR | seat=E round=E", 4),
]


@pytest.mark.parametrize(("text", "total"), CASES)
def test_plain_cases(text: str, total: int | None) -> None:
    assert verdict(parse_hand(text)).total == total


def test_every_kind_deals_hands_that_have_a_text() -> None:
    hands_by_kind = dict(deals(len(KINDS), seed=1))
    assert hands_by_kind.keys() == KINDS.keys()
    for hand in hands_by_kind.values():
        assert parse_hand(format_hand(hand)) == hand


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith("special:")])
def test_special_hands_score_at_least_their_value(kind: str) -> None:
    for _, hand in deals(20, seed=1, kind=kind):
        total = verdict(hand).total
        if "purity" in kind or (hand.limit or 500) < 500:
            continue
        assert total is None or total >= min(500, hand.limit or 500), format_hand(hand)
