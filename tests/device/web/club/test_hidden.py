"""Who does not wish to be shown: every place where others read a name, and where people play."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.repository import MatchRepository, open_hands
from device.services import open_services
from device.store import Store
from device.store.events import (
    MatchEnded,
    PlayerReplaced,
    ResultGiven,
    SeasonBegun,
    TilesConfirmed,
)
from device.web import Box, create_app
from tests.device.club.tournament.played import POINTS, arranged, play_round
from tests.device.fake_reader import FakeReader, picture
from tests.device.identities import identity
from tests.device.page import get_page
from tests.device.played import AGREED, FEE, give_hand, settle
from tests.device.shared_decoder import DECODER
from tests.printed import text_of
from vision.photo import open_photo

BOB = "Bob"
"""Goes out with the best hand, pays, wins, and leads the tournament; and is hidden."""


class Club:
    """What there is to see: a match that is over, one that goes on, a tournament, a season."""

    def __init__(self, store: Store, hands: HandRepository, read_hand: str) -> None:
        tables, matches = ClubTables(store), MatchRepository(hands.store)
        self.window, self.door = tables.lay("Window"), tables.lay("Door")
        at_window = matches.at_table(self.window)
        self.over = at_window.begin(AGREED)
        settle(at_window, self.over, BOB, by=BOB)
        matches.change(self.over, FEE)
        self.hand = give_hand(matches, self.over, store, read_hand, BOB, BOB)
        hands.change(self.hand, TilesConfirmed(by=BOB))
        matches.change(self.over, MatchEnded(by=BOB))
        self.on = matches.at_table(self.door).begin(AGREED)
        tournaments = TournamentRepository(store)
        self.tournament = arranged(tournaments)
        play_round(tournaments, self.tournament)
        made = ResultGiven(1, 1, POINTS[::-1], why="A slip", seen=1, by=BOB)
        tournaments.change(self.tournament, made)
        tournaments.change(self.tournament, PlayerReplaced(2, "Zoe"))
        tournaments.draw(self.tournament, 2)
        self.season = SeasonRepository(store).begin(
            SeasonBegun("2026", "2026-01-01", "2026-12-31", "totals", (4, 2, 1, 0), None)
        )
        people = PeopleRepository(store)
        people.remove(people.register().find_person(BOB), hidden=True)


@pytest.fixture
def club(store: Store, hands: HandRepository, read_hand: str) -> Club:
    return Club(store, hands, read_hand)


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, Club]]:
    """Return a phone and a club that are only looked at."""
    reader = FakeReader()
    with closing(Store(tmp_path_factory.mktemp("club") / "box")) as store:
        hands, data = open_hands(store), picture(reader.reading)
        hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
        hands.change(hand, reading_event(reader.reading))
        club = Club(store, hands, hand)
        with closing(open_services(store, reader, DECODER)) as services:
            app = create_app(Box(services))
            app.testing = True
            yield app.test_client(), club


HIDDEN = [
    ("/matches", "the list of matches, and who won"),
    ("/match/{over}/", "the history of a match: who went out, who paid, who wrote it"),
    ("/match/{over}/final", "the final table and its headline"),
    ("/match/{over}/score-sheet.csv", "a file"),
    ("/match/{over}/score-sheet.jsonl", "a file"),
    ("/match/{over}/score-sheet.pdf", "on paper"),
    ("/match/{on}/score-sheet.csv", "a file of a match that goes on"),
    ("/match/{on}/", "another table's match, looked at from here"),
    ("/hand/{hand}/", "whose hand it was"),
    ("/hand/{hand}/dispute", "whose hand it was"),
    ("/hand/{hand}/referee", "whose hand it was, on paper"),
    ("/tables/", "who plays at which table"),
    ("/club/tables/", "who plays at which table"),
    ("/club/players/", "the club's players"),
    ("/club/season/{season}/", "the standing"),
    ("/club/season/{season}/matches", "which matches count"),
    ("/club/season/{season}/standing.csv", "a file"),
    ("/club/season/{season}/standing.pdf", "on paper"),
    ("/club/tournaments/{tournament}/results/", "the ranking"),
    ("/club/tournaments/{tournament}/results/ranking.csv", "a file"),
    ("/club/tournaments/{tournament}/results/seats.csv", "a file"),
    ("/club/tournaments/{tournament}/results/results.pdf", "on paper, with corrections"),
    ("/club/tournaments/{tournament}/round/1/", "a round that is closed"),
    ("/club/tournaments/{tournament}/round/1/table/1/", "its table, and who corrected it"),
    ("/club/tournaments/{tournament}/players/", "who plays in a tournament"),
    ("/match/{over}/again", "who sits where in the next match"),
    ("/print/hands.pdf", "who changed a hand, on paper"),
]

SHOWN = [
    ("/club/tournaments/{tournament}/round/2/", "the seat has to be found"),
    ("/club/players/removed", "where it can be taken back"),
]
"""Where the name is needed, and why."""


def read(client: FlaskClient, path: str, club: Club) -> str:
    answer = client.get(path.format(**vars(club)))
    assert answer.status_code == 200, path
    if answer.mimetype == "application/pdf":
        return " ".join(text_of(answer.data))
    return unescape(answer.text)


@pytest.mark.parametrize(("path", "why"), HIDDEN)
def test_the_name_is_not_there(looked_at: tuple[FlaskClient, Club], path: str, why: str) -> None:
    client, club = looked_at
    assert BOB not in read(client, path, club), why


@pytest.mark.parametrize(("path", "why"), SHOWN)
def test_the_name_is_there(looked_at: tuple[FlaskClient, Club], path: str, why: str) -> None:
    client, club = looked_at
    assert BOB in read(client, path, club), why


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
    people.remove(people.register().find_person("Cy"), hidden=True)
    rows = list(csv.DictReader(io.StringIO(read(client, HIDDEN[3][0], club))))
    somebody = say("table.somebody")
    assert {row["player"] for row in rows} == {"Ann", somebody, f"{somebody} 2", "Di"}
    people.bring_back(people.register().find_person(BOB))
    assert BOB in read(client, HIDDEN[3][0], club)


@pytest.mark.parametrize("tables", [0, 1, 2])
def test_sheets_say_the_table_where_there_are_several(
    client: FlaskClient, store: Store, hands: HandRepository, tables: int
) -> None:
    laid = [ClubTables(store).lay(name) for name in ("Window", "Door")[:tables]]
    matches = MatchRepository(hands.store).at_table(laid[0] if laid else "")
    match = matches.begin(AGREED)
    settle(matches, match, BOB)
    sheet = f"/match/{match}/score-sheet"
    rows = list(csv.DictReader(io.StringIO(client.get(f"{sheet}.csv").text)))
    lines = [json.loads(line) for line in client.get(f"{sheet}.jsonl").text.splitlines()]
    paper = " ".join(text_of(client.get(f"{sheet}.pdf").data))
    several = tables > 1
    assert {row.get("table") for row in rows} == {"Window" if several else None}
    assert {line.get("table") for line in lines} == {"Window" if several else None}
    assert ("Window" in paper) == several
