"""Rounds in which nobody meets twice, built without a search."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Tables = tuple[tuple[int, ...], ...]
"""Players of one round by number from 0, four at each table."""

MOST_ROUNDS = 10
"""Rounds that an organiser may plan: two long days."""


def design(players: int) -> Iterator[Tables]:
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
    """Return for how many rounds the columns bring nobody together twice."""
    if tables % 3 == 0:
        return tables // 3
    return tables // 2 if tables % 2 == 0 else tables


def _across(table: int, by: int, tables: int) -> tuple[int, ...]:
    return tuple(column * tables + (table + column * by) % tables for column in range(4))


def _moved(table: tuple[int, ...], by: int, size: int, players: int) -> tuple[int, ...]:
    """Return a table with each player moved `by` places along the player's circle."""
    still = players - players % size
    return tuple(p if p >= still else p // size * size + (p + by) % size for p in table)


@cache
def _starters() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "starters.toml").read_text("utf-8"))
