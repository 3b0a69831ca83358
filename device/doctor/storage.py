"""Find out whether the box can store what is played, by trying."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable

from device.hands.repository import HandRepository
from device.store import DiskFullError, StoreError, TornLogError, UnwritableError
from device.store.errors import RefusedError, UnreachableError
from device.store.store import RESERVE

FOR = 30.0
"""How long a result is valid. Every try writes to the card, and cards wear out."""

TROUBLES: dict[type[StoreError], str] = {
    DiskFullError: "no room",
    UnwritableError: "no write",
    TornLogError: "torn log",
    UnreachableError: "no database",
    RefusedError: "no database",
}
"""The name of each error for programs; any other error is `no store`."""


def trouble_of(error: StoreError) -> str:
    """Return the name of an error for programs."""
    return TROUBLES.get(type(error), "no store")


class StorageWatch:
    """Tries whether the store accepts writes, but not more often than necessary."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._found: tuple[str, ...] = ()
        self._until = -1.0

    def troubles(self, hands: HandRepository) -> tuple[str, ...]:
        """Return what is wrong, the worst first; empty if all is well."""
        with self._lock:
            if self._clock() >= self._until:
                self._found = tuple(dict.fromkeys(_look(hands)))
                self._until = self._clock() + FOR
            return self._found


def _look(hands: HandRepository) -> list[str]:
    found: list[str] = []
    store = hands.store
    try:
        hands.newest()
        store.try_write()
    except StoreError as error:
        found.insert(0, trouble_of(error))
    try:
        if shutil.disk_usage(store.folder).free < RESERVE:
            found.append("no room")
    except OSError:
        found.append("no store")
    return found
