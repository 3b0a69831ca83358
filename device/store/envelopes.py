"""Turn rows of the log into events, or into errors that say what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from device.store.errors import TornEventError
from device.store.events import CutBack, Envelope, Event, EventError, event_from_json


class Extent(NamedTuple):
    """Which events a stream has. The same extent means the same record."""

    last: int
    """Number of the last event."""
    events: int
    """Number of events."""
    at: str
    """When the last was written. After a restore, its number may belong to another event."""


def envelope(row: tuple[Any, ...]) -> Envelope[Event]:
    """Return the event of a row; raise TornEventError."""
    seq, stream, kind, text, at = row
    try:
        return Envelope(seq, stream, event_from_json(kind, text), datetime.fromisoformat(at))
    except (EventError, ValueError, TypeError) as error:
        raise TornEventError(seq, stream, kind, str(error), str(text)) from error


def envelope_or_torn(row: tuple[Any, ...]) -> Envelope[Event] | TornEventError:
    """Return the event of a row, or the error that says why it is torn."""
    try:
        return envelope(row)
    except TornEventError as error:
        return error


def is_cut(torn: TornEventError, cuts: Iterable[Envelope[CutBack]]) -> bool:
    """Whether a torn event has been cut off by a later one."""
    return any(
        torn.stream == each.stream and each.event.since <= torn.seq < each.seq for each in cuts
    )
