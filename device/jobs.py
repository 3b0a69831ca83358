"""One worker reads photographs, one after another, so that no web thread waits for a model."""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from device.hands.hand import UnknownHandError
from device.hands.readings import PhotoReader, kept_problem, kept_reading
from device.hands.repository import ChangeRefusedError, Records
from device.hands.retention import make_room, when_full
from device.store import StoreError
from device.tilesets.tile_sets import TileSets
from scorer.message import message
from vision.errors import PhotoError
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import Problem
from vision.registering import name_by_order

QUEUE_LIMIT = 8
"""Hands that may wait: two full tables. More than that means that something is wrong."""

ATTEMPTS = 2
"""So often is a reading begun that ended with the box itself. A photograph that takes all memory,
say, must not take it again at every start."""

STUCK_AFTER = 300.0
"""Seconds for one photograph after which the worker counts as hung. The slowest that is taken, a
HEIC of 64 megapixels, needs 8 s of a desktop machine's core (tests/README.md), so some 30 of a
Pi 4's, 90 when heat has slowed that to a third, and 180 when half of it goes to other things."""

_log = logging.getLogger(__name__)


class Jobs:
    """The queue of hands to be read, and the stage that each has reached."""

    def __init__(
        self,
        records: Records,
        reader: PhotoReader,
        sets: TileSets,
        limit: int = QUEUE_LIMIT,
        models: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Begin to work; `models` says which networks the reader has, for every hand to keep."""
        self._records = records
        self._sets = sets
        self._reader = reader
        self._limit = limit
        self._models = dict(models)
        self._queue: queue.Queue[_Job | None] = queue.Queue()
        self._closing = threading.Event()
        self._stages: dict[str, str] = {}
        self._open = Counter[str]()  # jobs not yet done; one hand may have several photographs
        self._counting = threading.Lock()
        self._began = math.inf  # when the job under way began, by the monotonic clock
        self._worker = threading.Thread(target=self._run, name="reader", daemon=True)
        self._worker.start()
        for record in records.unread():  # photographs that were waiting when the plug was pulled
            if record.attempts < ATTEMPTS:
                self.submit(record.id)
            else:
                self._fail(record.id, Problem("fault", message("photo.fault")))

    @property
    def has_room(self) -> bool:
        """Whether one more photograph is taken.

        It is asked before a photo is kept, so a few that pass this door together are all read.
        """
        return len(self._stages) < self._limit

    @property
    def alive(self) -> bool:
        """Whether the worker works: it lives, and has not been at one photograph for too long."""
        return self._worker.is_alive() and time.monotonic() - self._began < STUCK_AFTER

    def submit(self, hand: str) -> None:
        """Put a hand in the queue."""
        self._put(_Job(hand, self._read, self._fail))

    def submit_set(self, registration: str) -> None:
        """Put a registration in the queue, of which a photograph waits to be read."""
        self._put(_Job(registration, self._read_set, self._fail_set))

    def lend(
        self, job: str, use: Callable[[PhotoReader], None], fail: Callable[[Problem], None]
    ) -> None:
        """Put a use of the reader in the queue that belongs to no hand, such as a trial of it."""
        self._put(_Job(job, lambda _: use(self._reader), lambda _, problem: fail(problem)))

    def count_tiles(self, rgb: RGB, seen: Callable[[int], None]) -> None:
        """Tell `seen` how many tiles a preview shows, if the worker has nothing else to do."""
        if self._stages:
            return
        photo = Photo("preview", rgb)
        self._put(_Job("preview", lambda _: seen(self._reader.count(photo)), lambda *_: None))

    def _put(self, job: _Job) -> None:
        with self._counting:
            self._open[job.id] += 1
            self._stages.setdefault(job.id, "waiting")
        self._queue.put(job)

    def _done(self, job: _Job) -> None:
        with self._counting:
            self._open[job.id] -= 1
            if self._open[job.id]:
                self._stages[job.id] = "waiting"
            else:
                del self._open[job.id], self._stages[job.id]

    def stage(self, job: str) -> str | None:
        """Return `waiting` or one of `readings.STAGES`; None when nothing is being done."""
        return self._stages.get(job)

    def close(self) -> None:
        """End the worker after the hand that it is reading; the others wait for the next start."""
        self._closing.set()
        self._queue.put(None)
        self._worker.join()

    def _run(self) -> None:
        self._make_room()
        while (job := self._queue.get()) is not None and not self._closing.is_set():
            self._began = time.monotonic()
            try:
                job.read(job.id)
            except Exception:  # noqa: BLE001 - the worker must outlive any one photograph
                _log.exception("Reading %s failed", job.id)
                job.fail(job.id, Problem("fault", message("photo.fault")))
            finally:
                self._done(job)
                self._began = math.inf
            self._make_room()

    def _make_room(self) -> None:
        """Let old photographs go before the disk is full."""
        try:
            make_room(self._records, when_full(self._records.store))
        except StoreError:
            _log.exception("No room could be made on the disk")

    def _read(self, hand: str) -> None:
        def progress(stage: str) -> None:
            self._stages[hand] = stage

        record = self._records.get(hand)
        kept = record.awaited or record.photo
        if kept is None:
            return
        self._records.change(hand, "reading-begun", {})
        try:
            photo = self._records.open(kept)
            self._sets.teach(self._reader)
            reading = self._reader.read(photo, rules=record.rules, progress=progress)
        except PhotoError as error:
            self._fail(hand, Problem(error.code, error.message))
            return
        if record.awaited:
            more = {"number": record.settled, "reading": kept_reading(reading)}
            self._records.change(hand, "photo-read", more)
        else:
            other = self._sets.recognise(self._reader, photo, reading)
            if other:
                self._records.change(hand, "other-set-seen", {"set": other})
            made = {**kept_reading(reading), "models": self._models}
            self._records.change(hand, "reading-made", made)

    def _read_set(self, registration: str) -> None:
        record = self._sets.registrations.get(registration)
        if record.awaited is None:
            return
        try:
            kept = record.photos[record.awaited].photo
            photo = self._records.open(kept)
            self._sets.teach(self._reader)
            laid = name_by_order(self._reader.read_set(photo))
        except PhotoError as error:
            self._fail_set(registration, Problem(error.code, error.message))
            return
        self._sets.registrations.was_read(registration, record.awaited, laid)

    def _fail(self, hand: str, problem: Problem) -> None:
        try:
            kind = "photo-failed" if self._records.get(hand).is_read else "reading-failed"
            self._records.change(hand, kind, kept_problem(problem))
        except (UnknownHandError, ChangeRefusedError, StoreError):
            _log.exception("Hand %s could not be told that its reading failed", hand)

    def _fail_set(self, registration: str, problem: Problem) -> None:
        try:
            awaited = self._sets.registrations.get(registration).awaited
            if awaited is not None:
                self._sets.registrations.not_read(registration, awaited, problem)
        except (UnknownHandError, ChangeRefusedError, StoreError):
            _log.exception("Registration %s could not be told that it failed", registration)


@dataclass(frozen=True, slots=True)
class _Job:
    """One photograph to be read."""

    id: str
    """Of the hand or the registration."""
    read: Callable[[str], None]
    fail: Callable[[str, Problem], None]
