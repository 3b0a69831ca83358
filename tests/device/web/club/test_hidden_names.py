"""Who does not wish to be shown: every place where others read a name, and where people play."""

from __future__ import annotations

import json
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchEnded, PlayerReplaced, ResultGiven, SeasonBegun, TilesConfirmed
from tests.device.club.tournament.tournament_play import POINTS, add_tournament, play_round
from tests.device.identities import identity
from tests.device.match_play import AGREED_TERMS, FEE, give_hand, settle
from tests.device.page import get_page
from tests.pdf_pages import text_of
from tests.spreadsheets import csv_rows

BOB = "Bob"
"""Goes out with the best hand, pays, wins, and leads the tournament; and is hidden."""


class Club:
    """What there is to see: a match that is over, one that goes on, a tournament, a season."""

    def __init__(self, store: Store, hands: HandRepository, read_hand: str) -> None:
        tables, matches = ClubTables(store), MatchRepository(hands.store)
        self.window, self.door = tables.lay("Window"), tables.lay("Door")
        at_window = matches.at_table(self.window)
        self.over = at_window.begin(AGREED_TERMS)
        settle(at_window, self.over, BOB, tap_id=BOB)
        matches.change(self.over, FEE)
        self.hand = give_hand(matches, self.over, store, read_hand, BOB, BOB)
        hands.change(self.hand, TilesConfirmed(by=BOB))
        matches.change(self.over, MatchEnded(by=BOB))
        self.on = matches.at_table(self.door).begin(AGREED_TERMS)
        tournaments = TournamentRepository(store)
        self.tournament = add_tournament(tournaments)
        play_round(tournaments, self.tournament)
        correction = ResultGiven(1, 1, POINTS[::-1], why="A slip", seen=1, by=BOB)
        tournaments.change(self.tournament, correction)
        tournaments.change(self.tournament, PlayerReplaced(2, "Zoe"))
        tournaments.draw(self.tournament, 2)
        self.season = SeasonRepository(store).begin(
            SeasonBegun("2026", "2026-01-01", "2026-12-31", "totals", (4, 2, 1, 0), None)
        )
        people = PeopleRepository(store)
        people.remove(people.register().find_person(BOB), is_hidden=True)


SHEET = "/match/{over}/score-sheet.csv"


@pytest.fixture
def club(store: Store, hands: HandRepository, read_hand: str) -> Club:
    return Club(store, hands, read_hand)


def read(client: FlaskClient, path: str, club: Club) -> str:
    answer = client.get(path.format(**vars(club)))
    assert answer.status_code == 200, path
    if answer.mimetype == "application/pdf":
        return " ".join(text_of(answer.data))
    return unescape(answer.text)


def test_the_board_tells_the_seat_and_neither_the_match_nor_the_place(
    client: FlaskClient, club: Club
) -> None:
    live, seats, standing = get_page(client, "/club/board/").texts(".board-part")
    assert BOB not in live
    assert BOB in seats
    assert BOB not in standing
    assert "Zoe" in standing


def test_at_the_table_and_to_those_who_played_names_are_shown(
    app: Flask, club: Club, store: Store
) -> None:
    at_door, player = app.test_client(), app.test_client()
    at_door.get(f"/at/{club.door}/")
    assert BOB in read(at_door, "/table/", club), "they have to say whose hand it is"
    assert BOB in read(at_door, "/match/{on}/", club)
    player.set_cookie("player", identity(store, club.over, 0, "Ann"))
    for path in ("/match/{over}/", "/match/{over}/final", "/hand/{hand}/"):
        assert BOB in read(player, path, club), path
    assert BOB not in read(player, "/match/{over}/score-sheet.pdf", club), "paper is for everybody"


def test_two_who_are_hidden_are_two(client: FlaskClient, club: Club, store: Store) -> None:
    people = PeopleRepository(store)
    people.remove(people.register().find_person("Cy"), is_hidden=True)
    rows = csv_rows(read(client, SHEET, club))
    somebody = say("table.somebody")
    assert {row["player"] for row in rows} == {"Ann", somebody, f"{somebody} 2", "Di"}
    people.bring_back(people.register().find_person(BOB))
    assert BOB in read(client, SHEET, club)


@pytest.mark.parametrize("tables", [0, 1, 2])
def test_sheets_say_the_table_where_there_are_several(
    client: FlaskClient, store: Store, hands: HandRepository, tables: int
) -> None:
    table_ids = [ClubTables(store).lay(name) for name in ("Window", "Door")[:tables]]
    matches = MatchRepository(hands.store).at_table(table_ids[0] if table_ids else "")
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, BOB)
    sheet = f"/match/{match}/score-sheet"
    rows = csv_rows(client.get(f"{sheet}.csv").text)
    lines = [json.loads(line) for line in client.get(f"{sheet}.jsonl").text.splitlines()]
    paper = " ".join(text_of(client.get(f"{sheet}.pdf").data))
    has_several_tables = tables > 1
    assert {row.get("table") for row in rows} == {"Window" if has_several_tables else None}
    assert {line.get("table") for line in lines} == {"Window" if has_several_tables else None}
    assert ("Window" in paper) == has_several_tables
