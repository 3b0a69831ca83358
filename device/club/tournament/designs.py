"""Seatings in which nobody meets twice, made without any search: every player plays each round.

Two ways lead to them, and both move players round circles. **Columns**: a round's tables have one
player of each of four columns, and from a round to the next the second column moves on by one
table, the third by two, the fourth by three. Two players of different columns then meet again only
after `t / 2` or `t / 3` rounds of `t` tables, and never where `t` has no such part. **First
rounds**, of `starters.toml`: the players stand on circles of one length, those who are left over
stand still, and from a round to the next every circle moves on by one. These are for numbers of
players at which columns come round too soon, and were found beforehand
(`python -m tests.prove.starters`).

>>> [len(list(design(players))) for players in (8, 12, 16, 20, 24, 28, 32, 60, 100, 240)]
[1, 1, 5, 5, 7, 9, 9, 10, 10, 10]
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Tables = tuple[tuple[int, ...], ...]
"""Players of one round, four a table, by their numbers from 0."""

MOST_ROUNDS = 10
"""As many as an organiser may play: two long days."""


def design(players: int) -> Iterator[Tables]:
    """Yield rounds of this many players, a multiple of 4, in which nobody meets twice.

    As many as are known, and no more than may be played; one at least.
    """
    starter = _starters().get(str(players))
    rounds = _columns(players // 4)
    if starter and starter["circle"] > rounds:
        first = [tuple(map(int, line.split())) for line in starter["first"].split("\n") if line]
        for by in range(min(starter["circle"], MOST_ROUNDS)):
            yield tuple(_moved(table, by, starter["circle"], players) for table in first)
    else:
        for by in range(min(rounds, MOST_ROUNDS)):
            yield tuple(_across(table, by, players // 4) for table in range(players // 4))


def _columns(tables: int) -> int:
    """Return in how many rounds columns bring nobody together twice."""
    if tables % 3 == 0:
        return tables // 3
    return tables // 2 if tables % 2 == 0 else tables


def _across(table: int, by: int, tables: int) -> tuple[int, ...]:
    return tuple(column * tables + (table + column * by) % tables for column in range(4))


def _moved(table: tuple[int, ...], by: int, size: int, players: int) -> tuple[int, ...]:
    """Return a table with everybody moved on along the circle of whom he is part."""
    still = players - players % size
    return tuple(p if p >= still else p // size * size + (p + by) % size for p in table)


@cache
def _starters() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "starters.toml").read_text("utf-8"))
