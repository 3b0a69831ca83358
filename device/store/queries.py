"""The queries of the log, for either engine, and how their rows become events.

Frequent queries are built once, with named parameters: building them each time took four times as
long as the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import CompoundSelect, Select, bindparam, func, select, union_all

from device.store.errors import TornEventError
from device.store.events import CutBack, Envelope, Event, EventError, event_from_json
from device.store.log_schema import EVENTS
from scorer.unseen_signs import remove_unseen_json

Query = Select[Any] | CompoundSelect[Any]

_E = EVENTS.c

EVENT_ROWS = select(_E.seq, _E.stream, _E.kind, _E.json, _E.at)

LAST_NUMBER = select(func.coalesce(func.max(_E.seq), 0))
"""The number of the newest row."""

KIND_COUNTS = select(_E.kind, func.count()).group_by(_E.kind)


_AFTER_NUMBER = _E.seq > bindparam("after")

ROWS_OF_STREAM = EVENT_ROWS.where(_E.stream == bindparam("stream"), _AFTER_NUMBER).order_by(_E.seq)
"""The rows of a `stream` above a number `after`, oldest first."""

ROWS_OF_KINDS = EVENT_ROWS.where(
    _E.kind.in_(bindparam("kinds", expanding=True)), _AFTER_NUMBER
).order_by(_E.seq)
"""All rows of these `kinds` above a number `after`, oldest first."""


_IN_STREAMS = _E.stream.in_(bindparam("streams", expanding=True))

_LAST_NUMBER = (
    select(_E.stream, func.max(_E.seq).label("last"), func.count().label("events"))
    .where(_IN_STREAMS)
    .group_by(_E.stream)
    .subquery()
)

ROWS_OF_STREAMS = EVENT_ROWS.where(_IN_STREAMS).order_by(_E.stream, _E.seq)
"""All rows of these `streams`, stream by stream, each one's oldest first."""

EXTENTS_OF_STREAMS = select(
    _LAST_NUMBER.c.stream, _LAST_NUMBER.c.last, _LAST_NUMBER.c.events, _E.at
).join(EVENTS, _E.seq == _LAST_NUMBER.c.last)
"""The extent of each of these `streams`: number of the last row, count, last time. Apart from the
last row of each stream it reads only the index."""

FIRST_ROW_OF_STREAMS = EVENT_ROWS.where(
    _E.seq.in_(select(func.min(_E.seq)).where(_IN_STREAMS).group_by(_E.stream))
)
"""The first row of each of these `streams`."""

LAST_ROW_OF_STREAMS = EVENT_ROWS.join(_LAST_NUMBER, _E.seq == _LAST_NUMBER.c.last)
"""The last row of each of these `streams`."""


def rows_after(seq: int, limit: int) -> Select[Any]:
    """Return the query for the next rows above a number, of all streams."""
    return EVENT_ROWS.where(_E.seq > seq).order_by(_E.seq).limit(limit)


@cache
def keys_after(limit: int) -> Select[Any]:
    """Return the query for number, stream and kind of the next rows above a number `after`."""
    return select(_E.seq, _E.stream, _E.kind).where(_AFTER_NUMBER).order_by(_E.seq).limit(limit)


@cache
def newest_rows_where(column: str, limit: int | None) -> Select[Any]:
    """Return the query for the newest rows whose stream or kind is a `value`."""
    return EVENT_ROWS.where(_E[column] == bindparam("value")).order_by(_E.seq.desc()).limit(limit)


@cache
def newest_rows_of_kinds(kinds: tuple[type[Event], ...], limit: int | None) -> Query:
    """Return the query for the rows of these kinds, the newest first."""
    return _newest_first(EVENT_ROWS, kinds).limit(limit)


@cache
def streams_of_kinds(kinds: tuple[type[Event], ...]) -> Query:
    """Return the query for the numbers and streams of the rows of these kinds, newest first."""
    return _newest_first(select(_E.seq, _E.stream), kinds)


def _newest_first(query: Select[Any], kinds: tuple[type[Event], ...]) -> Query:
    """Return a query for rows of these kinds, newest first.

    The index has the rows of each kind in order, and both engines merge them lazily, so that only
    the newest rows are read. `kind IN (...)` would sort them all.
    """
    each_kind = [query.where(_E.kind == each.kind) for each in kinds]
    if len(each_kind) == 1:
        return each_kind[0].order_by(_E.seq.desc())
    merged_query = union_all(*each_kind)
    return merged_query.order_by(merged_query.selected_columns.seq.desc())


_Item = TypeVar("_Item")


def split_batches(items: Iterable[_Item], size: int) -> Iterator[tuple[_Item, ...]]:
    """Yield the items in batches of a size; the last may be shorter."""
    left = iter(items)
    while part := tuple(islice(left, size)):
        yield part


class StreamExtent(NamedTuple):
    """Which events a stream has. The same extent means the same record."""

    last: int
    """Number of the last event."""
    events: int
    """Number of events."""
    at: str
    """When the last was written. After a restore, its number may belong to another event."""


def envelope_from_row(row: tuple[Any, ...]) -> Envelope[Event]:
    """Return the event of a row; raise TornEventError.

    Its words come without signs that nobody sees: the log may be a backup that no box wrote.
    """
    seq, stream, kind, text, time_text = row
    try:
        clean_text = remove_unseen_json(text) if isinstance(text, str) else text  # a damaged row
        return Envelope(
            seq, stream, event_from_json(kind, clean_text), datetime.fromisoformat(time_text)
        )
    except (EventError, ValueError, TypeError) as error:
        raise TornEventError(seq, stream, kind, str(error), str(text)) from error


def envelope_or_error(row: tuple[Any, ...]) -> Envelope[Event] | TornEventError:
    """Return the event of a row, or the error that says why it is torn."""
    try:
        return envelope_from_row(row)
    except TornEventError as error:
        return error


def is_cut(torn_error: TornEventError, cuts: Iterable[Envelope[CutBack]]) -> bool:
    """Whether a torn event has been cut off by a later one."""
    return any(
        torn_error.stream == each.stream and each.event.since <= torn_error.seq < each.seq
        for each in cuts
    )
