"""The hands in the store, as records to look at and to change."""

from __future__ import annotations

import io
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from PIL import Image

from device.cameras.frames import shrunk
from device.hands.hand import HandRecord, UnknownHandError, apply, replay
from device.hands.readings import kept_reading
from device.hands.tiles import HandPhoto
from device.store import Event, Store, StoreError
from vision.photo import Photo, open_photo
from vision.preprocess import RGB
from vision.reading import Reading

DISPLAY_SIDE = 1600
"""Longest side in pixels of the picture that the page shows: sharp on a phone, quick on Wi-Fi."""

THUMBNAIL_SIDE = 320

_log = logging.getLogger(__name__)


class ChangeRefusedError(Exception):
    """A change that does not fit the hand as it is now: stale, or made up."""


class Records:
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
        # Read, check and append are one step, so that two phones cannot write events that
        # make no sense after each other.
        self._changing = threading.Lock()
        self.changing_matches = threading.Lock()
        """The same for matches, whichever `Tables` looks at them."""

    def get(self, hand: str) -> HandRecord:
        """Return a hand, with what its table knows of it; raise UnknownHandError."""
        return self._situate(self.by_itself(hand))

    def before_last_change(self, hand: str) -> HandRecord | None:
        """Return a hand as it was one event ago; None for one that has only just begun."""
        before = self.store.events(hand)[:-1]
        return self._situate(replay(before)) if before else None

    def by_itself(self, hand: str) -> HandRecord:
        """Return a hand by its own events alone, whatever its match is; raise UnknownHandError."""
        return replay(self.store.events(hand))

    def recent(self, limit: int = 6) -> tuple[HandRecord, ...]:
        """Return the newest hands, newest first; one whose events are torn hides no other."""
        return tuple(filter(None, map(self.get_if_whole, self.store.hands(limit))))

    def get_if_whole(self, hand: str) -> HandRecord | None:
        """Return a hand; None, and a line in the log, for one whose events are torn."""
        try:
            return self.get(hand)
        except StoreError as error:
            _log.error("Hand %s is left out: %s", hand, error)
            return None

    def newest(self) -> Event | None:
        """Return the newest photograph's event, read from the disk; raise StoreError."""
        return self.store.latest("photo-taken")

    def unread(self) -> tuple[HandRecord, ...]:
        """Return the recent hands that still wait for their reading, oldest first."""
        waiting = (r for r in self.recent(limit=50) if not (r.is_read or r.failure) or r.awaited)
        return tuple(waiting)[::-1]

    def begin(
        self,
        photo: Photo,
        data: bytes,
        rules: str,
        camera: Mapping[str, Any] | None = None,
        match: str = "",
    ) -> str:
        """Keep a photograph and begin a hand with it; return the hand's id.

        `camera` is what the box's own camera says of its photograph; `match` the match that the
        hand belongs to, if it is not a hand of its own.
        """
        said = {"camera": dict(camera)} if camera is not None else {}
        return self._begin("photo-taken", {"photo": self.keep(photo, data), **said}, rules, match)

    def begin_by_hand(self, rules: str, match: str = "") -> str:
        """Begin a hand that has no photograph, of a match or its own; return its id."""
        return self._begin("hand-begun", {}, rules, match)

    def begin_read(self, photo: Mapping[str, Any], reading: Reading, rules: str, match: str) -> str:
        """Begin a hand of a photograph that is kept and shows others as well; return its id."""
        data = {"photo": dict(photo), "reading": kept_reading(reading)}
        return self._begin("photo-taken", data, rules, match)

    def begin_question(
        self, photo: Photo | None, data: bytes, rules: str, said: Mapping[str, Any]
    ) -> str:
        """Begin a hand whose tiles somebody asks about, by a photograph or tile by tile.

        It belongs to no match. `said` is what is known of it besides: `seat_wind`,
        `prevailing_wind`, `camera` and `agreement`, the fields of an `Agreement`, as far as they
        are. Returns the hand's id.
        """
        kept = {"photo": self.keep(photo, data)} if photo else {}
        kind = "photo-taken" if photo else "hand-begun"
        return self._begin(kind, {**said, **kept, "asked": True}, rules, "")

    def _begin(self, kind: str, data: Mapping[str, Any], rules: str, match: str) -> str:
        hand = secrets.token_hex(6)
        seat, prevailing = self._last_winds()
        winds = {"seat_wind": seat, "prevailing_wind": prevailing}
        of_match = {"match": match} if match else {}
        self.store.append(hand, kind, {**winds, **data, "rules": rules, **of_match})
        return hand

    def add_photo(self, hand: str, photo: Photo, data: bytes) -> None:
        """Keep another photograph of a hand; raise UnknownHandError or ChangeRefusedError."""
        self.change(hand, "photo-added", {"photo": self.keep(photo, data)})

    def keep(self, photo: Photo, data: bytes) -> dict[str, Any]:
        """Keep a photograph in its three sizes; return what an event says of it."""
        shown = shrunk(photo.rgb, DISPLAY_SIDE)
        display, thumbnail = _jpeg(shown), _jpeg(shrunk(shown, THUMBNAIL_SIDE))
        # One right after the other, and the event right after them: until it is there, nothing
        # says that these files are wanted (`device.hands.retention`).
        return {
            "original": self.store.keep_photo(data),
            "display": self.store.keep_photo(display, ".jpg"),
            "thumbnail": self.store.keep_photo(thumbnail, ".jpg"),
            "width": photo.width,
            "height": photo.height,
            "name": photo.name,
        }

    def change(self, hand: str, kind: str, data: Mapping[str, Any], *, by: str = "") -> None:
        """Keep one change to a hand; raise UnknownHandError or ChangeRefusedError.

        `by` is the player whose phone it was, where that is known.
        """
        said = {**data, "by": by} if by else dict(data)
        with self._changing:
            record = self.get(hand)
            event = Event(record.version + 1, hand, kind, said, datetime.now(UTC))
            try:
                apply(record, event)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise ChangeRefusedError(str(error)) from error
            self.store.append(hand, kind, said)

    def undo(self, hand: str, seq: int) -> None:
        """Take back the last change, which must be number `seq`; raise ChangeRefusedError."""
        with self._changing:
            changes = self.get(hand).changes
            if not changes or changes[-1].seq != seq:
                raise ChangeRefusedError("another change has been made since")
            self.store.append(hand, "change-undone", {"seq": seq})

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
        return open_photo(data, photo.name, most=photo.width * photo.height)

    def _last_winds(self) -> tuple[str, str]:
        """Return the winds of the newest hand: the next one mostly has the same."""
        for record in self.recent(limit=1):
            return record.situation.seat_wind, record.situation.prevailing_wind
        return "E", "E"


def _jpeg(rgb: RGB) -> bytes:
    """Return a picture as a JPEG without any metadata."""
    out = io.BytesIO()
    Image.fromarray(rgb).save(out, "JPEG", quality=86, optimize=True)
    return out.getvalue()
