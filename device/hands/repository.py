"""The repository of hands: what the store has of each, to look at and to change."""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from msgspec import convert, structs
from PIL import Image

from device.cameras.frames import shrunk
from device.decoding.decoder import DECODER
from device.hands.hand import HandRecord, UnknownHandError
from device.hands.likeness import likeness, met_before
from device.hands.readings import kept_reading
from device.hands.replay import HANDS
from device.hands.situation import Agreement
from device.hands.tiles import HandPhoto
from device.store import Envelope, Store, StoreError, TornEventError
from device.store.errors import MovedOnError, UnfitError
from device.store.events import (
    Agreed,
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
from device.store.replaying import if_whole, project, projector, whole_and_torn
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import Reading

DISPLAY_SIDE = 1600
"""Longest side in pixels of the picture that the page shows: sharp on a phone, quick on Wi-Fi."""

THUMBNAIL_SIDE = 320

LOOKED_THROUGH = 64
"""Newest hands of all tables among which that of one table is looked for."""

GetHand = Callable[[str], HandRecord]
"""Returns a hand by its id, as `HandRepository.by_itself` does."""

KnownPhotos = Iterable[tuple[str, HandPhoto]]
"""Photographs that a new one may be the same as, each with the id of its hand."""


class ChangeRefusedError(Exception):
    """A change that does not fit the hand as it is now: stale, or made up."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What is known of tiles that somebody asks about, besides themselves."""

    agreement: Agreement | None = None
    """What the table plays by."""
    seat_wind: str = ""
    """Empty where nobody knows it."""
    prevailing_wind: str = ""
    camera: Mapping[str, Any] = field(default_factory=dict)
    """What the box's own camera says of its photograph."""
    by_phone: bool = False
    """A phone sends the photograph."""
    table: str = ""
    """Id of the table that they lie on; empty where there is only one."""


class HandRepository:
    """Hands by id; every change is checked against the newest state before it is kept."""

    def __init__(
        self, store: Store, situate: Callable[[HandRecord], HandRecord] = lambda hand: hand
    ) -> None:
        """Look after the hands in a store.

        `situate` adds what a hand's match knows of it, its winds and who won: what has the hands
        of matches in it is made by `device.matches.hands`.
        """
        self.store = store
        self._situate = situate
        self._projector = projector(store, HANDS)

    def get(self, hand: str) -> HandRecord:
        """Return a hand, with what its table knows of it; raise UnknownHandError."""
        return self._situate(self.by_itself(hand))

    def before_last_change(self, hand: str) -> HandRecord | None:
        """Return a hand as it was one event ago; None for one that has only just begun."""
        before = project(HANDS, self.store.stream(hand)[:-1]).record
        return self._situate(before) if before else None

    def by_itself(self, hand: str) -> HandRecord:
        """Return a hand by its own events alone, whatever its match is; raise UnknownHandError."""
        return self._projector.get(hand)

    def together(self, hands: Iterable[str]) -> GetHand:
        """Return `by_itself` for hands that are looked at together: the log is asked twice."""
        return self._projector.together(hands)

    def recent(self, limit: int = 6) -> tuple[HandRecord, ...]:
        """Return the newest hands, newest first; one whose events are torn hides no other."""
        return self.recent_and_torn(limit)[0]

    def recent_and_torn(
        self, limit: int = 6
    ) -> tuple[tuple[HandRecord, ...], tuple[TornEventError, ...]]:
        """Return the newest hands, newest first, and what is wrong with those that are torn."""
        return whole_and_torn(self.get, self.store.hands(limit))

    def by_itself_if_whole(self, hand: str) -> HandRecord | None:
        """Return a hand by its own events alone; None for one whose events are torn."""
        return if_whole(self.by_itself, hand)

    def get_if_whole(self, hand: str) -> HandRecord | None:
        """Return a hand; None, and a line in the log file, for one whose events are torn."""
        return if_whole(self.get, hand)

    def newest(self) -> Envelope[PhotoTaken] | None:
        """Return the newest photograph's event, read from the disk; raise StoreError."""
        return self.store.latest(PhotoTaken)

    def newest_at(self, table: str) -> Envelope[Event] | None:
        """Return how the newest hand with a photograph began that lies on a table."""
        return self._newest_at(table, PhotoTaken)

    def _newest_at(self, table: str, *kinds: type[Beginning]) -> Envelope[Event] | None:
        begun = self.store.newest_of_kinds(*kinds, limit=LOOKED_THROUGH)
        return next((each for each in begun if _lies_on(each.event, table)), None)

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
        """Keep a photograph and begin a hand with it, as `begin_kept` does; return its id."""
        return self.begin_kept(self.keep(photo, data, by_phone=by_phone), rules, camera, match)

    def begin_kept(
        self,
        photo: HandPhoto,
        rules: str,
        camera: Mapping[str, Any] | None,
        match: str = "",
        table: str = "",
    ) -> str:
        """Begin a hand with a photograph that is kept; return the hand's id.

        `camera` is what the box's own camera says of it; `match` the match that the hand belongs
        to, if it is not a hand of its own; `table` the table that it lies on, if there are several.
        """
        seat, prevailing = self._last_winds(table)
        taken = PhotoTaken(
            rules=rules,
            seat_wind=seat,
            prevailing_wind=prevailing,
            match=match,
            table=table,
            photo=photo,
            camera=dict(camera or {}),
        )
        return self._begin(taken)

    def begin_by_hand(self, rules: str, match: str = "", table: str = "") -> str:
        """Begin a hand that has no photograph, of a match or its own; return its id."""
        seat, prevailing = self._last_winds(table)
        return self._begin(
            HandBegun(
                rules=rules,
                seat_wind=seat,
                prevailing_wind=prevailing,
                match=match,
                table=table,
            )
        )

    def begin_read(
        self, hand: str, photo: HandPhoto, reading: Reading, rules: str, match: str, table: str
    ) -> None:
        """Begin a hand of a photograph that is kept and shows others as well.

        One that has begun under that id stays as it is.
        """
        seat, prevailing = self._last_winds(table)
        taken = PhotoTaken(
            rules=rules,
            seat_wind=seat,
            prevailing_wind=prevailing,
            match=match,
            table=table,
            photo=photo,
            reading=kept_reading(reading),
        )
        with suppress(MovedOnError):
            self._projector.add_after(hand, 0, taken)

    def begin_question(self, photo: Photo | None, data: bytes, rules: str, known: Asking) -> str:
        """Begin a hand whose tiles somebody asks about, by a photograph or tile by tile.

        It belongs to no match. Returns the hand's id.
        """
        seat, prevailing = self._last_winds(known.table)
        agreed = known.agreement
        begun: dict[str, Any] = {
            "rules": rules,
            "seat_wind": known.seat_wind or seat,
            "prevailing_wind": known.prevailing_wind or prevailing,
            "asked": True,
            "table": known.table,
            "agreement": convert(agreed, Agreed, from_attributes=True) if agreed else None,
        }
        if photo is None:
            return self._begin(HandBegun(**begun))
        kept = self.keep(photo, data, by_phone=known.by_phone)
        return self._begin(PhotoTaken(**begun, photo=kept, camera=dict(known.camera)))

    def _begin(self, event: Beginning) -> str:
        hand = secrets.token_hex(6)
        self._projector.add_after(hand, 0, event)
        return hand

    def add_photo(
        self,
        hand: str,
        photo: Photo,
        data: bytes,
        known: KnownPhotos = (),
        *,
        by_phone: bool = False,
    ) -> None:
        """Keep another photograph of a hand; raise UnknownHandError or ChangeRefusedError."""
        self.change(hand, PhotoAdded(self.keep(photo, data, known, by_phone=by_phone)))

    def retake(
        self, hand: str, photo: Photo, data: bytes, known: KnownPhotos = (), by: str = ""
    ) -> None:
        """Keep a photograph in place of one that is asked about; raise as `add_photo` does.

        `by` is the player whose phone sends it.
        """
        others = [each for each in known if each[0] != hand]
        kept = self.keep(photo, data, others, by_phone=True)
        self.change(hand, PhotoRetaken(kept, by=by))

    def keep(
        self, photo: Photo, data: bytes, known: KnownPhotos = (), *, by_phone: bool = False
    ) -> HandPhoto:
        """Keep a photograph in its three sizes; return what an event says of it.

        `known` are those among which it is looked for, with the ids of their hands; `by_phone` that
        a phone sent it.
        """
        shown = shrunk(photo.rgb, DISPLAY_SIDE)
        display, thumbnail = _jpeg(shown), _jpeg(shrunk(shown, THUMBNAIL_SIDE))
        # One right after the other, and the event right after them: until it is there, nothing
        # says that these files are wanted (`device.hands.retention`).
        kept = HandPhoto(
            original=self.store.keep_photo(data),
            display=self.store.keep_photo(display, ".jpg"),
            thumbnail=self.store.keep_photo(thumbnail, ".jpg"),
            width=photo.width,
            height=photo.height,
            name=photo.name,
            likeness=likeness(shown),
            by_phone=by_phone,
        )
        return structs.replace(kept, met=met_before(kept, known))

    def change(self, hand: str, event: HandEvent) -> None:
        """Keep one change to a hand; raise UnknownHandError or ChangeRefusedError."""
        try:
            self._projector.change(hand, event)
        except UnfitError as error:
            raise ChangeRefusedError(str(error)) from error

    def undo(self, hand: str, seq: int) -> None:
        """Take back the last change, which must be number `seq`; raise ChangeRefusedError."""

        def check(now: HandRecord) -> None:
            if not now.changes or now.changes[-1].seq != seq:
                raise ChangeRefusedError("another change has been made since")

        self._projector.change(hand, ChangeUndone(seq), check)

    def redo(self, hand: str, seq: int) -> None:
        """Let the change that was taken back last count again; raise ChangeRefusedError."""

        def check(now: HandRecord) -> None:
            if now.undone != seq:
                raise ChangeRefusedError("another change has been made since")

        self._projector.change(hand, ChangeRedone(seq), check)

    def picture(self, name: str) -> bytes:
        """Return the bytes of a hand's picture; raise UnknownHandError when the file is gone."""
        try:
            return self.store.photo(name)
        except StoreError as error:
            raise UnknownHandError from error

    def open(self, photo: HandPhoto) -> Photo:
        """Return a photograph as large as it was when it was taken in.

        Raises UnknownHandError when its file is gone, PhotoError when it is damaged.
        """
        data = self.picture(photo.original)
        return DECODER.open(data, photo.name, most=photo.width * photo.height)

    def _last_winds(self, table: str = "") -> tuple[str, str]:
        """Return the winds of the table's newest hand: the next one mostly has the same."""
        newest = self._newest_at(table, PhotoTaken, HandBegun)
        record = self.get_if_whole(newest.stream) if newest else None
        if record is None:
            return "E", "E"
        return record.situation.seat_wind, record.situation.prevailing_wind


def _lies_on(event: Event, table: str) -> bool:
    return isinstance(event, Beginning) and event.table == table


def _jpeg(rgb: RGB) -> bytes:
    """Return a picture as a JPEG without any metadata."""
    out = io.BytesIO()
    Image.fromarray(rgb).save(out, "JPEG", quality=86, optimize=True)
    return out.getvalue()
