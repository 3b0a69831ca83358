"""`tongbox backup`: write the log and all pictures to one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.commands.console import write
from device.commands.store_options import add_store, readable_data
from device.store import StoreError
from device.store.backup import back_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a new file, on a stick, say")
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    """Write the backup; return 1 if that fails."""
    try:
        with readable_data(args.data) as folder:
            pictures = back_up(folder, args.file)
    except StoreError as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    size = args.file.stat().st_size
    write(f"{args.file}: the log and {pictures} pictures from {args.data}, {size / 1e6:.1f} MB.")
    return 0
