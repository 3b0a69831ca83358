"""Seatings by search, where no design has them: after somebody came or went, or for more rounds.

Two players change places, again and again: always those two by whose change the fewest meet again,
and nobody moves back at once (tabu search). It is the same each time, for its chances come from the
seed, and it ends after a bounded number of changes, whatever the clock says.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from device.club.tournament.meetings import SEATS

MeetingMatrix = NDArray[np.int64]

WORK = 12_000_000
"""Pairs that may be looked at for one seating: below a second on a PC, some on a Raspberry Pi."""

_FEWEST, _MOST = 800, 4_000
"""Changes, whatever the number of players."""

_EACH = 100
"""Changes for each player, where those are few: there is not more to be found."""

_HELD = 5
"""Changes for which somebody stays where he was moved to, and a few more by chance."""

_NEVER = 1 << 40


class Search:
    """Rounds of players, of whom some have met before; the rounds are made better in place."""

    def __init__(self, met: MeetingMatrix, rounds: Sequence[MeetingMatrix], chance: Random) -> None:
        """Take how often each two have met before, and at which table each sits in each round.

        A table's number below 0 is none: that player sits out.
        """
        self.rounds = [each.copy() for each in rounds]
        self._chance = chance
        self._met = met.copy()
        for each in self.rounds:
            self._met += _together(each)

    @property
    def cost(self) -> int:
        """How much two meet again: what is to be as small as may be."""
        return int(badness(np.triu(self._met, 1)).sum())

    def improve(self, least: int, steps: int) -> None:
        """Let fewer meet again, until `least` is reached or after so many changes."""
        best, kept = self.cost, [each.copy() for each in self.rounds]
        cost = best
        held = [np.zeros(len(each), np.int64) for each in self.rounds]
        for step in range(1, steps + 1):
            if best <= least:
                break
            at = self._crowded()
            seats = self.rounds[at]
            apart = _together(seats)
            others = self._met - apart
            delta = _changes(seats, others * (others + 1) // 2)
            delta[(held[at][:, None] > step) | (held[at][None, :] > step)] += _NEVER // 2
            one, two = self._least_of(delta)
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

    def _crowded(self) -> int:
        """Return a round in which somebody meets again."""
        again = [n for n, each in enumerate(self.rounds) if (_together(each) * self._met > 1).any()]
        return self._chance.choice(again or range(len(self.rounds)))

    def _least_of(self, delta: MeetingMatrix) -> tuple[int, int]:
        least = np.flatnonzero(delta == delta.min())
        one, two = divmod(int(least[self._chance.randrange(len(least))]), len(delta))
        return one, two


def steps_for(players: int) -> int:
    """Return how many changes a search may take."""
    return min(_MOST, _EACH * players, max(_FEWEST, WORK // players**2))


def _together(seats: MeetingMatrix) -> MeetingMatrix:
    """Return 1 for each two at one table."""
    same = (seats[:, None] == seats[None, :]) & (seats[:, None] >= 0)
    np.fill_diagonal(same, val=False)
    together: MeetingMatrix = same.astype(np.int64)
    return together


def badness(times: MeetingMatrix) -> MeetingMatrix:
    """Return how bad it is that two meet so often: one that is 3 times is worse than three twice.

    >>> badness(np.arange(5)).tolist()
    [0, 0, 1, 4, 10]
    """
    return (times + 1) * times * (times - 1) // 6


def _changes(seats: MeetingMatrix, met: MeetingMatrix) -> MeetingMatrix:
    """Return how much worse it gets when each two change places; how bad each meeting would be."""
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
    assert all(len(table) == SEATS for table in tables)  # noqa: S101 - changes of places keep it
    return tables
