"""What is refused, what is only remarked on, and in which words."""

from __future__ import annotations

import pytest

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.notation import parse_hand
from scorer.score import score

ERRORS = [
    ("| B1 ?? |", "face-down", "face down", "a tile that nobody has looked at"),
    ("B22+JK | |", "joker", "only in a goulash", "T01: jokers are set aside in other games"),
    ("| | JK goulash", "not-a-bonus", "neither flower nor season", "G01: no wild bonus tile"),
    ("DR+JK+JK | | goulash", "not-a-set", "too many wild tiles", "G05: one in a pung"),
    ("B222 | | goulash", "not-a-set", "too many wild tiles", "G07: the 2s are wild, not a pung"),
    ("| [DR+JK+JK+JK] | goulash", "not-a-kong", "not four alike", "G05: two in a kong"),
    ("| JK+JK+JK+JK+JK | goulash", "too-many-wild", "only four", "G01: there are four jokers"),
    ("| B11111 |", "five-of-a-kind", "5 of the 1 bamboo", "T04"),
    ("B111 | B11 |", "five-of-a-kind", "only four", "T04 across the bars"),
    ("| | F1 F1", "bonus-twice", "one flower 1 (plum), but the hand has 2", "T04 for bonus tiles"),
    ("| B1 F1 |", "bonus-in-hand", "Flower 1", "T05"),
    ("| | B1", "not-a-bonus", "1 bamboo", "T05 the other way round"),
    ("O124 | |", "not-a-set", "1 circle, 2 circles and 4 circles", "H01"),
    ("B891 | |", "not-a-set", "no chow", "H04: runs do not wrap"),
    ("WESW | |", "not-a-set", "no chow", "winds make no chow"),
    ("B12345 | |", "not-a-set", "no chow", "five tiles"),
    ("B2 | |", "not-a-set", "no chow", "a tile alone"),
    ("B112 | |", "not-a-set", "no chow", "H01: two alike and the next"),
    ("| [O555] |", "not-a-kong", "not four alike", "three are no kong"),
    ("WEE | B1 |", "exposed-pair", "East wind", "only a winner's last tile exposes a pair"),
    ("WEE B222 C345 O777 | B888 | won=wall with=WE", "exposed-pair", "claimed", "drawn, K03"),
    ("WEE B222 C345 O777 | B888 | won=discard with=B8", "exposed-pair", "claimed",
     "another tile was claimed"),
    ("B222 C345 O777 | B888 O9 | won=wall", "winner-count", "14 here, not 13", "H04"),
    ("B2222 C345 O777 | B888 O9 | won=wall", "winner-count", "15 here, not 14", "H04"),
    ("| B8888 B222 C345 O777 O99 B1 | won=wall", "winner-count", "not 16",
     "one tile more than the four alike allow"),
    ("B222 C345 O777 | B889 O99 | won=wall", "not-mah-jong", "four sets and a pair", "H01"),
    ("| B8888 B222 C345 O777 O9 DR | won=wall", "not-mah-jong", "four sets", "15 tiles and a kong"),
    ("| B222 B444 C345 C567 O99 | won=wall", "too-many-chows", "only one chow", "H02"),
    ("B234 C345 | O777 B888 O99 | won=wall", "too-many-chows", "only one chow", "H02 exposed"),
    ("| B333 B444 C345 C777 O99 | won=wall goulash", "too-many-chows", "goulash", "H03, G04"),
    ("| B222 B444 C345 C777 O99 | won=wall players=3", "too-many-chows", "3 players", "H03"),
    ("B222 C345 O777 | B888 O99 | won=wall with=DR", "winning-tile", "not in the hand", "K02"),
    ("B2222 C345 O777 | B888 O99 | won=discard with=B2", "winning-tile", "in a kong",
     "a kong is followed by another tile"),
    ("| B1111 C222 O333 DRRR WEE | won=discard with=B1", "winning-tile", "in a kong",
     "the same of four in hand that can only be a kong"),
    ("| B1111 C222 O333 DRRR WEE | won=wall with=B1", "winning-tile", "in a kong",
     "drawn or claimed"),
    ("B222 C345 O777 | B888 O99 | won=last-tile+discard", "won-by-contradiction",
     "live wall or from a discard", "D18"),
    ("B222 C345 O777 | B888 O99 | won=robbed-kong+loose", "won-by-contradiction", "kong box",
     "D18 again"),
    ("| B222 C345 O777 B888 O99 | won=heaven+original-call", "won-by-contradiction", "discarded",
     "nothing has been discarded yet"),
    ("| B222 C345 O777 B888 O99 | won=heaven original-call", "won-by-contradiction", "discarded",
     "the same, said as a flag"),
    ("| B222 C345 O777 B888 O99 | seat=S won=earth+last-discard", "won-by-contradiction",
     "first discard", "the first is not the last"),
    ("| B222 C345 O777 B888 O99 | seat=S won=heaven", "won-by-contradiction", "Only East", "S25"),
    ("| B222 C345 O777 B888 O99 | seat=E won=earth", "won-by-contradiction", "East cannot", "S26"),
    ("B222 C333 O777 | B888 O99 | won=wall players=2", "two-players", "4 doubles", "N02"),
    ("B222 C333 B444 DRRR | B88 | won=discard with=B8 original-call players=2", "two-players",
     "3 doubles and 240 points", "N02: 30 × dragons, original call twice"),
    ("| B1 | F1 rules=safalra", "no-bonus-tiles", "without flowers", "SAF-T01"),
    ("| B1 | rules=safalra goulash", "no-goulash", "no goulash", "SAF-T01: no jokers"),
    ("| B1 | rules=safalra players=5", "players", "2, 3 and 4 may play", "SAF-N01"),
    ("| B234 B345 B567 B789 B11 | rules=safalra won=robbed-kong with=B9", "no-robbing",
     "robbing the kong", "SAF-P09"),
    ("| B234 B345 O567 B789 B11 | rules=safalra won=wall", "two-suits", "one suit", "SAF-H02"),
    ("| B234 B345 B567 WEEE B11 | rules=safalra won=wall players=2", "too-many-chows",
     "2 players", "SAF-H03"),
    ("| B123456789 WESWN B1 | rules=safalra won=wall", "not-mah-jong", "four sets",
     "SAF-H04: no special hands"),
    ("| B1 | house=luck:on", "unknown-choice", "'luck:on' is no choice", "no such option"),
    ("| B1 | rules=safalra house=clean_hand:on", "unknown-choice", "the names being: none",
     "these rules have no options"),
]  # fmt: skip


def problems_of(hand: Hand) -> dict[str, str]:
    with pytest.raises(HandError) as caught:
        score(hand)
    assert all(problem.text in str(caught.value) for problem in caught.value.problems)
    assert {problem.level for problem in caught.value.problems} == {"error"}
    return {problem.code: problem.text for problem in caught.value.problems}


@pytest.mark.parametrize(("text", "code", "words", "why"), ERRORS)
def test_no_hand_is_refused_in_words(text: str, code: str, words: str, why: str) -> None:
    found = problems_of(parse_hand(text))
    assert list(found) == [code], why
    assert words in found[code], why


BEYOND_TEXT = [
    (Hand(concealed=("X9",)), "unknown-tile", "'X9'"),
    (Hand(winning_tile="X9", winner=True), "unknown-tile", "'X9'"),
    (Hand(seat_wind="X"), "unknown-wind", "seat"),
    (Hand(prevailing_wind=""), "unknown-wind", "prevailing"),
    (Hand(ruleset="riichi"), "unknown-ruleset", "bmja and safalra"),
    (Hand(players=6), "players", "2, 3, 4 and 5 may play, not 6"),
    (Hand(house=("clean_hand",)), "unknown-choice", "NAME:on or NAME:off"),
    (Hand(limit=0), "limit", "above 0"),
    (Hand(won_by=("wall",)), "not-the-winner", "wall"),
    (Hand(exposed=((),)), "not-a-set", "nothing"),
    (Hand(winner=True, won_by=("luck",)), "unknown-won-by", "'luck'"),
]
"""Hands that only a program can make: no text says this."""


@pytest.mark.parametrize(("hand", "code", "words"), BEYOND_TEXT)
def test_no_hand_from_a_program_is_refused_too(hand: Hand, code: str, words: str) -> None:
    assert words in problems_of(hand)[code]


def test_every_defect_is_named_at_once() -> None:
    hand = parse_hand("?? JK B11111 | B1 F1 | C1 seat=W won=wall+discard with=O9")
    assert set(problems_of(hand)) == {
        "face-down", "joker", "five-of-a-kind", "bonus-in-hand", "not-a-bonus",
        "won-by-contradiction",
    }  # fmt: skip
    hand = parse_hand("B124 WEE | B11111 | F1 F1 won=wall with=O9 rules=safalra")
    assert set(problems_of(hand)) == {
        "no-bonus-tiles", "five-of-a-kind", "bonus-twice", "not-a-set", "exposed-pair",
        "winner-count", "winning-tile",
    }  # fmt: skip


FULL = "B222 C345 O777 | B888 O99 |"
OWN = "| B222 C345 O777 B888 O99 |"
WARNINGS = [
    ("| B123456789 C1234 |", "", "", "13 tiles: nothing to say"),
    ("C8888 | B123456789 C1 |", "", "", "13 and a kong: nothing to say"),
    ("| B123456789 C1 DR |", "tile-count", "2 seem to be missing", "H04"),
    ("| C8888 B123456789 |", "", "", "H04: four in hand, undeclared, add nothing"),
    ("| [C8888] B12345678 |", "tile-count", "14 here, not 12, so 2", "H04 with a kong"),
    ("| B123456789 C12345 |", "tile-count", "1 seems to be too many", "14 tiles: did it win?"),
    ("B123 C123 | O1234567 |", "too-many-chows", "only one chow", "H02: no score hangs on it"),
    ("B123 | B4567 WEEE DRRR | rules=safalra", "claimed-chow", "at the chow of 1-2-3 bamboo again",
     "SAF-H05: no discard makes a chow"),
    ("B123 | B456 WEEE DRRR B99 | rules=safalra won=wall", "claimed-chow", "1-2-3", "nor here"),
    ("B123 | B456 WEEE DRRR B99 | rules=safalra won=discard with=B3", "", "", "the last does"),
    ("B123 B123 | B456 DRRR B99 | rules=safalra won=discard with=B3", "claimed-chow", "1-2-3",
     "one of the two is not the last"),
    ("B111 | B4567 WEEE DRRR | rules=safalra", "", "", "a discard makes a pung"),
    ("| B123456789 C1234 | with=C4", "not-the-winner", "did not win", "how it won is not said"),
    (f"{FULL} won=", "how-won", "where the winning tile came from", "won, and no more is known"),
    (f"{FULL} won=original-call", "how-won", "came from", "an original call says no source"),
    (f"{FULL} won=loose", "loose-tile", "shows none", "D11: nothing to take a loose tile for"),
    (f"{FULL} F3 won=loose", "", "", "a flower is enough"),
    (f"{OWN} won=kong-of-kong", "loose-tile", "takes two kongs", "S29 without kongs"),
    (f"{FULL} won=robbed-kong with=O9", "robbed-tile", "9 circles", "K08"),
    (f"{FULL} won=robbed-kong with=C4", "", "", "K08: a chow is what a robbed tile completes"),
    (f"{FULL} won=wall with=B2", "winning-tile", "was drawn", "a drawn tile in an exposed set"),
    (f"{FULL} won=heaven", "heaven", "no set laid down", "S39"),
    ("B444 C333 O777 | B888 O99 | won=wall goulash", "", "", "G06: nothing to say of a goulash"),
    ("B44+JK C333 O777 | B2 B88 O99 | won=wall goulash", "wild-tiles", "no hand can have both",
     "G01: jokers, or the 2s of bamboo"),
    ("| | seat=S players=2", "seat tile-count", "sit East and West", "N02"),
    ("| B123456789 C1234 | limit=500 rules=safalra", "limit", "no limit", "SAF-H04"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 B9 C9 | won=wall", "knitting-suits", "bamboo, character",
     "C08: the wider reading"),
    (f"{FULL} won=wall house=fishing_must_be_declared:on", "declare-fishing", "make sure", "C11"),
    ("| [DRRRR] [DGGGG] C444 O777 WEE | won=wall players=2", "", "", "N02: 500 points"),
    ("WEEE DRRR C444 O777 | DGG | S1 won=wall players=2", "", "", "N02: four doubles"),
    (f"{FULL} won=discard", "winning-tile", "say which tile won", "K02: the tile is not said"),
    ("O99 | B222 C345 O777 B888 | won=discard", "", "", "K03: it completed the exposed pair"),
    ("B222 C345 O777 B888 | O99 | won=discard", "", "", "K03: no matter, the pair costs nothing"),
    (f"{FULL} won=discard with=B8", "", "", "the tile is said"),
    ("B123 | B111 C444 O666 DRR | won=discard with=B1", "winning-tile", "exposed ones",
     "K02: it may have gone to either side of the bar"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "codes", "words", "why"), WARNINGS)
def test_what_is_remarked_on(text: str, codes: str, words: str, why: str) -> None:
    found = score(parse_hand(text)).problems
    assert sorted(problem.code for problem in found) == codes.split(), why
    assert all(problem.level == "warning" for problem in found)
    assert not codes or any(words in problem.text for problem in found), why


def test_five_of_a_tile_are_not_called_wild() -> None:
    with pytest.raises(HandError) as refused:
        score(parse_hand("B22222 | |"))
    said = " ".join(problem.text for problem in refused.value.problems)
    assert "no chow, pung or kong" in said
    assert "wild" not in said
