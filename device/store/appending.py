"""Append events to the log: the only way in.

An event is kept only if its stream can be replayed with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from device.store.errors import EventRefusedError
from device.store.events import Envelope, Event, event_from_json, event_to_json
from device.store.store import Store
from scorer.errors import ScorerError

REPLAY_ERRORS = (LookupError, TypeError, ValueError)
"""Errors, besides ScorerError, that a replay raises for an event that cannot come next."""

Replay = Callable[[Envelope[Event]], object]
"""Replays a stream with one more event; may raise REPLAY_ERRORS, ScorerError or its own error."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to append, with the state of the log that it was decided on."""

    sort: str
    """The sort of the stream, by its name in the catalogue."""
    stream: str
    event: Event
    after: int | None = None
    """Number of the stream's last event, 0 for none; None if later events do not matter."""
    newest: int | None = None
    """Number of the newest event of its kind in any stream; None if that does not matter."""
    news: bool = True
    """Phones are notified, so that they load their page again."""


def append(store: Store, new: NewEvent, replay: Replay) -> int:
    """Append an event after a trial replay; return its number.

    Raises EventRefusedError, ConcurrentChangeError, and the replay's own errors.
    """
    event = new.event
    try:
        if new.sort not in event.streams:
            raise ValueError(f"{event.kind} is no event of a {new.sort}")
        kept = event_from_json(event.kind, event_to_json(event))
        replay(Envelope((new.after or 0) + 1, new.stream, kept, datetime.now(UTC)))
    except ScorerError:
        raise
    except REPLAY_ERRORS as error:
        raise EventRefusedError(str(error)) from error
    return store.append(new.stream, event, after=new.after, newest=new.newest, news=new.news)
