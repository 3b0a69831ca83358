"""`tongbox export` of a season and a tournament: what the pages give, from the command line."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchEnded, SeasonBegun
from tests.device.club.tournament.tournament_play import add_tournament, play_round
from tests.device.command import bytes_of, output_of, refusal_of, usage_error_of
from tests.device.match_play import AGREED_TERMS, settle
from tests.pdf_pages import text_of
from tests.spreadsheets import csv_rows, workbook_sheets

YEAR = SeasonBegun(
    name="Year", first="2000-01-01", last="2099-12-31", points="both", by_place=(4, 2, 1, 0),
    best=None,
)  # fmt: skip


class PlayedClub:
    """A season with a match, a tournament of a round, two tables, somebody who is hidden."""

    def __init__(self, store: Store, hands: HandRepository) -> None:
        self.data = str(store.folder)
        tables, matches = ClubTables(store), MatchRepository(hands.store)
        window, _ = (tables.lay(name) for name in ("Window", "Door"))
        self.match = matches.at_table(window).begin(AGREED_TERMS)
        settle(matches, self.match, "Cy")
        matches.change(self.match, MatchEnded())
        tournaments = TournamentRepository(store)
        self.tournament = add_tournament(tournaments)
        play_round(tournaments, self.tournament)
        self.season = SeasonRepository(store).begin(YEAR)
        people = PeopleRepository(store)
        people.remove(people.register().find_person("Bob"), is_hidden=True)


@pytest.fixture
def club(store: Store, hands: HandRepository) -> PlayedClub:
    return PlayedClub(store, hands)


EXPORTS = [
    (["--match"], "/match/{match}/score-sheet.csv", "with the table's name"),
    (["--season"], "/club/season/{season}/standing.csv", "the newest season"),
    (["--season", "{season}"], "/club/season/{season}/standing.csv", "that of an id"),
    (["--tournament"], "/club/tournaments/{tournament}/results/ranking.csv", "the newest"),
    (["--tournament", "{tournament}", "--seats"],
     "/club/tournaments/{tournament}/results/seats.csv", "every seat"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "page", "reason"), EXPORTS)
def test_it_is_what_the_page_gives(
    client: FlaskClient,
    club: PlayedClub,
    words: list[str],
    page: str,
    reason: str,
) -> None:
    arguments = [each.format(**vars(club)) for each in words]
    rows = output_of("export", "--csv", *arguments, "--data", club.data)
    assert rows.splitlines() == client.get(page.format(**vars(club))).text.splitlines(), reason
    assert "Bob" not in rows
    lines = output_of("export", "--json", *arguments, "--data", club.data).splitlines()
    assert ".0" not in "".join((rows, *lines)), "a whole number is written whole"
    csv_lines = csv_rows(rows)
    assert len(lines) == len(csv_lines) > 1
    assert [list(json.loads(line)) for line in lines] == [list(row) for row in csv_lines]


@pytest.mark.parametrize("option", ["--match", "--season", "--tournament"])
def test_it_is_printed(club: PlayedClub, option: str) -> None:
    data = bytes_of("export", "--pdf", option, "--data", club.data)
    pages = " ".join(text_of(data))
    assert "Ann" in pages
    assert "Bob" not in pages


WORKBOOKS = [
    ("--match", "/match/{match}/score-sheet.xlsx"),
    ("--season", "/club/season/{season}/standing.xlsx"),
    ("--tournament", "/club/tournaments/{tournament}/results/results.xlsx"),
]


@pytest.mark.parametrize(("option", "page"), WORKBOOKS)
def test_it_is_a_workbook(
    client: FlaskClient,
    club: PlayedClub,
    option: str,
    page: str,
) -> None:
    data = bytes_of("export", "--xlsx", option, "--data", club.data)
    assert workbook_sheets(data) == workbook_sheets(client.get(page.format(**vars(club))).data)
    players = {row["player"] for rows in workbook_sheets(data).values() for row in rows}
    assert "Ann" in players
    assert "Bob" not in players


@pytest.mark.parametrize("option", ["season", "tournament"])
@pytest.mark.parametrize("name", ["", "nowhere"])
def test_where_there_is_none_it_says_so(store: Store, option: str, name: str) -> None:
    words = [f"--{option}", *filter(None, [name]), "--data", str(store.folder)]
    reason = f"There is no such {option}." if name else f"There is no {option} yet."
    assert reason in refusal_of("export", "--csv", *words)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--csv", "--match", "--season"], "not allowed with"),
        (["--csv", "--season", "--seats"], "--seats goes with --tournament"),
        (["--pdf", "--tournament", "--seats"], "--seats goes with --tournament"),
        (["--xlsx", "--tournament", "--seats"], "--seats goes with --tournament"),
        (["--dataset", "x", "--season"], "--dataset takes no --season"),
        (["--dataset", "x", "--licence", "cc0", "--match"], "takes no --match"),
        (
            ["--dataset", "x"],
            "need not say where they are from.\n  cc-by:    Anybody",
        ),
        (["--dataset", "x", "--licence", "mine"], "invalid choice"),
        (["--csv", "--licence", "cc0"], "--licence goes with --dataset"),
        (["--csv", "--dataset", "x"], "not allowed with"),
    ],
)
def test_what_does_not_go_together(words: list[str], says: str) -> None:
    assert says in usage_error_of("export", *words)
