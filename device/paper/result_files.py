"""Results as files, in each format: all hands, a match, a season or a tournament."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TextIO

from device.club.match_statistics import ClubStatistics
from device.club.register import Register
from device.club.season import Season, rank_results
from device.club.tournament.ranking import RankingRow, SeatRow, ranking_rows, seat_rows
from device.club.tournament.tournament import Tournament
from device.hands.export import ExportRow, ResultTable, export_rows, write_csv, write_json
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.match import Match
from device.matches.score_sheet import MatchRow, MatchRowAtTable, match_rows, match_sheet
from device.views.club.standing import (
    SeasonMatchRow,
    StandingRow,
    season_match_rows,
    season_view,
    standing_rows,
)

RESULT_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "pdf": "application/pdf",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "csv": "text/csv",
        "jsonl": "application/x-ndjson",
    }
)
"""The media type of each format, by its file extension."""


@dataclass(frozen=True, slots=True)
class Results:
    """What is written of one subject."""

    tables: Callable[[], tuple[ResultTable, ...]]
    """Makes the tables of a workbook. A text holds one of them, the first where nothing is said."""
    print: Callable[[], bytes]
    """Makes the PDF."""

    def file(self, form: str, table: int = 0) -> bytes:
        """Return the file in a format of `RESULT_TYPES`; a text has the table of this number."""
        if form == "pdf":
            return self.print()
        if form == "xlsx":
            from device.paper.workbook import write_workbook  # loads XlsxWriter

            return write_workbook(self.tables())
        text = io.StringIO()
        self.write_text(text, form, table)
        return text.getvalue().encode()

    def write_text(self, output: TextIO, form: str, table: int = 0) -> None:
        """Write the table of this number as `csv` or `jsonl`, row by row."""
        chosen_table = self.tables()[table]
        if form == "csv":
            write_csv(output, chosen_table.rows, chosen_table.kind)
        else:
            write_json(output, chosen_table.rows)


@dataclass(frozen=True, slots=True)
class MatchStandingRow:
    """One player in the standing of a match, for a spreadsheet. New columns go at the end."""

    match: str
    place: int
    shared: bool
    player: str
    total: int


def hands_results(hands: HandRepository) -> Results:
    """Return the results of all hands."""

    def print_results() -> bytes:
        from device.paper.results import print_hands  # loads reportlab

        return print_hands(hands)

    return Results(
        lambda: (ResultTable(say("workbook.hands"), ExportRow, export_rows(hands)),), print_results
    )


def match_results(match: Match, table: str = "") -> Results:
    """Return the deals of a match with its table's name if given, and its standing."""

    def make_tables() -> tuple[ResultTable, ...]:
        rows = match_rows(match_sheet(match), table)
        return (
            ResultTable(say("workbook.deals"), MatchRowAtTable if table else MatchRow, rows),
            ResultTable(say("workbook.standing"), MatchStandingRow, _match_standing(match)),
        )

    def print_results() -> bytes:
        from device.paper.results import print_match

        return print_match(match, table)

    return Results(make_tables, print_results)


def _match_standing(match: Match) -> Iterator[MatchStandingRow]:
    totals = match.course.totals
    for line in rank_results(totals):
        yield MatchStandingRow(match.id, line.place, line.shared, line.who, totals[line.who])


def season_results(season: Season, register: Register, statistics: ClubStatistics) -> Results:
    """Return a season's standing, and what each match gave to each player."""

    def make_tables() -> tuple[ResultTable, ...]:
        standing = standing_rows(season, register, statistics)
        matches = season_match_rows(season, register, statistics)
        return (
            ResultTable(say("workbook.standing"), StandingRow, standing),
            ResultTable(say("workbook.matches"), SeasonMatchRow, matches),
        )

    def print_results() -> bytes:
        from device.paper.results import print_season

        return print_season(season_view(season, register, statistics))

    return Results(make_tables, print_results)


def tournament_results(tournament: Tournament) -> Results:
    """Return a tournament's ranking, and every seat of every round."""

    def make_tables() -> tuple[ResultTable, ...]:
        return (
            ResultTable(say("workbook.standing"), RankingRow, ranking_rows(tournament)),
            ResultTable(say("workbook.seats"), SeatRow, seat_rows(tournament)),
        )

    def print_results() -> bytes:
        from device.paper.results import print_tournament

        return print_tournament(tournament)

    return Results(make_tables, print_results)
