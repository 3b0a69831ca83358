"""Special hands as patterns: forty of them, what they say, and what cannot be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.message import Message, to_english
from scorer.notation import format_hand, parse_hand
from scorer.patterns import examples, frames
from scorer.patterns.examples import check_it_can_be_held, example_hands
from scorer.patterns.frames import compile_pattern
from scorer.patterns.notation import PatternError, parse_pattern
from scorer.patterns.wording import describe_pattern
from scorer.rulesets.example_hands import write_example
from scorer.score import score
from scorer.special.effort import check_it_is_quick
from tests.scorer.oracle.patterns import (
    is_of_pattern,
)
from tests.scorer.patterns.own_rules import OWN_ID, drawn_hand, is_made, rules_with
from tests.scorer.tables import read_table

ROWS = read_table(Path(__file__).with_name("forty_hands.toml"), "pattern", "hand", "other", "why")


@pytest.mark.parametrize(("pattern", "hand", "other", "reason"), ROWS)
def test_a_pattern_is_made_by_its_hand_alone(
    pattern: str, hand: str, other: str, reason: str
) -> None:
    rules = rules_with(pattern)
    right, wrong = (parse_hand(f"| {tiles} |").concealed for tiles in (hand, other))
    assert is_made(drawn_hand(right), rules)
    assert is_of_pattern(pattern, right)
    assert not is_made(drawn_hand(wrong), rules), reason
    assert not is_of_pattern(pattern, wrong), reason


@pytest.mark.parametrize(("pattern", "hand", "other", "reason"), ROWS)
def test_each_tile_of_a_hand_is_waited_for_without_it(
    pattern: str, hand: str, other: str, reason: str
) -> None:
    rules = rules_with(pattern)
    tiles = parse_hand(f"| {hand} |").concealed
    for place, tile in enumerate(tiles):
        rest = tiles[:place] + tiles[place + 1 :]
        breakdown = score(
            replace(drawn_hand(rest), winner=False, won_by=(), winning_tile=None), rules
        )
        assert tile in {wait.tile for wait in breakdown.waits if wait.special == OWN_ID}
        assert {each.rule: len(each.needed) for each in breakdown.nearest} == {OWN_ID: 1}


def test_every_pattern_of_the_page_can_be_read() -> None:
    page = (Path(__file__).parents[3] / "docs/special-hands.md").read_text("utf-8")
    section = page.partition("## Examples")[2].partition("Forty more")[0]
    patterns = [line.split("`")[1] for line in section.splitlines() if "`" in line]
    assert len(patterns) > 10
    for pattern in patterns:
        check_it_can_be_held(compile_pattern(pattern))


BAD_PATTERNS = [
    ("", "A part is missing", "nothing"),
    ("4 pungs x,, pair x", "A part is missing", "two commas"),
    ("4 pungs x, pare x", 'Did you mean "pair"?', "a word misspelt"),
    ("4 punks x, pair x", 'Did you mean "pung"?', "a kind misspelt"),
    ("4 pungs x, pair", '"pair" needs tiles behind it', "a pair of nothing"),
    ("4 x, pair x", "is no kind of group", "a number without a kind"),
    ("pung/punk x, 3 pungs x, pair x", 'Did you mean "pung"?', "the second of two kinds"),
    ("4", "needs a kind of group behind it", "a number alone"),
    ("x, 4 pungs y", '"x" names no certain tiles', "a suit without a rank"),
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
    ("b1-9, pung y, pair z", 'Did you mean "B1-9"?', "a small letter for a suit's tiles"),
    ("drgw, pung y, pung z, 2 pairs x", 'Did you mean "DRGW"?', "small letters for dragons"),
]


def pattern_faults(text: str) -> tuple[Message, ...]:
    """Return everything that is wrong with a text that is no pattern."""
    with pytest.raises(PatternError) as failure:
        compile_pattern(text)
    return failure.value.faults


@pytest.mark.parametrize(("text", "words", "reason"), BAD_PATTERNS)
def test_what_is_no_pattern_is_refused_in_words(text: str, words: str, reason: str) -> None:
    (fault,) = pattern_faults(text)
    assert words in to_english(fault), reason


def test_everything_that_is_wrong_with_a_pattern_is_said_at_once() -> None:
    sentences = list(map(to_english, pattern_faults("x9-2, 4 punks y, pair; wind, pair")))
    assert [
        "run upwards" in sentences[0],
        "punk" in sentences[1],
        '"pair" needs' in sentences[2],
    ] == [True] * 3
    assert "names no certain tiles" in sentences[3]
    assert len(sentences) == 4, "and each fault once"


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
    example = parse_hand(write_example(pattern, concealed=concealed))
    assert is_made(replace(example, limit=None), rules_with(pattern, concealed=concealed))
    assert write_example(pattern, concealed=concealed) == format_hand(example), "always the same"
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
     "first suit. There is no rank above 9.", "ranks and suits that come again"),
    ("pung y1, pung each dragon, WE WE", "A pung of 1 of one suit, a pung of each dragon and East "
     "wind and East wind.", "names in the order in which they come"),
    ("pair each B2468, pung DR, pung DG", "A pair of each of 2, 4, 6 and 8 of bamboo, a pung of "
     "red dragons and a pung of green dragons.", "one of each of some tiles"),
    ("7 couples x/y", "7 couples (each one rank in two suits) of one suit or a second suit.",
     "a kind of group explained"),
    ("7 pairs x; 7 pairs honour", "7 pairs of one suit; or 7 pairs of honours.", "two versions"),
    ("3 chows/pungs y, pung x, pair z", "3 chows or pungs of one suit, a pung of a second suit and "
     "a pair of the third suit. It holds no more chows than an ordinary hand.",
     "no set must be one"),
    ("3 chows y, pung x, pair z", "3 chows of one suit, a pung of a second suit and a pair of the "
     "third suit.", "three chows as asked for"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "says", "reason"), SAYS)
def test_a_pattern_is_said_in_words(pattern: str, says: str, reason: str) -> None:
    assert to_english(describe_pattern(pattern)) == says, reason


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


@pytest.mark.parametrize(("pattern", "words", "reason"), NO_HANDS)
def test_why_no_hand_can_be_of_a_pattern_is_said(pattern: str, words: str, reason: str) -> None:
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
    first, other = map(compile_pattern, ("x1-9, pung y, pair z", "y1-9, pung x, pair z"))
    assert first.hands_key == other.hands_key
    assert first.hands_key != compile_pattern("x1-9, pung y, pair y").hands_key


@pytest.mark.parametrize(("text", "words", "reason"), ENDLESS)
def test_a_pattern_that_leaves_millions_of_choices_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, text: str, words: str, reason: str
) -> None:
    steps: list[object] = []

    def count(tiles: Sequence[Hashable]) -> Counter[Hashable]:
        steps.append(tiles)
        assert len(steps) < MAX_TRIED, reason
        return Counter(tiles)

    for module in (frames, examples):
        monkeypatch.setattr(module, "Counter", count)
    frames.compile_pattern.cache_clear()
    with pytest.raises(PatternError, match=words):
        check_it_can_be_held(compile_pattern(text))
