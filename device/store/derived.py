"""What was derived from the log and is kept beside it, so that it need not be derived again.

A record is kept with the version of its stream that it was made at: the number of the stream's last
event by then, when that was written, and how many there were. It may be thrown away at any time,
and is made again. It is believed only by the program that wrote it, for another may come to
something else, and only where the log has just these events.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Select, delete, func, select, text

from device.store.errors import StoreError
from device.store.log import Log, Rows
from device.store.parts import parts
from device.store.schema import EVENTS, PROJECTIONS
from scorer.errors import ScorerError

_Of = TypeVar("_Of")

_E, _P = EVENTS.c, PROJECTIONS.c

_UP_TO = EVENTS.alias("up_to")

_COUNT = select(func.count()).where(_UP_TO.c.stream == _P.stream, _UP_TO.c.seq <= _P.version)

_SAME_LAST = (_E.seq == _P.version) & (_E.stream == _P.stream) & (_E.at == _P.at)
"""After a restore, the number of the last may be another event's."""

_PUT = text("""INSERT INTO projections (sort, stream, version, events, at, form, record)
SELECT :sort, stream, seq,
(SELECT COUNT(*) FROM events AS up_to WHERE stream = :stream AND seq <= :version),
at, :form, :record FROM events WHERE seq = :version AND stream = :stream
ON CONFLICT (sort, stream) DO UPDATE SET version = excluded.version, events = excluded.events,
at = excluded.at, form = excluded.form, record = excluded.record""")
"""Nothing is kept for an event that is not there."""

_AT_ONCE = 500
"""Streams that are asked about at once."""

_NO_RECORD = (LookupError, TypeError, ValueError, ScorerError, msgspec.MsgspecError)

_log = logging.getLogger(__name__)


class KeptRecord(NamedTuple, Generic[_Of]):
    """What a stream came to."""

    version: int
    """Number of its last event by then."""
    record: _Of


@dataclass(frozen=True, slots=True)
class Derived(Generic[_Of]):
    """How records of one sort are kept."""

    sort: str
    form: int
    """Grows when what is kept changes, or what it means."""
    encode: Callable[[_Of], bytes]
    decode: Callable[[bytes], _Of]
    """Raises ValueError and kin for what is no such record."""

    def read(self, log: Log, streams: Iterable[str]) -> dict[str, KeptRecord[_Of]]:
        """Return what is kept of streams, as far as it can be believed."""
        found: dict[str, KeptRecord[_Of]] = {}
        try:
            for part in parts(streams, _AT_ONCE):
                rows = log.rows(self._asking(part))
                with _uncollected():
                    found |= self._believed(rows)
        except StoreError as error:  # whether the log itself can be read shows when it is read
            _log.error("What is kept of a %s cannot be read: %s", self.sort, error)
        return found

    def write(self, log: Log, made: Mapping[str, KeptRecord[_Of]]) -> None:
        """Keep what streams came to; a store that takes nothing is told in the log file."""
        rows = [
            {
                "sort": self.sort,
                "stream": stream,
                "version": each.version,
                "form": _written_by(self.form),
                "record": self.encode(each.record),
            }
            for stream, each in sorted(made.items())
        ]
        try:
            with log.writing() as connection:
                connection.execute(_PUT, rows)
        except StoreError as error:
            _log.error("What a %s came to is not kept, and worked out anew: %s", self.sort, error)

    def _asking(self, streams: tuple[str, ...]) -> Select[Any]:
        found = select(_P.stream, _P.version, _P.record).join(EVENTS, _SAME_LAST)
        ours = (_P.sort == self.sort, _P.form == _written_by(self.form))
        same = _P.events == _COUNT.scalar_subquery()
        return found.where(*ours, _P.stream.in_(streams), same)

    def _believed(self, rows: Rows) -> Iterator[tuple[str, KeptRecord[_Of]]]:
        for stream, version, data in rows:
            try:
                yield stream, KeptRecord(version, self.decode(data))
            except _NO_RECORD as error:
                _log.error("What is kept of the %s %s is nothing: %s", self.sort, stream, error)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile: of a hundred thousand values that come at once, none is any.

    Python would go through all that it has several times, which takes longer than reading them.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def forget(log: Log) -> None:
    """Throw away all that is kept, of all sorts."""
    with log.writing() as connection:
        connection.execute(delete(PROJECTIONS))


def of_type(sort: str, form: int, kind: type[_Of]) -> Derived[_Of]:
    """Return how records of a type are kept that msgspec writes and reads as it is."""
    decoder = msgspec.msgpack.Decoder(kind)
    return Derived(sort, form, msgspec.msgpack.encode, decoder.decode)


@cache
def _written_by(form: int) -> str:
    try:
        return f"{form} of tongbox {metadata.version('tongbox')}"
    except metadata.PackageNotFoundError:
        return f"{form}"
