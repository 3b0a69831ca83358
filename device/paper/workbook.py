"""Write results as a workbook (XLSX): numbers as numbers, names as text, a sheet for each kind.

A spreadsheet opens it in any language; what CSV means differs from one country to the next.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from device.club.match_statistics import ClubStatistics
from device.club.people import Register
from device.club.season import Season, rank_results
from device.club.tournament.ranking import RankingRow, SeatRow, ranking_rows, seat_rows
from device.club.tournament.tournament import Tournament
from device.hands.export import ExportRow, export_rows, is_number
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.match import Match
from device.matches.score_sheet import (
    MatchRow,
    MatchRowAtTable,
    MatchSheet,
    match_rows,
    match_sheet,
)
from device.views.club.standing import (
    SeasonMatchRow,
    StandingRow,
    season_match_rows,
    standing_rows,
)

WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

MAX_CELL_CHARS = 32_767
"""Excel's limit. XlsxWriter leaves out a longer text altogether."""

_LETTER_PX, _WIDE_LETTER_PX = 8, 15
"""A Chinese letter is as wide as it is high, 11 points; XlsxWriter takes it for a Latin one."""

_MAX_COLUMN_PX = 1790
"""Excel's limit."""

_MADE_AT = datetime(2000, 1, 1)
"""Without a time of its own, the same results make the same file."""


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    """The rows of one sheet. `kind` is their dataclass, which gives the header."""

    name: str
    kind: type
    rows: Iterable[object]


@dataclass(frozen=True, slots=True)
class MatchStandingRow:
    """One player in the standing of a match, for a spreadsheet. New columns go at the end."""

    match: str
    place: int
    shared: bool
    player: str
    total: int


def write_hands(hands: HandRepository) -> bytes:
    """Return all hands as a workbook."""
    return write_workbook([WorkbookSheet(say("workbook.hands"), ExportRow, export_rows(hands))])


def write_match(match: Match, table: str = "") -> bytes:
    """Return a match as a workbook: its deals, and its standing."""
    sheet = match_sheet(match)
    rows = WorkbookSheet(
        say("workbook.deals"), MatchRowAtTable if table else MatchRow, match_rows(sheet, table)
    )
    standing = WorkbookSheet(say("workbook.standing"), MatchStandingRow, _match_standing(sheet))
    return write_workbook([rows, standing])


def write_season(season: Season, register: Register, records: ClubStatistics) -> bytes:
    """Return a season as a workbook: its standing, and what each match gave to each player."""
    standing = standing_rows(season, register, records)
    matches = season_match_rows(season, register, records)
    return write_workbook(
        [
            WorkbookSheet(say("workbook.standing"), StandingRow, standing),
            WorkbookSheet(say("workbook.matches"), SeasonMatchRow, matches),
        ]
    )


def write_tournament(tournament: Tournament) -> bytes:
    """Return a tournament as a workbook: its ranking, and every seat of every round."""
    return write_workbook(
        [
            WorkbookSheet(say("workbook.standing"), RankingRow, ranking_rows(tournament)),
            WorkbookSheet(say("workbook.seats"), SeatRow, seat_rows(tournament)),
        ]
    )


def write_workbook(sheets: Iterable[WorkbookSheet]) -> bytes:
    """Return a file with these sheets, each with a header that stays in sight."""
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as workbook:
        workbook.set_properties({"created": _MADE_AT})
        bold = workbook.add_format({"bold": True})
        for sheet in sheets:
            page = workbook.add_worksheet(sheet.name)
            page.write_row(0, 0, [field.name for field in fields(sheet.kind)], bold)
            rows = list(sheet.rows)
            for number, row in enumerate(rows, 1):
                _write_row(page, number, row)
            for column, field in enumerate(fields(sheet.kind)):
                widest = max((_wide_text_px(getattr(row, field.name)) for row in rows), default=0)
                page.set_column_pixels(column, column, min(widest, _MAX_COLUMN_PX))
            page.freeze_panes(1, 0)
            page.autofit()  # never narrower than that
    return buffer.getvalue()


def _wide_text_px(value: object) -> int:
    """Return how wide a column must be for a text with wide letters; 0 for other values."""
    if not isinstance(value, str):
        return 0
    widest = 0
    for line in value.split("\n"):
        wide_letters = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
        if wide_letters:
            other_letters = len(line) - wide_letters + 1  # and a rim as wide as one
            widest = max(widest, wide_letters * _WIDE_LETTER_PX + other_letters * _LETTER_PX)
    return widest


def _write_row(page: Worksheet, number: int, row: object) -> None:
    kind: type = type(row)
    for column, field in enumerate(fields(kind)):
        value = getattr(row, field.name)
        if value is None:
            continue
        if isinstance(value, bool):
            page.write_boolean(number, column, value)
        elif is_number(field) or isinstance(value, int | float):
            page.write_number(number, column, float(value))
        else:  # never as a formula or a link, whatever it looks like
            page.write_string(number, column, str(value)[:MAX_CELL_CHARS])


def _match_standing(sheet: MatchSheet) -> Iterator[MatchStandingRow]:
    for line in rank_results(sheet.totals):
        yield MatchStandingRow(
            sheet.match, line.place, line.shared, line.who, sheet.totals[line.who]
        )
