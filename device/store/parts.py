"""Split a long sequence into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

_Item = TypeVar("_Item")


def parts(items: Iterable[_Item], size: int) -> Iterator[tuple[_Item, ...]]:
    """Yield the items in batches of a size; the last may be shorter."""
    left = iter(items)
    while part := tuple(islice(left, size)):
        yield part
