"""Which photographs may go when room is needed, and how much room there is.

By default all are kept until the disk is nearly full. Then the large pictures of the oldest hands
go whose tiles a player said are right, and when there are no more of these, those of the oldest
hands of which nobody did; the small picture and every event stay, so that such a hand's page still
shows its tiles and score. Nothing goes of hands still to be read, of registered tile sets, or of
the newest hands. The log says first what goes: what a pulled plug leaves behind is deleted the next
time.
"""

from __future__ import annotations

import math
import shutil
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

from device.hands.hand import HandRecord, UnknownHandError
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.tiles import HandPhoto
from device.store import Store
from device.store.errors import telling_files
from device.store.events import (
    PhotoAdded,
    PhotoRetaken,
    PhotosRemoved,
    PhotoTaken,
    SetPhotoAdded,
    SetPhotographed,
    TilesConfirmed,
)
from device.store.pictures import CROPS, PHOTOS
from device.store.replaying import if_whole
from device.store.restoring import LOG

FULL = 0.85
"""The share of the disk that may be used, by whatever it is, before photographs go."""

NEWEST = 32
"""So many hands keep their photographs whatever happens: eight deals of four, an evening's play,
are what players still argue about."""

_NamingPhoto = PhotoTaken | PhotoAdded | PhotoRetaken | SetPhotographed | SetPhotoAdded

_WITH_PHOTO: tuple[type[_NamingPhoto], ...] = (
    PhotoTaken,
    PhotoAdded,
    PhotoRetaken,
    SetPhotographed,
    SetPhotoAdded,
)
"""The events that name photographs."""


@dataclass(frozen=True, slots=True)
class Going:
    """Which photographs go."""

    too_much: float
    """Bytes that are to be freed. Where another hand has the same photograph, what goes frees less
    than is thought, and more goes the next time."""
    of: Callable[[HandRecord], bool]
    """Whether those of a hand go, as long as there is too much. The first of which they do not ends
    it. Hands that nobody confirmed are asked about after all others."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What takes up room, in bytes."""

    disk: int
    free: int
    photos: int
    crops: int
    log: int


@dataclass(frozen=True, slots=True)
class Freed:
    """What was removed."""

    hands: int = 0
    bytes: int = 0


def usage(folder: Path) -> Usage:
    """Return how full a data folder's disk is, and with what of ours."""
    disk = shutil.disk_usage(folder)
    photos, crops = ((folder / kind).rglob("*") for kind in (PHOTOS, CROPS))
    return Usage(disk.total, disk.free, _size(photos), _size(crops), _size(folder.glob(f"{LOG}*")))


def when_full(store: Store, share: float = FULL) -> Going:
    """Let photographs go while more than a share of the disk is used, confirmed or not.

    A box on which nobody ever confirms a hand would fill its disk otherwise, and take no more.
    Raises StoreError.
    """
    if store.pictures.folder is None:
        return Going(0, lambda _: False)  # the disk is the database's
    with telling_files("The disk cannot be looked at"):
        disk = shutil.disk_usage(store.pictures.folder)
    too_much = disk.total - disk.free - share * disk.total
    return Going(too_much, lambda _: True)


def beyond(store: Store, most: int) -> Going:
    """Let photographs of confirmed hands go while all take up more bytes than this."""
    folder = store.pictures.folder
    too_much = _size((folder / PHOTOS).iterdir()) - most if folder else 0
    return Going(too_much, lambda record: record.tiles_right)


def older(now: datetime, days: float) -> Going:
    """Let photographs of confirmed hands go that were taken longer ago.

    The box has no clock of its own, but only the times are wrong, never the order: the first hand
    that is not old enough ends it, so a time far in the past costs no hand among new ones.
    """
    limit = timedelta(days=days)
    return Going(math.inf, lambda record: record.tiles_right and now - record.taken_at > limit)


def make_room(records: HandRepository, going: Going) -> Freed:
    """Remove photographs of the oldest hands as long as they go; raise StoreError.

    Where there is not too much, no hand is looked at.
    """
    hands, size = 0, 0
    for record in _may_go(records) if going.too_much > 0 else ():
        if size >= going.too_much or not going.of(record):
            break
        names = _large(record)
        try:
            records.change(record.id, PhotosRemoved(names))
        except (ChangeRefusedError, UnknownHandError):
            continue  # a player has just changed his mind
        hands, size = hands + 1, size + sum(map(records.store.photo_size, set(names)))
    return Freed(hands, _delete_removed(records.store)) if hands else Freed()


def _may_go(records: HandRepository) -> Iterator[HandRecord]:
    """Yield the hands whose photographs may go, oldest first, and the confirmed before others."""
    store = records.store
    gone = frozenset(store.with_event(PhotosRemoved, limit=-1))
    left = [hand for hand in store.hands(limit=-1)[NEWEST:][::-1] if hand not in gone]
    said_right = frozenset(store.with_event(TilesConfirmed, limit=-1))
    for right in (True, False):
        for hand in left:
            # Of those that were confirmed once, some were taken back: only the record knows.
            if right and hand not in said_right:
                continue
            record = if_whole(records.by_itself, hand)
            if record and record.tiles_right == right and _is_done_with(record):
                yield record


def _is_done_with(record: HandRecord) -> bool:
    """Whether no photograph of a hand waits to be read."""
    return not record.awaited and (record.is_read or record.failure is not None)


def _large(record: HandRecord) -> tuple[str, ...]:
    photos = (photo for photo in (record.photo, *record.added, *record.retaken) if photo)
    return tuple(chain.from_iterable(map(_may_be_removed, photos)))


def _may_be_removed(photo: HandPhoto) -> tuple[str, str]:
    """Return the pictures of a photograph that may go. The third, for lists, is some 15 kB."""
    return photo.original, photo.display


def _delete_removed(store: Store) -> int:
    """Delete the pictures that the log says are gone, if no other hand has them; return bytes.

    Of what a torn event speaks nobody knows, so nothing goes that its text might name.
    """
    removed: defaultdict[str, set[str]] = defaultdict(set)
    for gone in store.of_kinds(PhotosRemoved):
        removed[gone.stream].update(gone.event.names)
    wanted = {
        name
        for each in store.of_kinds(*_WITH_PHOTO)
        for name in _may_be_removed(each.event.photo)
        if name not in removed[each.stream]
    }
    torn = " ".join(each.text for each in store.torn(cut=True))
    going = {name for name in set().union(*removed.values()) - wanted if name not in torn}
    return sum(map(store.delete_photo, going))


def _size(paths: Iterable[Path]) -> int:
    size = 0
    for path in paths:
        with suppress(FileNotFoundError):  # the box that serves has just finished with it
            found = path.stat()
            size += found.st_size if stat.S_ISREG(found.st_mode) else 0
    return size
