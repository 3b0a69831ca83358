"""What all that is kept as events has in common: it is derived by replaying them, oldest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from device.store import Event, StoreError
from scorer.errors import ScorerError

_Record = TypeVar("_Record")

UNDONE = "change-undone"
"""The event that takes another one back: from then on, that one has never been."""


def replayed(
    events: Sequence[Event],
    begin: Callable[[Event], _Record],
    apply: Callable[[_Record, Event], _Record],
) -> _Record | None:
    """Return what the events come to, None when there are none; raise StoreError for torn ones.

    The first begins it, each of the others changes it, but for those that were taken back.
    """
    undone = {event.data["seq"] for event in events if event.kind == UNDONE}
    record: _Record | None = None
    for event in events:
        try:
            if record is None:
                record = begin(event)
            elif event.seq not in undone and event.kind != UNDONE:
                record = apply(record, event)
        except (KeyError, IndexError, TypeError, ValueError, ScorerError) as error:
            raise StoreError(f"Event {event.seq} ({event.kind}) makes no sense: {error}") from error
    return record
