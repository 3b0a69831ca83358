"""Chance that falls alike on every machine.

Only `Random.random` is promised to give the same numbers in every version of Python, so all else
is made of it.

>>> dice = SeededDice("pung:7")
>>> [dice.below(6) for _ in range(5)]
[1, 1, 0, 5, 5]
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class SeededDice:
    """Falls by a seed: the same text, the same falls."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def below(self, count: int) -> int:
        """Return a whole number from 0 to below `count`."""
        return int(self._random.random() * count)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items; there must be one."""
        return items[self.below(len(items))]

    def chance(self, share: float) -> bool:
        """Return true in this share of the falls."""
        return self._random.random() < share

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Return so many different items in any order, or all when there are no more."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
