"""What has been computed from a store's log, kept in memory as long as the store is open.

Every cache is an object of its own class with typed attributes. All of it can be computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from device.store.store import Store

_Cache = TypeVar("_Cache")


class StoreCaches:
    """The caches of one store, each made once; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[Callable[[Store], object], object] = {}

    def __iter__(self) -> Iterator[object]:
        return iter(tuple(self._made.values()))

    def get(self, make: Callable[[Store], _Cache]) -> _Cache:
        """Return what `make` makes of the store, always the same object.

        `make` is the cache's class. It must not be a function that is defined anew at each call.
        """
        if make not in self._made:
            self._made.setdefault(make, make(self._store))
        return cast(_Cache, self._made[make])  # of that type, for `make` made it

    def clear(self) -> None:
        """Forget everything, as after a restart. No other thread may be using the caches."""
        self._made.clear()
