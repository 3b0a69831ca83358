"""The box's health in words: checks, cameras, the disk, and damaged or recovered records."""

from __future__ import annotations

import math
from dataclasses import dataclass

from device.cameras.base import camera_message
from device.damage import DamageReport
from device.doctor import Finding, FindingLevel
from device.hands.repository import HandRepository
from device.hands.retention import MAX_DISK_SHARE, MIN_KEPT_HANDS, DiskUsage, measure_usage
from device.i18n.words import group_digits, join_sentences, say, say_count
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
    """Empty where photos are in a database."""
    lasts: str
    """How long the free space lasts, in words."""


def storage_meter(records: HandRepository) -> StorageMeter:
    """Measure the use of the photos' disk; raise StoreError. A database's disk is not measured."""
    store = records.store
    if store.pictures.folder is None:
        return StorageMeter((), say("storage.database"))
    emptied_hands = frozenset(store.with_event(PhotosRemoved, limit=-1))
    hands = sum(hand not in emptied_hands for hand in store.hands(limit=-1))
    usage = measure_usage(store.pictures.folder)
    return StorageMeter(_storage_parts(usage), _describe_time_left(usage, hands))


def _storage_parts(usage: DiskUsage) -> tuple[StoragePart, ...]:
    part_sizes = {"photos": usage.photos, "tiles": usage.crops}
    part_sizes |= {"log": usage.log} if usage.log else {}  # else it is in a database
    other_bytes = max(0, usage.disk - usage.free - sum(part_sizes.values()))
    sizes = {**part_sizes, "others": other_bytes, "free": usage.free}
    parts, start = [], 0.0
    for kind, size in sizes.items():
        width = 100 * size / usage.disk
        parts.append(StoragePart(kind, say(f"storage.{kind}"), format_size(size), start, width))
        start += width
    return tuple(parts)


def _describe_time_left(usage: DiskUsage, hands: int) -> str:
    left = MAX_DISK_SHARE * usage.disk - (usage.disk - usage.free)
    if left <= 0:
        return say("storage.full")
    if not (hands and usage.photos):
        return say("storage.begins")
    more_hands = int(left * hands / usage.photos)
    if more_hands < MIN_KEPT_HANDS:
        return say("storage.soon")
    evenings = _round_to_two_figures(more_hands // MIN_KEPT_HANDS)
    room = group_digits(_round_to_two_figures(more_hands))
    return say_count("storage.lasts", evenings, hands=room, evenings=group_digits(evenings))


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
    decimals = 1 if power and size < 10 else 0
    return f"{size:.{decimals}f}\N{NO-BREAK SPACE}{units[power]}"


MAX_DAMAGE_LINES = 50
"""Damaged streams that the first page lists."""


@dataclass(frozen=True, slots=True)
class TornLine:
    """One damaged stream in a list."""

    stream: str
    says: str


def describe_torn_event(error: TornEventError) -> str:
    """Return the sentence that names the damaged event."""
    return say("error.torn", number=error.seq, kind=error.kind)


def torn_line(error: TornEventError) -> TornLine:
    """Return the line of a list for a stream that cannot be shown."""
    return TornLine(error.stream, describe_torn_event(error))


def damage_lines(report: DamageReport) -> tuple[TornLine, ...]:
    """Return the newest damage for the first page, up to a limit.

    A line without a stream concerns the whole box. Log recovery has its own notice.
    """
    whole_lines = []
    if report.torn_log:
        whole_lines.append(say("error.torn-log"))
    if report.missing:
        whole_lines.append(say("doctor.photographs.missing", count=len(report.missing)))
    torn_lines = [torn_line(each) for each in report.torn_events[::-1][:MAX_DAMAGE_LINES]]
    return (*(TornLine("", each) for each in whole_lines), *torn_lines)


MAX_MATCHES_NAMED = 3
"""How many affected matches are named, for the players who look for theirs."""


@dataclass(frozen=True, slots=True)
class SalvageView:
    """The notice about a recovered log, shown until a player confirms having read it."""

    event_text: str
    count_text: str
    look: tuple[str, ...]
    """What to check, and what to do."""
    folder_text: str
    """Where the damaged file is; empty where there was none."""


def salvage_view(store: Store) -> SalvageView | None:
    """Return the notice to show; None when there is none. Raises StoreError."""
    events = store.of_kinds(LogSalvaged, SalvageRead)  # on every page; few boxes have any
    if not events or not isinstance(event := events[-1].event, LogSalvaged):
        return None
    return SalvageView(
        event_text=say(f"salvaged.{event.cause}"),
        count_text=join_sentences(_count_events(event)),
        look=(
            *_name_matches(store, event),
            say("salvaged.look" if event.kept else "salvaged.anew"),
        ),
        folder_text=say("salvaged.aside", folder=store.folder / event.aside) if event.aside else "",
    )


def _count_events(event: LogSalvaged) -> list[str]:
    if not event.kept:
        return [say("salvaged.none")]
    sentences = [say_count("salvaged.kept", event.kept)]
    missing = sum(last - first + 1 for first, last in event.missing)
    sentences.append(
        say_count("salvaged.lost", missing) if missing else say("salvaged.nothing-lost")
    )
    if event.copied:
        sentences.append(say_count("salvaged.copied", event.copied))
    if not event.end_known:
        sentences.append(say("salvaged.end"))
    return sentences


def _name_matches(store: Store, event: LogSalvaged) -> list[str]:
    """Return the sentences that name the incomplete matches."""
    if not event.touched:
        return []
    matches = [each for each in store.of_kinds(MatchBegun) if each.stream in event.touched]
    names = [", ".join(each.event.players) for each in matches[::-1][:MAX_MATCHES_NAMED]]
    return [say("salvaged.match", players=each) for each in names] or [say("salvaged.touched")]
