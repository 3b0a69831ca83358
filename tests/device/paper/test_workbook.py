"""Workbooks: numbers are numbers, names are text whatever they look like, no row is lost."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import openpyxl
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from device.hands.export import NUMBER, ResultTable
from device.i18n.names import tidy_name
from device.i18n.words import LANGUAGES, load
from device.paper.workbook import MAX_CELL_CHARS, write_workbook
from tests.spreadsheets import csv_rows, workbook_sheets

RESULTS = [
    ("/match/{match}/score-sheet", "Deals", "score-sheet.csv"),
    ("/club/season/{season}/standing", "Standing", "standing.csv"),
    ("/club/tournaments/{tournament}/results/results", "Standing", "ranking.csv"),
    ("/club/tournaments/{tournament}/results/results", "Seats", "seats.csv"),
]


@pytest.fixture
def ids(addresses: dict[str, str]) -> dict[str, str]:
    """Return the ids of the club of many scripts."""
    places = {"match": 2, "season": 3, "tournament": 3}
    return {kind: addresses[kind].split("/")[place] for kind, place in places.items()}


@pytest.mark.parametrize(("path", "sheet", "plain"), RESULTS)
def test_a_sheet_has_the_rows_of_the_plain_file(
    client: FlaskClient, ids: dict[str, str], path: str, sheet: str, plain: str
) -> None:
    client.set_cookie("look", "language=en-GB")
    path = path.format(**ids)
    answer = client.get(f"{path}.xlsx")
    assert answer.headers["Content-Disposition"].endswith(".xlsx")
    rows = workbook_sheets(answer.data)[sheet]
    plain_rows = csv_rows(client.get(f"{path.rpartition('/')[0]}/{plain}").text)
    for row, plain_row in zip(rows, plain_rows, strict=True):
        whole = {name: text.removesuffix(".0") for name, text in plain_row.items()}
        assert {name: as_plain(value) for name, value in row.items()} == whole
    assert len(rows) > 1
    for row in rows:
        assert isinstance(row["player"], str)
        for name in NUMBERS & row.keys():
            assert isinstance(row[name], int | float), name


NUMBERS = {"place", "total", "table_points", "points", "gain", "deal", "change", "table", "round"}


def as_plain(value: object) -> str:
    """Return a cell's value as the plain file writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def test_a_match_has_its_standing_and_a_season_its_matches(
    client: FlaskClient, ids: dict[str, str]
) -> None:
    client.set_cookie("look", "language=en-GB")
    match = workbook_sheets(client.get(f"/match/{ids['match']}/score-sheet.xlsx").data)
    last = {row["player"]: row["total"] for row in match["Deals"]}
    standing = match["Standing"]
    assert {row["player"]: row["total"] for row in standing} == last
    assert [row["total"] for row in standing] == sorted(last.values(), reverse=True)
    assert standing[0]["place"] == 1
    season = workbook_sheets(client.get(f"/club/season/{ids['season']}/standing.xlsx").data)
    gains = {row["player"]: row["change"] for row in match["Deals"]}
    in_match = [row for row in season["Matches"] if row["match"] == ids["match"]]
    assert {row["player"]: row["gain"] for row in in_match} == gains
    typed_results = {row["match"] for row in season["Matches"]} - {ids["match"]}
    assert {match.split("-")[0] for match in typed_results} == {ids["tournament"]}, "typed results"


@dataclass(frozen=True)
class Row:
    """A row of every kind of value."""

    text: str
    number: int | float | None
    flag: bool
    decimal: str = field(metadata=NUMBER)


TRAPS = [
    ("=1+1", "a formula"),
    ("@SUM(1)", "a formula of old spreadsheets"),
    ("http://192.168.1.2/", "a link"),
    ("mailto:x", "a link"),
    ("0012", "a figure that would lose its zeros"),
    ("1e5", "a figure"),
    ("2026-01-02", "a day"),
    ("TRUE", "a switch"),
    ("_x0041_", "Excel's own way to write a letter"),
    (" 陈静 محمد 😀", "letters of any script"),
    ("<b>&", "markup"),
]


@pytest.mark.parametrize(("text", "reason"), TRAPS)
def test_text_stays_the_text_that_it_is(text: str, reason: str) -> None:
    (row,) = workbook_sheets(write_workbook([ResultTable("A", Row, [Row(text, 1, True, "2.5")])]))[
        "A"
    ]
    assert row == {"text": text, "number": 1, "flag": True, "decimal": 2.5}, reason


@pytest.mark.parametrize(
    ("name", "least_px", "most_px"),
    [("陳大文與陳小文", 7 * 15, 7 * 17), ("Ann Other", 60, 80), ("🀄🀄🀄", 3 * 15, 3 * 17 + 7)],
)
def test_a_column_is_as_wide_as_its_longest_name(name: str, least_px: int, most_px: int) -> None:
    data = write_workbook(
        [ResultTable("A", Row, [Row("X", 1, True, "0"), Row(name, 1, True, "0")])]
    )
    width = openpyxl.load_workbook(io.BytesIO(data))["A"].column_dimensions["A"].width
    assert least_px <= 7 * width <= most_px, "seven pixels are the width of a figure"


@given(st.text().map(tidy_name), st.integers(-(10**15), 10**15) | st.none(), st.booleans())
def test_a_row_comes_back_as_it_was(text: str, number: int | None, flag: bool) -> None:
    rows = [Row(text, number, flag, "-0.5")]
    (row,) = workbook_sheets(write_workbook([ResultTable("A", Row, rows)]))["A"]
    expected = {"text": text, "number": number, "flag": flag, "decimal": -0.5}
    assert row == expected


def test_a_text_that_excel_cannot_hold_is_cut() -> None:
    long = "麻" * (MAX_CELL_CHARS + 9)
    (row,) = workbook_sheets(write_workbook([ResultTable("A", Row, [Row(long, 1, True, "1")])]))[
        "A"
    ]
    assert row["text"] == long[:MAX_CELL_CHARS]


def test_the_same_results_make_the_same_file() -> None:
    workbook, other = (
        write_workbook([ResultTable("A", Row, [Row("x", 1, True, "1")])]) for _ in range(2)
    )
    assert workbook == other


@pytest.mark.parametrize("language", LANGUAGES)
def test_excel_takes_the_names_of_the_sheets(language: str) -> None:
    names = [text for key, text in load(language).items() if key.startswith("workbook.")]
    assert len(names) == len(set(names)) == 5
    for name in names:
        assert len(name) <= 31
        assert not set(name) & set("[]:*?/\\")
