"""Hands near a pattern: how they may lie, the one thing in the way, and what is missing."""

from __future__ import annotations

import pytest

from scorer.explain.prospects import specials_within_reach
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.ruleset import LastTile
from scorer.score import score
from tests.scorer.patterns.own_rules import OWN_ID, is_made, rules_with

RUNS = "x1-9, pung/kong y, pair z"
WAYS: list[tuple[str, str, bool, LastTile, bool, str]] = [
    (RUNS, "C555 | B123456789 O11 | won=wall", False, "any", True, "a pung laid down"),
    (RUNS, "C555 | B123456789 O11 | won=wall", True, "any", False, "it must be concealed"),
    (RUNS, "C5555 | B123456789 O11 | won=wall", False, "any", True, "a kong"),
    (RUNS, "| B123456789 O11 C555 | won=discard with=C5", True, "any", True, "the last tile"),
    (RUNS, "| B123456789 O11 C555 | won=discard with=C5", True, "none", False, "it may not"),
    (RUNS, "| B123456789 O11 C555 | won=wall with=C5", True, "none", True, "it was drawn"),
    (RUNS, "| B123456789 O11 C555 | won=discard with=C5", True, "terminal", False, "a 5"),
    (RUNS, "| B123456789 O11 C555 | won=discard with=B9", True, "terminal", True, "a 9"),
    ("x1-9, pung y, pair z", "C5555 | B123456789 O11 | won=wall", False, "any", False, "a kong"),
    (RUNS, "O555 | B123456789 O11 | won=wall", False, "any", False, "of the pair's suit"),
    ("4 pungs x, pair x", "B111 | B222 B333 B444 B55 | won=wall", False, "any", True, "open"),
    ("4 pungs x, pair x", "B111 | B222 B333 B444 B55 | won=wall", True, "any", False, "open"),
    ("4 pungs x, pair x", "B1111 | B222 B333 B444 B55 | won=wall", False, "any", False, "a kong"),
    ("kong x, pung x, 4 pairs y", "B111 B2222 | C11 C22 C33 C44 | won=wall", False, "any", True,
     "each set on the table is of a kind of its own"),
    ("4 pungs x, pair x", "| B111 B222 B333 B444 B55 | won=discard with=B1", True, "pair", False,
     "the last pung was claimed"),
    ("4 pungs x, pair x", "| B111 B222 B333 B444 B55 | won=discard with=B5", True, "pair", True,
     "the pair was claimed"),
    ("4 chows/pungs x, pair x", "| B123 B444 B555 B666 B88 | won=discard with=B1", True, "pair",
     False, "the chow was claimed"),
    ("4 chows/pungs x, pair x", "| B123 B444 B555 B666 B88 | won=discard with=B8", True, "pair",
     True, "the pair was, beside a chow"),
    ("x789, 5 pairs y, DR", "B789 | C11 C22 C33 C44 C55 DR | won=discard with=B7", False, "any",
     True, "the last run of all was claimed"),
    ("4 pungs x, pair x", "| B111 B222 B333 B444 B55 | won=discard with=B5", True, "none", False,
     "nothing may be claimed"),
    ("3 chows x, chow y, pair z", "| B123 B456 B789 C123 O55 | won=wall", True, "any", True,
     "S10: four chows, where one is the most"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "hand", "concealed", "claim", "is_expected", "reason"), WAYS)
def test_what_may_be_laid_down_and_claimed(
    pattern: str, hand: str, concealed: bool, claim: LastTile, is_expected: bool, reason: str
) -> None:
    rules = rules_with(pattern, concealed=concealed, claim=claim)
    assert is_made(parse_hand(f"{hand} limit=off"), rules) == is_expected, reason


OBSTACLES = [
    ("4 pungs/kongs minor, pair minor", "B222 C333 O444 C888 B99", "pair of 9 bamboo does not"),
    ("4 kongs wind, pair any", "[WEEEE] [WSSSS] [WWWWW] WNNN B99", "is not a kong"),
    ("4 pungs x/y, pair x/y", "B222 C333 B444 C555 WEE", "pair of East winds is not of a suit"),
    ("4 pungs/kongs B2468/DG, pair any", "B222 B444 B666 B777 DGG", "7 bamboo does not belong"),
]


@pytest.mark.parametrize(("pattern", "tiles", "words"), OBSTACLES)
def test_the_one_thing_in_the_way_is_named(pattern: str, tiles: str, words: str) -> None:
    kongs = " ".join(word for word in tiles.split() if word[0] == "[")
    rest = " ".join(word for word in tiles.split() if word[0] != "[")
    hand = parse_hand(f"| {kongs} {rest} | won=wall limit=off")
    uncounted_rules = score(hand, rules_with(pattern)).not_counted
    reasons = [to_english(each.reason) for each in uncounted_rules if each.rule == OWN_ID]
    assert len(reasons) == 1
    assert words in reasons[0]


NEAREST_HANDS = [
    ("4 kongs wind, pair any", "WEEE | WSSS WWWW WNNN B9", "B9 WE WS WW WN",
     "the pung on the table may become a kong (K07)"),
    ("4 kongs wind, pair any", "WEEE | WE WSSS WWWW WNNN B9", "B9 WS WW WN",
     "the fourth East is in the hand, and only to be added (K07)"),
    ("4 kongs honour, pair honour", "WEEE | WE WSSS WWWW WNNN DR", "DR WS WW WN",
     "the same where sets and pair are of one class"),
    ("4 kongs wind, pair any", "B111 | WSSS WWWW WNNN B9", "",
     "a pung of bamboos on the table is none of its kongs"),
    ("2 kongs any, 2 pungs any, pair any", "B111 C2222 | O333 DRRR B9", "B1 B9",
     "the pung on the table may become a kong, but is none for the kong beside it"),
    ("2 triplets, 4 couples", "| B1 C1 O1 B2 C2 O2 B3 C3 B4 C4 B5 WE WS", "B1 C1 C5",
     "ranks in all three suits and in two"),
    ("3 pungs any, pung honour, pair any", "| B1111 C222 C333 WEEE", "B2 B2",
     "a fifth B1 would make a pung and a pair, but there are four"),
    ("3 pungs x, pung y, pair any", "| O111 O222 O33 C44 DRR WE", "C4 O3",
     "x is circles and y characters, which is not the first choice of two suits"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "tiles", "missing_tiles", "reason"), NEAREST_HANDS)
def test_what_is_missing_is_named(
    pattern: str, tiles: str, missing_tiles: str, reason: str
) -> None:
    specials = specials_within_reach(parse_hand(f"{tiles} |"), rules_with(pattern), {})
    expected = [sorted(missing_tiles.split())] if missing_tiles else []
    assert [sorted(each.needed) for each in specials] == expected, reason


def test_a_wild_face_is_none_of_the_pungs() -> None:
    """In a goulash the 2 of bamboo is wild (BMJA-G01), so four of five faces are left."""
    rules, hand = rules_with("4 pungs B12345, pair B12345"), "| B111 B333 B444 B55 WE WS |"
    (special,) = score(parse_hand(hand), rules).nearest
    assert sorted(special.needed) == ["B2", "B2", "B5"]
    assert not score(parse_hand(f"{hand} goulash"), rules).nearest
