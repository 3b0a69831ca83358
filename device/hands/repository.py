"""The hands in the store: look up, begin and change them, and keep their photographs.

A photograph is recognised after it was encoded again or resized, by its perceptual hash.
"""

from __future__ import annotations

import hashlib
import io
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from msgspec import convert, structs
from PIL import Image

from device.cameras.base import shrink
from device.decoding.decoder import Decoder
from device.hands.record import Agreement, HandPhoto, HandRecord, UnknownHandError
from device.hands.replay import HANDS
from device.store import Envelope, Store, StoreError, TornEventError
from device.store.errors import ConcurrentChangeError, EventRefusedError
from device.store.events import (
    AgreedRules,
    Beginning,
    ChangeRedone,
    ChangeUndone,
    Event,
    HandBegun,
    HandEvent,
    PhotoAdded,
    PhotoRetaken,
    PhotoTaken,
)
from device.store.projection import get_if_whole, get_projector, project, split_whole_and_torn
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import Reading

_SMALL_SIDE_PX, _WAVES_PER_SIDE = 64, 16
"""Side of the small grey picture in pixels, and the number of its waves used in each direction."""

MAX_DIFFERING_BITS = 16
"""Bits of 255 that may differ. Measured on 120 photographs of real tables, encoded again at a
quality of 40 to 85 and 800 to 1600 pixels. None differed in more than 12 bits, and no two of them
in fewer than 44."""


def perceptual_hash(rgb: RGB) -> str:
    """Return a hash of a picture that survives encoding and resizing.

    It says which coarse waves are strong. It has 64 hexadecimal digits, whatever the picture's
    size.
    """
    grey = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (_SMALL_SIDE_PX, _SMALL_SIDE_PX), interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
    waves = cv2.dct(small)[:_WAVES_PER_SIDE, :_WAVES_PER_SIDE].ravel()[
        1:
    ]  # without the mean, which is brightness
    return np.packbits(waves > np.median(waves)).tobytes().hex()


def is_same_photo(photo: HandPhoto, other: HandPhoto) -> bool:
    """Whether two photographs are the same file, or the same picture in different files."""
    if photo.original == other.original:
        return True
    if not (photo.likeness and other.likeness):
        return False  # an older version stored none
    return (int(photo.likeness, 16) ^ int(other.likeness, 16)).bit_count() <= MAX_DIFFERING_BITS


def find_same_photo(photo: HandPhoto, known_photos: Iterable[tuple[str, HandPhoto]]) -> str:
    """Return the id of the first hand with the same photograph; empty for a new photograph."""
    return next((hand for hand, other in known_photos if is_same_photo(photo, other)), "")


DISPLAY_SIDE_PX = 1600
"""Longest side of the page's picture: sharp on a phone, quick on Wi-Fi."""

THUMBNAIL_SIDE_PX = 320

PICTURE_JPEG_QUALITY = 86

MAX_HANDS_SEARCHED = 64
"""Newest hands of all tables that are searched for one table's hand."""

MAX_HANDS_BEFORE_CHANGE = 64
"""Hands in memory as they were before their last change: those of some tables."""

GetHand = Callable[[str], HandRecord]
"""Returns a hand by its id, as `HandRepository.by_itself` does."""

KnownPhotos = Iterable[tuple[str, HandPhoto]]
"""Photographs to compare a new one with, each with the id of its hand."""


class ChangeRefusedError(Exception):
    """A change that does not fit the hand's current state: outdated or invented."""


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """What is known about tiles that somebody asks about."""

    agreement: Agreement | None = None
    """What the table plays by."""
    seat_wind: str = "E"
    prevailing_wind: str = "E"
    camera: Mapping[str, Any] = field(default_factory=dict)
    """Metadata of the box's camera for the photograph."""
    by_phone: bool = False
    """Whether a phone took the photograph."""
    table: str = ""
    """Id of the table; empty where there is only one."""


class HandRepository:
    """Hands by id; every change is checked against the newest state before it is written."""

    def __init__(self, store: Store) -> None:
        """Open the hands of a store, each by itself.

        For hands of matches, use `device.matches.repository.open_hands`.
        """
        self.store = store
        self._projector = get_projector(store, HANDS)
        self._replay_before = lru_cache(MAX_HANDS_BEFORE_CHANGE)(self._read_before)

    def get(self, hand: str) -> HandRecord:
        """Return a hand with what its match knows; raise UnknownHandError."""
        return self.situate(self.by_itself(hand))

    def before_last_change(self, hand: HandRecord) -> HandRecord | None:
        """Return a hand as it was before its last event, without its match; None for the first."""
        return self._replay_before(hand.id, hand.version)

    def _read_before(self, hand: str, version: int) -> HandRecord | None:
        before = [each for each in self.store.stream(hand) if each.seq < version]
        return project(HANDS, before).record

    def situate(self, hand: HandRecord) -> HandRecord:
        """Add what the hand's match knows: winds and winner. Here, hands stand by themselves."""
        return hand

    def by_itself(self, hand: str) -> HandRecord:
        """Return a hand from its own events, without its match; raise UnknownHandError."""
        return self._projector.get(hand)

    def load_together(self, hands: Iterable[str]) -> GetHand:
        """Return `by_itself` for several hands, with two queries for all."""
        return self._projector.load_together(hands)

    def recent(self, limit: int = 6) -> tuple[HandRecord, ...]:
        """Return the newest hands, newest first, without damaged ones."""
        return self.recent_and_torn(limit)[0]

    def recent_and_torn(
        self, limit: int = 6
    ) -> tuple[tuple[HandRecord, ...], tuple[TornEventError, ...]]:
        """Return the newest hands, newest first, and the errors of the damaged ones."""
        return split_whole_and_torn(self.get, self.store.hands(limit))

    def by_itself_if_whole(self, hand: str) -> HandRecord | None:
        """Return a hand without its match; None if it is damaged."""
        return get_if_whole(self.by_itself, hand)

    def get_if_whole(self, hand: str) -> HandRecord | None:
        """Return a hand; None, and a line in the log file, if it is damaged."""
        return get_if_whole(self.get, hand)

    def newest_photo_event(self) -> Envelope[PhotoTaken] | None:
        """Return the event of the newest photograph, from the store; raise StoreError."""
        return self.store.latest(PhotoTaken)

    def newest_at(self, table: str) -> Envelope[Event] | None:
        """Return the first event of a table's newest hand with a photograph."""
        newest_hands = self.store.newest_of_kinds(PhotoTaken, limit=MAX_HANDS_SEARCHED)
        return next((each for each in newest_hands if _lies_on(each.event, table)), None)

    def begin(
        self,
        photo: Photo,
        data: bytes,
        rules: str,
        camera: Mapping[str, Any] | None = None,
        match: str = "",
        *,
        by_phone: bool = False,
    ) -> str:
        """Store a photograph and begin a hand with it, as `begin_kept` does; return its id."""
        return self.begin_kept(self.keep(photo, data, by_phone=by_phone), rules, camera, match)

    def begin_kept(
        self,
        photo: HandPhoto,
        rules: str,
        camera: Mapping[str, Any] | None,
        match: str = "",
        table: str = "",
    ) -> str:
        """Begin a hand with a stored photograph; return the hand's id.

        `camera` is the box camera's metadata. `match` and `table` are the ids that the hand belongs
        to, if any.
        """
        event = PhotoTaken(
            rules=rules,
            match=match,
            table=table,
            photo=photo,
            camera=dict(camera or {}),
        )
        return self._begin(event)

    def begin_by_hand(
        self, rules: str, match: str = "", table: str = "", *, request_key: str = ""
    ) -> str:
        """Begin a hand without a photograph; return its id.

        `request_key` says what the hand is for: two phones that begin one for the same get the
        same.
        """
        event = HandBegun(rules=rules, match=match, table=table)
        if not request_key:
            return self._begin(event)
        hand = hashlib.sha256(request_key.encode()).hexdigest()[:12]
        self._projector.begin_once(hand, event)
        return hand

    def begin_single(
        self,
        photo: HandPhoto | None,
        agreement: Agreement,
        camera: Mapping[str, Any] | None = None,
        table: str = "",
    ) -> str:
        """Begin a hand of no match, with a stored photograph or without one; return its id."""
        is_plain = agreement == Agreement(agreement.ruleset)
        event_fields: dict[str, Any] = {
            "rules": agreement.ruleset,
            "table": table,
            "agreement": None if is_plain else _agreement_to_stored(agreement),
        }
        if photo is None:
            return self._begin(HandBegun(**event_fields))
        return self._begin(PhotoTaken(**event_fields, photo=photo, camera=dict(camera or {})))

    def begin_read(
        self, hand: str, photo: HandPhoto, reading: Reading, rules: str, match: str, table: str
    ) -> None:
        """Begin a hand from a photograph that shows others too.

        Nothing happens if a hand with that id has begun.
        """
        event = PhotoTaken(
            rules=rules,
            match=match,
            table=table,
            photo=photo,
            reading=reading,
        )
        with suppress(ConcurrentChangeError):
            self._projector.add_after(hand, 0, event)

    def begin_question(
        self, photo: Photo | None, data: bytes, rules: str, question: HandQuestion
    ) -> str:
        """Begin a hand whose tiles somebody asks about, with or without a photograph.

        It belongs to no match. Returns the hand's id.
        """
        event_fields: dict[str, Any] = {
            "rules": rules,
            "seat_wind": question.seat_wind,
            "prevailing_wind": question.prevailing_wind,
            "asked": True,
            "table": question.table,
            "agreement": _agreement_to_stored(question.agreement),
        }
        if photo is None:
            return self._begin(HandBegun(**event_fields))
        stored_photo = self.keep(photo, data, by_phone=question.by_phone)
        return self._begin(
            PhotoTaken(**event_fields, photo=stored_photo, camera=dict(question.camera))
        )

    def _begin(self, event: Beginning) -> str:
        hand = secrets.token_hex(6)
        self._projector.add_after(hand, 0, event)
        return hand

    def add_photo(
        self,
        hand: str,
        photo: Photo,
        data: bytes,
        known_photos: KnownPhotos = (),
        *,
        by_phone: bool = False,
    ) -> None:
        """Add another photograph to a hand; raise UnknownHandError or ChangeRefusedError."""
        self.change(hand, PhotoAdded(self.keep(photo, data, known_photos, by_phone=by_phone)))

    def retake(
        self, hand: str, photo: Photo, data: bytes, known_photos: KnownPhotos = (), player: str = ""
    ) -> None:
        """Replace a photograph that has problems; raises as `add_photo` does.

        `player` is the player whose phone sends it.
        """
        other_hands = [each for each in known_photos if each[0] != hand]
        stored_photo = self.keep(photo, data, other_hands, by_phone=True)
        self.change(hand, PhotoRetaken(stored_photo, by=player))

    def keep(
        self, photo: Photo, data: bytes, known_photos: KnownPhotos = (), *, by_phone: bool = False
    ) -> HandPhoto:
        """Store a photograph in three sizes; return its description for an event.

        `known_photos` are photographs to compare it with. `by_phone` says that a phone took it.
        """
        display_rgb = shrink(photo.rgb, DISPLAY_SIDE_PX)
        display, thumbnail = _jpeg(display_rgb), _jpeg(shrink(display_rgb, THUMBNAIL_SIDE_PX))
        # Write all files and then the event without delay: until the event is there, nothing says
        # that the files are needed (`device.hands.retention`).
        stored_photo = HandPhoto(
            original=self.store.keep_photo(data),
            display=self.store.keep_photo(display, ".jpg"),
            thumbnail=self.store.keep_photo(thumbnail, ".jpg"),
            width=photo.width,
            height=photo.height,
            name=photo.name,
            likeness=perceptual_hash(display_rgb),
            by_phone=by_phone,
        )
        return structs.replace(stored_photo, met=find_same_photo(stored_photo, known_photos))

    def change(self, hand: str, event: HandEvent) -> int:
        """Write one change to a hand; return its number.

        Raises UnknownHandError or ChangeRefusedError.
        """
        return self._change(hand, event)

    def undo(self, hand: str, seq: int) -> None:
        """Undo the last change, which must be number `seq`; raise ChangeRefusedError."""

        def check(record: HandRecord) -> None:
            if not record.changes or record.changes[-1].seq != seq:
                raise ChangeRefusedError("another change has been made since")

        self._change(hand, ChangeUndone(seq), check)

    def redo(self, hand: str, seq: int) -> None:
        """Redo the last undone change; raise ChangeRefusedError."""

        def check(record: HandRecord) -> None:
            if record.redoable_seq != seq:
                raise ChangeRefusedError("another change has been made since")

        self._change(hand, ChangeRedone(seq), check)

    def _change(
        self, hand: str, event: Event, check: Callable[[HandRecord], None] = lambda _: None
    ) -> int:
        try:
            return self._projector.change(hand, event, check)
        except EventRefusedError as error:
            raise ChangeRefusedError(str(error)) from error

    def picture(self, name: str) -> bytes:
        """Return the bytes of a stored picture; raise UnknownHandError if the file is gone."""
        try:
            return self.store.photo(name)
        except StoreError as error:
            raise UnknownHandError from error

    def open(self, photo: HandPhoto, decoder: Decoder) -> Photo:
        """Return a photograph in its original size.

        Raises UnknownHandError if the file is gone, PhotoError if it is damaged.
        """
        data = self.picture(photo.original)
        return decoder.open(data, photo.name, max_pixels=photo.width * photo.height)


def _agreement_to_stored(agreement: Agreement | None) -> AgreedRules | None:
    return convert(agreement, AgreedRules, from_attributes=True) if agreement else None


def _lies_on(event: Event, table: str) -> bool:
    return isinstance(event, Beginning) and event.table == table


def _jpeg(rgb: RGB) -> bytes:
    """Return a picture as a JPEG without metadata."""
    output = io.BytesIO()
    Image.fromarray(rgb).save(output, "JPEG", quality=PICTURE_JPEG_QUALITY, optimize=True)
    return output.getvalue()
