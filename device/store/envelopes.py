"""The rows of the log as events, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from device.store.errors import TornEventError
from device.store.events import CutBack, Envelope, Event, EventError, event_from_json


class Extent(NamedTuple):
    """Which events a stream has: as long as these are the same, it comes to the same."""

    last: int
    """Number of the last."""
    events: int
    """How many there are."""
    at: str
    """When the last was written: after a restore, its number may be another event's."""


def envelope(row: tuple[Any, ...]) -> Envelope[Event]:
    """Return the event of a row; raise TornEventError."""
    seq, stream, kind, text, at = row
    try:
        return Envelope(seq, stream, event_from_json(kind, text), datetime.fromisoformat(at))
    except (EventError, ValueError, TypeError) as error:
        raise TornEventError(seq, stream, kind, str(error), str(text)) from error


def envelope_or_torn(row: tuple[Any, ...]) -> Envelope[Event] | TornEventError:
    """Return the event of a row, or what is wrong with it."""
    try:
        return envelope(row)
    except TornEventError as error:
        return error


def is_cut(torn: TornEventError, cuts: Iterable[Envelope[CutBack]]) -> bool:
    """Whether an event that makes no sense has been cut off since."""
    return any(
        torn.stream == each.stream and each.event.since <= torn.seq < each.seq for each in cuts
    )
