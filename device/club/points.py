"""Points by place, shared places averaged, and who is before whom: for seasons and tournaments.

Points are fractions, never floats: what three players share of 4-2-1 is 7/3 each, and 7 together.

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
    """Somebody in a standing."""

    place: int
    """Counted from 1. Who has the same has the same place, and as many places are left out."""
    shared: bool
    """Somebody else has the same place."""
    who: Who


def ranked(results: Mapping[Who, Any]) -> tuple[Ranked[Who], ...]:
    """Return everybody in a standing, the first place first, by what each has: more is better.

    What they have is a number, or a tuple of numbers of which a later one decides only where the
    earlier are equal. Who shares a place stands in the order of `results`.
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
    """Return what each of a table's players gets, in the order of `totals`.

    `by_place` has the points of the first place, of the second and so on; places beyond it get
    none. Who shares places gets their average, so that the sum stays what the places give.
    """
    standing = ranked(totals)
    points: dict[Who, Fraction] = {}
    for place, equal in groupby(standing, key=lambda each: each.place):
        together = [each.who for each in equal]
        given = sum(map(Fraction, by_place[place - 1 : place - 1 + len(together)]), Fraction())
        points |= dict.fromkeys(together, given / len(together))
    return {who: points[who] for who in totals}
