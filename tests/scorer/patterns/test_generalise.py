"""From fourteen tiles to a pattern: they are of it whatever is answered, as brute force says."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.hand import RULESETS, Codes
from scorer.message import Message
from scorer.patterns.examples import example_groups, example_hands
from scorer.patterns.frames import COPIES_PER_TILE, PLACE_BY_CODE, compile_pattern
from scorer.patterns.generalise import (
    CHOICES,
    TappedAnswers,
    find_questions,
    fit_answers,
    write_pattern,
)
from scorer.patterns.groupings import MAX_GROUPINGS, Grouping, find_groupings
from scorer.patterns.notation import PatternError
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import SAMPLES, load_sample_text
from scorer.rulesets.reader import read_ruleset
from tests.scorer.oracle.groups import PLAYING_CODES
from tests.scorer.oracle.own_hands import OwnHand, most_chows
from tests.scorer.oracle.own_hands import is_made as is_made_by_search
from tests.scorer.oracle.patterns import is_of_pattern
from tests.scorer.patterns.own_rules import drawn_hand, is_made, rules_with

SPECIALS = {
    special.pattern.text: special.pattern
    for rules in (
        *map(load_builtin, RULESETS),
        *(read_ruleset(load_sample_text(name)) for name in SAMPLES),
    )
    for special in rules.every_special
    if special.pattern
}

ALL_ANSWERS = [TappedAnswers(*each) for each in product(*CHOICES.values())]


def tiles_of(pattern: str, seed: int = 1) -> Codes:
    """Return fourteen tiles of a pattern, a kong counting three."""
    (groups,) = example_groups(SPECIALS[pattern], 1, Random(seed))
    sets = ((each.tiles[:3] if each.is_set else each.tiles) for each in groups)
    return tuple(code for tiles in sets for code in tiles)


def patterns_of(tiles: Codes) -> list[str]:
    """Return every pattern that some answers make of these tiles."""
    patterns = [
        write_pattern(grouping, fit_answers(grouping, answers))
        for grouping in find_groupings(tiles)
        for answers in ALL_ANSWERS
    ]
    return list(dict.fromkeys(patterns))


def is_readable(pattern: str) -> bool:
    """Return whether a pattern leaves no more open than any may."""
    try:
        compile_pattern(pattern)
        faults: tuple[Message, ...] = ()
    except PatternError as failure:
        faults = failure.faults
    assert {each.key for each in faults} <= {"pattern-fault.too-open"}, pattern
    return not faults


@pytest.mark.parametrize("pattern", SPECIALS)
def test_the_tiles_are_of_every_pattern_that_is_made_of_them(pattern: str) -> None:
    assert_tiles_are_of(tiles_of(pattern), max_patterns=4)


@pytest.mark.prove
@pytest.mark.parametrize("pattern", SPECIALS)
def test_the_tiles_are_of_every_pattern_of_all_answers(pattern: str) -> None:
    for seed in range(1, 4):
        assert_tiles_are_of(tiles_of(pattern, seed), max_patterns=1000)


def assert_tiles_are_of(tiles: Codes, max_patterns: int) -> None:
    """Check that fourteen tiles are of sample of the patterns that answers make of them."""
    patterns = patterns_of(tiles)
    sample = Random(repr(tiles)).sample(patterns, min(max_patterns, len(patterns)))
    assert sample
    assert [each for each in sample if is_readable(each) and not is_of_pattern(each, tiles)] == []


@pytest.mark.parametrize("pattern", SPECIALS)
def test_without_answers_hardly_any_other_hand_is_of_it(pattern: str) -> None:
    tiles = tiles_of(pattern)
    for grouping in find_groupings(tiles):
        exact = compile_pattern(write_pattern(grouping, TappedAnswers()))
        assert len(exact.frames) == 1
        hands = {tuple(sorted(each)) for each in example_hands(exact, 9, Random(1))}
        assert hands == {tuple(sorted(tiles))}


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(12, 25))]
)
def test_brute_force_says_the_same_of_what_fits(seed: int) -> None:
    rng = Random(f"fits {seed}")
    tiles = tiles_of(rng.choice([*SPECIALS]), seed)
    pattern = rng.choice([each for each in patterns_of(tiles) if is_readable(each)])
    rules, hand_row = rules_with(pattern), OwnHand(pattern, value=1000)
    examples = [each for each in example_hands(compile_pattern(pattern), 3, rng) if len(each) == 14]
    for each in examples:
        assert is_of_pattern(pattern, each), f"an example of {pattern} is none"
    for each in (tiles, *examples, *(change_one(each, rng) for each in (tiles, *examples))):
        hand = drawn_hand(each)
        assert is_made(hand, rules) == is_made_by_search(hand_row, hand, most_chows(hand)), (
            f"{pattern}: {each}"
        )


def change_one(tiles: Codes, rng: Random) -> Codes:
    """Return the tiles with another one in the place of one."""
    place = rng.randrange(len(tiles))
    rest = tiles[:place] + tiles[place + 1 :]
    free = [code for code in PLAYING_CODES if rest.count(code) < COPIES_PER_TILE]
    return (*rest, rng.choice(free))


@st.composite
def fourteen_tiles(draw: st.DrawFn) -> Codes:
    """Draw any fourteen tiles."""
    pack = [code for code in PLAYING_CODES for _ in range(COPIES_PER_TILE)]
    return tuple(draw(st.permutations(pack))[:14])


@settings(deadline=None, max_examples=60)
@given(fourteen_tiles())
def test_any_tiles_make_a_pattern(tiles: Codes) -> None:
    groupings = find_groupings(tiles)
    assert 1 <= len(groupings) <= MAX_GROUPINGS
    for grouping in groupings:
        assert Counter(code for unit in grouping for code in unit.codes) == Counter(tiles)
        assert is_of_pattern(write_pattern(grouping, TappedAnswers()), tiles)


@pytest.mark.parametrize("pattern", SPECIALS)
def test_each_answer_that_is_offered_makes_another_pattern(pattern: str) -> None:
    grouping = find_groupings(tiles_of(pattern))[0]
    for question in find_questions(grouping, TappedAnswers()):
        patterns = {
            write_pattern(grouping, fit_answers(grouping, TappedAnswers(**{question.name: choice})))
            for choice in question.choices
        }
        assert len(patterns) == len(question.choices) > 1
        assert question.answer == "these"


def units(text: str) -> Grouping:
    """Return the likeliest grouping of tiles that are written `B123 WEE`."""
    codes = [word[0] + rank for word in text.split() for rank in word[1:]]
    return find_groupings(tuple(sorted(codes, key=PLACE_BY_CODE.__getitem__)))[0]


ROWS = [
    ("B123456789 O888 C77", {}, "B1-9, pung O8, pair C7", "as they are"),
    ("B123456789 O888 C77", {"suits": "same", "ranks": "any"}, "x1-9, pung y, pair z", "a run"),
    ("C2224445557779 C9", {"suits": "same", "ranks": "any", "sets": "kongs"},
     "4 pungs/kongs x, pair x", "Purity"),
    ("B1234567 WESWN DRGW", {"suits": "same"}, "x1-7, each honour", "one of each honour"),
    ("B1234567 WESWN DRGW", {"ranks": "steps"},
     "Bn Bn+1 Bn+2 Bn+3 Bn+4 Bn+5 Bn+6, each honour", "a run that moves"),
    ("B19 C19 O19 WESWN DRGWW", {"honours": "any"}, "tile honour, each major", "unique wonders"),
    ("B11 B22 B33 B44 B55 B66 B77", {"suits": "same", "ranks": "any"}, "7 pairs x", "twins"),
    ("B11 B22 B33 B44 B55 B66 B77", {"ranks": "steps"},
     "pair Bn, pair Bn+1, pair Bn+2, pair Bn+3, pair Bn+4, pair Bn+5, pair Bn+6", "in a row"),
    ("B1113 C1113 B3 C3 B5 C5 B7 C7", {"suits": "same", "ranks": "any"},
     "7 couples x/y", "knitted"),
    ("B555 C555 O555 WNNN DRR", {"suits": "same", "ranks": "steps", "honours": "kind"},
     "pung xn, pung yn, pung zn, pung wind, pair dragon", "one rank"),
    ("B111 B999 C111 O999 C99", {"suits": "any", "ranks": "ends"},
     "4 pungs terminal, pair terminal", "heads and tails"),
    ("B222 B444 B666 DGGG B88", {"suits": "same", "ranks": "minors", "honours": "either"},
     "4 pungs x2-8/honour, pair x2-8/honour", "suit or honour"),
    ("B123 B456 C789 O222 C99", {"suits": "any", "ranks": "any", "sets": "any"},
     "4 chows/pungs/kongs suit, pair suit", "any sets"),
]  # fmt: skip


@pytest.mark.parametrize(("tiles", "answers", "pattern", "reason"), ROWS, ids=[r[3] for r in ROWS])
def test_answers_open_a_pattern(
    tiles: str, answers: dict[str, str], pattern: str, reason: str
) -> None:
    grouping = units(tiles)
    assert write_pattern(grouping, fit_answers(grouping, TappedAnswers(**answers))) == pattern, (
        reason
    )


@pytest.mark.parametrize("tiles", [("B1",) * 14, ("B1",) * 3, ("B1", "C1", "O1", "WE") * 3])
def test_what_is_no_hand_is_refused(tiles: Codes) -> None:
    with pytest.raises(ValueError, match="fourteen"):
        find_groupings(tiles)
