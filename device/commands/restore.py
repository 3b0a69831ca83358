"""`tongbox restore`: bring a backup back into the box."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.commands.console import progress_bar, write
from device.commands.store_options import add_store
from device.damage import examine_all
from device.store import Store, StoreError
from device.store.backup import restore
from device.store.data_folder import LOG_FILE
from device.store.store_url import hide_password, is_embedded, resolve_data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a backup written by `tongbox backup`"
    )
    parser.add_argument("--replace", action="store_true", help="set the present hands aside")
    parser.add_argument(
        "--damaged", action="store_true", help="restore it even if part of it is unreadable"
    )
    add_store(parser)


def run(args: argparse.Namespace) -> None:
    """Restore a backup; if that fails, nothing is changed."""
    folder = _target_folder(args)
    check = _accept_anything if args.damaged else _check_sound
    progress = progress_bar("Restore", "files")
    old = restore(args.file, folder, replace=args.replace, check=check, progress=progress)
    write(f"{folder} is as it was when {args.file} was written.")
    if old:
        write(f"What was there before is in {old}; delete it when it is not needed.")


def _target_folder(args: argparse.Namespace) -> Path:
    """Return the folder to restore to; raise StoreError for a database."""
    if is_embedded(args.store):
        return resolve_data_folder(args.data, args.store)
    raise StoreError(
        f"{hide_password(args.store)} is a database, and a backup is restored to a folder. Name a "
        f"new one: --store sqlite:///FOLDER/{LOG_FILE}. Then carry it into an empty database: "
        "tongbox move. Nothing was changed."
    )


_MAX_EVENTS_NAMED = 5
"""Damaged events named in an error; many have a single cause."""


def _check_sound(store: Store) -> None:
    """Raise StoreError for a log that cannot be replayed completely."""
    report = examine_all(store)
    # A stream without its beginning can be shown neither here nor where the backup was made.
    if torn_events := [each for each in report.torn_events if each.stream not in report.headless][
        :_MAX_EVENTS_NAMED
    ]:
        raise StoreError(
            f"Part of the backup makes no sense: {'; '.join(map(str, torn_events))}. "
            "Nothing was changed. With --damaged it is taken all the same; what these belong to "
            "is shown up to there."
        )


def _accept_anything(_: Store) -> None:
    """Accept any log."""
