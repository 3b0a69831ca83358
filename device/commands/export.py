"""`tongbox export`: write hands, a match, a season, a tournament or a dataset."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from device.club.anonymiser import Anonymiser
from device.club.club_results import load_results
from device.club.people import PeopleRepository
from device.club.season import SeasonRepository, UnknownSeasonError
from device.club.tables import ClubTables
from device.club.tournament.ranking import RankingRow, SeatRow, ranking_rows, seat_rows
from device.club.tournament.replay import UnknownTournamentError
from device.club.tournament.repository import TournamentRepository
from device.commands.console import TerminalError, parse_id, progress_bar, write, write_file
from device.commands.store_options import add_photos, add_store, readable_store
from device.giving.consent import LICENCES
from device.hands.export import ExportRow, export_rows, write_csv, write_json
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.match import Match
from device.matches.replay import UnknownMatchError
from device.matches.repository import MatchRepository, open_hands
from device.matches.score_sheet import MatchRow, MatchRowAtTable, match_rows, match_sheet
from device.store import StoreError
from device.store.errors import UnknownStreamError
from device.views.club.standing import StandingRow, season_view
from device.views.club.standing import standing_rows as season_rows

_NOUNS = {UnknownSeasonError: "season", UnknownTournamentError: "tournament"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--xlsx", action="store_true", help="a workbook for a spreadsheet")
    kind.add_argument("--csv", action="store_true", help="plain text, a row per line")
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
        help="with --dataset: the licence that the players chose for the pictures",
    )
    subject = parser.add_mutually_exclusive_group()
    subject.add_argument(
        "--match",
        nargs="?",
        const=NEWEST_ID,
        type=parse_id,
        metavar="ID",
        help="the deals of a match, one row for each player, instead of hands (the newest match)",
    )
    subject.add_argument(
        "--season",
        nargs="?",
        const=NEWEST_ID,
        type=parse_id,
        metavar="ID",
        help="the standing of a season (the newest season)",
    )
    subject.add_argument(
        "--tournament",
        nargs="?",
        const=NEWEST_ID,
        type=parse_id,
        metavar="ID",
        help="the ranking of a tournament (the newest tournament)",
    )
    parser.add_argument(
        "--seats",
        action="store_true",
        help="with --tournament: every seat of every round instead of the ranking",
    )
    add_store(parser)
    add_photos(parser)


def run(args: argparse.Namespace) -> int:
    """Write the export; return 1 if that fails."""
    _check_options(args)
    try:
        with readable_store(args.data, args.store, args.photos) as store:
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
                _write_match(args, _find_match(hands, args.match), hands)
    except UnknownStreamError as error:
        sys.stderr.write(f"tongbox: There is no such {_NOUNS.get(type(error), 'match')}.\n")
        return 1
    except (StoreError, TerminalError) as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    return 0


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    for option in ("match", "season", "tournament"):
        if args.dataset and getattr(args, option) is not None:
            args.parser.error(
                f"--dataset takes no --{option}: it is of all hands that may be given"
            )
    if args.seats and (args.tournament is None or not (args.csv or args.json)):
        args.parser.error("--seats goes with --tournament and --csv or --json")
    if args.dataset and args.licence is None:
        licence_texts = "; ".join(f"{word}: {each.means}" for word, each in LICENCES.items())
        args.parser.error(
            f"say with --licence what others may do with the pictures. {licence_texts}"
        )
    if args.licence and not args.dataset:
        args.parser.error("--licence goes with --dataset")


def _find_match(hands: HandRepository, name: str) -> Match:
    """Return the match with an id, or the newest; raise UnknownMatchError."""
    tables = MatchRepository(hands.store)
    match = tables.newest_of_all() if name == NEWEST_ID else tables.get(name)
    if match is None:
        raise UnknownMatchError
    return match


def _write_hands(args: argparse.Namespace, hands: HandRepository) -> None:
    if args.pdf:
        from device.paper.results import print_hands  # loads reportlab

        write_file(print_hands(hands))
    elif args.xlsx:
        from device.paper.workbook import write_hands  # loads XlsxWriter

        write_file(write_hands(hands), "xlsx")
    else:
        write_rows(args, export_rows(hands), ExportRow)


def _write_dataset(args: argparse.Namespace, hands: HandRepository) -> None:
    from device.decoding.decoder import Decoder
    from device.giving.folder import describe_left_out, write_dataset  # loads OpenCV

    with closing(Decoder()) as decoder:
        progress = progress_bar("Dataset", "hands")
        summary = write_dataset(hands, args.dataset, LICENCES[args.licence], decoder, progress)
    spdx = LICENCES[args.licence].spdx
    write(
        f"{args.dataset}: photos: {summary.photos}, tiles: {summary.tiles} (put right: "
        f"{summary.corrected}), tile sets: {summary.sets}, licence: {spdx}."
    )
    if summary.left_out:
        write(describe_left_out(summary.left_out))


def _write_match(args: argparse.Namespace, match: Match, hands: HandRepository) -> None:
    register = PeopleRepository(hands.store).register()
    match = Anonymiser(register, say("table.somebody")).match(match)
    table = ClubTables(hands.store).name_on_sheets(match.table)
    if args.pdf:
        from device.paper.results import print_match  # loads reportlab

        write_file(print_match(match, table))
    elif args.xlsx:
        from device.paper.workbook import write_match  # loads XlsxWriter

        write_file(write_match(match, table), "xlsx")
    else:
        columns = MatchRowAtTable if table else MatchRow
        write_rows(args, match_rows(match_sheet(match), table), columns)


NEWEST_ID = "newest"
"""The value of an option without an id; real ids are hexadecimal."""


def write_season(args: argparse.Namespace, hands: HandRepository) -> None:
    """Write a season's standing; raise UnknownSeasonError, StoreError."""
    log, register = SeasonRepository(hands.store), PeopleRepository(hands.store).register()
    newest_season = next(iter(log.list_seasons()), None) if args.season == NEWEST_ID else None
    if args.season == NEWEST_ID and newest_season is None:
        raise UnknownSeasonError
    season = newest_season or log.get(args.season)
    statistics = load_results(hands, max_new=0)
    if args.pdf:
        from device.paper.results import print_season  # loads reportlab

        write_file(print_season(season_view(season, register, statistics)))
    elif args.xlsx:
        from device.paper.workbook import write_season as season_workbook  # loads XlsxWriter

        write_file(season_workbook(season, register, statistics), "xlsx")
    else:
        write_rows(args, season_rows(season, register, statistics), StandingRow)


def write_tournament(args: argparse.Namespace, hands: HandRepository) -> None:
    """Write a tournament's ranking, or with `--seats` every seat of its rounds.

    Raises UnknownTournamentError, StoreError.
    """
    log, register = TournamentRepository(hands.store), PeopleRepository(hands.store).register()
    tournament = log.find_newest() if args.tournament == NEWEST_ID else log.get(args.tournament)
    if tournament is None:
        raise UnknownTournamentError
    anonymous_tournament = Anonymiser(register, say("table.somebody")).tournament(tournament)
    if args.pdf:
        from device.paper.results import print_tournament  # loads reportlab

        write_file(print_tournament(anonymous_tournament))
    elif args.xlsx:
        from device.paper.workbook import write_tournament as tournament_workbook

        write_file(tournament_workbook(anonymous_tournament), "xlsx")
    elif args.seats:
        write_rows(args, seat_rows(anonymous_tournament), SeatRow)
    else:
        write_rows(args, ranking_rows(anonymous_tournament), RankingRow)


def write_rows(args: argparse.Namespace, rows: Iterable[object], kind: type) -> None:
    """Write rows as CSV or JSON, as the command line says."""
    if args.csv:
        write_csv(sys.stdout, rows, kind)
    else:
        write_json(sys.stdout, rows)
