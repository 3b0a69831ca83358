"""The one way into the log: no event is kept that the replay of its own stream refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from device.store.errors import UnfitError
from device.store.events import Envelope, Event, event_from_json, event_to_json
from device.store.store import Store
from scorer.errors import ScorerError

UNFIT = (LookupError, TypeError, ValueError)
"""What a step raises for an event that cannot follow on those before it, besides ScorerError."""

Replay = Callable[[Envelope[Event]], object]
"""Follows one more event on those of a stream; raises UNFIT, ScorerError or an error of its own."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """One more event of a stream, as it was decided on."""

    sort: str
    """Of the stream, as the catalogue calls it."""
    stream: str
    event: Event
    after: int | None = None
    """Number of the stream's last event, 0 for none; None where others may have come since."""
    newest: int | None = None
    """Number of the newest event of its kind in any stream; None where that does not matter."""
    news: bool = True
    """Phones that show something look again because of it."""


def append(store: Store, new: NewEvent, replay: Replay) -> int:
    """Keep an event once it was replayed, as the log will have it; return its number.

    Raises UnfitError, MovedOnError, and what the replay raises besides UNFIT.
    """
    event = new.event
    try:
        if new.sort not in event.streams:
            raise ValueError(f"{event.kind} is no event of a {new.sort}")
        kept = event_from_json(event.kind, event_to_json(event))
        replay(Envelope((new.after or 0) + 1, new.stream, kept, datetime.now(UTC)))
    except ScorerError:
        raise
    except UNFIT as error:
        raise UnfitError(str(error)) from error
    return store.append(new.stream, event, after=new.after, newest=new.newest, news=new.news)
