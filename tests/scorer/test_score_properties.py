"""What must hold for every hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.breakdown import Breakdown, TileSet
from scorer.errors import HandError
from scorer.explain import sum_text
from scorer.grouping import complete
from scorer.hand import Hand
from scorer.readings import Reading, readings, set_kind
from scorer.rules import RULES
from scorer.score import price, score
from scorer.tiles import BY_CODE
from tests.scorer.strategies import Won, any_hands, lost_hands, won_hands

hands = st.one_of(won_hands().map(lambda won: won.hand), lost_hands())


def outcome(hand: Hand) -> Breakdown | set[str]:
    """Score a hand; for one that cannot be scored, return the codes of its errors."""
    try:
        return score(hand)
    except HandError as fault:
        return {problem.code for problem in fault.problems if problem.level == "error"}


@given(hands)
def test_the_lines_make_the_total(hand: Hand) -> None:
    result = score(hand)
    assert result.base == sum(line.points for line in result.lines)
    assert result.doubles == sum(line.doubles for line in result.lines)
    assert result.base % 2 == 0  # BMJA-B14
    full = result.base * 2**result.doubles
    assert result.total == (full if hand.limit is None else min(full, hand.limit))  # BMJA-L01
    assert result.limited == (result.total < full)
    assert str(result.total) in sum_text(result)


@given(hands)
def test_every_line_names_a_rule_and_gives_something(hand: Hand) -> None:
    result = score(hand)
    for line in result.lines:
        assert line.rule in RULES
        assert line.points or line.doubles
        assert line.label
        assert hand.winner or not RULES[line.rule].winner_only
        assert Counter(line.tiles) <= Counter(hand.tiles + hand.bonus)
    awarded = {line.rule for line in result.lines}
    for missed in result.not_counted:
        assert missed.rule in RULES
        assert missed.rule not in awarded
        assert missed.reason.endswith(".")


@given(hands)
def test_the_sets_use_every_tile_once(hand: Hand) -> None:
    result = score(hand)
    assert Counter(code for each in result.sets for code in each.tiles) == Counter(hand.tiles)
    for each in result.sets:
        assert each.kind in (set_kind(each.tiles), "loose")
        assert list(each.tiles) == sorted(each.tiles, key=BY_CODE.__getitem__)


@given(hands, st.randoms(use_true_random=False))
def test_the_order_of_tiles_never_matters(hand: Hand, random: Random) -> None:
    def shuffled(codes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(random.sample(codes, len(codes)))

    mixed = replace(
        hand,
        exposed=tuple(shuffled(codes) for codes in hand.exposed),
        concealed=shuffled(hand.concealed),
        bonus=shuffled(hand.bonus),
    )
    one, other = score(hand), score(mixed)
    assert replace(one, lines=()) == replace(other, lines=())
    assert set(one.lines) == set(other.lines)


@given(won_hands())
def test_no_single_reading_beats_the_score(won: Won) -> None:
    result = score(replace(won.hand, limit=None))
    every = [price(reading).worth for reading in readings(won.hand)]
    assert result.total == max(every)  # BMJA-H06


@given(won_hands())
def test_the_sets_that_were_put_in_score_at_most_the_total(won: Won) -> None:
    """A reading that does not come from the code under test: the sets the hand was built of."""
    drawn = replace(won.hand, won_by=("wall",), limit=None)
    laid = [(codes, False) for codes in drawn.exposed]
    kept = [(codes, True) for codes in (*drawn.declared_kongs, *won.concealed_sets)]
    sets = tuple(
        TileSet(kind, codes, concealed)
        for codes, concealed in laid + kept
        if (kind := set_kind(codes))
    )
    assert len(sets) == 5
    assert price(Reading(drawn, sets)).worth <= score(drawn).total


@given(lost_hands())
def test_a_win_is_never_worse_than_the_same_tiles_without_it(hand: Hand) -> None:
    won = outcome(replace(hand, winner=True, won_by=("wall",)))
    if isinstance(won, Breakdown):
        assert won.total >= min(score(hand).total + 20, 1000)


@settings(max_examples=300)
@given(any_hands())
def test_any_hand_is_scored_or_refused_with_reasons(hand: Hand) -> None:
    result = outcome(hand)
    if isinstance(result, Breakdown):
        assert all(problem.level == "warning" for problem in result.problems)
    else:
        assert result


SMALL = ["B1", "B2", "B3", "B4", "B5", "WE"]
SETS = [
    *[(code,) * 3 for code in SMALL],
    *[(code,) * 4 for code in SMALL],
    ("B1", "B2", "B3"),
    ("B2", "B3", "B4"),
    ("B3", "B4", "B5"),
]


@given(
    st.lists(st.sampled_from(SETS), min_size=2, max_size=3),
    st.sampled_from(SMALL),
    st.permutations(range(14)),
)
def test_grouping_finds_what_brute_force_finds(
    sets: list[tuple[str, ...]], pair: str, order: list[int]
) -> None:
    codes = [*(code for each in sets for code in each), pair, pair]
    codes = [codes[place] for place in order if place < len(codes)]
    target = Counter(codes)
    if max(target.values()) > 4:
        return
    expected = {
        tuple(sorted((*chosen, (two,) * 2)))
        for chosen in combinations_with_replacement(SETS, len(sets))
        for two in SMALL
        if Counter(code for each in (*chosen, (two,) * 2) for code in each) == target
    }
    tiles = [BY_CODE[code] for code in codes]
    found = [
        tuple(sorted(each.tiles for each in way))
        for way in complete(tiles, sets=len(sets), pairs=1)
    ]
    assert len(found) == len(set(found)), "a way was found twice"
    assert set(found) == expected
