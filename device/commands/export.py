"""`tongbox export`: write hands, a match, a season, a tournament or a dataset."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from device.club.anonymiser import Anonymiser
from device.club.club_results import load_results
from device.club.people import PeopleRepository
from device.club.season import SeasonRepository, UnknownSeasonError
from device.club.tables import ClubTables
from device.club.tournament.replay import UnknownTournamentError
from device.club.tournament.repository import TournamentRepository
from device.commands.console import parse_id, progress_bar, write, write_file
from device.commands.store_options import add_photos, add_store, readable_store
from device.giving.consent import LICENCES
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.replay import UnknownMatchError
from device.matches.repository import MatchRepository, open_hands
from device.paper.result_files import (
    Results,
    hands_results,
    match_results,
    season_results,
    tournament_results,
)
from device.store.errors import UnknownStreamError
from scorer.errors import RefusalError

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


def run(args: argparse.Namespace) -> None:
    """Write the export."""
    _check_options(args)
    with readable_store(args.data, args.store, args.photos) as store:
        hands = open_hands(store)
        if args.dataset:
            _write_dataset(args, hands)
            return
        try:
            results = _find_results(args, hands)
        except UnknownStreamError as error:
            noun = _NOUNS.get(type(error), "match")
            is_newest = NEWEST_ID in (args.match, args.season, args.tournament)
            reason = f"There is no {noun} yet." if is_newest else f"There is no such {noun}."
            raise RefusalError(reason) from error
        if args.pdf or args.xlsx:
            form = "pdf" if args.pdf else "xlsx"
            write_file(results.file(form), form)
        else:
            results.write_text(sys.stdout, "csv" if args.csv else "jsonl", int(args.seats))


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
        licence_lines = (
            f"\n  {word + ':':<10}{' '.join(each.means.split())}" for word, each in LICENCES.items()
        )
        args.parser.error(
            f"say with --licence what others may do with the pictures:{''.join(licence_lines)}"
        )
    if args.licence and not args.dataset:
        args.parser.error("--licence goes with --dataset")


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


NEWEST_ID = "newest"
"""The value of an option without an id; real ids are hexadecimal."""


def _find_results(args: argparse.Namespace, hands: HandRepository) -> Results:
    """Return the results that the options name; raise UnknownStreamError."""
    if (args.season, args.tournament, args.match) == (None, None, None):
        return hands_results(hands)
    store = hands.store
    register = PeopleRepository(store).register()
    anonymiser = Anonymiser(register, say("table.somebody"))
    if args.season is not None:
        seasons = SeasonRepository(store)
        season = _find(args.season, seasons.get, seasons.find_newest, UnknownSeasonError)
        return season_results(season, register, load_results(hands, max_new=0))
    if args.tournament is not None:
        log = TournamentRepository(store)
        tournament = _find(args.tournament, log.get, log.find_newest, UnknownTournamentError)
        return tournament_results(anonymiser.tournament(tournament))
    matches = MatchRepository(store)
    match = _find(args.match, matches.get, matches.newest_of_all, UnknownMatchError)
    table = ClubTables(store).name_on_sheets(match.table)
    return match_results(anonymiser.match(match), table)


_Record = TypeVar("_Record")


def _find(
    name: str,
    get: Callable[[str], _Record],
    find_newest: Callable[[], _Record | None],
    unknown_error: type[UnknownStreamError],
) -> _Record:
    """Return the record with an id, or the newest; raise UnknownStreamError."""
    record = find_newest() if name == NEWEST_ID else get(name)
    if record is None:
        raise unknown_error
    return record
