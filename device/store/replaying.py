"""What all that is kept as events has in common: it is derived by replaying them, oldest first."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from device.store.errors import StoreError, TornEventError
from device.store.events import ChangeUndone, Envelope, Event
from scorer.errors import ScorerError

_Record = TypeVar("_Record")

UNFIT = (LookupError, TypeError, ValueError)
"""What a step raises for an event that cannot follow on those before it, besides ScorerError."""

_log = logging.getLogger(__name__)


def replayed(
    events: Sequence[Envelope[Event]],
    begin: Callable[[Envelope[Event]], _Record],
    apply: Callable[[_Record, Envelope[Event]], _Record],
) -> _Record | None:
    """Return what the events come to, None when there are none; raise TornEventError.

    The first begins it, each of the others changes it, but for those that were taken back.
    """
    undone = {each.event.seq for each in events if isinstance(each.event, ChangeUndone)}
    record: _Record | None = None
    for each in events:
        try:
            if record is None:
                record = begin(each)
            elif each.seq not in undone and not isinstance(each.event, ChangeUndone):
                record = apply(record, each)
        except (*UNFIT, ScorerError) as error:
            raise TornEventError(each.seq, each.stream, each.kind, str(error)) from error
    return record


def whole_and_torn(
    get: Callable[[str], _Record], streams: Iterable[str]
) -> tuple[tuple[_Record, ...], tuple[TornEventError, ...]]:
    """Return what streams come to, and what is wrong with those that are torn, for a list."""
    whole: list[_Record] = []
    torn: list[TornEventError] = []
    for stream in streams:
        try:
            whole.append(get(stream))
        except TornEventError as error:
            _log.error("Left out: %s", error)
            torn.append(error)
    return tuple(whole), tuple(torn)


def if_whole(get: Callable[[str], _Record], stream: str) -> _Record | None:
    """Return what the events of a stream come to; None, and a line in the log file, if torn.

    So that where many are looked through, one that is torn hides no other.
    """
    try:
        return get(stream)
    except StoreError as error:
        _log.error("Left out: %s", error)
        return None
