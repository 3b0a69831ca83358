"""Much of anything, a part at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

_Of = TypeVar("_Of")


def parts(of: Iterable[_Of], size: int) -> Iterator[tuple[_Of, ...]]:
    """Yield what there is, so many at a time, and the rest."""
    left = iter(of)
    while part := tuple(islice(left, size)):
        yield part
