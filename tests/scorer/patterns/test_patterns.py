"""Special hands as patterns: forty of them, what cannot be read, and random ones by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer.hand import Codes
from scorer.message import Message, to_english
from scorer.notation import format_hand, parse_hand
from scorer.patterns import examples, frames
from scorer.patterns.examples import check_it_can_be_held, example_hands
from scorer.patterns.frames import compile_pattern
from scorer.patterns.notation import PatternError, parse_pattern
from scorer.patterns.wording import describe_pattern
from scorer.ruleset import LastTile
from scorer.rulesets.example_hands import write_example
from scorer.score import score
from scorer.special import group_search
from scorer.special.effort import check_it_is_quick
from tests.scorer.oracle.groups import PLAYING
from tests.scorer.oracle.patterns import (
    deal_hand,
    is_of_pattern,
    is_of_pattern_with_wilds,
    random_pattern,
)
from tests.scorer.patterns.own_rules import OWN_ID, drawn, is_made, rules_with
from tests.scorer.tables import read_table

ROWS = read_table(Path(__file__).with_name("forty_hands.toml"), "pattern", "hand", "other", "why")


@pytest.mark.parametrize(("pattern", "hand", "other", "why"), ROWS)
def test_a_pattern_is_made_by_its_hand_alone(pattern: str, hand: str, other: str, why: str) -> None:
    rules = rules_with(pattern)
    right, wrong = (parse_hand(f"| {tiles} |").concealed for tiles in (hand, other))
    assert is_made(drawn(right), rules)
    assert is_of_pattern(pattern, right)
    assert not is_made(drawn(wrong), rules), why
    assert not is_of_pattern(pattern, wrong), why


@pytest.mark.parametrize(("pattern", "hand", "other", "why"), ROWS)
def test_each_tile_of_a_hand_is_waited_for_without_it(
    pattern: str, hand: str, other: str, why: str
) -> None:
    rules = rules_with(pattern)
    tiles = parse_hand(f"| {hand} |").concealed
    for place, tile in enumerate(tiles):
        rest = tiles[:place] + tiles[place + 1 :]
        shown = score(replace(drawn(rest), winner=False, won_by=(), winning_tile=None), rules)
        assert tile in {wait.tile for wait in shown.waits if wait.special == OWN_ID}
        assert {each.rule: len(each.needed) for each in shown.nearest} == {OWN_ID: 1}


def test_every_pattern_of_the_page_can_be_read() -> None:
    page = (Path(__file__).parents[3] / "docs/special-hands.md").read_text("utf-8")
    shown = page.partition("## Examples")[2].partition("Forty more")[0]
    patterns = [line.split("`")[1] for line in shown.splitlines() if "`" in line]
    assert len(patterns) > 10
    for pattern in patterns:
        check_it_can_be_held(compile_pattern(pattern))


REFUSED = [
    ("", "A part is missing", "nothing"),
    ("4 pungs x,, pair x", "A part is missing", "two commas"),
    ("4 pungs x, pare x", 'Did you mean "pair"?', "a word misspelt"),
    ("4 punks x, pair x", 'Did you mean "pung"?', "a kind misspelt"),
    ("4 pungs x, pair", '"pair" needs tiles behind it', "a pair of nothing"),
    ("4 x, pair x", "is no kind of group", "a number without a kind"),
    ("pung/punk x, 3 pungs x, pair x", 'Did you mean "pung"?', "the second of two kinds"),
    ("4", "needs a kind of group behind it", "a number alone"),
    ("x, 4 pungs y", '"x" says no certain tiles', "a suit without a rank"),
    ("wind, 4 pungs y", "write each wind", "a class alone"),
    ("x9-2, 4 pungs y", "must run upwards, such as 2-9", "a run downwards"),
    ("4 pungs x y, pair x", 'with / for "or"', "two suits without a sign"),
    ("pung/couple x, pair x", "stands alone", "a couple or a pung"),
    ("pair/pung x, pair x", "only chow, pung and kong", "a pair or a pung"),
    ("couple x1, pair x", "may be of suits only", "a couple of one rank"),
    ("7 pairs x, pair y", "The pattern has 16 tiles", "sixteen tiles"),
    ("4 pungs x", "The pattern has 12 tiles", "no pair"),
    ("x1, 4 pungs x/honour", "The pattern has 13 tiles", "thirteen tiles"),
    ("B11111, x1-9", "there are four of each tile", "five alike"),
    ("pung xn+8, pung xn, 2 pungs y, pair xn+1, each dragon", "The pattern has 17", "too many"),
    ("x1-9, tile any, tile any, tile any, pair y", "too many choices open", "nearly anything"),
    ("4 pungs x, pair x" + " " * 600, "at most 500 characters", "a long text"),
    ("each, 4 pungs x", '"each" needs one class', "each of nothing"),
    ("15 pungs any", "needs a kind of group", "fifteen groups"),
    ("X1-9, pung y, pair z", 'Did you mean "x1-9"?', "a capital for any suit"),
]


def pattern_faults(text: str) -> tuple[Message, ...]:
    """Return everything that is wrong with a text that is no pattern."""
    with pytest.raises(PatternError) as caught:
        compile_pattern(text)
    return caught.value.faults


@pytest.mark.parametrize(("text", "words", "why"), REFUSED)
def test_what_is_no_pattern_is_refused_in_words(text: str, words: str, why: str) -> None:
    (fault,) = pattern_faults(text)
    assert words in to_english(fault), why


def test_everything_that_is_wrong_with_a_pattern_is_said_at_once() -> None:
    said = list(map(to_english, pattern_faults("x9-2, 4 punks y, pair; wind, pair")))
    assert ["run upwards" in said[0], "punk" in said[1], '"pair" needs' in said[2]] == [True] * 3
    assert "says no certain tiles" in said[3]
    assert len(said) == 4, "and each fault once"


@given(st.text("47xyznm+/-,; 19BCOWDeachpungkoirstl", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        versions = parse_pattern(text)
    except PatternError:
        return
    assert parse_pattern("; ".join(", ".join(map(str, each)) for each in versions)) == versions


@pytest.mark.parametrize("concealed", [False, True])
@pytest.mark.parametrize("pattern", [row[0] for row in ROWS])
def test_examples_are_of_their_pattern(pattern: str, concealed: bool) -> None:
    shown = parse_hand(write_example(pattern, concealed=concealed))
    assert is_made(replace(shown, limit=None), rules_with(pattern, concealed=concealed))
    assert write_example(pattern, concealed=concealed) == format_hand(shown), "always the same"
    hands = example_hands(compile_pattern(pattern), 3, Random(0))
    assert [is_of_pattern(pattern, hand) for hand in hands] == [True] * 3


SAYS = [
    ("x111, x999, x2-8, tile x2-8", "3 times 1 of one suit, 3 times 9 of the same suit, 2 to 8 of "
     "the same suit and one tile of 2 to 8 of the same suit.", "ranks in a row, and equal ones"),
    ("x19, y19, z19, each honour, tile terminal", "1 and 9 of one suit, 1 and 9 of a second suit, "
     "1 and 9 of the third suit, one of each honour and one tile of 1s or 9s.", "all suits"),
    ("4 pungs/kongs B1579/DR, pair B1579/DR", "4 pungs or kongs of 1, 5, 7 or 9 of bamboo or red "
     "dragons and a pair of 1, 5, 7 or 9 of bamboo or red dragons.", "any of some tiles"),
    ("pair xn, pair yn, pair zn, pair xm, pair ym, pair zm, pair xn+2", "A pair of one rank of one "
     "suit, a pair of the first rank of a second suit, a pair of the first rank of the third suit, "
     "a pair of another rank of the first suit, a pair of the second rank of the second suit, a "
     "pair of the second rank of the third suit and a pair of the rank 2 above the first of the "
     "first suit.", "ranks and suits that come again"),
    ("pung y1, pung each dragon, WE WE", "A pung of 1 of one suit, a pung of each dragon and East "
     "wind and East wind.", "names in the order in which they come"),
    ("pair each B2468, pung DR, pung DG", "A pair of each of 2, 4, 6 and 8 of bamboo, a pung of "
     "red dragons and a pung of green dragons.", "one of each of some tiles"),
    ("7 couples x/y", "7 couples (each one rank in two suits) of one suit or a second suit.",
     "a kind of group explained"),
    ("7 pairs x; 7 pairs honour", "7 pairs of one suit; or 7 pairs of honours.", "two versions"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "says", "why"), SAYS)
def test_a_pattern_is_said_in_words(pattern: str, says: str, why: str) -> None:
    assert to_english(describe_pattern(pattern)) == says, why


ENDLESS = [
    ("B11112222, C1, 5 tiles any", "too many choices open", "with ten they would fill the memory"),
    ("pair x/y, 6 pairs honour", "No hand can be", "one pair cannot be of two suits"),
    ("pair x/y/z, pair x, pair x, 4 pairs honour", "No hand can be", "nor two suits wait for one"),
]
MAX_TRIED = 2_000

NO_HANDS = [
    ("chow wind, 3 pungs x, pair y", 'There is no "chow wind"', "winds make no chow"),
    ("2 triplets x/y, 4 pairs z", 'There is no "triplet x/y"', "two suits make no triplet"),
    (
        "2 pungs B1, 2 pairs y, 2 pairs x",
        "No hand can be of this pattern: there are four",
        "six 1s",
    ),
]


@pytest.mark.parametrize(("pattern", "words", "why"), NO_HANDS)
def test_why_no_hand_can_be_of_a_pattern_is_said(pattern: str, words: str, why: str) -> None:
    with pytest.raises(PatternError, match=words):
        check_it_can_be_held(compile_pattern(pattern))


def test_a_set_that_may_be_a_chow_or_a_pung_is_held_where_only_pungs_fit() -> None:
    check_it_can_be_held(compile_pattern("pung y, pung y, pung y, chow/pung x37, pair x5"))


SLOW = "couple, 2 pairs yn/wind, 2 pairs wind, 2 pairs xm/wind"
QUICK = ["5 couples, 2 pairs xn/zm", *(row[0] for row in ROWS)]


def test_a_pattern_that_takes_long_is_refused() -> None:
    check_it_can_be_held(compile_pattern(SLOW))
    with pytest.raises(PatternError, match="too many choices open"):
        check_it_is_quick(SLOW)
    for pattern in QUICK:
        check_it_is_quick(pattern)


def test_the_same_hands_under_other_letters_are_known() -> None:
    one, other = map(compile_pattern, ("x1-9, pung y, pair z", "y1-9, pung x, pair z"))
    assert one.hands_key == other.hands_key
    assert one.hands_key != compile_pattern("x1-9, pung y, pair y").hands_key


@pytest.mark.parametrize(("text", "words", "why"), ENDLESS)
def test_a_pattern_that_leaves_millions_of_choices_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, text: str, words: str, why: str
) -> None:
    tried: list[object] = []

    def count(tiles: Sequence[Hashable]) -> Counter[Hashable]:
        tried.append(tiles)
        assert len(tried) < MAX_TRIED, why
        return Counter(tiles)

    for module in (frames, examples):
        monkeypatch.setattr(module, "Counter", count)
    frames.compile_pattern.cache_clear()
    with pytest.raises(PatternError, match=words):
        check_it_can_be_held(compile_pattern(text))


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


@pytest.mark.parametrize(("pattern", "hand", "concealed", "claim", "made", "why"), WAYS)
def test_what_may_be_laid_down_and_claimed(
    pattern: str, hand: str, concealed: bool, claim: LastTile, made: bool, why: str
) -> None:
    rules = rules_with(pattern, concealed=concealed, claim=claim)
    assert is_made(parse_hand(f"{hand} limit=off"), rules) == made, why


WHY_NOT = [
    ("4 pungs/kongs minor, pair minor", "B222 C333 O444 C888 B99", "pair of 9 bamboo does not"),
    ("4 kongs wind, pair any", "[WEEEE] [WSSSS] [WWWWW] WNNN B99", "is not a kong"),
    ("4 pungs x/y, pair x/y", "B222 C333 B444 C555 WEE", "pair of East winds is not of a suit"),
    ("4 pungs/kongs B2468/DG, pair any", "B222 B444 B666 B777 DGG", "7 bamboo does not belong"),
]


@pytest.mark.parametrize(("pattern", "tiles", "words"), WHY_NOT)
def test_the_one_thing_in_the_way_is_named(pattern: str, tiles: str, words: str) -> None:
    declared = " ".join(word for word in tiles.split() if word[0] == "[")
    rest = " ".join(word for word in tiles.split() if word[0] != "[")
    hand = parse_hand(f"| {declared} {rest} | won=wall limit=off")
    refused = score(hand, rules_with(pattern)).not_counted
    reasons = [to_english(each.reason) for each in refused if each.rule == OWN_ID]
    assert len(reasons) == 1
    assert words in reasons[0]


NEAREST = [
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


@pytest.mark.parametrize(("pattern", "tiles", "needed", "why"), NEAREST)
def test_what_is_missing_is_named(pattern: str, tiles: str, needed: str, why: str) -> None:
    near = score(parse_hand(f"{tiles} |"), rules_with(pattern)).nearest
    expected = [sorted(needed.split())] if needed else []
    assert [sorted(each.needed) for each in near] == expected, why


def test_a_wild_face_is_none_of_the_pungs() -> None:
    """In a goulash the 2 of bamboo is wild (BMJA-G01), so four of five faces are left."""
    rules, hand = rules_with("4 pungs B12345, pair B12345"), "| B111 B333 B444 B55 WE WS |"
    (near,) = score(parse_hand(hand), rules).nearest
    assert sorted(near.needed) == ["B2", "B2", "B5"]
    assert not score(parse_hand(f"{hand} goulash"), rules).nearest


seeds = st.integers(0, 2**32)


def pattern_and_hand(seed: int) -> tuple[str, Codes, Random]:
    """Return a random pattern that can be read, and a hand of it in which some tiles may differ."""
    rng = Random(seed)
    for _ in range(200):
        pattern = random_pattern(rng)
        try:
            compile_pattern(pattern)
        except PatternError:
            continue
        tiles = deal_hand(pattern, rng)
        if tiles:
            return pattern, tiles, rng
    assume(False)
    raise AssertionError


def spoil(tiles: Codes, rng: Random) -> Codes:
    """Return the tiles with up to two others in place of some."""
    changed = list(tiles)
    for _ in range(rng.randint(0, 2)):
        changed[rng.randrange(len(changed))] = rng.choice(PLAYING)
    return tuple(changed) if max(Counter(changed).values()) <= 4 else tiles


@pytest.mark.slow
@settings(max_examples=50)
@given(seeds)
def test_random_patterns_are_made_as_brute_force_says(seed: int) -> None:
    pattern, tiles, rng = pattern_and_hand(seed)
    hand = spoil(tiles, rng)
    assert is_made(drawn(hand), rules_with(pattern)) == is_of_pattern(pattern, hand)


SEVEN_PAIRS = "WE WE WS WS WW WW WN WN DR DR DG DG DW DW"

WILD = [
    ("pung DR, pung x1, 4 pairs y", "DR DR JK C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", True,
     "one of three"),
    ("DR DR DR, x111, 4 pairs y", "DR DR JK C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", True,
     "one of three, written out"),
    ("DR DR DR, x111, 4 pairs y", "DR JK JK C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", False,
     "two of three"),
    ("pung DR, pung x1, 4 pairs y", "JK JK DR C1 C1 C1", "O1 O1 O3 O3 O5 O5 O7 O7", True,
     "two of three, one of them drawn from the wall"),
    ("pung DR, pung x1, 4 pairs y", "JK JK JK JK DR C1", "O1 O1 O3 O3 O5 O5 O7 O7", False,
     "two of three twice, where one was drawn"),
    (SEVEN_PAIRS, "WE WE WS WS WW WW WN WN DR DR DG DG", "DW JK", True, "one of a pair"),
    (SEVEN_PAIRS, "WE WE WS WS WW WW WN WN DR DR DG DG", "JK JK", False, "both of it"),
    ("6 pairs x, pair wind", "JK JK O1 O1 O3 O3", "O5 O5 O7 O7 O9 O9 O2 O2", True,
     "a pair of wild tiles alone, one of them drawn from the wall"),
    ("6 pairs x, pair wind", "O1 O1 O3 O3 JK JK", "O5 O5 O7 O7 O9 O9 O2 O2", False,
     "a pair of wild tiles alone, and a natural one drawn"),
    ("6 pairs x, 2 tiles wind", "O1 O1 O3 O3 O5 O5", "O7 O7 O9 O9 O2 O2 JK JK", True,
     "single tiles may all be wild"),
    ("3 couples x/y, 2 pungs x, pair wind", "B1 JK B3 JK B5 JK", "B7 B7 B7 B9 B9 B9 WE WE", True,
     "all of one suit are wild, and a couple has it all the same"),
    ("DR DR, pair dragon, 5 pairs x", "DR DR JK JK", "O1 O1 O3 O3 O5 O5 O7 O7 O9 O9", True,
     "one of each pair of dragons, for none is of wild tiles alone"),
    ("DR DR DR, 4 pairs x, pung wind", "DR DR DR WE WE JK", "C1 C1 C3 C3 C5 C5 C7 C7", True,
     "one of a pung"),
    ("DR DR DR, 4 pairs x, kong wind", "DR DR DR JK JK JK", "C1 C1 C3 C3 C5 C5 C7 C7", False,
     "a kong is declared, so it is not made of what nobody laid down"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "tiles", "rest", "made", "why"), WILD)
def test_wild_tiles_stand_for_as_many_of_a_group_as_the_rules_let_them(
    pattern: str, tiles: str, rest: str, made: bool, why: str
) -> None:
    """BMJA-G05."""
    hand = drawn((*tiles.split(), *rest.split()), goulash=True)
    assert is_made(hand, rules_with(pattern)) == made, why


@pytest.mark.slow
@settings(max_examples=8)
@given(seeds)
def test_one_wild_tile_may_be_any_tile_that_is_missing(seed: int) -> None:
    """B2 is wild in a goulash, too; with one wild tile no group can hold too many (G05)."""
    pattern, tiles, rng = pattern_and_hand(seed)
    rest = spoil(tiles, rng)[1:]
    assume("B2" not in rest and max(Counter(rest).values()) < 4)
    made = is_made(drawn((*rest, "JK"), goulash=True), rules_with(pattern))
    assert made == any(is_of_pattern(pattern, (*rest, tile)) for tile in PLAYING)


@pytest.mark.parametrize(
    ("pattern", "tiles", "made"),
    [
        ("7 pairs x/honour", "WEE WSS WWW WNN DRR DGG DWW", False),
        ("7 pairs x/honour", "WEE WSS WWW WNN DRR DGG B55", True),
        ("7 couples x/y/z", "B1234567 C1234567", False),
        ("7 couples x/y/z", "B1234567 C123456 O7", True),
    ],
)
def test_a_suit_that_a_pattern_names_must_occur(pattern: str, tiles: str, made: bool) -> None:
    hand = parse_hand(f"| {tiles} |").concealed
    assert is_made(drawn(hand), rules_with(pattern)) == made
    assert is_of_pattern(pattern, hand) == made


def agrees_with_wilds(seed: int) -> bool:
    """Compare a random pattern, and a hand with two to four wild tiles, with brute force."""
    pattern, tiles, rng = pattern_and_hand(seed)
    wilds = rng.randint(2, 4)
    rest = spoil(tuple(rng.sample(tiles, len(tiles))), rng)[wilds:]
    if "B2" in rest:  # it is wild, too
        return True
    made = is_made(drawn((*rest, *["JK"] * wilds), goulash=True), rules_with(pattern))
    return made == is_of_pattern_with_wilds(pattern, rest, wilds)


@pytest.mark.slow
@settings(max_examples=15)
@given(seeds)
def test_several_wild_tiles_are_as_brute_force_says(seed: int) -> None:
    assert agrees_with_wilds(seed)


HANDS_OF_A_PART = 100


@pytest.mark.prove
@pytest.mark.parametrize("part", range(40))
def test_thousands_of_hands_with_wild_tiles_are_as_brute_force_says(part: int) -> None:
    numbers = range(part * HANDS_OF_A_PART, (part + 1) * HANDS_OF_A_PART)
    assert [number for number in numbers if not agrees_with_wilds(number)] == []


@pytest.mark.slow
@settings(max_examples=6)
@given(seeds)
def test_what_is_waited_for_and_missing_is_enough(seed: int) -> None:
    pattern, tiles, rng = pattern_and_hand(seed)
    rest = spoil(tiles, rng)[1:]
    hand = replace(drawn(rest), winner=False, won_by=(), winning_tile=None)
    shown = score(hand, rules_with(pattern))
    waits = {wait.tile for wait in shown.waits if wait.special == OWN_ID}
    assert waits == {
        tile for tile in PLAYING if rest.count(tile) < 4 and is_of_pattern(pattern, (*rest, tile))
    }
    for each in shown.nearest:
        assert (len(each.needed) == 1) == bool(waits)
        if len(each.needed) <= 3:
            kept = combinations(rest, 14 - len(each.needed))
            assert any(is_of_pattern(pattern, (*tiles, *each.needed)) for tiles in kept)


MAX_TRIED_FILLINGS = 400
"""They are 343, and were 8,214 and 104,856: those that cannot be the best were weighed, too."""


def test_what_chows_and_pungs_lack_is_found_without_weighing_every_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[object] = []
    real = group_search._FrameSearch._take

    def count(
        search: group_search._FrameSearch,
        counts: Sequence[tuple[int, int]],
        wilds: int,
        lacking: group_search.Lacking,
    ) -> group_search.Lacking | None:
        tried.append(counts)
        return real(search, counts, wilds, lacking)

    monkeypatch.setattr(group_search._FrameSearch, "_take", count)
    hand = parse_hand("| B12 C345 O777 B888 DR WE |")
    (near,) = score(hand, rules_with("4 chows/pungs/kongs x/y, pair z")).nearest
    assert len(near.needed) == 4
    assert len(tried) < MAX_TRIED_FILLINGS
