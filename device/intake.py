"""The single entry point for photographs, from any page or camera.

`Intake` checks for room in the queue, waits for its turn to decode, and decodes one picture at
a time within the memory limit. It stores the picture with an event and queues the reading.
A `PhotoPurpose` value says what the photograph starts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
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
from device.matches.repository import MatchRepository, OvertakenError
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

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
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

    def take(self, source: Callable[[], IncomingPhoto], purpose: PhotoPurpose) -> str:
        """Accept the photograph that `source` returns; return the id of what it starts.

        `source` is called only once there is room, so that no camera takes a photograph in vain.
        Raises QueueFullError, PhotoError, StoreError, and the errors of `source` and `purpose`.
        """
        self.jobs.check_room()
        with self.gate.in_line():
            return self._begin(source(), purpose)

    def take_if_due(
        self, source: Callable[[], IncomingPhoto | None], purpose: PhotoPurpose
    ) -> str | None:
        """Do the same for a source that may return None because no photograph is due yet."""
        self.jobs.check_room()
        with self.gate.in_line():
            incoming = source()
            return self._begin(incoming, purpose) if incoming else None

    def _begin(self, incoming: IncomingPhoto, purpose: PhotoPurpose) -> str:
        with self.gate.turn():
            photo = self.decoder.open(incoming.data, incoming.name)
            new_id = purpose.begin(self, photo, incoming)
        self.jobs.submit(purpose.kind, new_id, DecodedPhoto(picture_name(incoming.data), photo))
        return new_id


@dataclass(frozen=True, slots=True)
class StandaloneHand:
    """A hand outside any match."""

    kind: ClassVar[JobKind] = "hand"
    agreement: Agreement
    """What it is scored by."""
    table: str = ""
    """Id of the table where it lies; empty where there is only one."""

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Store the photo and begin the hand."""
        stored_photo = intake.hands.keep(photo, incoming.data, by_phone=incoming.by_phone)
        return intake.hands.begin_single(stored_photo, self.agreement, incoming.camera, self.table)


@dataclass(frozen=True, slots=True)
class MatchHand:
    """A player's hand in the current deal.

    One that was sent for a deal that is over, or for nobody, counts for nobody: its page offers it.
    """

    kind: ClassVar[JobKind] = "hand"
    match: Match
    player: str
    """Whose hand it is; empty if that is not known yet."""
    by: str
    """The player whose phone sends it; empty if unknown."""
    instead: str | None = None
    """The hand that counted on that phone's page before, as in `HandGiven`."""
    deal: int = 0
    """Number of the deal on that phone's page; 0 if the page does not say."""

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Begin the hand and record it for the player."""
        rules, match = self.match.game.ruleset, self.match.id
        known_photos = counted_photos(self.match, intake.hands)
        stored_photo = intake.hands.keep(
            photo, incoming.data, known_photos, by_phone=incoming.by_phone
        )
        hand = intake.hands.begin_kept(
            stored_photo, rules, incoming.camera, match, self.match.table
        )
        if self.player:
            given_event = HandGiven(self.player, hand, self.instead, by=self.by)
            matches = MatchRepository(intake.hands.store)
            with suppress(OvertakenError):
                matches.change(match, given_event, seen_deal=self.deal)
        return hand


@dataclass(frozen=True, slots=True)
class TileEnquiry:
    """Tiles that somebody asks about, under a ruleset."""

    kind: ClassVar[JobKind] = "hand"
    rules: str
    known: HandQuestion
    """What else is known of the tiles."""

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Store the photo and begin the enquiry."""
        question = replace(self.known, camera=incoming.camera or {}, by_phone=incoming.by_phone)
        return intake.hands.begin_question(photo, incoming.data, self.rules, question)


@dataclass(frozen=True, slots=True)
class AdditionalPhoto:
    """An additional photograph of a hand that was read already."""

    kind: ClassVar[JobKind] = "added-photo"
    hand: str

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Add the photograph to the hand."""
        known_photos = _photos_in_match(intake.hands, self.hand)
        intake.hands.add_photo(
            self.hand, photo, incoming.data, known_photos, by_phone=incoming.by_phone
        )
        return self.hand


@dataclass(frozen=True, slots=True)
class RetakenPhoto:
    """A new take of a hand's newest photograph, which is spoilt."""

    kind: JobKind
    hand: str
    by: str
    """The player whose phone sends it; empty if unknown."""

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Replace the spoilt photograph."""
        known_photos = _photos_in_match(intake.hands, self.hand)
        intake.hands.retake(self.hand, photo, incoming.data, known_photos, self.by)
        return self.hand


def _photos_in_match(hands: HandRepository, hand: str) -> KnownPhotos:
    """Return the photographs of a hand's match; none outside a match."""
    match_id = hands.get(hand).match
    match = MatchRepository(hands.store).get_if_whole(match_id) if match_id else None
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

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Store the photograph for the current deal."""
        photos = TablePhotos(intake.hands)
        by_phone = incoming.by_phone
        return photos.begin(
            self.match, self.source, photo, incoming.data, self.by, by_phone=by_phone
        )


@dataclass(frozen=True, slots=True)
class RetakenTablePhoto:
    """A new take of a spoilt photograph of the whole table."""

    kind: ClassVar[JobKind] = "whole-table"
    match: Match
    photo: str
    by: str
    """The player whose phone sends it; empty if unknown."""

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Replace the spoilt photograph."""
        TablePhotos(intake.hands).retake(self.photo, photo, incoming.data, self.match, self.by)
        return self.photo


@dataclass(frozen=True, slots=True)
class NewRegistration:
    """A tile set to register."""

    kind: ClassVar[JobKind] = "registration"
    tile_set: str

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Begin the registration."""
        return intake.registrations.begin(self.tile_set, photo, incoming.data)


@dataclass(frozen=True, slots=True)
class AdditionalSetPhoto:
    """An additional photograph of a set that is being registered."""

    kind: ClassVar[JobKind] = "registration"
    registration: str

    def begin(self, intake: Intake, photo: Photo, incoming: IncomingPhoto) -> str:
        """Add the photograph to the registration."""
        intake.registrations.add_photo(self.registration, photo, incoming.data)
        return self.registration
