"""Count meetings in a seating, and yield rounds in which nobody meets twice where these are known.

`design` yields rounds in which nobody meets twice, for a constant set of players. When players
joined, left or sit out, or for more rounds, `seating_search` finds a seating.

Only ranked players count in meetings: a stand-in may meet anybody any number of times.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from math import comb
from typing import Any

from device.store.events import RoundSeats

SEATS_PER_TABLE = 4
"""Players at a table."""


@dataclass(frozen=True, slots=True)
class MeetingCounts:
    """How often players meet in a seating."""

    pairs: int
    """Pairs that meet more than once."""
    most: int
    """The largest number of meetings of one pair."""
    badness: int
    """How bad the meetings are: the sum of `badness` for all pairs."""
    min_badness: int
    """No seating of as many players and rounds is better than this."""


def count_meetings(rounds: Sequence[RoundSeats]) -> MeetingCounts:
    """Count how often players meet in these rounds."""
    meetings = Counter(pair for each in rounds for pair in _pairs(each))
    return MeetingCounts(
        pairs=sum(times > 1 for times in meetings.values()),
        most=max(meetings.values(), default=0),
        badness=sum(map(badness, meetings.values())),
        min_badness=min_badness(rounds),
    )


def badness(times: int) -> int:
    """Return how bad a number of meetings of two players is.

    One pair that meets three times is worse than three pairs that meet twice.

    >>> [badness(times) for times in range(5)]
    [0, 0, 1, 4, 10]
    """
    return comb(times + 1, 3)


def min_badness(rounds: Sequence[RoundSeats]) -> int:
    """Return a lower bound of the badness of all seatings of as many players and rounds.

    It is the larger of two. In the first, everybody meets all others equally often. The second uses
    that `badness(t)` is `comb(t, 2) + comb(t, 3)`. The sum of `comb(t, 2)` counts, for each two
    rounds, the pairs that meet in both. That of `comb(t, 3)` is least where meetings are even.
    """
    meetings = _min_meetings(rounds)

    def spread(cost: Callable[[int], int]) -> int:
        other_count = len(meetings) - 1
        return (1 + sum(_spread_evenly(count, other_count, cost) for count in meetings)) // 2

    shared_pairs = sum(_min_shared_pairs(*two) for two in combinations(rounds, 2))
    return max(spread(badness), shared_pairs + spread(lambda times: comb(times, 3)))


def _min_meetings(rounds: Sequence[RoundSeats]) -> list[int]:
    """Return how many others each player meets, as evenly as these rounds allow.

    Where the same players sit out in turn, some play one round more than others. Where players come
    and go, or stand-ins play, all are taken to meet equally many.
    """
    present = {_present(each) for each in rounds}
    players = frozenset().union(*present)
    if len(present) == 1 and not any(
        player < 0 for each in rounds for player in _seated_players(each)
    ):
        count, unit = (
            sum(len(each.tables) for each in rounds) * SEATS_PER_TABLE,
            SEATS_PER_TABLE - 1,
        )
    else:
        count, unit = 2 * sum(1 for each in rounds for _ in _pairs(each)), 1
    share, remainder = divmod(count, len(players))
    return [unit * (share + (number < remainder)) for number in range(len(players))]


def _min_shared_pairs(first: RoundSeats, two: RoundSeats) -> int:
    """Return a lower bound of the pairs that meet in both of two rounds.

    Those who play in both are spread over the tables of the first and of the second.
    """
    common_count = len(_present(first) & _present(two)) - len(first.out) - len(two.out)
    return _spread_evenly(
        max(common_count, 0), len(first.tables) * len(two.tables), lambda x: comb(x, 2)
    )


def _spread_evenly(count: int, slots: int, cost: Callable[[int], int]) -> int:
    """Return the sum of a convex cost where a count is spread as evenly as can be.

    >>> _spread_evenly(5, 2, lambda count: count**2)
    13
    """
    if not slots:
        return 0
    share, remainder = divmod(count, slots)
    return (slots - remainder) * cost(share) + remainder * cost(share + 1)


def find_seating_faults(
    rounds: Iterable[RoundSeats], present: Collection[int], *, stand_ins: bool
) -> Iterator[str]:
    """Yield what is wrong with a seating: all present players must sit once in each round."""
    expected_players = set(present)
    for number, seated_round in enumerate(rounds, 1):
        seated_players = [player for table in seated_round.tables for player in table]
        listed_players = [player for player in (*seated_players, *seated_round.out) if player >= 0]
        if len(set(seated_players)) < len(seated_players):
            yield f"somebody sits twice in round {number}"
        if (
            len(listed_players) != len(set(listed_players))
            or set(listed_players) != expected_players
        ):
            yield f"round {number} seats others than those who play"
        fills = sum(player < 0 for player in seated_players)
        if (
            (fills and not stand_ins)
            or fills >= SEATS_PER_TABLE
            or len(seated_round.out) >= SEATS_PER_TABLE
        ):
            yield f"round {number} is not filled as was arranged"


def count_winds(rounds: Iterable[RoundSeats]) -> dict[int, Counter[int]]:
    """Return how often each player sits in each seat: 0 is East."""
    winds_by_player: dict[int, Counter[int]] = {}
    for round_seats in rounds:
        for table in round_seats.tables:
            for seat, player in enumerate(table):
                winds_by_player.setdefault(player, Counter())[seat] += 1
    return winds_by_player


def _present(round_seats: RoundSeats) -> frozenset[int]:
    """Return the players of a round and those who sit out, without stand-ins."""
    return frozenset(
        player for player in (*_seated_players(round_seats), *round_seats.out) if player >= 0
    )


def _seated_players(round_seats: RoundSeats) -> Iterator[int]:
    return (player for table in round_seats.tables for player in table)


def _pairs(round_seats: RoundSeats) -> Iterator[frozenset[int]]:
    for table in round_seats.tables:
        yield from map(frozenset, combinations([p for p in table if p >= 0], 2))


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
    columns repeat too soon. They were searched beforehand: `starters.toml` says how.

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


def _column_table(table: int, step: int, tables: int) -> tuple[int, ...]:
    return tuple(column * tables + (table + column * step) % tables for column in range(4))


def _rotate_table(table: tuple[int, ...], step: int, size: int, players: int) -> tuple[int, ...]:
    """Return a table with each player moved `step` places along the player's circle."""
    fixed_players = players - players % size
    return tuple(p if p >= fixed_players else p // size * size + (p + step) % size for p in table)


@cache
def _load_starters() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "starters.toml").read_text("utf-8"))
