"""How often players meet: counted from who sits where alone, whatever made the seating.

Only players who are in the ranking count: a stand-in may meet anybody any number of times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from device.store.events import RoundSeats

SEATS = 4
"""At a table."""

CROWDED = {1: 6, 2: 2, 3: 1}
"""Pairs of a table's four that must come to one table again, where there are so few tables."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """What is honestly to be said of a seating."""

    pairs: int
    """Who meet more than once."""
    most: int
    """How often the same two meet at most."""
    again: int
    """Meetings of two who have met before."""
    least_again: int
    """So many of those there must be, whoever sits where."""


def meetings(rounds: Sequence[RoundSeats]) -> Meetings:
    """Return how often players meet in rounds."""
    met = Counter(pair for each in rounds for pair in _pairs(each))
    players = {player for each in rounds for player in _playing(each)}
    return Meetings(
        pairs=sum(times > 1 for times in met.values()),
        most=max(met.values(), default=0),
        again=sum(times - 1 for times in met.values()),
        least_again=_least(len(players), sum(met.values()), rounds),
    )


def _least(players: int, meetings: int, rounds: Sequence[RoundSeats]) -> int:
    """Return a bound: pairs that there are, and how few tables a table of four can part to."""
    beyond = meetings - players * (players - 1) // 2
    per_table = CROWDED.get(min((len(each.tables) for each in rounds), default=0), 0)
    whole = all(min(table) >= 0 for each in rounds for table in each.tables)
    fixed = whole and not any(each.out for each in rounds)
    crowded = sum(per_table * len(each.tables) for each in rounds[1:]) if fixed else 0
    return max(beyond, crowded, 0)


def faults(
    rounds: Iterable[RoundSeats], present: Collection[int], *, stand_ins: bool
) -> Iterator[str]:
    """Yield what is wrong with seats: everybody who is present is to sit once in each round."""
    wanted = set(present)
    for number, each in enumerate(rounds, 1):
        seated = [player for table in each.tables for player in table]
        here = [player for player in (*seated, *each.out) if player >= 0]
        if len(set(seated)) < len(seated):
            yield f"somebody sits twice in round {number}"
        if len(here) != len(set(here)) or set(here) != wanted:
            yield f"round {number} seats others than those who play"
        fills = sum(player < 0 for player in seated)
        if (fills and not stand_ins) or fills >= SEATS or len(each.out) >= SEATS:
            yield f"round {number} is not filled as was arranged"


def winds_of(rounds: Iterable[RoundSeats]) -> dict[int, Counter[int]]:
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
