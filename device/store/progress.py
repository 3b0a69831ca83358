"""How far a long piece of work is, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class ProgressWatcher(Protocol):
    """Yields the same items, and shows meanwhile how many of them are done."""

    def __call__(self, items: Sequence[T]) -> Iterator[T]:
        """Yield the items."""


def no_progress(items: Sequence[T]) -> Iterator[T]:
    """Yield the items and show nothing."""
    return iter(items)
