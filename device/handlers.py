"""What the worker does for each kind of job that a photograph asks for.

A job is a kind and the id of what waits. Whether it still waits is in the log, so a job may be
begun again after the plug was pulled, and one that has been done in the meantime does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from device.hands.readings import STAGES, PhotoReader, kept_reading, reading_made, trouble_of
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.tiles import HandPhoto
from device.matches.repository import MatchRepository
from device.matches.whole_table import TablePhotos
from device.store.events import (
    Event,
    MirrorSaid,
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
    ReadingFailed,
    ReadingRenewed,
    SetPhotoAdded,
    SetPhotographed,
    TableAccepted,
    TablePhotographed,
    TableReadingAsked,
    TableRetaken,
)
from device.store.kept_words import kept
from device.tilesets.tile_sets import TileSets
from scorer.message import message
from vision.photo import Photo
from vision.reading import Problem, Reading
from vision.registering import name_by_order
from vision.spoilt import why_take_again, why_take_table_again

JobKind = Literal["hand", "added-photo", "whole-table", "registration"]
"""What is read: the first photograph of a hand, whether its own, of a match or asked about;
another one of it; the whole table; a tile set laid out in order."""

JobProgress = Callable[[str], None]
"""Is told each stage of a reading as it begins."""

ATTEMPTS = 2
"""So often is a reading begun that ended with the box itself. A photograph that takes all memory,
say, must not take it again at every start."""

FAULT = Problem("fault", message("photo.fault"))


@dataclass(frozen=True, slots=True)
class Workplace:
    """What the worker works with."""

    hands: HandRepository
    sets: TileSets
    reader: PhotoReader
    models: Mapping[str, str]
    """Which networks the reader has, by name, for every hand to keep."""

    @property
    def table_photos(self) -> TablePhotos:
        """The photographs of whole tables."""
        return TablePhotos(self.hands)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A photograph that is to be read."""

    id: str
    """Of the hand, the photograph of a table or the registration."""
    photo: HandPhoto
    attempts: int
    """How many readings of it were begun of which no end is known."""
    number: int = 0
    """Of the photograph, where there may be several, counted from 0."""
    table: str = ""
    """Id of the table that was photographed; empty where there is only one, and for a registration,
    which is of no table."""
    may_be_doubted: bool = False
    """It is a phone's: if it is spoilt, its player is asked whether to take it again."""


Rest = Callable[[], None]
"""What is left to do for a photograph that was read."""


def _no_rest(at: Workplace, of: str) -> Rest | None:
    return None


@dataclass(frozen=True, slots=True)
class Handler:
    """How one kind is read."""

    asked_by: tuple[type[Event], ...]
    """The events that ask for such a reading."""
    waiting: Callable[[Workplace, str], Waiting | None]
    """Returns what is to be read next under an id; raises StoreError and kin."""
    begun: Callable[[Workplace, Waiting], None]
    """Writes down that a reading begins."""
    read: Callable[[Workplace, Waiting, Photo, JobProgress], None]
    """Reads the photograph and writes down what it shows; raises PhotoError."""
    failed: Callable[[Workplace, Waiting, Problem], None]
    """Writes down why it could not be read."""
    rest: Callable[[Workplace, str], Rest | None] = _no_rest
    """Returns what is left to do under an id though it was read: the box ended before that."""
    stages: tuple[str, ...] = ("photo", *STAGES, "score")
    """The steps from the photo on, for the page that waits; between what comes before and after,
    those that the reader tells of."""

    def waits(self, at: Workplace, of: str) -> bool:
        """Whether anything is to be done under an id; raises as `waiting` does."""
        return self.waiting(at, of) is not None or self.rest(at, of) is not None

    def run(self, at: Workplace, of: str, progress: JobProgress, is_again: bool = False) -> None:
        """Read what waits, if anything does; raise PhotoError for a photograph of no use.

        What is read again, because the store did not take what came of it, is still one attempt.
        """
        waiting = self.waiting(at, of)
        if waiting is None:
            if rest := self.rest(at, of):
                rest()
            return
        if not is_again:
            if waiting.attempts >= ATTEMPTS:
                self.failed(at, waiting, FAULT)
                return
            self.begun(at, waiting)
        photo = at.hands.open(waiting.photo)
        at.sets.teach(at.reader, waiting.table)
        self.read(at, waiting, photo, progress)

    def fail(self, at: Workplace, of: str, problem: Problem) -> None:
        """Write down why what waits could not be read; what has been read cannot fail any more."""
        if waiting := self.waiting(at, of):
            self.failed(at, waiting, problem)


def _hand(at: Workplace, hand: str) -> Waiting | None:
    record = at.hands.by_itself(hand)
    if record.is_read or record.failure or record.doubts or record.photo is None:
        return None
    doubted = record.may_be_doubted
    return Waiting(hand, record.photo, record.attempts, table=record.table, may_be_doubted=doubted)


def _added_photo(at: Workplace, hand: str) -> Waiting | None:
    record = at.hands.by_itself(hand)
    if record.awaited is None or record.doubts:
        return None
    number, doubted = record.settled, record.may_be_doubted
    return Waiting(
        hand, record.awaited, record.attempts, number, record.table, may_be_doubted=doubted
    )


def _whole_table(at: Workplace, photo: str) -> Waiting | None:
    table = at.table_photos.get(photo)
    if table.is_read or table.failure or table.doubts:
        return None
    doubted = table.may_be_doubted
    laid_on = MatchRepository(at.hands).table_of(table.match)
    return Waiting(photo, table.photo, table.attempts, table=laid_on, may_be_doubted=doubted)


def _registration(at: Workplace, registration: str) -> Waiting | None:
    record = at.sets.registrations.get(registration)
    if record.awaited is None:
        return None
    photo = record.photos[record.awaited].photo
    return Waiting(registration, photo, record.attempts, record.awaited)


def _read_hand(at: Workplace, waiting: Waiting, photo: Photo, progress: JobProgress) -> None:
    record = at.hands.by_itself(waiting.id)
    seen = photo.turned_over if record.mirrored else photo
    reading = at.reader.read(seen, rules=record.rules, progress=progress)
    if record.mirrored:
        reading = reading.turned_over()
    if _is_doubted(at, waiting, reading, photo):
        return
    if other := at.sets.recognise(at.reader, photo, reading, waiting.table):
        at.hands.change(waiting.id, OtherSetSeen(other))
    at.hands.change(waiting.id, reading_made(reading, at.models))


def _is_doubted(at: Workplace, waiting: Waiting, reading: Reading, photo: Photo) -> bool:
    """Whether a photograph is one to ask about, which is then written down in place of it."""
    why = why_take_again(reading, photo) if waiting.may_be_doubted else ()
    if why:
        at.hands.change(waiting.id, PhotoDoubted(tuple(map(trouble_of, why))))
    return bool(why)


def _read_added_photo(at: Workplace, waiting: Waiting, photo: Photo, progress: JobProgress) -> None:
    rules = at.hands.by_itself(waiting.id).rules
    reading = at.reader.read(photo, rules=rules, progress=progress)
    if _is_doubted(at, waiting, reading, photo):
        return
    at.hands.change(waiting.id, PhotoRead(waiting.number, kept_reading(reading)))


def _read_whole_table(at: Workplace, waiting: Waiting, photo: Photo, progress: JobProgress) -> None:
    table = at.table_photos.get(waiting.id)
    rules = MatchRepository(at.hands).get(table.match).game.ruleset
    found = at.reader.read_table(photo, rules=rules, progress=progress)
    if waiting.may_be_doubted and (why := why_take_table_again(found, photo)):
        at.table_photos.doubt(waiting.id, why)
        return
    # Another worker may have read it, and the deal may have been settled meanwhile.
    with suppress(ChangeRefusedError):
        at.table_photos.was_read(waiting.id, found, rules)
    _give_hands(at, waiting.id)


def _give_hands(at: Workplace, photo: str) -> None:
    with suppress(ChangeRefusedError):
        at.table_photos.give_hands(photo, at.table_photos.get(photo).by)


def _hands_owed(at: Workplace, photo: str) -> Rest | None:
    return partial(_give_hands, at, photo) if at.table_photos.owes(photo) else None


def _read_registration(
    at: Workplace, waiting: Waiting, photo: Photo, progress: JobProgress
) -> None:
    found = at.reader.read_set(photo, progress=progress)
    laid = name_by_order(found.tiles)
    laid = replace(laid, problems=(*found.problems, *laid.problems))
    at.sets.registrations.was_read(waiting.id, waiting.number, laid)


def _hand_begun(at: Workplace, waiting: Waiting) -> None:
    at.hands.change(waiting.id, ReadingBegun())


def _table_begun(at: Workplace, waiting: Waiting) -> None:
    at.table_photos.reading_begun(waiting.id)


def _registration_begun(at: Workplace, waiting: Waiting) -> None:
    at.sets.registrations.reading_begun(waiting.id)


def _hand_failed(at: Workplace, waiting: Waiting, problem: Problem) -> None:
    at.hands.change(waiting.id, ReadingFailed(problem.code, kept(problem.message)))


def _added_photo_failed(at: Workplace, waiting: Waiting, problem: Problem) -> None:
    at.hands.change(waiting.id, PhotoFailed(problem.code, kept(problem.message)))


def _table_failed(at: Workplace, waiting: Waiting, problem: Problem) -> None:
    at.table_photos.not_read(waiting.id, problem)


def _registration_failed(at: Workplace, waiting: Waiting, problem: Problem) -> None:
    at.sets.registrations.not_read(waiting.id, waiting.number, problem)


HANDLERS: Mapping[JobKind, Handler] = {
    "hand": Handler(
        asked_by=(
            PhotoTaken,
            PhotoAccepted,
            PhotoRetaken,
            ReadingAsked,
            ReadingRenewed,
            MirrorSaid,
        ),
        waiting=_hand,
        begun=_hand_begun,
        read=_read_hand,
        failed=_hand_failed,
    ),
    "added-photo": Handler(
        asked_by=(PhotoAdded,),
        waiting=_added_photo,
        begun=_hand_begun,
        read=_read_added_photo,
        failed=_added_photo_failed,
    ),
    "whole-table": Handler(
        asked_by=(TablePhotographed, TableAccepted, TableRetaken, TableReadingAsked),
        waiting=_whole_table,
        begun=_table_begun,
        read=_read_whole_table,
        failed=_table_failed,
        rest=_hands_owed,
    ),
    "registration": Handler(
        asked_by=(SetPhotographed, SetPhotoAdded),
        waiting=_registration,
        begun=_registration_begun,
        read=_read_registration,
        failed=_registration_failed,
        stages=("photo", "locate", "classify"),
    ),
}
"""Every kind of job that is found again in the log after a restart."""
