"""The single entry point for photographs, from any page or camera.

`Intake` checks for room in the queue, waits for its turn to decode, and decodes one picture at
a time within the memory limit. It stores the picture with an event and queues the reading.
A `PhotoPurpose` value says what the photograph starts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

from device.decoding.decoder import Decoder, PhotographGate
from device.hands.record import Agreement
from device.hands.repository import HandQuestion, HandRepository, KnownPhotos
from device.job_context import DecodedPhoto
from device.job_handlers import JobKind
from device.jobs import PhotoQueue
from device.matches.hand_conflicts import counted_photos
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.matches.table_photo import TablePhotos
from device.store.events import HandGiven
from device.store.store import picture_name
from device.tilesets.registrations import Registrations
from vision.photo import Photo


@dataclass(frozen=True)
class IncomingPhoto:
    """A photograph as received from a phone, the samples or the box's own camera."""

    name: str
    read: Callable[[], bytes]
    """Return the file. Called when its turn comes, so no waiting photograph is in memory."""
    camera: Mapping[str, Any] | None = None
    """What the box's own camera reports; None for any other source."""
    by_phone: bool = False
    """A phone sent it. If it is spoilt, its player is asked before it is read."""

    @cached_property
    def data(self) -> bytes:
        """Return the file's bytes, which are stored unchanged."""
        return self.read()


class PhotoPurpose(Protocol):
    """What a photograph starts: a hand, another photo of one, a table photo, a registration."""

    @property
    def kind(self) -> JobKind:
        """Return the kind of the job that reads it."""

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Store the photograph with its event; return the id that waits to be read.

        Raises StoreError, UnknownHandError or ChangeRefusedError.
        """


@dataclass(frozen=True, slots=True)
class Intake:
    """Accepts photographs and queues them for reading."""

    hands: HandRepository
    registrations: Registrations
    jobs: PhotoQueue
    decoder: Decoder
    gate: PhotographGate

    def take(self, source: Callable[[], IncomingPhoto], what: PhotoPurpose) -> str:
        """Accept the photograph that `source` returns; return the id of what it starts.

        `source` is called only once there is room, so that no camera takes a photograph in vain.
        Raises QueueFullError, PhotoError, StoreError, and the errors of `source` and `what`.
        """
        self.jobs.check_room()
        with self.gate.in_line():
            return self._begin(source(), what)

    def take_if_due(
        self, source: Callable[[], IncomingPhoto | None], what: PhotoPurpose
    ) -> str | None:
        """Do the same for a source that may return None because no photograph is due yet."""
        self.jobs.check_room()
        with self.gate.in_line():
            sent = source()
            return self._begin(sent, what) if sent else None

    def _begin(self, sent: IncomingPhoto, what: PhotoPurpose) -> str:
        with self.gate.turn():
            photo = self.decoder.open(sent.data, sent.name)
            begun = what.begin(self, photo, sent)
        self.jobs.submit(what.kind, begun, DecodedPhoto(picture_name(sent.data), photo))
        return begun


@dataclass(frozen=True, slots=True)
class StandaloneHand:
    """A hand outside any match."""

    kind: ClassVar[JobKind] = "hand"
    agreement: Agreement
    """What it is scored by."""
    table: str = ""
    """Id of the table where it lies; empty where there is only one."""

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Store the photo and begin the hand."""
        kept = intake.hands.keep(photo, sent.data, by_phone=sent.by_phone)
        return intake.hands.begin_single(kept, self.agreement, sent.camera, self.table)


@dataclass(frozen=True, slots=True)
class MatchHand:
    """A player's hand in the current deal."""

    kind: ClassVar[JobKind] = "hand"
    match: Match
    player: str
    by: str
    """The player whose phone sends it; empty if unknown."""
    instead: str | None = None
    """The hand that counted on that phone's page before, as in `HandGiven`."""

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Begin the hand and record it for the player."""
        rules, match = self.match.game.ruleset, self.match.id
        known = counted_photos(self.match, intake.hands)
        kept = intake.hands.keep(photo, sent.data, known, by_phone=sent.by_phone)
        hand = intake.hands.begin_kept(kept, rules, sent.camera, match, self.match.table)
        given = HandGiven(self.player, hand, self.instead, by=self.by)
        MatchRepository(intake.hands.store).change(match, given)
        return hand


@dataclass(frozen=True, slots=True)
class TileEnquiry:
    """Tiles that somebody asks about, under a ruleset."""

    kind: ClassVar[JobKind] = "hand"
    rules: str
    known: HandQuestion
    """What else is known of the tiles."""

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Store the photo and begin the enquiry."""
        known = replace(self.known, camera=sent.camera or {}, by_phone=sent.by_phone)
        return intake.hands.begin_question(photo, sent.data, self.rules, known)


@dataclass(frozen=True, slots=True)
class AdditionalPhoto:
    """An additional photograph of a hand that was read already."""

    kind: ClassVar[JobKind] = "added-photo"
    hand: str

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Add the photograph to the hand."""
        known = _photos_in_match(intake.hands, self.hand)
        intake.hands.add_photo(self.hand, photo, sent.data, known, by_phone=sent.by_phone)
        return self.hand


@dataclass(frozen=True, slots=True)
class RetakenPhoto:
    """A new take of a hand's newest photograph, which is spoilt."""

    kind: JobKind
    hand: str
    by: str
    """The player whose phone sends it; empty if unknown."""

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Replace the spoilt photograph."""
        known = _photos_in_match(intake.hands, self.hand)
        intake.hands.retake(self.hand, photo, sent.data, known, self.by)
        return self.hand


def _photos_in_match(hands: HandRepository, hand: str) -> KnownPhotos:
    """Return the photographs of a hand's match; none outside a match."""
    of = hands.get(hand).match
    match = MatchRepository(hands.store).get_if_whole(of) if of else None
    return counted_photos(match, hands) if match else ()


@dataclass(frozen=True, slots=True)
class NewTablePhoto:
    """A photograph of the whole table in the current deal."""

    kind: ClassVar[JobKind] = "whole-table"
    match: Match
    source: str
    """Who holds the camera, as in `TablePhoto.source`."""
    by: str
    """The player whose phone asks for it; empty if unknown."""

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Store the photograph for the current deal."""
        photos = TablePhotos(intake.hands)
        by_phone = sent.by_phone
        return photos.begin(self.match, self.source, photo, sent.data, self.by, by_phone=by_phone)


@dataclass(frozen=True, slots=True)
class RetakenTablePhoto:
    """A new take of a spoilt photograph of the whole table."""

    kind: ClassVar[JobKind] = "whole-table"
    match: Match
    photo: str
    by: str
    """The player whose phone sends it; empty if unknown."""

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Replace the spoilt photograph."""
        TablePhotos(intake.hands).retake(self.photo, photo, sent.data, self.match, self.by)
        return self.photo


@dataclass(frozen=True, slots=True)
class NewRegistration:
    """A tile set to register."""

    kind: ClassVar[JobKind] = "registration"
    tile_set: str

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Begin the registration."""
        return intake.registrations.begin(self.tile_set, photo, sent.data)


@dataclass(frozen=True, slots=True)
class AdditionalSetPhoto:
    """An additional photograph of a set that is being registered."""

    kind: ClassVar[JobKind] = "registration"
    registration: str

    def begin(self, intake: Intake, photo: Photo, sent: IncomingPhoto) -> str:
        """Add the photograph to the registration."""
        intake.registrations.add_photo(self.registration, photo, sent.data)
        return self.registration
