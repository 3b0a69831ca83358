"""`tongbox export`: write hands, a match, a season, a tournament or a dataset."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.club.anonymiser import Anonymiser
from device.club.people_repository import PeopleRepository
from device.club.season import UnknownSeasonError
from device.club.tables import ClubTables
from device.club.tournament.replay import UnknownTournamentError
from device.commands.arguments import an_id
from device.commands.data import add_store, opened
from device.commands.export_club import NEWEST, write_rows, write_season, write_tournament
from device.commands.output import TerminalError, write, write_pdf
from device.giving.licences import LICENCES
from device.hands.export import ExportRow, export_rows
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.match import Match
from device.matches.replay import UnknownMatchError
from device.matches.repository import MatchRepository, open_hands
from device.matches.score_sheet import MatchRow, MatchRowAtTable, match_rows, match_sheet
from device.store import StoreError
from device.store.errors import UnknownStreamError

_CALLED = {UnknownSeasonError: "season", UnknownTournamentError: "tournament"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--csv", action="store_true", help="for a spreadsheet")
    kind.add_argument("--json", action="store_true", help="one JSON object per hand and line")
    kind.add_argument("--pdf", action="store_true", help="a score sheet, to print")
    kind.add_argument(
        "--dataset",
        type=Path,
        metavar="FOLDER",
        help="pictures of the tiles of confirmed hands with their names, if the players agreed: "
        "a new folder",
    )
    parser.add_argument(
        "--licence",
        choices=tuple(LICENCES),
        help="with --dataset: what others may do with the pictures, as the players wish",
    )
    of = parser.add_mutually_exclusive_group()
    of.add_argument(
        "--match",
        nargs="?",
        const=NEWEST,
        type=an_id,
        metavar="ID",
        help="the deals of a match, one row for each player, instead of hands (the newest match)",
    )
    of.add_argument(
        "--season",
        nargs="?",
        const=NEWEST,
        type=an_id,
        metavar="ID",
        help="the standing of a season (the newest season)",
    )
    of.add_argument(
        "--tournament",
        nargs="?",
        const=NEWEST,
        type=an_id,
        metavar="ID",
        help="the ranking of a tournament (the newest tournament)",
    )
    parser.add_argument(
        "--seats",
        action="store_true",
        help="with --tournament: every seat of every round instead of the ranking",
    )
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    """Write the export; return 1 if that fails."""
    _check(args)
    try:
        with opened(args.data, args.store, args.photos) as store:
            hands = open_hands(store)
            if args.dataset:
                _write_dataset(args, hands)
            elif args.season is not None:
                write_season(args, hands)
            elif args.tournament is not None:
                write_tournament(args, hands)
            elif args.match is None:
                _write_hands(args, hands)
            else:
                _write_match(args, _match(hands, args.match), hands)
    except UnknownStreamError as error:
        sys.stderr.write(f"tongbox: There is no such {_CALLED.get(type(error), 'match')}.\n")
        return 1
    except (StoreError, TerminalError) as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    return 0


def _check(args: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    for option in ("match", "season", "tournament"):
        if args.dataset and getattr(args, option) is not None:
            args.parser.error(
                f"--dataset takes no --{option}: it is of all hands that may be given"
            )
    if args.seats and (args.tournament is None or args.pdf):
        args.parser.error("--seats goes with --tournament and --csv or --json")
    if args.dataset and args.licence is None:
        named = "; ".join(f"{word}: {each.means}" for word, each in LICENCES.items())
        args.parser.error(f"say with --licence what others may do with the pictures. {named}")
    if args.licence and not args.dataset:
        args.parser.error("--licence goes with --dataset")


def _match(hands: HandRepository, name: str) -> Match:
    """Return the match with an id, or the newest; raise UnknownMatchError."""
    tables = MatchRepository(hands)
    found = tables.newest_of_all() if name == NEWEST else tables.get(name)
    if found is None:
        raise UnknownMatchError
    return found


def _write_hands(args: argparse.Namespace, hands: HandRepository) -> None:
    if args.pdf:
        from device.paper.hands import hands_sheet  # loads reportlab

        write_pdf(hands_sheet(hands))
    else:
        write_rows(args, export_rows(hands), ExportRow)


def _write_dataset(args: argparse.Namespace, hands: HandRepository) -> None:
    from device.giving.folder import told, write_dataset  # loads OpenCV

    done = write_dataset(hands, args.dataset, LICENCES[args.licence])
    spdx = LICENCES[args.licence].spdx
    write(
        f"{args.dataset}: photos: {done.photos}, tiles: {done.tiles} (put right: "
        f"{done.corrected}), tile sets: {done.sets}, licence: {spdx}."
    )
    if done.left_out:
        write(told(done.left_out))


def _write_match(args: argparse.Namespace, match: Match, hands: HandRepository) -> None:
    register = PeopleRepository(hands.store).register()
    match = Anonymiser(register, say("table.somebody")).match(match)
    table = ClubTables(hands.store).name_on_sheets(match.table)
    if args.pdf:
        from device.paper.match import match_pages  # loads reportlab

        write_pdf(match_pages(match, table))
    else:
        columns = MatchRowAtTable if table else MatchRow
        write_rows(args, match_rows(match_sheet(match), table), columns)
