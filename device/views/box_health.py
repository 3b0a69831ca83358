"""The box's health in words: checks, cameras, the disk, and damaged or recovered records."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from device.cameras.base import camera_message
from device.damage import Damage, DamageReport
from device.doctor import Finding, FindingLevel
from device.hands.repository import HandRepository
from device.hands.retention import MAX_DISK_SHARE, MIN_KEPT_HANDS, DiskUsage, measure_usage
from device.i18n.words import grouped, say, say_count
from device.store import Store, TornEventError
from device.store.events import LogSalvaged, MatchBegun, PhotosRemoved, SalvageRead
from scorer.message import Message


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding of a health check, in words."""

    check: str
    level: FindingLevel
    state: str
    title: str
    says: str
    do: str
    """What to do about it; empty when all is well."""


def finding_view(finding: Finding) -> FindingView:
    """Return a finding in words."""
    key = f"doctor.{finding.check}.{finding.state}"
    return FindingView(
        check=finding.check,
        level=finding.level,
        state=finding.state,
        title=say(f"doctor.{finding.check}.title"),
        says=say(key, **finding.values),
        do="" if finding.level == "ok" else say(f"{key}-do", **finding.values),
    )


_STILL_STARTING = camera_message("starting")


def describe_camera_fault(title: str, sentence: Message | None) -> str:
    """Return what is wrong with a camera, in words; empty when nothing is.

    A camera with a title is one of several: the text names it and says that phones still work.
    """
    if sentence is None or not title or sentence == _STILL_STARTING:
        return say(sentence) if sentence else ""
    return say("camera.of-table-lost", camera=title, reason=say(sentence))


@dataclass(frozen=True, slots=True)
class CareLine:
    """One thing that needs somebody's attention."""

    level: FindingLevel
    about: str
    """The check that found it."""
    says: str


def care_lines(found: Iterable[Finding]) -> tuple[CareLine, ...]:
    """Return what needs attention, in the order of the findings."""
    return tuple(
        CareLine(each.level, each.check, say(f"care.{each.check}.{each.state}", **each.values))
        for each in found
    )


_BYTES_PER_KB = 1000


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
class StorageMeter:
    """The use of the disk."""

    parts: tuple[StoragePart, ...]
    lasts: str
    """How long the free space lasts, in words."""


def storage_meter(records: HandRepository) -> StorageMeter:
    """Measure the use of the disk; raise StoreError."""
    store = records.store
    gone = frozenset(store.with_event(PhotosRemoved, limit=-1))
    hands = sum(hand not in gone for hand in store.hands(limit=-1))
    found = measure_usage(store.folder)
    return StorageMeter(_storage_parts(found), _describe_time_left(found, hands))


def _storage_parts(found: DiskUsage) -> tuple[StoragePart, ...]:
    ours = {"photos": found.photos, "tiles": found.crops, "log": found.log}
    others = max(0, found.disk - found.free - sum(ours.values()))
    sizes = {**ours, "others": others, "free": found.free}
    parts, start = [], 0.0
    for kind, size in sizes.items():
        width = 100 * size / found.disk
        parts.append(StoragePart(kind, say(f"storage.{kind}"), format_size(size), start, width))
        start += width
    return tuple(parts)


def _describe_time_left(found: DiskUsage, hands: int) -> str:
    left = MAX_DISK_SHARE * found.disk - (found.disk - found.free)
    if left <= 0:
        return say("storage.full")
    if not (hands and found.photos):
        return say("storage.begins")
    more = int(left * hands / found.photos)
    if more < MIN_KEPT_HANDS:
        return say("storage.soon")
    evenings = _round_to_two_figures(more // MIN_KEPT_HANDS)
    room = grouped(_round_to_two_figures(more))
    return say_count("storage.lasts", evenings, hands=room, evenings=grouped(evenings))


def _round_to_two_figures(number: int) -> int:
    """Return a number rounded down to two significant digits: it is an estimate."""
    unit = int(10 ** max(0, math.floor(math.log10(max(number, 1))) - 1))
    return number // unit * unit


def format_size(size: float) -> str:
    """Return a size in bytes with its unit: `4.2 GB`."""
    units = ("kB", "MB", "GB", "TB")
    size, power = size / _BYTES_PER_KB, 0
    while size >= _BYTES_PER_KB and power < len(units) - 1:
        size, power = size / _BYTES_PER_KB, power + 1
    return f"{size:.1f} {units[power]}" if power and size < 10 else f"{size:.0f} {units[power]}"


MAX_DAMAGE_LINES = 50
"""Damaged streams that the first page lists."""


@dataclass(frozen=True, slots=True)
class DamageView:
    """A damaged stream in words."""

    stream: str
    since: int
    """Number of its first damaged event."""
    says: str
    goes_on: str
    """What happens if play goes on from before the damage; empty where that is impossible."""
    no_way: str
    """Why it is impossible."""


@dataclass(frozen=True, slots=True)
class TornLine:
    """One damaged stream in a list."""

    stream: str
    says: str


def describe_torn_event(torn: TornEventError) -> str:
    """Return the sentence that names the damaged event."""
    return say("error.torn", number=torn.seq, kind=torn.kind)


def torn_line(torn: TornEventError) -> TornLine:
    """Return the line of a list for a stream that cannot be shown."""
    return TornLine(torn.stream, describe_torn_event(torn))


def damage_lines(report: DamageReport) -> tuple[TornLine, ...]:
    """Return the newest damage for the first page, up to a limit.

    A line without a stream concerns the whole box. Log recovery has its own notice.
    """
    whole = []
    if report.torn_log:
        whole.append(say("error.torn-log"))
    if report.missing:
        whole.append(say("doctor.photographs.missing", count=len(report.missing)))
    torn = [torn_line(each) for each in report.torn_events[::-1][:MAX_DAMAGE_LINES]]
    return (*(TornLine("", each) for each in whole), *torn)


def damage_view(damage: Damage) -> DamageView:
    """Return what is wrong with a stream, in words."""
    return DamageView(
        stream=damage.torn_event.stream,
        since=damage.torn_event.seq,
        says=describe_torn_event(damage.torn_event),
        goes_on=say("damaged.cut-hint", lost=damage.lost_count) if damage.sort else "",
        no_way=say("damaged.alone" if damage.stands_alone else "damaged.nothing"),
    )


MAX_MATCHES_NAMED = 3
"""How many affected matches are named, for the players who look for theirs."""


@dataclass(frozen=True, slots=True)
class SalvageView:
    """The notice about a recovered log, shown until a player confirms having read it."""

    happened: str
    counted: str
    look: tuple[str, ...]
    """What to check, and what to do."""
    aside: str
    """Where the damaged file is; empty where there was none."""


def salvage_view(store: Store) -> SalvageView | None:
    """Return the notice to show; None when there is none. Raises StoreError."""
    told = store.of_kinds(LogSalvaged, SalvageRead)  # on every page; few boxes have any
    if not told or not isinstance(event := told[-1].event, LogSalvaged):
        return None
    return SalvageView(
        happened=say(f"salvaged.{event.cause}"),
        counted=say("listing.next").join(_count_events(event)),
        look=(
            *_name_matches(store, event),
            say("salvaged.look" if event.kept else "salvaged.anew"),
        ),
        aside=say("salvaged.aside", folder=store.folder / event.aside) if event.aside else "",
    )


def _count_events(event: LogSalvaged) -> list[str]:
    if not event.kept:
        return [say("salvaged.none")]
    said = [say_count("salvaged.kept", event.kept)]
    missing = sum(last - first + 1 for first, last in event.missing)
    said.append(say_count("salvaged.lost", missing) if missing else say("salvaged.nothing-lost"))
    if event.copied:
        said.append(say_count("salvaged.copied", event.copied))
    if not event.end_known:
        said.append(say("salvaged.end"))
    return said


def _name_matches(store: Store, event: LogSalvaged) -> list[str]:
    """Return the sentences that name the incomplete matches."""
    if not event.touched:
        return []
    begun = [each for each in store.of_kinds(MatchBegun) if each.stream in event.touched]
    names = [", ".join(each.event.players) for each in begun[::-1][:MAX_MATCHES_NAMED]]
    return [say("salvaged.match", players=each) for each in names] or [say("salvaged.touched")]
