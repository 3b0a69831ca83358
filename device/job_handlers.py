"""How the worker does each kind of job: it reads photographs, and cuts out tiles.

A job is a kind and an id. The log says whether the job still waits, so a job may start again
after a power cut. A job that was done in the meantime does nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, Protocol

from device.hands.readings import STAGES, reading_event
from device.hands.record import HandPhoto
from device.hands.repository import ChangeRefusedError
from device.job_context import JobProgress, WorkerContext
from device.matches.repository import MatchRepository
from device.matches.table_photo import TablePhotos
from device.store.events import (
    CropsAsked,
    Event,
    MirrorAnswered,
    OtherSetSeen,
    PhotoAccepted,
    PhotoAdded,
    PhotoDoubted,
    PhotoFailed,
    PhotoRead,
    PhotoRetaken,
    PhotoTaken,
    ReadingAsked,
    ReadingBegun,
    ReadingCutOff,
    ReadingFailed,
    ReadingRenewed,
    SetPhotoAdded,
    SetPhotographed,
    SetReadingBegun,
    SetReadingCutOff,
    TableAccepted,
    TableDoubted,
    TableFailed,
    TablePhotographed,
    TableReadingAsked,
    TableReadingBegun,
    TableReadingCutOff,
    TableRetaken,
)
from device.tilesets.registrations import Registrations
from scorer.message import message
from vision.photo import Photo
from vision.reading import Problem, Reading, make_problem
from vision.retake_advice import reasons_to_retake, table_reasons_to_retake
from vision.set_registration import name_by_order

JobKind = Literal["hand", "added-photo", "whole-table", "registration", "crops"]
"""What is read: the first photograph of a hand; another photograph of it; a photograph of the
whole table; a tile set that is laid out in order for registration. Or a hand's tiles are cut out of
its photograph, for the box to learn."""

MAX_READING_ATTEMPTS = 2
"""How often a reading may start when the box stopped during it. A photograph that exhausts the
memory must not do so at every start. A reading that the store cut off does not count."""

UNEXPECTED_FAULT = make_problem("fault", message("photo.fault"))


@dataclass(frozen=True, slots=True)
class WaitingPhoto:
    """A photograph that waits for a job."""

    id: str
    """Id of the hand, the table photograph or the registration."""
    photo: HandPhoto
    attempts: int
    """How many attempts started without a known end."""
    number: int = 0
    """Number of the photograph, from 0, where there may be several."""
    table: str = ""
    """Id of the table. Empty where there is only one, and for a registration."""
    may_be_doubted: bool = False
    """A phone sent it. If the photograph is spoilt, the player is asked to take it again."""


class _Repository(Protocol):
    """The streams that one kind of job changes."""

    def change(self, stream: str, event: Any, /) -> object:  # noqa: ANN401 - of the stream's sort
        """Append an event."""


class JobHandler(ABC):
    """How one kind of job is done. Unknown ids and damaged events raise the repository's errors."""

    asked_by: ClassVar[tuple[type[Event], ...]]
    """The events that request such a job."""
    start_event: ClassVar[Event] = ReadingBegun()
    """Says that an attempt begins."""
    cut_off_event: ClassVar[Event] = ReadingCutOff()
    """Says that the last beginning is no attempt, because the store failed."""
    stages: ClassVar[tuple[str, ...]] = ("photo", *STAGES, "score")
    """The stages that a waiting page shows. The reader reports those between the first and the
    last."""

    reads_tiles: ClassVar[bool] = True
    """Reads tiles, by the table's tile set. An upload may just have decoded the photograph."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context

    @property
    def repository(self) -> _Repository:
        """Return the streams of the ids."""
        return self._context.hands

    @abstractmethod
    def find_waiting(self, job_id: str) -> WaitingPhoto | None:
        """Return the photograph that waits under an id."""

    @abstractmethod
    def do(self, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress) -> None:
        """Do the job with the decoded photograph, and record the result; raise PhotoError."""

    @abstractmethod
    def record_failure(self, waiting_photo: WaitingPhoto, problem: Problem) -> None:
        """Record why the job could not be done, so that the next start does not try again."""

    def find_unfinished(self, job_id: str) -> Callable[[], None] | None:
        """Return the work that is left for a photograph that was already read; None for none."""
        return None

    def waits(self, job_id: str) -> bool:
        """Return whether an id has anything left to do."""
        return bool(self.find_waiting(job_id) or self.find_unfinished(job_id))

    def run(self, job_id: str, progress: JobProgress, is_again: bool = False) -> None:
        """Do what waits under an id, if anything does; raise PhotoError for an unusable photo.

        `is_again` repeats work whose result the store refused. It counts as the same attempt.
        """
        decoded_photo = self._context.decoded_slot.take() if self.reads_tiles else None
        waiting_photo = self.find_waiting(job_id)
        if waiting_photo is None:
            if finish := self.find_unfinished(job_id):
                finish()
            return
        if not is_again:
            if waiting_photo.attempts >= MAX_READING_ATTEMPTS:
                self.record_failure(waiting_photo, UNEXPECTED_FAULT)
                return
            self.repository.change(job_id, self.start_event)
        photo = self._context.open(waiting_photo.photo, decoded_photo)
        if self.reads_tiles:
            self._context.sets.teach(self._context.reader, waiting_photo.table)
        self.do(waiting_photo, photo, progress)

    def withdraw(self, job_id: str) -> None:
        """Take back the last attempt; do nothing if the job was done or failed since."""
        waiting_photo = self.find_waiting(job_id)
        if waiting_photo and waiting_photo.attempts:
            self.repository.change(job_id, self.cut_off_event)

    def fail(self, job_id: str, problem: Problem) -> None:
        """Record why a job could not be done; do nothing if it was done already."""
        if waiting_photo := self.find_waiting(job_id):
            self.record_failure(waiting_photo, problem)


class _HandHandler(JobHandler):
    """Reads the first photograph of a hand."""

    asked_by = (
        PhotoTaken, PhotoAccepted, PhotoRetaken, ReadingAsked, ReadingRenewed, MirrorAnswered
    )  # fmt: skip

    def find_waiting(self, job_id: str) -> WaitingPhoto | None:
        record = self._context.hands.by_itself(job_id)
        if record.is_read or record.failure or record.doubts or record.photo is None:
            return None
        return WaitingPhoto(
            job_id, record.photo, record.attempts, 0, record.table, record.may_be_doubted
        )

    def do(self, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress) -> None:
        record = self._context.hands.by_itself(waiting_photo.id)
        seen_photo = photo.mirrored_copy if record.is_mirrored else photo
        reading = self._context.reader.read(seen_photo, rules=record.rules, progress=progress)
        if record.is_mirrored:
            reading = reading.mirrored_copy()
        if _doubt_if_spoilt(self._context, waiting_photo, reading, photo):
            return
        if other := self._context.sets.recognise(
            self._context.reader, photo, reading, waiting_photo.table
        ):
            self._context.hands.change(waiting_photo.id, OtherSetSeen(other))
        self._context.hands.change(waiting_photo.id, reading_event(reading, self._context.models))

    def record_failure(self, waiting_photo: WaitingPhoto, problem: Problem) -> None:
        self._context.hands.change(
            waiting_photo.id, ReadingFailed(problem.code, problem.stored_message)
        )


class _AddedPhotoHandler(JobHandler):
    """Reads another photograph of a hand."""

    asked_by = (PhotoAdded,)

    def find_waiting(self, job_id: str) -> WaitingPhoto | None:
        record = self._context.hands.by_itself(job_id)
        if record.awaited_photo is None or record.doubts:
            return None
        number = record.processed_photo_count
        return WaitingPhoto(
            job_id, record.awaited_photo, record.attempts, number, record.table,
            record.may_be_doubted,
        )  # fmt: skip

    def do(self, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress) -> None:
        rules = self._context.hands.by_itself(waiting_photo.id).rules
        reading = self._context.reader.read(photo, rules=rules, progress=progress)
        if not _doubt_if_spoilt(self._context, waiting_photo, reading, photo):
            self._context.hands.change(waiting_photo.id, PhotoRead(waiting_photo.number, reading))

    def record_failure(self, waiting_photo: WaitingPhoto, problem: Problem) -> None:
        self._context.hands.change(
            waiting_photo.id, PhotoFailed(problem.code, problem.stored_message)
        )


def _doubt_if_spoilt(
    context: WorkerContext, waiting_photo: WaitingPhoto, reading: Reading, photo: Photo
) -> bool:
    """Record the doubts about a spoilt photograph; return whether there were any."""
    reasons = reasons_to_retake(reading, photo) if waiting_photo.may_be_doubted else ()
    if reasons:
        context.hands.change(waiting_photo.id, PhotoDoubted(reasons))
    return bool(reasons)


class _TableHandler(JobHandler):
    """Reads a photograph of the whole table, and gives its hands to their players."""

    asked_by = (TablePhotographed, TableAccepted, TableRetaken, TableReadingAsked)
    start_event, cut_off_event = TableReadingBegun(), TableReadingCutOff()

    @property
    def repository(self) -> TablePhotos:
        return TablePhotos(self._context.hands)

    def find_waiting(self, job_id: str) -> WaitingPhoto | None:
        table = self.repository.get(job_id)
        if table.is_read or table.failure or table.doubts:
            return None
        table_id = MatchRepository(self._context.hands.store).table_of(table.match)
        return WaitingPhoto(job_id, table.photo, table.attempts, 0, table_id, table.may_be_doubted)

    def do(self, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress) -> None:
        photos = self.repository
        match = photos.get(waiting_photo.id).match
        rules = MatchRepository(self._context.hands.store).get(match).game.ruleset
        readings = self._context.reader.read_table(photo, rules=rules, progress=progress)
        if waiting_photo.may_be_doubted and (reasons := table_reasons_to_retake(readings, photo)):
            photos.change(waiting_photo.id, TableDoubted(tuple(reasons)))
            return
        # Another worker may have read it, or the deal may have been settled in the meantime.
        with suppress(ChangeRefusedError):
            photos.record_reading(waiting_photo.id, readings, rules)
        self._give_hands(waiting_photo.id)

    def record_failure(self, waiting_photo: WaitingPhoto, problem: Problem) -> None:
        event = TableFailed(problem.code, problem.stored_message)
        self.repository.change(waiting_photo.id, event)

    def find_unfinished(self, job_id: str) -> Callable[[], None] | None:
        if self.repository.owes_hands(job_id):
            return partial(self._give_hands, job_id)
        return None

    def _give_hands(self, job_id: str) -> None:
        photos = self.repository
        with suppress(ChangeRefusedError):
            photos.give_hands(job_id, photos.get(job_id).by)


class _RegistrationHandler(JobHandler):
    """Reads a photograph of a tile set that is laid out in order."""

    asked_by = (SetPhotographed, SetPhotoAdded)
    start_event, cut_off_event = SetReadingBegun(), SetReadingCutOff()
    stages = ("photo", "locate", "classify")

    @property
    def repository(self) -> Registrations:
        return self._context.sets.registrations

    def find_waiting(self, job_id: str) -> WaitingPhoto | None:
        record = self.repository.get(job_id)
        if record.awaited_photo is None:
            return None
        photo = record.photos[record.awaited_photo].photo
        return WaitingPhoto(job_id, photo, record.attempts, record.awaited_photo)

    def do(self, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress) -> None:
        reading = self._context.reader.read_set(photo, progress=progress)
        named_set = name_by_order(reading.tiles)
        named_set = replace(named_set, problems=(*reading.problems, *named_set.problems))
        self.repository.record_reading(waiting_photo.id, waiting_photo.number, named_set)

    def record_failure(self, waiting_photo: WaitingPhoto, problem: Problem) -> None:
        self.repository.record_failure(waiting_photo.id, waiting_photo.number, problem)


class _CropsHandler(JobHandler):
    """Cuts the tiles of a confirmed hand out of its photograph, for the box to learn."""

    asked_by = (CropsAsked,)
    stages = ()
    reads_tiles = False

    def find_waiting(self, job_id: str) -> WaitingPhoto | None:
        record = self._context.hands.by_itself(job_id)
        is_wanted = record.owes_crops_to and record.tiles_right and self._context.sets.may_learn()
        if not is_wanted or record.photo is None or record.photo.original in record.removed_photos:
            return None
        return WaitingPhoto(job_id, record.photo, record.attempts)

    def do(self, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress) -> None:
        self._context.sets.learn(self._context.hands.by_itself(waiting_photo.id), photo)

    def record_failure(self, waiting_photo: WaitingPhoto, problem: Problem) -> None:
        self._context.sets.learn_nothing(self._context.hands.by_itself(waiting_photo.id))


HANDLERS: Mapping[JobKind, type[JobHandler]] = {
    "hand": _HandHandler,
    "added-photo": _AddedPhotoHandler,
    "whole-table": _TableHandler,
    "registration": _RegistrationHandler,
    "crops": _CropsHandler,
}
"""The handler of each kind of job that the log can restore after a restart."""
