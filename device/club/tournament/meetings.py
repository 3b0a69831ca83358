"""Count how often players meet, from the seating alone.

Only ranked players count: a stand-in may meet anybody any number of times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

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
