"""Rank players, and give table points for places; players who tie share the average.

Points are fractions, never floats. Three players who share 4-2-1 get 7/3 each, 7 together.

>>> from fractions import Fraction
>>> points = table_points({"Ann": 120, "Bob": -40, "Cy": 120, "Di": -200}, (4, 2, 1, 0))
>>> {name: str(each) for name, each in points.items()}
{'Ann': '3', 'Bob': '1', 'Cy': '3', 'Di': '0'}
>>> [(each.place, each.shared, each.who) for each in ranked({"Ann": 3, "Bob": 1, "Cy": 3})]
[(1, True, 'Ann'), (1, True, 'Cy'), (3, False, 'Bob')]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Generic, TypeVar

Who = TypeVar("Who")


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Who]):
    """One participant's place in a ranking."""

    place: int
    """Counted from 1. Equal participants share a place, and the places after them are skipped."""
    shared: bool
    """Whether somebody else has the same place."""
    who: Who


def ranked(results: Mapping[Who, Any]) -> tuple[Ranked[Who], ...]:
    """Return all participants, the first place first; a higher result is better.

    A result is a number, or a tuple whose later numbers only break ties. Participants who share a
    place keep the order of `results`.
    """
    in_order = sorted(results, key=lambda who: results[who], reverse=True)
    standing: list[Ranked[Who]] = []
    for _, equal in groupby(in_order, key=lambda who: results[who]):
        together = list(equal)
        place, shared = len(standing) + 1, len(together) > 1
        standing.extend(Ranked(place, shared, who) for who in together)
    return tuple(standing)


def table_points(
    totals: Mapping[Who, int], by_place: Sequence[int | Fraction]
) -> dict[Who, Fraction]:
    """Return the table points of each player, in the order of `totals`.

    `by_place` lists the points of the first place, the second and so on; later places get none.
    Players who share places get their average, so the sum does not change.
    """
    standing = ranked(totals)
    points: dict[Who, Fraction] = {}
    for place, equal in groupby(standing, key=lambda each: each.place):
        together = [each.who for each in equal]
        given = sum(map(Fraction, by_place[place - 1 : place - 1 + len(together)]), Fraction())
        points |= dict.fromkeys(together, given / len(together))
    return {who: points[who] for who in totals}
