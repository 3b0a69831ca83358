"""The one way in for a photograph, whichever page or camera it comes from.

Is there room in the queue? Then it is opened within the memory limit, kept in its sizes with the
event that says what it is of, and put in the queue. What begins with it is a value that is passed
in; a page adds nothing of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from device.handlers import Kind
from device.hands.repository import Asking, Records
from device.jobs import Jobs
from device.matches.match import Match
from device.matches.repository import Tables
from device.matches.whole_table import TablePhotos
from device.store.events import HandGiven
from device.tilesets.registrations import Registrations
from vision.photo import AMPLE, Photo, open_photo


@dataclass(frozen=True, slots=True)
class Sent:
    """A photograph as it comes: a phone's, a sample, or the box's own camera's."""

    name: str
    data: bytes
    """The file, which is kept as it is."""
    camera: Mapping[str, Any] | None = None
    """What the box's own camera says of it; None for any other."""


class Beginning(Protocol):
    """What begins with a photograph."""

    kind: ClassVar[Kind]
    """Of the job that reads it."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Keep the photograph, and what it is of; return the id of what waits to be read.

        Raises StoreError, UnknownHandError or ChangeRefusedError.
        """


@dataclass(frozen=True, slots=True)
class Intake:
    """Takes photographs in."""

    records: Records
    registrations: Registrations
    jobs: Jobs

    def take(self, source: Callable[[], Sent], what: Beginning) -> str:
        """Take in the photograph that the source gives; return the id of what begins with it.

        The source is asked once there is room for what it gives, so that no camera takes a
        photograph for nothing. Raises QueueFullError, PhotoError, StoreError, and what the source
        and the beginning raise.
        """
        self.jobs.check_room()
        return self._begin(source(), what)

    def take_if_due(self, source: Callable[[], Sent | None], what: Beginning) -> str | None:
        """Do the same with a source that may have nothing to give yet."""
        self.jobs.check_room()
        sent = source()
        return self._begin(sent, what) if sent else None

    def _begin(self, sent: Sent, what: Beginning) -> str:
        photo = open_photo(sent.data, sent.name, AMPLE)
        begun = what.begin(self, photo, sent)
        self.jobs.submit(what.kind, begun)
        return begun


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A hand that belongs to no match, under a ruleset."""

    kind: ClassVar[Kind] = "hand"
    rules: str

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the hand."""
        return intake.records.begin(photo, sent.data, self.rules, sent.camera)


@dataclass(frozen=True, slots=True)
class PlayersHand:
    """A player's hand in the deal that is being scored."""

    kind: ClassVar[Kind] = "hand"
    match: Match
    player: str
    by: str
    """The player whose phone sends it; empty where nobody has said."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the hand and give it in for the player."""
        rules, match = self.match.game.ruleset, self.match.id
        hand = intake.records.begin(photo, sent.data, rules, sent.camera, match)
        Tables(intake.records).change(match, HandGiven(self.player, hand, by=self.by))
        return hand


@dataclass(frozen=True, slots=True)
class Question:
    """A hand whose tiles somebody asks about, under a ruleset."""

    kind: ClassVar[Kind] = "hand"
    rules: str
    known: Asking
    """What is known of it besides."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the hand."""
        known = replace(self.known, camera=sent.camera or {})
        return intake.records.begin_question(photo, sent.data, self.rules, known)


@dataclass(frozen=True, slots=True)
class AnotherPhoto:
    """Another photograph of a hand that has been read."""

    kind: ClassVar[Kind] = "added-photo"
    hand: str

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Add it to the hand."""
        intake.records.add_photo(self.hand, photo, sent.data)
        return self.hand


@dataclass(frozen=True, slots=True)
class WholeTable:
    """All hands of the deal that is being scored."""

    kind: ClassVar[Kind] = "whole-table"
    match: Match
    source: str
    """Who holds the camera, as `TablePhoto.source` has it."""
    by: str
    """The player whose phone asks for it; empty where nobody has said."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Keep it for the deal."""
        photos = TablePhotos(intake.records)
        return photos.begin(self.match, self.source, photo, sent.data, self.by)


@dataclass(frozen=True, slots=True)
class SetLaidOut:
    """A tile set that is to be registered."""

    kind: ClassVar[Kind] = "registration"
    tile_set: str

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the registration."""
        return intake.registrations.begin(self.tile_set, photo, sent.data)


@dataclass(frozen=True, slots=True)
class AnotherPhotoOfSet:
    """Another photograph of a set that is being registered."""

    kind: ClassVar[Kind] = "registration"
    registration: str

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Add it to the registration."""
        intake.registrations.add_photo(self.registration, photo, sent.data)
        return self.registration
