"""Write the standing of a season or the ranking of a tournament."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from device.club.anonymiser import Anonymiser
from device.club.match_statistics import load_statistics
from device.club.people_repository import PeopleRepository
from device.club.season import SeasonRepository, UnknownSeasonError
from device.club.tournament.ranking import RankingRow, SeatRow, ranking_rows, seat_rows
from device.club.tournament.replay import UnknownTournamentError
from device.club.tournament.repository import TournamentRepository
from device.commands.output import write_pdf
from device.hands.export import write_csv, write_json
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.views.club.standing import StandingRow, season_view
from device.views.club.standing import standing_rows as season_rows

NEWEST = "newest"
"""The value of an option without an id; real ids are hexadecimal."""


def write_season(args: argparse.Namespace, hands: HandRepository) -> None:
    """Write a season's standing; raise UnknownSeasonError, StoreError."""
    log, register = SeasonRepository(hands.store), PeopleRepository(hands.store).register()
    newest = next(iter(log.every()), None) if args.season == NEWEST else None
    if args.season == NEWEST and newest is None:
        raise UnknownSeasonError
    season = newest or log.get(args.season)
    played = load_statistics(hands, at_once=0)
    if args.pdf:
        from device.paper.season import season_pages  # loads reportlab

        write_pdf(season_pages(season_view(season, register, played)))
    else:
        write_rows(args, season_rows(season, register, played), StandingRow)


def write_tournament(args: argparse.Namespace, hands: HandRepository) -> None:
    """Write a tournament's ranking, or with `--seats` every seat of its rounds.

    Raises UnknownTournamentError, StoreError.
    """
    log, register = TournamentRepository(hands.store), PeopleRepository(hands.store).register()
    found = log.newest() if args.tournament == NEWEST else log.get(args.tournament)
    if found is None:
        raise UnknownTournamentError
    now = Anonymiser(register, say("table.somebody")).tournament(found)
    if args.pdf:
        from device.paper.tournament import tournament_pages  # loads reportlab

        write_pdf(tournament_pages(now))
    elif args.seats:
        write_rows(args, seat_rows(now), SeatRow)
    else:
        write_rows(args, ranking_rows(now), RankingRow)


def write_rows(args: argparse.Namespace, found: Iterable[object], kind: type) -> None:
    """Write rows as CSV or JSON, as the command line says."""
    if args.csv:
        write_csv(sys.stdout, found, kind)
    else:
        write_json(sys.stdout, found)
