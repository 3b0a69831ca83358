"""The job queue: one worker thread reads photographs, so no web thread waits for a network."""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial

from device.hands.readings import PhotoReader
from device.hands.record import UnknownHandError
from device.hands.repository import ChangeRefusedError
from device.hands.retention import make_room, rule_when_full
from device.job_context import DecodedPhoto, JobProgress, WorkerContext
from device.job_handlers import HANDLERS, UNEXPECTED_FAULT, JobKind
from device.matches.replay import UnknownMatchError
from device.matches.table_photo import UnknownTablePhotoError
from device.store import StoreError
from device.store.errors import (
    WRITE_REFUSED_ERRORS,
    EventRefusedError,
    UnknownStreamError,
    UnreachableError,
)
from device.store.events import Event
from vision.allocator import trim, trim_excess
from vision.errors import PhotoError
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import Problem, make_problem

MAX_WAITING_PHOTOS = 32
"""Photographs that may wait: eight full tables that end a deal at the same moment. More than
that means a fault."""

MAX_REQUESTS_SEARCHED = 200
"""Reading requests searched at the start for unanswered ones: far more than may wait."""

STUCK_TIMEOUT_S = 300.0
"""After this long on one photograph the worker counts as stuck. The slowest accepted photo, a
HEIC of 64 megapixels, takes 8 s on a desktop core (tests/README.md) and about 30 s on a Pi 4.
A hot and busy Pi 4 may take 180 s."""

IDLE_BEFORE_TRIM_S = 10.0
"""Idle time before freed memory returns to the system. The hands of one deal arrive faster, and
each would request the same memory again: a fifth of the reading time."""

STORE_RETRY_INTERVAL_S = 2.0
"""How often a write is retried while the store refuses writes, as on a full card."""

_PREVIEW_JOB = "preview"
"""Name of the job that counts the tiles in the live picture."""

_UNKNOWN_ID_ERRORS = (UnknownHandError, UnknownMatchError, UnknownTablePhotoError, StoreError)
"""The errors for an id that does not exist or has damaged events."""

_log = logging.getLogger(__name__)


class QueueFullError(Exception):
    """The maximum number of photographs is waiting already."""


@dataclass(frozen=True, slots=True)
class Job:
    """One task for the worker."""

    id: str
    """Id of the hand, table photograph or registration; or a fixed name."""
    run: Callable[[JobProgress, bool], None]
    """Do the job. The flag says that it ran before and the store refused the result."""
    fail: Callable[[Problem], None]
    withdraw: Callable[[], None] = lambda: None
    """Take the attempt back after the store has failed."""
    is_kept: bool = True
    """The log keeps the request until it has the answer."""


class PhotoQueue:
    """The queue of photographs to read, and the stage that each has reached."""

    def __init__(self, context: WorkerContext, limit: int = MAX_WAITING_PHOTOS) -> None:
        """Start the worker."""
        self._context = context
        self.limit = limit
        """Photographs that may wait."""
        self._queue: queue.Queue[Job | None] = queue.Queue()
        self._closing = threading.Event()
        self._stages: dict[str, str] = {}
        self._open = Counter[str]()  # unfinished jobs by id; a hand may have several photographs
        self._count_lock = threading.Lock()
        self._start_time = math.inf  # monotonic time at which the current job began
        self._worker = threading.Thread(target=self._run, name="reader", daemon=True)
        self._worker.start()
        self._submit_unanswered()  # requests from before the restart

    def _submit_unanswered(self) -> None:
        for kind, job_id in _find_unanswered(self._context):
            self.submit(kind, job_id)

    @property
    def has_room(self) -> bool:
        """Return whether one more photograph is accepted.

        Callers check before they store a photo. A few that pass the check together are all read.
        """
        return len(self._stages) < self.limit

    def check_room(self) -> None:
        """Raise QueueFullError unless one more photograph is accepted."""
        if not self.has_room:
            raise QueueFullError

    @property
    def alive(self) -> bool:
        """Return whether the worker lives and is not stuck at one photograph."""
        return self._worker.is_alive() and time.monotonic() - self._start_time < STUCK_TIMEOUT_S

    @property
    def is_reading(self) -> bool:
        """Return whether a photograph is being read or waits; live previews do not count."""
        return any(job != _PREVIEW_JOB for job in tuple(self._stages))

    def submit(self, kind: JobKind, job_id: str, decoded_photo: DecodedPhoto | None = None) -> None:
        """Queue what waits under an id; `decoded_photo` is its photograph if it is open already.

        Only a worker with nothing else to read gets it: no waiting photograph is in memory.
        """
        if decoded_photo and not self.is_reading:
            self._context.decoded_slot.put(decoded_photo)
        self._put(self._job(kind, job_id))

    def use_reader(
        self, job: str, use: Callable[[PhotoReader], None], fail: Callable[[Problem], None]
    ) -> None:
        """Queue a use of the reader that no event requests, such as a trial.

        `job` is its name in place of an id. It is forgotten when the box is switched off.
        """
        self._put(Job(job, lambda *_: use(self._context.reader), fail, is_kept=False))

    def count_tiles(self, rgb: RGB, report_count: Callable[[int], None]) -> None:
        """Pass the number of tiles in a preview to `report_count`, if the worker is idle."""
        if self._stages:
            return
        photo = Photo("preview", rgb)
        self.use_reader(
            _PREVIEW_JOB, lambda reader: report_count(reader.count(photo)), lambda _: None
        )

    def _job(self, kind: JobKind, job_id: str) -> Job:
        handler = HANDLERS[kind](self._context)
        return Job(
            job_id,
            partial(handler.run, job_id),
            partial(handler.fail, job_id),
            partial(handler.withdraw, job_id),
        )

    def _put(self, job: Job) -> None:
        with self._count_lock:
            self._open[job.id] += 1
            self._stages.setdefault(job.id, "waiting")
        self._queue.put(job)

    def _mark_done(self, job: Job) -> None:
        with self._count_lock:
            self._open[job.id] -= 1
            if self._open[job.id]:
                self._stages[job.id] = "waiting"
            else:
                del self._open[job.id], self._stages[job.id]

    def stage(self, job_id: str) -> str | None:
        """Return `waiting` or the current stage of an id; None when nothing is being done."""
        return self._stages.get(job_id)

    def close(self) -> None:
        """Stop the worker after the current photo; the others wait for the next start."""
        self._closing.set()
        self._queue.put(None)
        self._worker.join()

    def _run(self) -> None:
        self._make_room()
        while not self._closing.is_set():
            with suppress(UnreachableError), self._take_job() as job:
                if job is None:
                    continue
                self._do(job)
            self._make_room()

    @contextmanager
    def _take_job(self) -> Iterator[Job | None]:
        """Provide the next job and mark it done afterwards; None when there is none."""
        job = self._wait_for_job()
        if job is None or self._closing.is_set():
            yield None
            return
        try:
            yield job
        finally:
            self._mark_done(job)

    def _wait_for_job(self) -> Job | None:
        with suppress(queue.Empty):
            return self._queue.get(timeout=IDLE_BEFORE_TRIM_S)
        trim()
        return self._queue.get()

    def _do(self, job: Job) -> None:
        """Do a job; while the store refuses the result, wait and try again.

        Raises UnreachableError to leave the job until the store answers again.
        """
        is_again = False
        while not (is_again and self._closing.is_set()):
            self._start_time = time.monotonic()
            try:
                self._try(job, is_again)
                return
            except WRITE_REFUSED_ERRORS as error:
                _log.error("Cannot save the reading of %s yet: %s", job.id, error)
                self._start_time, is_again = math.inf, True
                self._tell(job.id, "waiting")
                self._wait_for_store(error)
            finally:
                self._start_time = math.inf
                trim_excess()

    def _wait_for_store(self, _: StoreError) -> None:
        """Return once the store accepts writes again, or the worker is to stop."""
        while not self._closing.wait(STORE_RETRY_INTERVAL_S):
            with suppress(StoreError):
                self._context.hands.store.try_write()
                return

    def _try(self, job: Job, is_again: bool) -> None:
        """Do a job; raise a StoreError if it has to wait for the store."""
        try:
            job.run(partial(self._tell, job.id), is_again)
        except PhotoError as error:
            _record_failure(job, make_problem(error.code, error.message))
        except (UnreachableError, *WRITE_REFUSED_ERRORS) as error:
            if job.is_kept:  # the store is at fault, not the photograph
                raise
            _log.error("Reading %s was interrupted: %s", job.id, error)
            _record_failure(job, UNEXPECTED_FAULT)
        except Exception:  # noqa: BLE001 - the worker must outlive any one photograph
            _log.exception("Reading %s failed", job.id)
            _record_failure(job, UNEXPECTED_FAULT)

    def _tell(self, job: str, stage: str) -> None:
        self._stages[job] = stage

    def _make_room(self) -> None:
        """Remove old photographs before the disk is full."""
        hands = self._context.hands
        try:
            make_room(hands, rule_when_full(hands.store))
        except StoreError as error:
            _log.error("Cannot free disk space: %s", error)


def withdraw_attempt(job: Job) -> None:
    """Take back the attempt at a job that the store cut off; raise if the store still fails."""
    try:
        job.withdraw()
    except (UnreachableError, *WRITE_REFUSED_ERRORS):
        raise
    except (UnknownStreamError, StoreError, EventRefusedError, ChangeRefusedError) as error:
        _log.error("Cannot undo the attempt at %s: %s", job.id, error)


def _record_failure(job: Job, problem: Problem) -> None:
    try:
        job.fail(problem)
    except WRITE_REFUSED_ERRORS:
        raise
    except (*_UNKNOWN_ID_ERRORS, ChangeRefusedError) as error:
        _log.error("Cannot record that reading %s failed: %s", job.id, error)


def _find_unanswered(context: WorkerContext) -> Iterator[tuple[JobKind, str]]:
    """Yield the reading requests without an answer, oldest first.

    A request whose events are damaged is skipped.
    """
    kinds: dict[type[Event], JobKind] = {
        event: kind for kind, handler in HANDLERS.items() for event in handler.asked_by
    }
    for request_event in reversed(
        context.hands.store.newest_of_kinds(*kinds, limit=MAX_REQUESTS_SEARCHED)
    ):
        kind = kinds[type(request_event.event)]
        try:
            if HANDLERS[kind](context).waits(request_event.stream):
                yield kind, request_event.stream
        except _UNKNOWN_ID_ERRORS as error:
            _log.error("Skipping %s: %s", request_event.stream, error)
