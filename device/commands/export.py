"""`tongbox export`: every hand in a table, for spreadsheets and other programs."""

from __future__ import annotations

import argparse
import sys

from device.commands.data import add_data, opened
from device.commands.read import Subparsers
from device.export import rows, write_csv, write_json
from device.records import Records
from device.store import StoreError


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser("export", help="print all hands as a table")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--csv", action="store_true", help="for a spreadsheet")
    kind.add_argument("--json", action="store_true", help="one JSON object per hand and line")
    add_data(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the hands, oldest first; return 1 when there is nowhere to take them from."""
    try:
        with opened(args.data) as store:
            (write_csv if args.csv else write_json)(sys.stdout, rows(Records(store)))
    except StoreError as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    return 0
