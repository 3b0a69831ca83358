"""Transfer everything from one store to an empty one: completely and verified, or not at all.

Pictures go first. Without events that name them they have no effect, so an interrupted transfer
can simply be repeated. Then all rows follow with their numbers, in one transaction that is
committed only after they were read back unchanged. The source is only read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from device.store import queries
from device.store.errors import StoreError
from device.store.log import Log
from device.store.pictures import Pictures
from device.store.progress import ProgressWatcher, no_progress
from device.store.projection_cache import clear_projections
from device.store.queries import split_batches
from device.store.store import Store

MAX_BATCH_ROWS = 500
"""Rows in memory at a time: some megabytes."""

_Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TransferResult:
    """What was transferred."""

    events: int
    pictures: int
    digest: str
    """SHA-256 of all rows in hexadecimal, the same for both stores."""


def move_store(
    source: Store, target: Store, progress: ProgressWatcher = no_progress
) -> TransferResult:
    """Transfer a store into an empty one; raise StoreError before any event is committed.

    Both must be unused: what somebody adds to the source meanwhile would not be transferred.
    """
    with source.log.hold_writers():
        for each in (source, target):
            each.log.check_unused()
        if target.log.rows(queries.LAST_NUMBER)[0][0]:
            raise StoreError(
                "There are events already where all is to go. Please name a new store."
            )
        pictures = _carry_pictures(source.pictures, target.pictures, progress)
        clear_projections(target.log)  # cached records of another log
        events, digest = copy_rows(source.log, target.log, before_commit=source.log.check_unused)
    return TransferResult(events, pictures, digest)


def copy_rows(
    source: Log, target: Log, before_commit: Callable[[], None] = lambda: None
) -> tuple[int, str]:
    """Copy all rows to an empty log in one transaction, which is committed once they are read back.

    `before_commit` may still refuse. Return their number and SHA-256. The caller holds the writers
    of the source. Raises StoreError.
    """
    sent_digest = _Digest()
    read_digest = _Digest()
    with target.bulk_insert() as fill:
        for part in split_batches(sent_digest.add_rows(_rows(source)), MAX_BATCH_ROWS):
            fill.add(part)
        for _ in read_digest.add_rows(fill.rows()):
            pass
        if (sent_digest.count, sent_digest.hex) != (read_digest.count, read_digest.hex):
            raise StoreError(
                f"{sent_digest.count} events were sent and {read_digest.count} have come, "
                "or others. "
                "Nothing was kept of them; the store that they come from is as it was."
            )
        before_commit()
    return read_digest.count, read_digest.hex


def _carry_pictures(source: Pictures, target: Pictures, progress: ProgressWatcher) -> int:
    count = 0
    for place in progress(list(source.places())):
        data = source.read(place)
        target.keep(place, data)
        if target.read(place) != data:
            raise StoreError(f"The picture {place[-1]} has not come as it was sent.")
        count += 1
    return count


def _rows(log: Log) -> Iterator[_Row]:
    last_number = 0
    while rows := log.rows(queries.rows_after(last_number, MAX_BATCH_ROWS)):
        yield from rows
        last_number = rows[-1][0]


class _Digest:
    """Counts rows that pass through, and computes their SHA-256."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = hashlib.sha256()

    def add_rows(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """Yield the rows and add them to the digest."""
        for row in rows:
            self.count += 1
            for field in row:
                text = str(field).encode("utf-8", "surrogateescape")
                self._sum.update(len(text).to_bytes(8, "big") + text)
            yield row

    @property
    def hex(self) -> str:
        return self._sum.hexdigest()
