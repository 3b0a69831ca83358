"""Show what fills the disk and how long it will last."""

from __future__ import annotations

import math
from dataclasses import dataclass

from device.hands.repository import HandRepository
from device.hands.retention import MAX_DISK_SHARE, MIN_KEPT_HANDS, DiskUsage, measure_usage
from device.i18n.words import say, say_count
from device.store.events import PhotosRemoved

_KB = 1000


@dataclass(frozen=True, slots=True)
class StoragePart:
    """One part of the disk."""

    kind: str
    label: str
    size: str
    start: float
    width: float
    """Start and width of its part of the bar, in hundredths of the disk."""


@dataclass(frozen=True, slots=True)
class Meter:
    """The use of the disk."""

    parts: tuple[StoragePart, ...]
    lasts: str
    """How long the free space lasts, in words."""


def meter(records: HandRepository) -> Meter:
    """Measure the use of the disk; raise StoreError."""
    store = records.store
    gone = frozenset(store.with_event(PhotosRemoved, limit=-1))
    hands = sum(hand not in gone for hand in store.hands(limit=-1))
    found = measure_usage(store.folder)
    return Meter(_parts(found), _lasts(found, hands))


def _parts(found: DiskUsage) -> tuple[StoragePart, ...]:
    ours = {"photos": found.photos, "tiles": found.crops, "log": found.log}
    others = max(0, found.disk - found.free - sum(ours.values()))
    sizes = {**ours, "others": others, "free": found.free}
    parts, start = [], 0.0
    for kind, size in sizes.items():
        width = 100 * size / found.disk
        parts.append(StoragePart(kind, say(f"storage.{kind}"), spoken(size), start, width))
        start += width
    return tuple(parts)


def _lasts(found: DiskUsage, hands: int) -> str:
    left = MAX_DISK_SHARE * found.disk - (found.disk - found.free)
    if left <= 0:
        return say("storage.full")
    if not (hands and found.photos):
        return say("storage.begins")
    more = int(left * hands / found.photos)
    if more < MIN_KEPT_HANDS:
        return say("storage.soon")
    evenings = _rounded(more // MIN_KEPT_HANDS)
    return say_count("storage.lasts", evenings, hands=f"{_rounded(more):,}")


def _rounded(number: int) -> int:
    """Return a number rounded down to two significant digits: it is an estimate."""
    unit = int(10 ** max(0, math.floor(math.log10(max(number, 1))) - 1))
    return number // unit * unit


def spoken(size: float) -> str:
    """Return a size in bytes with its unit: `4.2 GB`."""
    units = ("kB", "MB", "GB", "TB")
    size, power = size / _KB, 0
    while size >= _KB and power < len(units) - 1:
        size, power = size / _KB, power + 1
    return f"{size:.1f} {units[power]}" if power and size < 10 else f"{size:.0f} {units[power]}"
