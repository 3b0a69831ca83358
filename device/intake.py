"""The one way in for a photograph, whichever page or camera it comes from.

Is there room in the queue? Then it is opened when its turn comes, one at a time and within the
memory limit, kept in its sizes with the event that says what it is of, and put in the queue. What
begins with it is a value that is passed in; a page adds nothing of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

from device.decoding.decoder import DECODER
from device.decoding.gate import GATE
from device.handlers import JobKind
from device.hands.repository import Asking, HandRepository, KnownPhotos
from device.jobs import Jobs
from device.matches.match import Match
from device.matches.photos import photos_of
from device.matches.repository import MatchRepository
from device.matches.whole_table import TablePhotos
from device.store.events import HandGiven
from device.tilesets.registrations import Registrations
from vision.photo import Photo


@dataclass(frozen=True)
class Sent:
    """A photograph as it comes: a phone's, a sample, or the box's own camera's."""

    name: str
    read: Callable[[], bytes]
    """Returns the file. It is asked when its turn comes: of those that wait, none is in memory."""
    camera: Mapping[str, Any] | None = None
    """What the box's own camera says of it; None for any other."""
    by_phone: bool = False
    """A phone sends it. If it is spoilt, its player is asked before it is read."""

    @cached_property
    def data(self) -> bytes:
        """The file, which is kept as it is."""
        return self.read()


class WhatBegins(Protocol):
    """What begins with a photograph."""

    @property
    def kind(self) -> JobKind:
        """Of the job that reads it."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Keep the photograph, and what it is of; return the id of what waits to be read.

        Raises StoreError, UnknownHandError or ChangeRefusedError.
        """


@dataclass(frozen=True, slots=True)
class Intake:
    """Takes photographs in."""

    hands: HandRepository
    registrations: Registrations
    jobs: Jobs

    def take(self, source: Callable[[], Sent], what: WhatBegins) -> str:
        """Take in the photograph that the source gives; return the id of what begins with it.

        The source is asked once there is room for what it gives, so that no camera takes a
        photograph for nothing. Raises QueueFullError, PhotoError, StoreError, and what the source
        and the beginning raise.
        """
        self.jobs.check_room()
        with GATE.in_line():
            return self._begin(source(), what)

    def take_if_due(self, source: Callable[[], Sent | None], what: WhatBegins) -> str | None:
        """Do the same with a source that may have nothing to give yet."""
        self.jobs.check_room()
        with GATE.in_line():
            sent = source()
            return self._begin(sent, what) if sent else None

    def _begin(self, sent: Sent, what: WhatBegins) -> str:
        with GATE.turn():
            begun = what.begin(self, DECODER.open(sent.data, sent.name), sent)
        self.jobs.submit(what.kind, begun)
        return begun


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A hand that belongs to no match, under a ruleset."""

    kind: ClassVar[JobKind] = "hand"
    rules: str
    table: str = ""
    """Id of the table that it lies on; empty where there is only one."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the hand."""
        kept = intake.hands.keep(photo, sent.data, by_phone=sent.by_phone)
        return intake.hands.begin_kept(kept, self.rules, sent.camera, table=self.table)


@dataclass(frozen=True, slots=True)
class PlayersHand:
    """A player's hand in the deal that is being scored."""

    kind: ClassVar[JobKind] = "hand"
    match: Match
    player: str
    by: str
    """The player whose phone sends it; empty where nobody has said."""
    instead: str | None = None
    """What counted for the player on that phone's page, as `HandGiven` has it."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the hand and give it in for the player."""
        rules, match = self.match.game.ruleset, self.match.id
        known = photos_of(self.match, intake.hands)
        kept = intake.hands.keep(photo, sent.data, known, by_phone=sent.by_phone)
        hand = intake.hands.begin_kept(kept, rules, sent.camera, match, self.match.table)
        given = HandGiven(self.player, hand, self.instead, by=self.by)
        MatchRepository(intake.hands).change(match, given)
        return hand


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """A hand whose tiles somebody asks about, under a ruleset."""

    kind: ClassVar[JobKind] = "hand"
    rules: str
    known: Asking
    """What is known of it besides."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the hand."""
        known = replace(self.known, camera=sent.camera or {}, by_phone=sent.by_phone)
        return intake.hands.begin_question(photo, sent.data, self.rules, known)


@dataclass(frozen=True, slots=True)
class AnotherPhoto:
    """Another photograph of a hand that has been read."""

    kind: ClassVar[JobKind] = "added-photo"
    hand: str

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Add it to the hand."""
        known = _met_with(intake.hands, self.hand)
        intake.hands.add_photo(self.hand, photo, sent.data, known, by_phone=sent.by_phone)
        return self.hand


@dataclass(frozen=True, slots=True)
class TakenAgain:
    """The newest photograph of a hand taken again, since it is spoilt."""

    kind: JobKind
    hand: str
    by: str
    """The player whose phone sends it; empty where nobody has said."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Put it in the other's place."""
        known = _met_with(intake.hands, self.hand)
        intake.hands.retake(self.hand, photo, sent.data, known, self.by)
        return self.hand


def _met_with(hands: HandRepository, hand: str) -> KnownPhotos:
    """Return the photographs that count in a hand's match."""
    of = hands.get(hand).match
    match = MatchRepository(hands).get_if_whole(of) if of else None
    return photos_of(match, hands) if match else ()


@dataclass(frozen=True, slots=True)
class WholeTable:
    """All hands of the deal that is being scored."""

    kind: ClassVar[JobKind] = "whole-table"
    match: Match
    source: str
    """Who holds the camera, as `TablePhoto.source` has it."""
    by: str
    """The player whose phone asks for it; empty where nobody has said."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Keep it for the deal."""
        photos = TablePhotos(intake.hands)
        by_phone = sent.by_phone
        return photos.begin(self.match, self.source, photo, sent.data, self.by, by_phone=by_phone)


@dataclass(frozen=True, slots=True)
class TableTakenAgain:
    """The photograph of a whole table taken again, since it is spoilt."""

    kind: ClassVar[JobKind] = "whole-table"
    match: Match
    photo: str
    by: str
    """The player whose phone sends it; empty where nobody has said."""

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Put it in the other's place."""
        TablePhotos(intake.hands).retake(self.photo, photo, sent.data, self.match, self.by)
        return self.photo


@dataclass(frozen=True, slots=True)
class SetLaidOut:
    """A tile set that is to be registered."""

    kind: ClassVar[JobKind] = "registration"
    tile_set: str

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Begin the registration."""
        return intake.registrations.begin(self.tile_set, photo, sent.data)


@dataclass(frozen=True, slots=True)
class AnotherPhotoOfSet:
    """Another photograph of a set that is being registered."""

    kind: ClassVar[JobKind] = "registration"
    registration: str

    def begin(self, intake: Intake, photo: Photo, sent: Sent) -> str:
        """Add it to the registration."""
        intake.registrations.add_photo(self.registration, photo, sent.data)
        return self.registration
