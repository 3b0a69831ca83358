"""Rounds in which few players meet twice: from designs if there is one, else by search.

`design` yields rounds in which nobody meets twice, for a constant set of players. When players
joined or left, or for more rounds, `SeatingSearch` improves a seating. It swaps two players at a
time, always the pair that reduces repeated meetings most, and never swaps back at once (tabu
search). Random choices come from a seed and the number of swaps is bounded, so the result is always
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from device.club.tournament.meetings import SEATS

MeetingMatrix = NDArray[np.int64]

WORK = 12_000_000
"""Pairs examined for one seating: below a second on a PC, some seconds on a Raspberry Pi."""

_FEWEST, _MOST = 800, 4_000
"""Swaps per search, whatever the number of players."""

_EACH = 100
"""Swaps per player, for few players: more swaps find nothing better."""

_HELD = 5
"""Swaps for which a moved player stays in place; a random part of the same size is added."""

_NEVER = 1 << 40


class Search:
    """Improves rounds in place, for players of whom some have met before."""

    def __init__(self, met: MeetingMatrix, rounds: Sequence[MeetingMatrix], chance: Random) -> None:
        """Take how often each two have met, and each player's table in each round.

        A negative table number means that the player sits out.
        """
        self.rounds = [each.copy() for each in rounds]
        self._chance = chance
        self._met = met.copy()
        for each in self.rounds:
            self._met += _together(each)

    @property
    def cost(self) -> int:
        """Badness of all repeated meetings; smaller is better."""
        return int(badness(np.triu(self._met, 1)).sum())

    def improve(self, least: int, steps: int) -> None:
        """Reduce repeated meetings until the cost is `least`, or for `steps` swaps."""
        best, kept = self.cost, [each.copy() for each in self.rounds]
        cost = best
        held = [np.zeros(len(each), np.int64) for each in self.rounds]
        for step in range(1, steps + 1):
            if best <= least:
                break
            at = self._choose_round()
            seats = self.rounds[at]
            apart = _together(seats)
            others = self._met - apart
            delta = _changes(seats, others * (others + 1) // 2)
            delta[(held[at][:, None] > step) | (held[at][None, :] > step)] += _NEVER // 2
            one, two = self._choose_swap(delta)
            if delta[one, two] >= _NEVER // 2:
                continue
            cost += int(delta[one, two])
            seats[one], seats[two] = seats[two], seats[one]
            self._met = others + _together(seats)
            held[at][[one, two]] = step + _HELD + self._chance.randrange(_HELD)
            if cost < best:
                best, kept = cost, [each.copy() for each in self.rounds]
        for each, before in zip(self.rounds, kept, strict=True):
            self._met += _together(before) - _together(each)
        self.rounds = kept

    def _choose_round(self) -> int:
        """Return the index of a round in which somebody meets again."""
        again = [n for n, each in enumerate(self.rounds) if (_together(each) * self._met > 1).any()]
        return self._chance.choice(again or range(len(self.rounds)))

    def _choose_swap(self, delta: MeetingMatrix) -> tuple[int, int]:
        least = np.flatnonzero(delta == delta.min())
        one, two = divmod(int(least[self._chance.randrange(len(least))]), len(delta))
        return one, two


def steps_for(players: int) -> int:
    """Return the largest number of swaps for a search."""
    return min(_MOST, _EACH * players, max(_FEWEST, WORK // players**2))


def _together(seats: MeetingMatrix) -> MeetingMatrix:
    """Return a matrix with 1 for each two players at the same table."""
    same = (seats[:, None] == seats[None, :]) & (seats[:, None] >= 0)
    np.fill_diagonal(same, val=False)
    together: MeetingMatrix = same.astype(np.int64)
    return together


def badness(times: MeetingMatrix) -> MeetingMatrix:
    """Return how bad a number of meetings is.

    One pair that meets three times is worse than three pairs that meet twice.

    >>> badness(np.arange(5)).tolist()
    [0, 0, 1, 4, 10]
    """
    return (times + 1) * times * (times - 1) // 6


def _changes(seats: MeetingMatrix, met: MeetingMatrix) -> MeetingMatrix:
    """Return the cost of swapping each two players; `met` has the cost of one more meeting."""
    tables = int(seats.max()) + 1
    at_table = np.zeros((len(seats), tables), np.int64)
    seated = np.flatnonzero(seats >= 0)
    at_table[seated, seats[seated]] = 1
    would_meet = met @ at_table  # by player and table
    moved = would_meet[:, np.maximum(seats, 0)]
    stays = np.diagonal(moved)
    delta = moved + moved.T - 2 * met - stays[:, None] - stays[None, :]
    barred = (seats[:, None] == seats[None, :]) | (seats[:, None] < 0) | (seats[None, :] < 0)
    delta[barred] = _NEVER
    return delta


def fours(seats: MeetingMatrix) -> list[list[int]]:
    """Return the players of each table."""
    tables: list[list[int]] = [[] for _ in range(int(seats.max()) + 1)]
    for player, table in enumerate(seats):
        if table >= 0:
            tables[int(table)].append(player)
    assert all(len(table) == SEATS for table in tables)  # noqa: S101 - swaps keep the sizes
    return tables
