"""`tongbox restore`: all that a backup holds, back into the box."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.commands.data import add_data
from device.commands.output import write
from device.store import StoreError
from device.store.backup import restore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="what `tongbox backup` wrote")
    parser.add_argument(
        "--replace", action="store_true", help="put the hands that are there now aside"
    )
    add_data(parser)


def run(args: argparse.Namespace) -> int:
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
