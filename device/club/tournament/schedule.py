"""Rounds in which few players meet twice: from designs if there is one, else by search.

`design` yields rounds in which nobody meets twice, for a constant set of players. When players
joined or left, or for more rounds, `SeatingSearch` improves a seating. It swaps two players at a
time, always the pair that reduces repeated meetings most, and never swaps back at once (tabu
search). Random choices come from a seed and the number of swaps is bounded, so the result is always
the same.

Only ranked players count in meetings: a stand-in may meet anybody any number of times.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.store.events import RoundSeats

SEATS_PER_TABLE = 4
"""Players at a table."""

FORCED_REPEATS_PER_TABLE = {1: 6, 2: 2, 3: 1}
"""Pairs at each table that must meet again, by the number of tables, where there are few."""


@dataclass(frozen=True, slots=True)
class MeetingCounts:
    """How often players meet in a seating."""

    pairs: int
    """Pairs that meet more than once."""
    most: int
    """The largest number of meetings of one pair."""
    again: int
    """Meetings of two who have met before."""
    min_repeats: int
    """Smallest possible number of these, whatever the seating."""


def count_meetings(rounds: Sequence[RoundSeats]) -> MeetingCounts:
    """Count how often players meet in these rounds."""
    met = Counter(pair for each in rounds for pair in _pairs(each))
    players = {player for each in rounds for player in _playing(each)}
    return MeetingCounts(
        pairs=sum(times > 1 for times in met.values()),
        most=max(met.values(), default=0),
        again=sum(times - 1 for times in met.values()),
        min_repeats=_min_repeats(len(players), sum(met.values()), rounds),
    )


def _min_repeats(players: int, meetings: int, rounds: Sequence[RoundSeats]) -> int:
    """Return a lower bound of repeated meetings, from the numbers of pairs and of tables."""
    beyond = meetings - players * (players - 1) // 2
    per_table = FORCED_REPEATS_PER_TABLE.get(
        min((len(each.tables) for each in rounds), default=0), 0
    )
    whole = all(min(table) >= 0 for each in rounds for table in each.tables)
    fixed = whole and not any(each.out for each in rounds)
    crowded = sum(per_table * len(each.tables) for each in rounds[1:]) if fixed else 0
    return max(beyond, crowded, 0)


def find_seating_faults(
    rounds: Iterable[RoundSeats], present: Collection[int], *, stand_ins: bool
) -> Iterator[str]:
    """Yield what is wrong with a seating: all present players must sit once in each round."""
    wanted = set(present)
    for number, each in enumerate(rounds, 1):
        seated = [player for table in each.tables for player in table]
        here = [player for player in (*seated, *each.out) if player >= 0]
        if len(set(seated)) < len(seated):
            yield f"somebody sits twice in round {number}"
        if len(here) != len(set(here)) or set(here) != wanted:
            yield f"round {number} seats others than those who play"
        fills = sum(player < 0 for player in seated)
        if (
            (fills and not stand_ins)
            or fills >= SEATS_PER_TABLE
            or len(each.out) >= SEATS_PER_TABLE
        ):
            yield f"round {number} is not filled as was arranged"


def count_winds(rounds: Iterable[RoundSeats]) -> dict[int, Counter[int]]:
    """Return how often each player sits in each seat: 0 is East."""
    sat: dict[int, Counter[int]] = {}
    for each in rounds:
        for table in each.tables:
            for seat, player in enumerate(table):
                sat.setdefault(player, Counter())[seat] += 1
    return sat


def _playing(each: RoundSeats) -> Iterator[int]:
    return (player for table in each.tables for player in table if player >= 0)


def _pairs(each: RoundSeats) -> Iterator[frozenset[int]]:
    for table in each.tables:
        yield from map(frozenset, combinations([p for p in table if p >= 0], 2))


MeetingMatrix = NDArray[np.int64]

MAX_PAIRS_EXAMINED = 12_000_000
"""Pairs examined for one seating: below a second on a PC, some seconds on a Raspberry Pi."""

_MIN_SWAPS, _MAX_SWAPS = 800, 4_000
"""Swaps per search, whatever the number of players."""

_SWAPS_PER_PLAYER = 100
"""Swaps per player, for few players: more swaps find nothing better."""

_TABU_SWAPS = 5
"""Swaps for which a moved player stays in place; a random part of the same size is added."""

_FORBIDDEN_COST = 1 << 40


class SeatingSearch:
    """Improves rounds in place. Some of the players have met before."""

    def __init__(self, met: MeetingMatrix, rounds: Sequence[MeetingMatrix], chance: Random) -> None:
        """Take how often each two have met, and each player's table in each round.

        A negative table number means that the player sits out.
        """
        self.rounds = [each.copy() for each in rounds]
        self._chance = chance
        self._met = met.copy()
        for each in self.rounds:
            self._met += _same_table(each)

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
            apart = _same_table(seats)
            others = self._met - apart
            delta = _swap_costs(seats, others * (others + 1) // 2)
            delta[(held[at][:, None] > step) | (held[at][None, :] > step)] += _FORBIDDEN_COST // 2
            one, two = self._choose_swap(delta)
            if delta[one, two] >= _FORBIDDEN_COST // 2:
                continue
            cost += int(delta[one, two])
            seats[one], seats[two] = seats[two], seats[one]
            self._met = others + _same_table(seats)
            held[at][[one, two]] = step + _TABU_SWAPS + self._chance.randrange(_TABU_SWAPS)
            if cost < best:
                best, kept = cost, [each.copy() for each in self.rounds]
        for each, before in zip(self.rounds, kept, strict=True):
            self._met += _same_table(before) - _same_table(each)
        self.rounds = kept

    def _choose_round(self) -> int:
        """Return the index of a round in which somebody meets again."""
        again = [
            n for n, each in enumerate(self.rounds) if (_same_table(each) * self._met > 1).any()
        ]
        return self._chance.choice(again or range(len(self.rounds)))

    def _choose_swap(self, delta: MeetingMatrix) -> tuple[int, int]:
        least = np.flatnonzero(delta == delta.min())
        one, two = divmod(int(least[self._chance.randrange(len(least))]), len(delta))
        return one, two


def max_swaps(players: int) -> int:
    """Return the largest number of swaps for a search."""
    return min(
        _MAX_SWAPS, _SWAPS_PER_PLAYER * players, max(_MIN_SWAPS, MAX_PAIRS_EXAMINED // players**2)
    )


def _same_table(seats: MeetingMatrix) -> MeetingMatrix:
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


def _swap_costs(seats: MeetingMatrix, met: MeetingMatrix) -> MeetingMatrix:
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
    delta[barred] = _FORBIDDEN_COST
    return delta


def players_by_table(seats: MeetingMatrix) -> list[list[int]]:
    """Return the players of each table."""
    tables: list[list[int]] = [[] for _ in range(int(seats.max()) + 1)]
    for player, table in enumerate(seats):
        if table >= 0:
            tables[int(table)].append(player)
    assert all(len(table) == SEATS_PER_TABLE for table in tables)  # noqa: S101 - swaps keep the sizes
    return tables


DesignTables = tuple[tuple[int, ...], ...]
"""Players of one round by number from 0, four at each table."""

MAX_ROUNDS = 10
"""Rounds that an organiser may plan: two long days."""


def design(players: int) -> Iterator[DesignTables]:
    """Yield rounds for a number of players (a multiple of 4) in which nobody meets twice.

    Yields at least one round, and at most MAX_ROUNDS. There are two constructions, and both move
    players round circles.

    Columns: each table has one player from each of four columns. After each round the second column
    moves by one table, the third by two and the fourth by three. Of `t` tables, players of
    different columns meet again after `t / 2` or `t / 3` rounds. Where `t` has no such divisor they
    never do.

    First rounds, from `starters.toml`: players stand on circles of equal length, and the rest stand
    still. After each round every circle moves by one. These serve numbers of players for which
    columns repeat too soon. They were searched beforehand (`python -m tests.prove.starters`).

    >>> [len(list(design(players))) for players in (8, 12, 16, 20, 24, 28, 32, 60, 100, 240)]
    [1, 1, 5, 5, 7, 9, 9, 10, 10, 10]
    """
    starter = _load_starters().get(str(players))
    rounds = _column_rounds(players // 4)
    if starter and starter["circle"] > rounds:
        first = [tuple(map(int, line.split())) for line in starter["first"].split("\n") if line]
        for by in range(min(starter["circle"], MAX_ROUNDS)):
            yield tuple(_rotate_table(table, by, starter["circle"], players) for table in first)
    else:
        for by in range(min(rounds, MAX_ROUNDS)):
            yield tuple(_column_table(table, by, players // 4) for table in range(players // 4))


def _column_rounds(tables: int) -> int:
    """Return for how many rounds the columns bring nobody together twice."""
    if tables % 3 == 0:
        return tables // 3
    return tables // 2 if tables % 2 == 0 else tables


def _column_table(table: int, by: int, tables: int) -> tuple[int, ...]:
    return tuple(column * tables + (table + column * by) % tables for column in range(4))


def _rotate_table(table: tuple[int, ...], by: int, size: int, players: int) -> tuple[int, ...]:
    """Return a table with each player moved `by` places along the player's circle."""
    still = players - players % size
    return tuple(p if p >= still else p // size * size + (p + by) % size for p in table)


@cache
def _load_starters() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "starters.toml").read_text("utf-8"))
