"""Whether the box can keep what is played, tried and not just looked at, for whoever watches it."""

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
"""Seconds for which an answer holds: every try writes to the card, and cards wear."""

TROUBLES: dict[type[StoreError], str] = {
    DiskFullError: "no room",
    UnwritableError: "no write",
    TornLogError: "torn log",
    UnreachableError: "no database",
    RefusedError: "no database",
}
"""What each error is called towards programs; any other is `no store`."""


def trouble_of(error: StoreError) -> str:
    """Return what an error is called towards programs."""
    return TROUBLES.get(type(error), "no store")


class StorageWatch:
    """Whether the store takes what is played, found out as often as it is asked, but not more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._found: tuple[str, ...] = ()
        self._until = -1.0

    def troubles(self, hands: HandRepository) -> tuple[str, ...]:
        """Return what is wrong, the worst first; nothing when all is well."""
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
