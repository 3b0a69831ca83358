"""The job queue of a database that several processes share.

Any process may add photographs. Any number of workers read them: in processes that serve pages
and in separate ones (`tongbox worker`).
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from device.job_context import DecodedPhoto, WorkerContext
from device.job_handlers import JobKind
from device.jobs import Job, PhotoQueue, withdraw_attempt
from device.store import StoreError
from vision.allocator import trim

if TYPE_CHECKING:  # loads psycopg, which a box with its own log does not need
    from device.store.shared_database import JobQueue

POLL_INTERVAL_S = 1.0
"""Seconds between two looks at the rows when no notification arrives."""

LOG_SEARCH_INTERVAL_S = 5.0
"""Seconds between searches of the log for requests without a row. A process may stop after it
stored a photograph and before it wrote the row."""

MAX_SHARED_WAITING_PHOTOS = 64
"""Photographs that may wait: two for each table of a large room."""

_log = logging.getLogger(__name__)


class SharedPhotoQueue(PhotoQueue):
    """The queue that all processes share, with this process's worker."""

    def __init__(
        self,
        context: WorkerContext,
        rows: JobQueue,
        *,
        works: bool = True,
    ) -> None:
        """Start the worker; without `works` it does only this process's own uses of the reader."""
        self._rows = rows
        self._works = works
        self._looked_at = time.monotonic()
        self._cut_off: Job | None = None  # its attempt is to be taken back
        super().__init__(context, MAX_SHARED_WAITING_PHOTOS)

    @property
    def has_room(self) -> bool:
        """Return whether one more photograph is accepted, by any worker."""
        return self._rows.count() < self.limit

    @property
    def is_reading(self) -> bool:
        """Return whether a photograph is being read or waits, in any process."""
        return self._rows.count() > 0

    def submit(self, kind: JobKind, job_id: str, decoded_photo: DecodedPhoto | None = None) -> None:
        """Ask any free worker to read what waits under an id; in another process it decodes it."""
        self._rows.put(kind, job_id)

    def stage(self, job_id: str) -> str | None:
        """Return `waiting` or the current stage of an id; None when nothing is being done."""
        return super().stage(job_id) or self._rows.stage(job_id)

    def close(self) -> None:
        """Stop the worker after the current photo; other workers read the rest."""
        self._closing.set()
        self._rows.to_do.set()
        self._worker.join()

    @contextmanager
    def _take_job(self) -> Iterator[Job | None]:
        try:
            job = self._queue.get_nowait()
        except queue.Empty:
            with self._take_row() as found:
                yield found
            return
        try:
            yield job
        finally:
            if job:
                self._mark_done(job)

    @contextmanager
    def _take_row(self) -> Iterator[Job | None]:
        """Provide a row that no other worker holds; wait a little when there is none."""
        is_found = False
        try:
            if self._works:
                self._withdraw_cut_off()
                with self._rows.take_job() as row:
                    is_found = row is not None
                    if row:
                        kind, job_id = row
                        yield self._job(cast(JobKind, kind), job_id)
        except StoreError as error:
            # Finished work is in the log; the next worker to take the row finds it there.
            _log.error("Cannot use the queue: %s", error)
            time.sleep(POLL_INTERVAL_S)
        if not is_found:
            self._wait()
            yield None

    def _do(self, job: Job) -> None:
        try:
            super()._do(job)
        except StoreError:
            self._cut_off = job if job.is_kept else self._cut_off
            raise

    def _withdraw_cut_off(self) -> None:
        """Let no outage of the store count as an attempt, whoever takes the row next."""
        if self._cut_off:
            withdraw_attempt(self._cut_off)
            self._cut_off = None

    def _wait_for_store(self, error: StoreError) -> None:
        """Release the row: raise the error so that any worker may take it next."""
        raise error

    def _wait(self) -> None:
        self._rows.to_do.wait(POLL_INTERVAL_S)
        self._rows.to_do.clear()
        if time.monotonic() - self._looked_at > LOG_SEARCH_INTERVAL_S:
            self._looked_at = time.monotonic()
            trim()
            if self._works:
                self._look_again()

    def _look_again(self) -> None:
        try:
            self._submit_unanswered()
        except StoreError as error:
            _log.error("Cannot list the waiting jobs: %s", error)

    def _put(self, job: Job) -> None:
        super()._put(job)
        self._rows.to_do.set()

    def _tell(self, job: str, stage: str) -> None:
        try:
            self._rows.tell(job, stage)
        except StoreError as error:  # a lost stage report does not spoil the reading
            _log.error("Cannot report the stage of %s: %s", job, error)


def open_photo_queue(
    context: WorkerContext,
    *,
    works: bool = True,
) -> PhotoQueue:
    """Return a store's queue: its own, or the one that it shares with other processes."""
    rows = context.hands.store.job_rows
    if rows is None:
        return PhotoQueue(context)
    return SharedPhotoQueue(context, rows, works=works)
