"""`tongbox export`: every hand or a match in a table, for spreadsheets and other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from device.commands.data import add_data, opened
from device.commands.read import Subparsers
from device.export import Row, rows, write_csv, write_json
from device.match_export import MatchRow, match_rows, match_sheet
from device.records import Records
from device.store import StoreError
from device.table.match import Match
from device.table.replay import UnknownMatchError
from device.table.tables import Tables

NEWEST = "newest"
"""What `--match` without an id means; an id is twelve hexadecimal digits."""


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser("export", help="print all hands or a match as a table")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--csv", action="store_true", help="for a spreadsheet")
    kind.add_argument("--json", action="store_true", help="one JSON object per hand and line")
    parser.add_argument(
        "--match",
        nargs="?",
        const=NEWEST,
        metavar="ID",
        help="the deals of a match, one row for each player, instead of hands (the newest match)",
    )
    add_data(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the rows, oldest first; return 1 when there is nowhere to take them from."""
    try:
        with opened(args.data) as store:
            records = Records(store)
            if args.match is None:
                _write(args, rows(records), Row)
            else:
                _write(args, match_rows(match_sheet(_match(records, args.match))), MatchRow)
    except UnknownMatchError:
        sys.stderr.write("tongbox: There is no such match.\n")
        return 1
    except StoreError as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    return 0


def _match(records: Records, name: str) -> Match:
    """Return the match of an id, or the newest; raise UnknownMatchError."""
    tables = Tables(records)
    found = tables.newest() if name == NEWEST else tables.get(name)
    if found is None:
        raise UnknownMatchError
    return found


def _write(args: argparse.Namespace, found: Iterable[object], kind: type) -> None:
    if args.csv:
        write_csv(sys.stdout, found, kind)
    else:
        write_json(sys.stdout, found)
