"""Append events to the log: the only way in.

An event is kept only if its stream can be replayed with it. Where it was decided on what other
streams say, such as that a name is free, it is kept only if they still say so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from device.store.errors import ConcurrentChangeError, EventRefusedError, OutdatedError
from device.store.events import Envelope, Event, encode_event, event_from_json
from device.store.log import KindsSeen
from device.store.store import Store, StoredForm, wall_time
from scorer.errors import ScorerError
from scorer.unseen_signs import remove_unseen_json

MAX_APPEND_TRIES = 20
"""How often a change is decided again because another one came first."""

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
    kinds_seen: KindsSeen | None = None
    """What was read of other streams; None if they do not matter."""
    news: bool = True
    """Phones are notified, so that they load their page again."""


def append(store: Store, new: NewEvent, replay: Replay) -> Envelope[Event]:
    """Append an event after a trial replay; return it as the log has it.

    Raises EventRefusedError, ConcurrentChangeError, and the replay's own errors.
    """
    event = new.event
    try:
        if new.sort not in event.streams:
            raise ValueError(f"{event.kind} is no event of a {new.sort}")
        form = StoredForm(remove_unseen_json(encode_event(event)), wall_time())
        stored_event = event_from_json(event.kind, form.json)
        likely_number = max(new.after or 0, store.answers.newest_number) + 1
        trial = Envelope(
            likely_number, new.stream, stored_event, datetime.fromisoformat(form.time_text)
        )
        replay(trial)
    except ScorerError:
        raise
    except REPLAY_ERRORS as error:
        raise EventRefusedError(str(error)) from error
    seq = store.append(
        new.stream,
        event,
        after=new.after,
        kinds_seen=new.kinds_seen,
        news=new.news,
        form=form,
    )
    return replace(trial, seq=seq)


_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)


def append_if_unchanged(
    store: Store, kinds: Iterable[type[Event]], attempt: Callable[[KindsSeen], _Result]
) -> _Result:
    """Let `attempt` decide by all events of these kinds, and append; return its result.

    It appends its event with what it gets as the event's `kinds_seen`. If an event of these kinds
    came first, from any process, nothing is kept and `attempt` decides again: so no two names are
    the same. It may refuse by raising.
    """
    names = tuple(each.kind for each in kinds)
    for _ in range(MAX_APPEND_TRIES):
        kinds_seen = KindsSeen(names, store.last_number())
        try:
            return attempt(kinds_seen)
        except OutdatedError:
            raise
        except ConcurrentChangeError as error:
            _log.info("Deciding again: %s", error)
        except EventRefusedError:
            if store.last_number() == kinds_seen.last:
                raise  # else what came first may be the reason
    raise ConcurrentChangeError(", ".join(names))
