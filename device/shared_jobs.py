"""The worker of a store that many processes share: it takes what any of them asks to be read.

There may be any number of workers, in processes that serve pages and in others (`tongbox worker`).
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from device.handlers import JobKind
from device.hands.readings import PhotoReader
from device.hands.repository import HandRepository
from device.jobs import Job, Jobs
from device.store import StoreError
from device.tilesets.tile_sets import TileSets
from vision.allocator import trim

if TYPE_CHECKING:  # loads psycopg, which a box with a log of its own does without
    from device.store.job_rows import JobRows

PATIENCE = 1.0
"""Seconds until rows are looked at though nobody has told of any."""

LOOK_AGAIN = 5.0
"""Seconds after which the log is asked what waits: whoever kept a photograph may have been stopped
before the row was written that asks for its reading."""

MOST = 64
"""Photographs that may wait: two of each table of a large room."""

_log = logging.getLogger(__name__)


class SharedJobs(Jobs):
    """The queue that all share, and this process's worker of it."""

    def __init__(
        self,
        hands: HandRepository,
        reader: PhotoReader,
        sets: TileSets,
        rows: JobRows,
        *,
        models: Mapping[str, str] = MappingProxyType({}),
        works: bool = True,
    ) -> None:
        """Begin to work; without `works`, only what this process asks of its own reader is done."""
        self._rows = rows
        self._works = works
        self._looked = time.monotonic()
        super().__init__(hands, reader, sets, MOST, models)

    @property
    def has_room(self) -> bool:
        """Whether one more photograph is taken, by whichever worker."""
        return self._rows.count() < self._limit

    @property
    def is_reading(self) -> bool:
        """Whether a photograph is being read or waits, here or elsewhere."""
        return self._rows.count() > 0

    def submit(self, kind: JobKind, of: str) -> None:
        """Ask whoever is free to read what waits under an id."""
        self._rows.put(kind, of)

    def stage(self, of: str) -> str | None:
        """Return `waiting` or a stage of the kind's reading; None when nothing is being done."""
        return super().stage(of) or self._rows.stage(of)

    def close(self) -> None:
        """End the worker after the photo that it is reading; others read what is left."""
        self._closing.set()
        self._rows.to_do.set()
        self._worker.join()

    @contextmanager
    def _taken(self) -> Iterator[Job | None]:
        try:
            job = self._queue.get_nowait()
        except queue.Empty:
            with self._row() as found:
                yield found
            return
        try:
            yield job
        finally:
            if job:
                self._done(job)

    @contextmanager
    def _row(self) -> Iterator[Job | None]:
        """Have a row that nobody else has; where there is none, wait a little for one."""
        found = False
        try:
            if self._works:
                with self._rows.taken() as row:
                    found = row is not None
                    if row:
                        kind, of = row
                        yield self._job(cast(JobKind, kind), of)
        except StoreError as error:
            # What was done is in the log, and whoever takes the row again finds it there.
            _log.error("The queue cannot be used: %s", error)
            time.sleep(PATIENCE)
        if not found:
            self._wait()
            yield None

    def _wait_for_store(self, error: StoreError) -> None:
        """Leave the row to whoever takes it next."""
        raise error

    def _wait(self) -> None:
        self._rows.to_do.wait(PATIENCE)
        self._rows.to_do.clear()
        if time.monotonic() - self._looked > LOOK_AGAIN:
            self._looked = time.monotonic()
            trim()
            if self._works:
                self._look_again()

    def _look_again(self) -> None:
        try:
            self._submit_unanswered()
        except StoreError as error:
            _log.error("What waits cannot be found out: %s", error)

    def _put(self, job: Job) -> None:
        super()._put(job)
        self._rows.to_do.set()

    def _tell(self, job: str, stage: str) -> None:
        try:
            self._rows.tell(job, stage)
        except StoreError as error:  # a stage that is not told spoils no reading
            _log.error("The stage of %s cannot be told: %s", job, error)


def jobs_of(
    hands: HandRepository,
    reader: PhotoReader,
    sets: TileSets,
    models: Mapping[str, str],
    *,
    works: bool = True,
) -> Jobs:
    """Return the queue of a store: its own, or the one that it shares with others."""
    rows = hands.store.job_rows
    if rows is None:
        return Jobs(hands, reader, sets, models=models)
    return SharedJobs(hands, reader, sets, rows, models=models, works=works)
