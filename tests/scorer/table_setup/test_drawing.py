"""Dice and wind discs that the box throws and draws (BMJA-P02, SAF-S01)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.table_setup.east import (
    Dice,
    draw_winds,
    find_east,
    seat_players,
    throw_dice,
    throw_for_east,
)


class LoadedDice(Random):
    """Dice that fall as they are told."""

    def __init__(self, falls: list[int]) -> None:
        super().__init__()
        self.falls = iter(falls)

    def randint(self, a: int, b: int) -> int:
        return next(self.falls)


def test_two_dice_are_thrown_not_a_number_from_2_to_12() -> None:
    chance = Random(8)
    sums = Counter(sum(throw_dice(chance)) for _ in range(3600))
    assert set(sums) == set(range(2, 13))
    assert sums[7] > 3 * sums[2], "six ways to throw 7, one to throw 2"


def test_every_wind_may_be_anybodys() -> None:
    chance = Random(2)
    assert {draw_winds(("Ann", "Bob", "Cy", "Di"), chance)[0] for _ in range(99)} == {
        "Ann", "Bob", "Cy", "Di",
    }  # fmt: skip


THROWS = [
    ([1, 2, 6, 6, 3, 4], [((1, 2),), ((6, 6),), ((3, 4),)], 1, "the highest is East"),
    ([5, 6, 6, 5, 1, 1, 1, 2, 2, 2], [((5, 6), (1, 2)), ((6, 5), (2, 2)), ((1, 1),)], 1,
     "two with 11 throw again, the third does not"),
    ([1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 6, 6, 1, 1],
     [((1, 1),), ((2, 2), (3, 3), (6, 6)), ((2, 2), (3, 3), (1, 1))], 1, "and again"),
]  # fmt: skip


@pytest.mark.parametrize(("falls", "throws", "east", "reason"), THROWS)
def test_throwing_for_east(
    falls: list[int], throws: list[tuple[Dice, ...]], east: int, reason: str
) -> None:
    throws_made = throw_for_east(3, LoadedDice(falls))
    assert list(throws_made) == throws, reason
    assert find_east(throws_made) == east, reason


@given(st.integers(2, 4), st.integers())
def test_one_player_is_east(players: int, seed: int) -> None:
    throws = throw_for_east(players, Random(seed))
    last = [sum(thrown[-1]) for thrown in throws if len(thrown) == max(map(len, throws))]
    assert last.count(max(last)) == 1
    assert sum(throws[find_east(throws)][-1]) == max(last)


def test_whoever_throws_highest_is_east_and_the_others_stay_where_they_sit() -> None:
    seating = seat_players(("Ann", "Bob", "Cy"), "safalra", LoadedDice([1, 2, 6, 6, 3, 4]))
    assert seating.players == ("Bob", "Cy", "Ann"), "SAF-S01"
    assert seating.throws == (((6, 6),), ((3, 4),), ((1, 2),)), "each beside whoever threw it"


def test_winds_that_are_drawn_seat_everybody_anew() -> None:
    seatings = {
        seat_players(("Ann", "Bob", "Cy"), "bmja", Random(seed)).players for seed in range(99)
    }
    assert len(seatings) == 6, "P02: any order, not only any East"
    assert seat_players(("Ann", "Bob"), "bmja", Random(1)).throws == ()
