"""One worker reads photographs, one after another, so that no web thread waits for a model."""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from device.handlers import FAULT, HANDLERS, JobKind, JobProgress, Workplace
from device.hands.hand import UnknownHandError
from device.hands.readings import PhotoReader
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.retention import make_room, when_full
from device.matches.replay import UnknownMatchError
from device.matches.whole_table import UnknownTableError
from device.store import StoreError
from device.store.errors import NOT_TAKEN, UnreachableError
from device.store.events import Event
from device.tilesets.tile_sets import TileSets
from vision.allocator import trim, trim_if_much_is_free
from vision.errors import PhotoError
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import Problem

QUEUE_LIMIT = 32
"""Hands that may wait: eight full tables, which end a deal at the same moment. More than that means
that something is wrong."""

NEWEST = 100
"""So many askings for a reading are looked through at the start for those without an answer: far
more than may wait at a time."""

STUCK_AFTER = 300.0
"""Seconds for one photograph after which the worker counts as hung. The slowest that is taken, a
HEIC of 64 megapixels, needs 8 s of a desktop machine's core (tests/README.md), so some 30 of a
Pi 4's, 90 when heat has slowed that to a third, and 180 when half of it goes to other things."""

TRIM_AFTER_S = 10.0
"""Without a job until freed memory goes back to the system. The four hands of a deal come closer
together: each would otherwise ask for the same memory again, a fifth of what its reading takes."""

STORE_TRIED_EVERY_S = 2.0
"""While the store takes nothing, because its card is full, say, it is tried so often whether what
came of a reading can be written down by now."""

_PREVIEW = "preview"
"""The name of the job that counts what the live picture shows."""

_UNKNOWN = (UnknownHandError, UnknownMatchError, UnknownTableError, StoreError)
"""What is wrong with an id under which there is nothing, or nothing whole."""

_log = logging.getLogger(__name__)


class QueueFullError(Exception):
    """As many photographs wait as may."""


@dataclass(frozen=True, slots=True)
class Job:
    """One thing for the worker to do."""

    id: str
    """Of the hand, the photograph of a table or the registration; or a name of its own."""
    run: Callable[[JobProgress, bool], None]
    """Takes whether it was begun already, and the store did not take what came of it."""
    fail: Callable[[Problem], None]
    is_kept: bool = True
    """The log says that it waits, until it says what came of it."""


class Jobs:
    """The queue of what is to be read, and the stage that each has reached."""

    def __init__(
        self,
        hands: HandRepository,
        reader: PhotoReader,
        sets: TileSets,
        limit: int = QUEUE_LIMIT,
        models: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Begin to work; `models` says which networks the reader has, for every hand to keep."""
        self._at = Workplace(hands, sets, reader, models)
        self._limit = limit
        self._queue: queue.Queue[Job | None] = queue.Queue()
        self._closing = threading.Event()
        self._stages: dict[str, str] = {}
        self._open = Counter[str]()  # jobs not yet done; one hand may have several photographs
        self._counting = threading.Lock()
        self._began = math.inf  # when the job under way began, by the monotonic clock
        self._worker = threading.Thread(target=self._run, name="reader", daemon=True)
        self._worker.start()
        self._submit_unanswered()  # they waited when the plug was pulled

    def _submit_unanswered(self) -> None:
        for kind, of in _unanswered(self._at):
            self.submit(kind, of)

    @property
    def has_room(self) -> bool:
        """Whether one more photograph is taken.

        It is asked before a photo is kept, so a few that pass this door together are all read.
        """
        return len(self._stages) < self._limit

    def check_room(self) -> None:
        """Raise QueueFullError unless one more photograph is taken."""
        if not self.has_room:
            raise QueueFullError

    @property
    def alive(self) -> bool:
        """Whether the worker works: it lives, and has not been at one photograph for too long."""
        return self._worker.is_alive() and time.monotonic() - self._began < STUCK_AFTER

    @property
    def is_reading(self) -> bool:
        """Whether a photograph is being read, or waits; the live picture is none."""
        return any(job != _PREVIEW for job in tuple(self._stages))

    def submit(self, kind: JobKind, of: str) -> None:
        """Put what waits under an id in the queue."""
        self._put(self._job(kind, of))

    def use_reader(
        self, job: str, use: Callable[[PhotoReader], None], fail: Callable[[Problem], None]
    ) -> None:
        """Put a use of the reader in the queue that nothing kept asks for, such as a trial of it.

        It has a name in place of an id, and is forgotten when the box is switched off.
        """
        self._put(Job(job, lambda *_: use(self._at.reader), fail, is_kept=False))

    def count_tiles(self, rgb: RGB, seen: Callable[[int], None]) -> None:
        """Tell `seen` how many tiles a preview shows, if the worker has nothing else to do."""
        if self._stages:
            return
        photo = Photo("preview", rgb)
        self.use_reader(_PREVIEW, lambda reader: seen(reader.count(photo)), lambda _: None)

    def _job(self, kind: JobKind, of: str) -> Job:
        handler = HANDLERS[kind]
        return Job(of, partial(handler.run, self._at, of), partial(handler.fail, self._at, of))

    def _put(self, job: Job) -> None:
        with self._counting:
            self._open[job.id] += 1
            self._stages.setdefault(job.id, "waiting")
        self._queue.put(job)

    def _done(self, job: Job) -> None:
        with self._counting:
            self._open[job.id] -= 1
            if self._open[job.id]:
                self._stages[job.id] = "waiting"
            else:
                del self._open[job.id], self._stages[job.id]

    def stage(self, of: str) -> str | None:
        """Return `waiting` or a stage of the kind's reading; None when nothing is being done."""
        return self._stages.get(of)

    def close(self) -> None:
        """End the worker after the photo that it is reading; the others wait for the next start."""
        self._closing.set()
        self._queue.put(None)
        self._worker.join()

    def _run(self) -> None:
        self._make_room()
        while not self._closing.is_set():
            with suppress(UnreachableError), self._taken() as job:
                if job is None:
                    continue
                self._do(job)
            self._make_room()

    @contextmanager
    def _taken(self) -> Iterator[Job | None]:
        """Have the next job until it is done; None when there is none after all."""
        job = self._next()
        if job is None or self._closing.is_set():
            yield None
            return
        try:
            yield job
        finally:
            self._done(job)

    def _next(self) -> Job | None:
        with suppress(queue.Empty):
            return self._queue.get(timeout=TRIM_AFTER_S)
        trim()
        return self._queue.get()

    def _do(self, job: Job) -> None:
        """Do a job, and wait with it while the store does not take what comes of it.

        Raises UnreachableError for one that waits until the store answers again.
        """
        is_again = False
        while not (is_again and self._closing.is_set()):
            self._began = time.monotonic()
            try:
                self._try(job, is_again)
                return
            except NOT_TAKEN as error:
                _log.error("What came of reading %s waits to be kept: %s", job.id, error)
                self._began, is_again = math.inf, True
                self._tell(job.id, "waiting")
                self._wait_for_store(error)
            finally:
                self._began = math.inf
                trim_if_much_is_free()

    def _wait_for_store(self, _: StoreError) -> None:
        """Return once the store takes something again, or the worker is to end."""
        while not self._closing.wait(STORE_TRIED_EVERY_S):
            with suppress(StoreError):
                self._at.hands.store.try_write()
                return

    def _try(self, job: Job, is_again: bool) -> None:
        """Do a job; raise a StoreError for one that has to wait for the store."""
        try:
            job.run(partial(self._tell, job.id), is_again)
        except PhotoError as error:
            _fail(job, Problem(error.code, error.message))
        except (UnreachableError, *NOT_TAKEN) as error:
            if job.is_kept:  # the photograph is not to blame
                raise
            _log.error("%s was cut off: %s", job.id, error)
            _fail(job, FAULT)
        except Exception:  # noqa: BLE001 - the worker must outlive any one photograph
            _log.exception("Reading %s failed", job.id)
            _fail(job, FAULT)

    def _tell(self, job: str, stage: str) -> None:
        self._stages[job] = stage

    def _make_room(self) -> None:
        """Let old photographs go before the disk is full."""
        hands = self._at.hands
        try:
            make_room(hands, when_full(hands.store))
        except StoreError as error:
            _log.error("No room could be made on the disk: %s", error)


def _fail(job: Job, problem: Problem) -> None:
    try:
        job.fail(problem)
    except NOT_TAKEN:
        raise
    except (*_UNKNOWN, ChangeRefusedError) as error:
        _log.error("It could not be written down that reading %s failed: %s", job.id, error)


def _unanswered(at: Workplace) -> Iterator[tuple[JobKind, str]]:
    """Yield what the log asks to be read and has no answer to, oldest first.

    One whose events are torn hides no other.
    """
    kinds: dict[type[Event], JobKind] = {
        event: kind for kind, handler in HANDLERS.items() for event in handler.asked_by
    }
    for asking in reversed(at.hands.store.newest_of_kinds(*kinds, limit=NEWEST)):
        kind = kinds[type(asking.event)]
        try:
            if HANDLERS[kind].waits(at, asking.stream):
                yield kind, asking.stream
        except _UNKNOWN as error:
            _log.error("%s is left out: %s", asking.stream, error)
