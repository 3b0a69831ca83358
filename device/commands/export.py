"""`tongbox export`: every hand, for spreadsheets and other programs, or to print."""

from __future__ import annotations

import argparse
import sys

from device.commands.data import add_data, opened
from device.commands.output import TerminalError, write_pdf
from device.commands.read import Subparsers
from device.export import rows, write_csv, write_json
from device.records import Records
from device.store import StoreError


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser("export", help="write all hands out")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--csv", action="store_true", help="for a spreadsheet")
    kind.add_argument("--json", action="store_true", help="one JSON object per hand and line")
    kind.add_argument("--pdf", action="store_true", help="a score sheet, to print")
    add_data(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the hands, oldest first; return 1 when there is nowhere to take them from."""
    try:
        with opened(args.data) as store:
            _write(Records(store), args)
    except (StoreError, TerminalError) as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    return 0


def _write(records: Records, args: argparse.Namespace) -> None:
    if args.pdf:
        from device.paper.hands import hands_sheet  # loads reportlab

        write_pdf(hands_sheet(records))
    else:
        (write_csv if args.csv else write_json)(sys.stdout, rows(records))
