"""Remove photographs when disk space is needed, and measure how much there is.

By default all photographs stay until the disk is nearly full. Then the large pictures of the oldest
confirmed hands are removed, and after those the ones of the oldest unconfirmed hands. The small
picture and all events stay, so the hand's page still shows tiles and score.

Hands still to be read, registered tile sets and the newest hands keep everything. A removal is
first written to the log; files left over after a power cut are deleted the next time.
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

from device.hands.record import HandPhoto, HandRecord, UnknownHandError
from device.hands.repository import ChangeRefusedError, HandRepository
from device.store import Store
from device.store.data_folder import LOG_FILE
from device.store.errors import translate_file_errors
from device.store.events import (
    PhotoAdded,
    PhotoRetaken,
    PhotosRemoved,
    PhotoTaken,
    SetPhotoAdded,
    SetPhotographed,
    TilesConfirmed,
)
from device.store.pictures import CROPS_FOLDER, PHOTOS_FOLDER
from device.store.projection import get_if_whole

MAX_DISK_SHARE = 0.85
"""Share of the disk that may be used, by anything, before photographs are removed."""

MIN_KEPT_HANDS = 32
"""Hands that always keep their photographs: eight deals of four, an evening's play, which players
may still argue about."""

_PhotoEvent = PhotoTaken | PhotoAdded | PhotoRetaken | SetPhotographed | SetPhotoAdded

_PHOTO_EVENTS: tuple[type[_PhotoEvent], ...] = (
    PhotoTaken,
    PhotoAdded,
    PhotoRetaken,
    SetPhotographed,
    SetPhotoAdded,
)
"""The events that name photographs."""


@dataclass(frozen=True, slots=True)
class RemovalRule:
    """Which photographs to remove."""

    excess_bytes: float
    """Bytes to free. A photograph that another hand shares frees less than expected; then more is
    removed the next time."""
    applies_to: Callable[[HandRecord], bool]
    """Whether a hand's photographs may be removed. Removal stops at the first hand for which it is
    false. Unconfirmed hands come after all others."""


@dataclass(frozen=True, slots=True)
class DiskUsage:
    """Disk usage in bytes."""

    disk: int
    free: int
    photos: int
    crops: int
    log: int


@dataclass(frozen=True, slots=True)
class FreedSpace:
    """What was removed."""

    hands: int = 0
    bytes: int = 0


def measure_usage(folder: Path) -> DiskUsage:
    """Return how full the disk of a data folder is, and how much of that is ours."""
    disk = shutil.disk_usage(folder)
    photos, crops = ((folder / kind).rglob("*") for kind in (PHOTOS_FOLDER, CROPS_FOLDER))
    return DiskUsage(
        disk.total, disk.free, _size(photos), _size(crops), _size(folder.glob(f"{LOG_FILE}*"))
    )


def rule_when_full(store: Store, share: float = MAX_DISK_SHARE) -> RemovalRule:
    """Return the rule for a full disk: remove any photographs beyond a share of the disk.

    Otherwise a box on which nobody confirms hands would fill up and accept no more. Raises
    StoreError.
    """
    if store.pictures.folder is None:
        return RemovalRule(0, lambda _: False)  # the database has its own disk
    with translate_file_errors("The disk cannot be looked at"):
        disk = shutil.disk_usage(store.pictures.folder)
    excess_bytes = disk.total - disk.free - share * disk.total
    return RemovalRule(excess_bytes, lambda _: True)


def rule_over_size(store: Store, max_bytes: int) -> RemovalRule:
    """Return the rule that all photographs take at most `max_bytes` bytes; confirmed hands only."""
    folder = store.pictures.folder
    excess_bytes = _size((folder / PHOTOS_FOLDER).iterdir()) - max_bytes if folder else 0
    return RemovalRule(excess_bytes, lambda record: record.tiles_right)


def rule_older_than(current_time: datetime, days: float) -> RemovalRule:
    """Return the rule for confirmed hands with photographs older than some days.

    The clock of the box may be wrong, but the order of hands is right. Removal therefore stops at
    the first hand that is not old enough. A hand with a wrong early time among new ones keeps its
    photographs.
    """
    limit = timedelta(days=days)
    return RemovalRule(
        math.inf, lambda record: record.tiles_right and current_time - record.taken_at > limit
    )


def make_room(records: HandRepository, rule: RemovalRule) -> FreedSpace:
    """Remove photographs of the oldest hands by a rule; raise StoreError.

    Reads no hand if there is nothing to free.
    """
    hands, size = 0, 0
    for record in _removable_hands(records) if rule.excess_bytes > 0 else ():
        if size >= rule.excess_bytes or not rule.applies_to(record):
            break
        names = _pictures_to_remove(record)
        try:
            records.change(record.id, PhotosRemoved(names))
        except (ChangeRefusedError, UnknownHandError):
            continue  # a player has just changed something
        hands, size = hands + 1, size + sum(map(records.store.photo_size, set(names)))
    return FreedSpace(hands, _delete_removed(records.store)) if hands else FreedSpace()


def _removable_hands(records: HandRepository) -> Iterator[HandRecord]:
    """Yield the hands whose photographs may be removed: confirmed ones first, oldest first."""
    store = records.store
    cleared_hands = frozenset(store.with_event(PhotosRemoved, limit=-1))
    left = [
        hand for hand in store.hands(limit=-1)[MIN_KEPT_HANDS:][::-1] if hand not in cleared_hands
    ]
    said_right = frozenset(store.with_event(TilesConfirmed, limit=-1))
    for right in (True, False):
        for hand in left:
            # Some confirmations were undone; only the record knows.
            if right and hand not in said_right:
                continue
            record = get_if_whole(records.by_itself, hand)
            if record and record.tiles_right == right and _is_done_with(record):
                yield record


def _is_done_with(record: HandRecord) -> bool:
    """Whether no photograph of a hand waits to be read."""
    return not record.awaited_photo and (record.is_read or record.failure is not None)


def _pictures_to_remove(record: HandRecord) -> tuple[str, ...]:
    photos = (photo for photo in (record.photo, *record.added_photos, *record.retaken) if photo)
    return tuple(chain.from_iterable(map(_large_pictures, photos)))


def _large_pictures(photo: HandPhoto) -> tuple[str, str]:
    """Return the pictures that may be removed; the thumbnail (about 15 kB) stays."""
    return photo.original, photo.display


def _delete_removed(store: Store) -> int:
    """Delete the pictures removed in the log that no other hand uses; return the bytes.

    A picture whose name occurs in a damaged event stays.
    """
    removed_names: defaultdict[str, set[str]] = defaultdict(set)
    for gone in store.of_kinds(PhotosRemoved):
        removed_names[gone.stream].update(gone.event.names)
    needed_names = {
        name
        for each in store.of_kinds(*_PHOTO_EVENTS)
        for name in _large_pictures(each.event.photo)
        if name not in removed_names[each.stream]
    }
    torn_texts = " ".join(each.text for each in store.find_torn(cut=True))
    deletable_names = {
        name
        for name in set().union(*removed_names.values()) - needed_names
        if name not in torn_texts
    }
    return sum(map(store.delete_photo, deletable_names))


def _size(paths: Iterable[Path]) -> int:
    size = 0
    for path in paths:
        with suppress(FileNotFoundError):  # the server may have just deleted it
            file_info = path.stat()
            size += file_info.st_size if stat.S_ISREG(file_info.st_mode) else 0
    return size
