"""Collect what people have written in the club's events: names, and reasons."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from device.store import Store
from device.store.events import KINDS

_SORTS = {"club table", "person", "season", "tournament"}

_KINDS = [kind for kind in KINDS.values() if _SORTS.intersection(kind.streams)]


def written_in_the_club(store: Store) -> set[str]:
    """Return every text of the club's events, and every one in their lists."""
    return set(_texts(store))


def _texts(store: Store) -> Iterator[str]:
    for event_kind in store.of_kinds(*_KINDS):
        for value in structs.asdict(event_kind.event).values():
            if isinstance(value, str):
                yield value
            elif isinstance(value, tuple):
                yield from map(str, value)
