"""How the worker does each kind of job: it reads photographs, and cuts out tiles.

A job is a kind and an id. The log says whether the job still waits, so a job may start again
after a power cut. A job that was done in the meantime does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from device.hands.readings import STAGES, reading_event
from device.hands.record import HandPhoto, HandRecord
from device.hands.repository import ChangeRefusedError
from device.job_context import JobHandler, JobProgress, WorkerContext
from device.matches.repository import MatchRepository
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
    TableAccepted,
    TablePhotographed,
    TableReadingAsked,
    TableRetaken,
)
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
    """A photograph that waits to be read."""

    id: str
    """Id of the hand, the table photograph or the registration."""
    photo: HandPhoto
    attempts: int
    """How many readings started without a known end."""
    number: int = 0
    """Number of the photograph, from 0, where there may be several."""
    table: str = ""
    """Id of the table. Empty where there is only one, and for a registration."""
    may_be_doubted: bool = False
    """A phone sent it. If the photograph is spoilt, the player is asked to take it again."""


UnfinishedWork = Callable[[], None]
"""The work that is left for a photograph that was already read."""


def _find_no_unfinished_work(context: WorkerContext, job_id: str) -> UnfinishedWork | None:
    return None


@dataclass(frozen=True, slots=True)
class ReadingHandler:
    """How one kind of photograph is read."""

    asked_by: tuple[type[Event], ...]
    """The events that request such a reading."""
    find_waiting: Callable[[WorkerContext, str], WaitingPhoto | None]
    """Find what to read next for an id; raise StoreError or an unknown-id error."""
    record_begun: Callable[[WorkerContext, WaitingPhoto], None]
    """Record that a reading begins."""
    record_cut_off: Callable[[WorkerContext, WaitingPhoto], None]
    """Record that the last beginning is no attempt, because the store failed."""
    read: Callable[[WorkerContext, WaitingPhoto, Photo, JobProgress], None]
    """Read the photograph and record the result; raise PhotoError."""
    record_failure: Callable[[WorkerContext, WaitingPhoto, Problem], None]
    """Record why the photograph could not be read."""
    find_unfinished: Callable[[WorkerContext, str], UnfinishedWork | None] = (
        _find_no_unfinished_work
    )
    """Find unfinished work for an id that was already read (the box stopped too early)."""
    stages: tuple[str, ...] = ("photo", *STAGES, "score")
    """The stages that a waiting page shows. The reader reports those between the first and the
    last."""

    def waits(self, context: WorkerContext, job_id: str) -> bool:
        """Return whether an id has anything left to do; raise as `find_waiting` does."""
        return (
            self.find_waiting(context, job_id) is not None
            or self.find_unfinished(context, job_id) is not None
        )

    def run(
        self, context: WorkerContext, job_id: str, progress: JobProgress, is_again: bool = False
    ) -> None:
        """Read what waits under an id, if anything does; raise PhotoError for an unusable photo.

        `is_again` repeats a reading whose result the store refused. It counts as the same attempt.
        """
        decoded_photo = context.decoded_slot.take()
        waiting_photo = self.find_waiting(context, job_id)
        if waiting_photo is None:
            if finish := self.find_unfinished(context, job_id):
                finish()
            return
        if not is_again:
            if waiting_photo.attempts >= MAX_READING_ATTEMPTS:
                self.record_failure(context, waiting_photo, UNEXPECTED_FAULT)
                return
            self.record_begun(context, waiting_photo)
        photo = context.open(waiting_photo.photo, decoded_photo)
        context.sets.teach(context.reader, waiting_photo.table)
        self.read(context, waiting_photo, photo, progress)

    def withdraw(self, context: WorkerContext, job_id: str) -> None:
        """Take back the last attempt; do nothing if the photograph was read or failed since."""
        waiting_photo = self.find_waiting(context, job_id)
        if waiting_photo and waiting_photo.attempts:
            self.record_cut_off(context, waiting_photo)

    def fail(self, context: WorkerContext, job_id: str, problem: Problem) -> None:
        """Record why a waiting photograph could not be read; do nothing if it was read already."""
        if waiting_photo := self.find_waiting(context, job_id):
            self.record_failure(context, waiting_photo, problem)


def _find_waiting_hand(context: WorkerContext, hand: str) -> WaitingPhoto | None:
    record = context.hands.by_itself(hand)
    if record.is_read or record.failure or record.doubts or record.photo is None:
        return None
    may_doubt = record.may_be_doubted
    return WaitingPhoto(
        hand, record.photo, record.attempts, table=record.table, may_be_doubted=may_doubt
    )


def _find_waiting_added_photo(context: WorkerContext, hand: str) -> WaitingPhoto | None:
    record = context.hands.by_itself(hand)
    if record.awaited_photo is None or record.doubts:
        return None
    number, may_doubt = record.processed_photo_count, record.may_be_doubted
    return WaitingPhoto(
        hand, record.awaited_photo, record.attempts, number, record.table, may_be_doubted=may_doubt
    )


def _find_waiting_table(context: WorkerContext, photo: str) -> WaitingPhoto | None:
    table = context.table_photos.get(photo)
    if table.is_read or table.failure or table.doubts:
        return None
    may_doubt = table.may_be_doubted
    table_id = MatchRepository(context.hands.store).table_of(table.match)
    return WaitingPhoto(
        photo, table.photo, table.attempts, table=table_id, may_be_doubted=may_doubt
    )


def _find_waiting_registration(context: WorkerContext, registration: str) -> WaitingPhoto | None:
    record = context.sets.registrations.get(registration)
    if record.awaited_photo is None:
        return None
    photo = record.photos[record.awaited_photo].photo
    return WaitingPhoto(registration, photo, record.attempts, record.awaited_photo)


def _read_hand(
    context: WorkerContext, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress
) -> None:
    record = context.hands.by_itself(waiting_photo.id)
    seen_photo = photo.mirrored_copy if record.is_mirrored else photo
    reading = context.reader.read(seen_photo, rules=record.rules, progress=progress)
    if record.is_mirrored:
        reading = reading.mirrored_copy()
    if _doubt_if_spoilt(context, waiting_photo, reading, photo):
        return
    if other := context.sets.recognise(context.reader, photo, reading, waiting_photo.table):
        context.hands.change(waiting_photo.id, OtherSetSeen(other))
    context.hands.change(waiting_photo.id, reading_event(reading, context.models))


def _doubt_if_spoilt(
    context: WorkerContext, waiting_photo: WaitingPhoto, reading: Reading, photo: Photo
) -> bool:
    """Record the doubts about a spoilt photograph; return whether there were any."""
    reasons = reasons_to_retake(reading, photo) if waiting_photo.may_be_doubted else ()
    if reasons:
        context.hands.change(waiting_photo.id, PhotoDoubted(reasons))
    return bool(reasons)


def _read_added_photo(
    context: WorkerContext, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress
) -> None:
    rules = context.hands.by_itself(waiting_photo.id).rules
    reading = context.reader.read(photo, rules=rules, progress=progress)
    if _doubt_if_spoilt(context, waiting_photo, reading, photo):
        return
    context.hands.change(waiting_photo.id, PhotoRead(waiting_photo.number, reading))


def _read_whole_table(
    context: WorkerContext, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress
) -> None:
    table = context.table_photos.get(waiting_photo.id)
    rules = MatchRepository(context.hands.store).get(table.match).game.ruleset
    readings = context.reader.read_table(photo, rules=rules, progress=progress)
    if waiting_photo.may_be_doubted and (reasons := table_reasons_to_retake(readings, photo)):
        context.table_photos.doubt(waiting_photo.id, reasons)
        return
    # Another worker may have read it, or the deal may have been settled in the meantime.
    with suppress(ChangeRefusedError):
        context.table_photos.record_reading(waiting_photo.id, readings, rules)
    _give_hands(context, waiting_photo.id)


def _give_hands(context: WorkerContext, photo: str) -> None:
    with suppress(ChangeRefusedError):
        context.table_photos.give_hands(photo, context.table_photos.get(photo).by)


def _find_unfinished_hands(context: WorkerContext, photo: str) -> UnfinishedWork | None:
    return partial(_give_hands, context, photo) if context.table_photos.owes_hands(photo) else None


def _read_registration(
    context: WorkerContext, waiting_photo: WaitingPhoto, photo: Photo, progress: JobProgress
) -> None:
    reading = context.reader.read_set(photo, progress=progress)
    named_set = name_by_order(reading.tiles)
    named_set = replace(named_set, problems=(*reading.problems, *named_set.problems))
    context.sets.registrations.record_reading(waiting_photo.id, waiting_photo.number, named_set)


def _record_hand_begun(context: WorkerContext, waiting_photo: WaitingPhoto) -> None:
    context.hands.change(waiting_photo.id, ReadingBegun())


def _record_table_begun(context: WorkerContext, waiting_photo: WaitingPhoto) -> None:
    context.table_photos.record_attempt(waiting_photo.id)


def _record_registration_begun(context: WorkerContext, waiting_photo: WaitingPhoto) -> None:
    context.sets.registrations.record_attempt(waiting_photo.id)


def _record_hand_cut_off(context: WorkerContext, waiting_photo: WaitingPhoto) -> None:
    context.hands.change(waiting_photo.id, ReadingCutOff())


def _record_table_cut_off(context: WorkerContext, waiting_photo: WaitingPhoto) -> None:
    context.table_photos.withdraw_attempt(waiting_photo.id)


def _record_registration_cut_off(context: WorkerContext, waiting_photo: WaitingPhoto) -> None:
    context.sets.registrations.withdraw_attempt(waiting_photo.id)


def _record_hand_failure(
    context: WorkerContext, waiting_photo: WaitingPhoto, problem: Problem
) -> None:
    context.hands.change(waiting_photo.id, ReadingFailed(problem.code, problem.stored_message))


def _record_added_photo_failure(
    context: WorkerContext, waiting_photo: WaitingPhoto, problem: Problem
) -> None:
    context.hands.change(waiting_photo.id, PhotoFailed(problem.code, problem.stored_message))


def _record_table_failure(
    context: WorkerContext, waiting_photo: WaitingPhoto, problem: Problem
) -> None:
    context.table_photos.record_failure(waiting_photo.id, problem)


def _record_registration_failure(
    context: WorkerContext, waiting_photo: WaitingPhoto, problem: Problem
) -> None:
    context.sets.registrations.record_failure(waiting_photo.id, waiting_photo.number, problem)


class CropsHandler:
    """Cuts the tiles of a confirmed hand out of its photograph, for the box to learn."""

    asked_by = (CropsAsked,)
    stages = ()

    def waits(self, context: WorkerContext, job_id: str) -> bool:
        """Return whether the hand's tiles are still to be cut out."""
        return _find_photo_to_cut(context, context.hands.by_itself(job_id)) is not None

    def run(
        self, context: WorkerContext, job_id: str, progress: JobProgress, is_again: bool = False
    ) -> None:
        """Keep the pictures of the hand's tiles."""
        record = context.hands.by_itself(job_id)
        photo = _find_photo_to_cut(context, record)
        if photo is None:
            return
        if not is_again:
            if record.attempts >= MAX_READING_ATTEMPTS:
                context.sets.learn_nothing(record)
                return
            context.hands.change(job_id, ReadingBegun())
        context.sets.learn(record, context.open(photo, None))

    def withdraw(self, context: WorkerContext, job_id: str) -> None:
        """Take back the last attempt; do nothing if the tiles were cut out since."""
        record = context.hands.by_itself(job_id)
        if record.owes_crops_to and record.attempts:
            context.hands.change(job_id, ReadingCutOff())

    def fail(self, context: WorkerContext, job_id: str, problem: Problem) -> None:
        """Record that no picture can be kept, so that the next start does not try again."""
        record = context.hands.by_itself(job_id)
        if record.owes_crops_to:
            context.sets.learn_nothing(record)


def _find_photo_to_cut(context: WorkerContext, record: HandRecord) -> HandPhoto | None:
    """Return the photograph whose tiles are to be cut out, if players still want that."""
    is_wanted = record.owes_crops_to and record.tiles_right and context.sets.may_learn()
    photo = record.photo if is_wanted else None
    return None if photo and photo.original in record.removed_photos else photo


HANDLERS: Mapping[JobKind, JobHandler] = {
    "hand": ReadingHandler(
        asked_by=(
            PhotoTaken,
            PhotoAccepted,
            PhotoRetaken,
            ReadingAsked,
            ReadingRenewed,
            MirrorAnswered,
        ),
        find_waiting=_find_waiting_hand,
        record_begun=_record_hand_begun,
        record_cut_off=_record_hand_cut_off,
        read=_read_hand,
        record_failure=_record_hand_failure,
    ),
    "added-photo": ReadingHandler(
        asked_by=(PhotoAdded,),
        find_waiting=_find_waiting_added_photo,
        record_begun=_record_hand_begun,
        record_cut_off=_record_hand_cut_off,
        read=_read_added_photo,
        record_failure=_record_added_photo_failure,
    ),
    "whole-table": ReadingHandler(
        asked_by=(TablePhotographed, TableAccepted, TableRetaken, TableReadingAsked),
        find_waiting=_find_waiting_table,
        record_begun=_record_table_begun,
        record_cut_off=_record_table_cut_off,
        read=_read_whole_table,
        record_failure=_record_table_failure,
        find_unfinished=_find_unfinished_hands,
    ),
    "registration": ReadingHandler(
        asked_by=(SetPhotographed, SetPhotoAdded),
        find_waiting=_find_waiting_registration,
        record_begun=_record_registration_begun,
        record_cut_off=_record_registration_cut_off,
        read=_read_registration,
        record_failure=_record_registration_failure,
        stages=("photo", "locate", "classify"),
    ),
    "crops": CropsHandler(),
}
"""The handler of each kind of job that the log can restore after a restart."""
