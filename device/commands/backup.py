"""`tongbox backup` and `tongbox restore`: all that the box remembers in one file, and back."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.commands.data import add_data
from device.commands.output import write
from device.commands.read import Subparsers
from device.store import StoreError
from device.store.backup import back_up, restore


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare both commands."""
    backup = commands.add_parser("backup", help="write all hands and photos to one file")
    backup.add_argument("file", type=Path, metavar="FILE", help="a new file, on a stick, say")
    backup.set_defaults(run=run_backup)
    back = commands.add_parser("restore", help="bring hands and photos back from a backup")
    back.add_argument("file", type=Path, metavar="FILE", help="what `tongbox backup` wrote")
    back.add_argument(
        "--replace", action="store_true", help="put the hands that are there now aside"
    )
    back.set_defaults(run=run_restore)
    for parser in (backup, back):
        add_data(parser)


def run_backup(args: argparse.Namespace) -> int:
    """Write the backup; return 1 when there is none."""
    try:
        pictures = back_up(args.data, args.file)
    except StoreError as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    size = args.file.stat().st_size
    write(f"{args.file}: the log and {pictures} pictures from {args.data}, {size / 1e6:.1f} MB.")
    return 0


def run_restore(args: argparse.Namespace) -> int:
    """Bring a backup back; return 1, with nothing changed, when that cannot be."""
    try:
        old = restore(args.file, args.data, replace=args.replace)
    except StoreError as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    write(f"{args.data} is as it was when {args.file} was written.")
    if old:
        write(f"What was there before is in {old}; delete it when it is not needed.")
    return 0
