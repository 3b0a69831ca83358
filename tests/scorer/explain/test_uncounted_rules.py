"""What was not counted: the rules that a player may have hoped for, and why they gave nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.breakdown import Breakdown
from scorer.hand import Hand
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.score import score
from tests.scorer.strategies import lost_hands, won_hands

ORDINARY = [
    ("B234 | |", "B01", "chow scores nothing", "a rule that gives nothing says so"),
    ("| O55 |", "B09", "only if it is of dragons", "of any suit"),
    ("| WSS | seat=E", "B09", "only if it is of dragons", "or of a wind of no use"),
    ("| C55 |", "B09", "only if it is of dragons", "a pair of no worth"),
    ("B222 C345 O777 | B888 O99 | won=discard with=O9", "B12", "claimed", "not from the wall"),
    ("B222 C345 O777 | B888 O99 | F2 won=loose", "B12", "doubles instead", "from the kong box"),
    ("| B222 C345 O777 B888 O99 | won=heaven", "B12", "", "dealt: nobody wonders"),
    ("| DRR |", "D01", "never doubles", "a pair of dragons"),
    ("| WSSS | seat=E round=N", "D02", "South is neither", "a wind of no use"),
    ("DRRR | WSSS | seat=E round=N", "D02", "South is neither", "after a set that is no wind"),
    ("| WEE | seat=S", "D02", "", "a pair of winds is no near miss"),
    ("| | F2 seat=E", "D04", "East's own is flower 1", "another's flower"),
    ("| | F1234", "D04", "bouquet", "included in the bouquet"),
    ("| | S2 seat=E", "D05", "East's own is season 1", "another's season"),
    ("| | F2", "D05", "", "no season at all"),
    ("| | F123", "D06", "flower 4", "three flowers"),
    ("| | F12", "D06", "", "two flowers are far from a bouquet"),
    ("| | F234 seat=E", "D04", "", "C05: with flower 1 it would be a bouquet"),
    ("| | F234 seat=E house=bouquet_includes_own:off", "D04", "own is flower 1", "C05: besides"),
    ("| | S234", "D07", "season 1", "three seasons"),
    ("B222 C345 O777 | B888 O99 | won=wall", "D09", "the chow of 3-4-5 characters", "the chow"),
    ("B333 C333 O777 | B888 O99 | won=wall goulash", "D09", "goulash", "H03"),
    ("B222 C333 O777 | B888 O99 | won=wall players=3", "D09", "fewer than four", "H03"),
    ("B333 C333 O777 | B888 O99 | won=wall goulash players=3", "D09", "", "H03: neither has chows"),
    ("B222 C333 O777 | B888 O99 | won=wall players=5", "D09", "", "N03: five play as four do"),
    ("B222 C333 O777 | B888 O99 |", "D09", "", "no question for one who did not win"),
    ("B222 B333 B777 | B888 B99 | S1 won=last-discard", "D10", "no honour", "one suit alone"),
    ("B222 B333 B777 | C888 WNN | won=wall", "D10", "bamboo and character", "two suits"),
    ("B222 C333 O777 | C888 WNN | won=wall", "D10", "", "three suits are far from it"),
    ("B222 B333 B777 | C888 B99 | won=wall", "D10", "", "two suits, and no honour either"),
    ("B222 B333 B777 | WWWW WNN | won=wall house=clean_hand:off", "D10", "Not at this table: One "
     "suit with honours doubles.", "C17: other tables count it"),
    ("B222 B333 B777 | C888 WNN | won=wall house=clean_hand:off", "D10", "", "nothing to count"),
    ("WEEE WSSS DRRR | DGGG B99 | won=last-tile house=last_tile_from_live_wall:off", "B12",
     "Not at this table: The last tile", "C12"),
    ("B111 C999 O111 | B345 WNN | won=wall", "D15", "3-4-5 bamboo", "one set of minors"),
    ("| B11 JK C999 O111 B888 DRR | won=wall with=C9 goulash", "D15", "8 bamboo", "a wild tile is "
     "what it stands for"),
    ("B222 C333 O111 | B999 WNN | won=wall", "D15", "", "two sets of minors are far from it"),
    ("B111 C999 O111 | B999 WNN | won=wall", "D15", "", "it does count"),
    ("| B222 C345 O777 B888 O99 | won=wall", "D16", "no honour", "concealed, without honours"),
    ("| B222 C345 O777 B888 WNN | won=wall house=concealed_needs_sets:on", "D16",
     "The pair of North winds is only a pair", "C06: at some tables it must be a set"),
    ("| B222 C345 O777 B888 WNN | won=discard with=WN", "D16", "exposes the pair", "K03"),
    ("B222 | C345 O777 B888 WNN | won=wall", "D16", "the pung of 2 bamboo", "one set exposed"),
    ("B222 C345 | O777 B888 WNN | won=wall", "D16", "", "two exposed sets are far from it"),
    ("B222 | C333 O444 B55 O777 | won=discard with=B2", "D16", "", "claimed, and no honour either"),
    ("B222 | C333 O444 B55 O777 | won=wall", "D16", "", "one set exposed, and no honour either"),
    ("| B222 C345 O777 B888 WNN | won=discard with=WN house=concealed_needs_sets:on", "D16", "",
     "claimed, and only a pair"),
]  # fmt: skip

ONLY_HONOURS = "| WEEE WSSS WWWW DRRR DGG | F1234 S1234 won=loose seat=E limit=off"
"""All Winds and Dragons, where its bonus tiles make more of it as an ordinary hand."""

TERMINALS = "| B111 C999 O111 B999 C11 | F1234 S1234 won=loose limit=off"

HONOURS_ALONE = [
    (ONLY_HONOURS, "D10", "no suit tile", "honours alone"),
    (ONLY_HONOURS, "D15", "no 1 or 9", "honours alone"),
    (ONLY_HONOURS, "D16", "no suit tile", "concealed, without suits"),
    (TERMINALS, "D15", "no honour", "1s and 9s alone"),
]

SPECIAL = [
    ("B222 B333 B555 | DRRR B99 | won=wall", "S11", "The pung of red dragons is not of a suit.",
     "the honours in one set"),
    ("B222 B333 B555 | B678 B99 | won=wall", "S11", "chow of 6-7-8 bamboo is no pung", "the chow"),
    ("B222 B333 B555 | C777 B99 | won=wall", "S11", "7 characters is of another", "one other suit"),
    ("B222 B333 B555 | C777 C99 | won=wall", "S11", "", "two sets of another suit"),
    ("B222 B333 B555 | C678 B99 | won=wall", "S11", "", "a chow, and of another suit"),
    ("B222 B333 B555 | C777 DRR | won=wall", "S11", "", "two things in the way"),
    ("B222 B333 B555 | C777 B99 |", "S11", "", "who did not win sees the nearest hands instead"),
    ("| B222 B333 B555 [DRRRR] B99 | F1 won=wall", "S15", "The kong of red dragons is no pung.",
     "S07: the issue's own example"),
    ("| B222 B333 B555 B456 DRR | won=wall", "S15", "chow of 4-5-6 bamboo is no pung", "a chow"),
    ("B333 | B222 B555 DRRR B99 | won=wall", "S15", "The pung of 3 bamboo was claimed before the "
     "last tile.", "S05"),
    ("B333 | B222 B555 DRRR B99 | won=discard with=B9", "S15", "3 bamboo was claimed", "K03"),
    ("B333 B222 | B555 DRRR B99 | won=wall", "S15", "", "two claimed sets"),
    ("| B222 B333 C666 C888 DRR | won=wall", "S15", "Bamboo and character tiles are two suits.",
     "S15: one suit"),
    ("| B222 C666 B888 C333 O11 | won=wall", "S15", "", "three suits are two things"),
    ("| WWWW WEEE DWWW DGGG WSS | seat=E won=discard with=WW limit=off", "S15", "no suit tile",
     "C09: the last pung may be claimed, but S36 asks for a suit"),
    ("B3333 | B222 B555 DRRR B99 | won=wall", "S15", "", "a kong, and claimed early"),
    ("| B222 B333 B666 C888 DRR | won=wall", "S15", "8 characters is of another suit", "one set"),
    ("| B222 B333 B666 B888 DRR | won=discard with=B3 "
     "house=buried_treasure_last_pung_claimable:off", "S15", "only the pair may be", "C09"),
    (ONLY_HONOURS, "S15", "no suit tile", "S36: at least the pair is of a suit"),
    ("B111 C999 O111 | B999 DRR | won=wall", "S16", "red dragons is not of 1s or 9s", "S06"),
    ("B111 C999 O111 | B123 C11 | won=wall", "S16", "chow of 1-2-3 bamboo", "a chow with a 1"),
    ("B111 C999 O111 | B888 DRR | won=wall", "S16", "", "two sets of others"),
    ("B222 B333 B444 | DGGG B55 | won=wall", "S18", "The pair of 5 bamboo is not green.", "S18"),
    ("B222 B333 B234 | DGGG B88 | won=wall", "S18", "2-3-4 bamboo is no pung or kong", "C14"),
    ("B222 B333 B234 | DGGG B55 | won=wall house=jade_chows:on", "S18", "5 bamboo is not green",
     "C14: at this table the chow is none of its faults"),
    ("B222 B333 B555 | DRRR B88 | won=wall", "S18", "", "two sets are not green"),
    ("DRRR DGGG WNNN | B222 DWW | won=wall", "S19", "The white dragons are only a pair.", "S19"),
    ("DRRR DGGG DWWW | B234 C55 | won=wall", "S19", "2-3-4 bamboo is no pung or kong", "no chow"),
    ("DRRR DGGG | B234 C555 DWW | won=wall", "S19", "", "a chow besides the pair"),
    ("DRRR DGGG WNNN | B222 C55 | won=wall", "S19", "", "no third dragon at all"),
    ("DGGG | DW DW DW DW JK C111 C555 | goulash won=wall with=C5", "S19", "",
     "G05: the white dragons are a pung besides the pair"),
    ("WEEE WSSS WWWW | B222 WNN | won=wall", "S20", "The North winds are only a pair.", "S20"),
    ("WEEE WSSS WWWW | B222 DRR | won=wall", "S20", "", "no fourth wind at all"),
    ("WEEE WSSS | WWWWW JK C111 | goulash won=wall with=C1", "S20", "",
     "G05: the West winds are a pung besides the pair"),
    ("WEEE WSSS DRRR | DGGG B99 | won=wall", "S21", "The pair of 9 bamboo is not of winds or",
     "S06: the pair too"),
    ("WEEE WSSS DRRR | B222 B99 | won=wall", "S21", "", "two sets of a suit"),
    ("B2222 C3333 O9999 | WEEE C44 | won=wall", "S22", "pung of East winds is no kong", "S22"),
    ("B2222 C3333 | O999 WEEE C44 | won=wall", "S22", "", "two pungs"),
    ("B111 | C111 B555 C555 O11 | won=wall", "S13", "pung of 1 bamboo was claimed before", "S05"),
    ("B111 C111 | B555 C555 O11 | won=wall", "S13", "", "two claimed sets"),
    ("C999 B999 | O111 C111 O99 | won=discard with=B9", "S13", "", "a pung is no couple"),
    ("| B222 C345 O777 WNN B888 | F1 won=heaven", "S25", "Flowers or seasons were replaced", "S39"),
    ("| B222 C345 O777 WNN [B8888] | won=heaven", "S25", "A set is laid down", "S39"),
    ("| B222 C345 O777 WNN B888 | F1 won=wall", "S25", "", "nobody spoke of the deal"),
    ("| B222 C345 O777 WNN [B8888] | F1 won=heaven", "S25", "", "laid down, and replaced"),
    ("B222 C345 O777 | O55 B888 | won=wall with=O5", "S27", "5 of circles that won is no loose",
     "the right tile from the wall"),
    ("B222 C345 O777 | O55 B888 | won= with=O5", "S27", "", "nobody said where it came from"),
    ("B222 C345 O777 | O55 B888 | F1 won=loose with=B8", "S27", "", "never for other tiles"),
    ("B222 C345 O777 | O11 B888 | won=wall with=O1", "S28", "not the last tile", "too early"),
    ("B222 C345 O777 | O11 B888 | won=last-discard with=O1", "S28", "last discard", "a discard"),
    ("B222 C345 O777 | O11 B888 | won= with=O1", "S28", "", "nobody said where it came from"),
    ("B222 C345 O777 | O11 B888 | won=last-tile with=B8", "S28", "", "never for other tiles"),
    ("B111 B999 C111 | C999 O11 | won=wall", "S22", "", "nothing is worth more than it has"),
    ("B222 B333 B555 | B777 B88 | won=wall", "S18", "", "two sets are not green"),
    ("B222 B333 B444 | B555 B88 | won=wall", "S18", "5 bamboo is not green", "more than Purity"),
]  # fmt: skip

BESIDE = [
    ("| B222 B333 B666 DRRR B99 | won=wall", "S03", "The 4 doubles of an ordinary hand do not "
     "count: a special hand has a fixed value.", "no chows, dragons, one suit, concealed"),
    ("B222 B333 B555 | B666 B99 | won=wall", "S03", "The double of an ordinary hand does not "
     "count: Purity has its own three.", "no chows"),
    ("| B19 C19 O19 WESWN DRGW DR | won=wall", "S03", "", "it is no ordinary hand"),
    ("DRRR DGGG | DWW [O1111] C99 | F1234", "S03", "", "more as an ordinary hand"),
    ("WEEE WSSS WWWW | WNNN C9 | F2 seat=E", "S03", "The 2 doubles", "fishing has a fixed value"),
    ("WEEE WSSS WWWW | WNNN C9 | F1 seat=E round=S house=fishing_intrinsic_includes_bonus:off",
     "S03", "The 2 doubles", "C01: the flower doubles itself, not the hand"),
    ("| B19 C19 O19 WESWN DRGW DR | F1 won=loose", "D11", "on a loose tile does not double", "S03"),
    ("| B19 C19 O19 WESWN DRGW DR | won=last-tile", "D12", "on the last tile does not", "S03"),
    ("| B19 C19 O19 WESWN DRGW DR | won=last-discard", "D13", "last discard does not", "S04"),
    ("| B19 C19 O19 WESWN DRGW DR | won=robbed-kong", "D14", "robbing the kong does not", "K08"),
    ("| B19 C19 O19 WESWN DRGW DR | won=wall original-call", "D17", "call does not", "S03"),
    ("| B11 B99 C11 WEE WSS DRR DGG | F2 won=last-discard", "D13", "doubles flowers and seasons "
     "alone", "S04"),
    ("B222 B333 B555 | B666 B99 | won=last-discard", "D13", "flowers and seasons alone", "S31"),
    ("B222 B333 B555 | B666 B99 | won=last-discard house=purity_final_discard_doubles:on", "D13",
     "", "C03: at this table it does"),
    ("B222 B333 B555 | B666 B99 | F2 won=loose", "D11", "does not double", "S31"),
    ("B222 B333 B555 | B666 B99 | F2 won=loose", "B12", "", "S30: Purity has the 2"),
    ("B222 B333 B555 | B666 B99 | F2 won=loose house=purity_loose_tile_scores:off", "S30",
     "Not at this table: In Purity", "C02"),
    ("B222 B333 B555 | B666 B99 | F2 won=wall", "B09", "only if", "Purity counts its sets"),
    ("B222 B333 B555 | B666 B99 | F2 won=wall", "D04", "own is flower 1", "bonus tiles do double"),
    ("B222 B333 B555 | B666 B99 | won=wall", "S08", "As an ordinary hand it scores 64, less than "
     "the 256 of Purity.", "both totals"),
    ("B222 B333 B555 | B666 B99 | F1 S1 won=wall", "S08", "more than the 288 of Purity", "S32"),
    ("DRRR DGGG | DWW [B2222] C99 | F1234", "S08", "more than the 464 of fishing for Three great "
     "scholars.", "F03"),
    (ONLY_HONOURS, "S08", "more than the 1512 of All Winds and Dragons", "without a limit"),
    ("| B222 B333 B666 DRRR B99 | F1 S1 won=wall", "S08", "as much as the 1000", "the limit"),
    ("B222 C333 O777 | B888 O99 | won=wall", "S08", "", "no special hand to compare"),
]  # fmt: skip

SAFALRA = [
    ("B345 | B222 B555 WNNN B99 | rules=safalra seat=S won=wall", "R06", "9 bamboo is not of winds",
     "the pair"),
    ("| B1 | rules=safalra", "R06", "", "no pair at all"),
    ("| B11 WNN | rules=safalra", "R06", "", "one pair does score"),
    ("| WNNN | rules=safalra seat=E round=N", "R07", "North is not the player's own wind.",
     "T03: no wind prevails"),
    ("| DRR | rules=safalra", "R07", "never doubles", "a pair of dragons"),
    ("| WNNN DRRR | rules=safalra seat=E", "R07", "North is not", "the dragons do double"),
    ("B345 | B222 B555 WNNN B99 | rules=safalra won=wall", "R08", "The hand has a chow: the chow "
     "of 3-4-5 bamboo.", "not the 10"),
    ("| B333 B222 B555 WNNN B99 | rules=safalra won=discard with=B9", "R08", "claimed, not drawn",
     "not the 2"),
    ("B345 | B222 B555 WNNN B99 | rules=safalra won=discard with=B9", "R08", "bamboo. The "
     "winning tile", "neither"),
    ("| B345 B678 B555 WNNN B99 | rules=safalra won=wall", "R08", "The hand has 2 chows.", "two"),
    ("| B333 B222 B555 WNNN B99 | rules=safalra won=wall", "R08", "", "all of it"),
    ("| B333 B222 B555 WNNN B99 | rules=safalra won=wall", "R09", "the pung of North winds", "R09"),
    ("| B333 B222 B555 WNNN DRR | rules=safalra won=wall", "R09", "", "two sets of honours"),
    ("| DRRR DGGG DWWW WNNN WEE | rules=safalra won=wall", "R09", "", "all sets"),
]  # fmt: skip

ROWS = [
    *(
        (text, f"BMJA-{rule}", words, why)
        for text, rule, words, why in (*ORDINARY, *HONOURS_ALONE, *SPECIAL, *BESIDE)
    ),
    *((text, f"SAF-{rule}", words, why) for text, rule, words, why in SAFALRA),
]


@pytest.mark.parametrize(("text", "rule", "words", "why"), ROWS)
def test_what_was_not_counted_is_explained(text: str, rule: str, words: str, why: str) -> None:
    reasons = {each.rule: to_english(each.reason) for each in score(parse_hand(text)).not_counted}
    if words:
        assert words in reasons[rule], why
    else:
        assert rule not in reasons, why


hands = st.one_of(won_hands().map(lambda won: won.hand), lost_hands())


@given(hands)
def test_each_reason_is_one_short_sentence(hand: Hand) -> None:
    result = score(hand)
    rules = [each.rule for each in result.not_counted]
    assert len(rules) == len(set(rules)), "one entry for each rule"
    for each in result.not_counted:
        text = to_english(each.reason)
        assert re.fullmatch(r"[A-Z0-9][^.]*\.", text), each
        assert len(text) <= 110, each


@given(hands)
def test_what_was_counted_is_not_among_what_was_not(hand: Hand) -> None:
    result: Breakdown = score(hand)
    counted = {line.rule for line in result.lines}
    assert counted.isdisjoint(each.rule for each in result.not_counted)
