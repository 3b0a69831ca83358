"""Draw random hands: special hands, or hands by a recipe, equal on every machine for a seed.

Only `Random.random` gives the same numbers in every version of Python. So `SeededDice` uses
nothing else.

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
    """A random source that repeats the same choices for the same seed text."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def below(self, count: int) -> int:
        """Return a whole number from 0 to below `count`."""
        return int(self._random.random() * count)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, of which there must be at least one."""
        return items[self.below(len(items))]

    def chance(self, share: float) -> bool:
        """Return true with this probability."""
        return self._random.random() < share

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Return this many different items in random order, or all if there are fewer."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
