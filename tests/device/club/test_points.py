"""Points by place: nothing is made or lost by a tie, and no name stands before another."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.club.points import ranked, table_points

NAMES = ("Ann", "Bob", "Cy", "Di", "Eve")

TOTALS = st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 3), min_size=1)
"""Few numbers, so that most tables have a tie."""

BY_PLACE = st.lists(st.fractions(-2, 9, max_denominator=4), max_size=6)

THIRD = Fraction(1, 3)

CASES = (
    ((5, 3, 2, 1), (4, 2, 1, 0), (4, 2, 1, 0), "nobody shares"),
    ((5, 5, 2, 1), (4, 2, 1, 0), (3, 3, 1, 0), "the first two share 4 and 2"),
    ((5, 2, 2, 2), (4, 2, 1, 0), (4, 1, 1, 1), "three share 2, 1 and 0"),
    ((7, 7, 7, 1), (4, 2, 1, 0), (7 * THIRD, 7 * THIRD, 7 * THIRD, 0), "thirds stay whole"),
    ((1, 1, 1, 1), (4, 2, 1, 0), (Fraction(7, 4),) * 4, "all share all"),
    ((-9, 0, -9, 4), (4, 2, 1, 0), (Fraction(1, 2), 2, Fraction(1, 2), 4), "losses are totals too"),
    ((5, 3, 2, 1), (4, 2), (4, 2, 0, 0), "places that are not named give nothing"),
    ((5, 3, 3, 1), (4, 2), (4, 1, 1, 0), "a named place shared with one that is not"),
    ((5, 3), (4, 2, 1, 0), (4, 2), "fewer players than places"),
    ((5, 3), (), (0, 0), "no places at all"),
)


@pytest.mark.parametrize(("totals", "by_place", "points", "why"), CASES)
def test_the_points_of_a_table(
    totals: tuple[int, ...], by_place: tuple[int, ...], points: tuple[Fraction, ...], why: str
) -> None:
    given = table_points(dict(zip(NAMES, totals, strict=False)), by_place)
    assert tuple(given.values()) == points, why
    assert tuple(given) == NAMES[: len(totals)]


@given(TOTALS, BY_PLACE)
def test_a_tie_makes_no_points_and_loses_none(
    totals: dict[str, int], by_place: list[Fraction]
) -> None:
    points = table_points(totals, by_place)
    assert sum(points.values()) == sum(by_place[: len(totals)])
    assert all(type(each) is Fraction for each in points.values())


@given(TOTALS, BY_PLACE)
def test_who_has_the_same_gets_the_same_and_who_has_more_no_less(
    totals: dict[str, int], by_place: list[Fraction]
) -> None:
    points = table_points(totals, sorted(by_place, reverse=True) + [Fraction(-2)] * len(totals))
    for one in totals:
        for other in totals:
            if totals[one] == totals[other]:
                assert points[one] == points[other]
            elif totals[one] > totals[other]:
                assert points[one] >= points[other]


@given(TOTALS, BY_PLACE, st.randoms(use_true_random=False))
def test_the_order_in_which_players_are_named_changes_nothing(
    totals: dict[str, int], by_place: list[Fraction], chance: Random
) -> None:
    names = list(totals)
    chance.shuffle(names)
    again = {name: totals[name] for name in names}
    assert table_points(again, by_place) == table_points(totals, by_place)
    assert set(ranked(again)) == set(ranked(totals))


@given(st.dictionaries(st.sampled_from(NAMES), st.tuples(st.integers(0, 2), st.integers(0, 2))))
def test_places_are_an_order_with_ties_in_which_all_can_be_compared(
    results: dict[str, tuple[int, int]],
) -> None:
    standing = ranked(results)
    assert sorted(each.who for each in standing) == sorted(results)
    for each in standing:
        better = sum(other > results[each.who] for other in results.values())
        equal = sum(other == results[each.who] for other in results.values())
        assert each.place == 1 + better
        assert each.shared == (equal > 1)
    assert [each.place for each in standing] == sorted(each.place for each in standing)
