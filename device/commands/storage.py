"""`tongbox storage`: show how full the disk is, and make room."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime

from device.commands.console import parse_amount, write
from device.commands.store_options import add_photos, add_store, opened_store, readable_store
from device.hands.retention import (
    MAX_DISK_SHARE,
    DiskUsage,
    FreedSpace,
    make_room,
    measure_usage,
    rule_older_than,
    rule_over_size,
    rule_when_full,
)
from device.matches.repository import open_hands
from device.store import Store, StoreError
from device.store.store_url import hide_password, is_embedded, resolve_data_folder

_BYTES_PER_MB = 10**6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Show how full the disk is. Room is made by removing the large photos of the "
        "oldest hands whose tiles a player said are right; tiles, scores and a small copy stay. "
        f"The box does so by itself from {MAX_DISK_SHARE:.0%} of the disk on, "
        "and when no such hand is left "
        "the photos of the oldest others go too."
    )
    room = parser.add_mutually_exclusive_group()
    room.add_argument(
        "--older", type=parse_amount, metavar="DAYS", help="remove large photos older than this"
    )
    room.add_argument(
        "--most", type=parse_amount, metavar="MB", help="keep at most this much of photos"
    )
    room.add_argument(
        "--full",
        action="store_true",
        help=f"make room until {MAX_DISK_SHARE:.0%}% of the disk is used",
    )
    add_store(parser)
    add_photos(parser)


def run(args: argparse.Namespace) -> None:
    """Make room if requested, then print the figures."""
    is_changed = args.full or args.older is not None or args.most is not None
    opening = opened_store if is_changed else readable_store
    with opening(args.data, args.store, args.photos) as store:
        space = _make_room(store, args)
        usage = _describe_usage(store, args)
    if space:
        write(
            f"Hands whose photos were removed: {space.hands}, {space.bytes / _BYTES_PER_MB:.1f} MB."
        )
    write("\n".join(usage))


def _describe_usage(store: Store, args: argparse.Namespace) -> list[str]:
    if is_embedded(args.store):
        return list(format_usage(measure_usage(resolve_data_folder(args.data, args.store))))
    from device.store.shared_database import measure_database  # loads psycopg

    store_name = hide_password(args.store)
    return [
        f"The log lies in {store_name}: how full the disk there is, that computer says.",
        *_format_sizes(*measure_database(store.log)),
    ]


def _make_room(store: Store, args: argparse.Namespace) -> FreedSpace | None:
    if args.older is not None:
        return make_room(open_hands(store), rule_older_than(datetime.now(UTC), args.older))
    if store.pictures.folder is None and (args.full or args.most is not None):
        raise StoreError(
            "The photos lie in the database, so this computer's disk does not matter. --older DAYS "
            "makes room there."
        )
    if args.most is not None:
        return make_room(open_hands(store), rule_over_size(store, int(args.most * _BYTES_PER_MB)))
    return make_room(open_hands(store), rule_when_full(store)) if args.full else None


def format_usage(usage: DiskUsage) -> Iterator[str]:
    """Yield the figures as readable lines."""
    used_share = 1 - usage.free / usage.disk
    yield f"{used_share:.0%} of the disk is used; {usage.free / _BYTES_PER_MB:.0f} MB are free."
    yield from _format_sizes(usage.photos, usage.crops, usage.log)


def _format_sizes(photos: int, crops: int, log: int) -> Iterator[str]:
    for name, size in (("photos", photos), ("tiles", crops), ("log", log)):
        yield f"  {name:<8}{size / _BYTES_PER_MB:>10.1f} MB"
