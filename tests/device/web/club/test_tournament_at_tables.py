"""A tournament at the box's own tables: drawn, begun there, scanned, played, ended, taken over."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import (
    DealSettled,
    MatchBegun,
    MatchEnded,
    PlayersRenamed,
    PlayersReseated,
    WinnerEntered,
)
from tests.device.club.rooms import phone_at, post
from tests.device.club.tournament.tournament_play import POINTS, add_tournament, result_form
from tests.device.page import Page, get_page

HOME = "/club/tournaments/"

RULES = {"ruleset": "bmja", "limit": "1000"}


class Hall:
    """A tournament of eight at two tables of the box, whose first round is drawn."""

    def __init__(self, client: FlaskClient, store: Store, hands: HandRepository) -> None:
        self.client = client
        self.tables = ClubTables(store)
        self.matches = MatchRepository(hands.store)
        self.tournaments = TournamentRepository(store)
        self.table_ids = [self.tables.lay(name) for name in ("Table 2", "Window")]
        self.tournament_id = add_tournament(self.tournaments)
        self.tournament_page = f"{HOME}{self.tournament_id}/"
        self.send("draw", number="1")

    def send(self, page: str, **fields: str) -> str:
        return post(self.client, self.tournament_page + page, **fields)

    def choose(self) -> None:
        """Choose the tables and rules as the page proposes them."""
        self.send("tables/", **self.proposed_tables(), **RULES)

    def proposed_tables(self) -> dict[str, str]:
        """Return the tables that the page proposes."""
        selects = get_page(self.client, f"{self.tournament_page}tables/").all(
            'select[name^="table"]'
        )
        return {each["name"]: each.single("[selected]")["value"] for each in selects}

    def match(self, number: int) -> Match:
        """Return the match that began for a table of the newest round."""
        return self.matches.get(self.tournaments.get(self.tournament_id).drawn[-1].match(number))

    def play(self, number: int, winner: int = 0) -> None:
        """Play a deal at a table of the newest round."""
        match = self.match(number)
        scores = {name: 8 * (at + 1) for at, name in enumerate(match.game.players)}
        self.matches.change(match.id, WinnerEntered(winner=match.game.players[winner]))
        self.matches.change(match.id, DealSettled(winner=match.game.players[winner], scores=scores))

    def points(self, number: int) -> tuple[int, ...] | None:
        """Return what counts of a table of the newest round."""
        result = self.tournaments.get(self.tournament_id).drawn[-1].result(number - 1)
        return result.points if result else None

    def gains(self, number: int) -> tuple[int, ...]:
        """Return what a table's match brought each of its four."""
        match = self.match(number)
        return tuple(t - match.game.first_tallies for t in match.course.totals.values())

    @property
    def page(self) -> str:
        return get_page(self.client, self.tournament_page).text


@pytest.fixture
def hall(client: FlaskClient, store: Store, hands: HandRepository) -> Hall:
    return Hall(client, store, hands)


def test_an_evening_at_the_tables_without_typing(hall: Hall, app: Flask) -> None:
    assert say("club.tournament.begin-at", round=1) in hall.page
    response = hall.client.post(f"{hall.tournament_page}tables/begin")
    assert response.headers["Location"] == f"{hall.tournament_page}tables/", (
        "the tables are chosen once"
    )
    hall.choose()
    clock = get_page(hall.client, hall.tournament_page).all("[data-left]")
    assert clock, "the clock began with the matches"
    record = hall.tournaments.get(hall.tournament_id)
    assert record.played_at
    assert record.played_at.tables == (hall.table_ids[1], hall.table_ids[0]), (
        "Table 2 is the second"
    )
    names = {each.number: each.name for each in record.entrants}
    for number, table in ((1, hall.table_ids[1]), (2, hall.table_ids[0])):
        seats = tuple(names[each] for each in record.drawn[0].seats.tables[number - 1])
        assert hall.match(number).game.players == seats
        text = unescape(phone_at(app, table).get("/", follow_redirects=True).text)
        assert all(name in text for name in seats), "who scans the code finds the match"
    board = get_page(hall.client, "/club/board/").text
    assert say("club.board.next") not in board, "they sit there already, and are shown so"
    hall.play(1)
    hall.play(1, winner=2)
    hall.play(2, winner=3)
    hall.send("close", number="1", sure="yes")
    for number in (1, 2):
        assert hall.match(number).ended
        assert hall.points(number) == hall.gains(number) != (0, 0, 0, 0)
    assert hall.tournaments.get(hall.tournament_id).drawn[0].closed
    assert hall.client.get(f"{hall.tournament_page}results/ranking.csv").text.count("\n") == 9
    hall.send("draw", number="2")
    begin_response = hall.send("tables/begin")
    assert begin_response == hall.tournament_page, "nobody is asked for tables again"
    assert hall.match(1).table == hall.table_ids[1]
    assert not hall.match(1).ended


def test_four_phones_that_begin_at_once_begin_one_match_a_table(hall: Hall, app: Flask) -> None:
    hall.choose()
    for number in (1, 2):
        hall.play(number)
    hall.send("close", number="1", sure="yes")
    hall.send("draw", number="2")
    with ThreadPoolExecutor(4) as pool:
        phones = [app.test_client() for _ in range(4)]
        statuses = pool.map(
            lambda phone: phone.post(f"{hall.tournament_page}tables/begin").status_code, phones
        )
        assert set(statuses) == {303}
    assert len(hall.matches.list_page().matches) == 4
    assert len(hall.matches.all_running()) == 2


def test_a_round_that_has_time_left_is_ended_only_once_that_is_said_again(hall: Hall) -> None:
    hall.choose()
    hall.play(1)
    response = hall.client.post(f"{hall.tournament_page}close", data={"number": "1"})
    text = Page(response.text).text
    assert response.status_code == 409
    assert say("club.tournament.early", round=1) in text
    assert re.search(r"\d+:\d\d, and these are still playing: Window, Table 2\.", text)
    assert not hall.match(1).ended, "a tap beside the right button ends nothing"
    hall.tournaments.set_clock(hall.tournament_id, 1, 0, is_running=True)
    rung = hall.client.post(f"{hall.tournament_page}close", data={"number": "1"})
    assert say("club.refused.missing", tables="Table 2") in Page(rung.text).text
    assert hall.match(1).ended, "after the bell it is not asked"


def test_a_deal_that_is_being_scored_is_waited_for(hall: Hall) -> None:
    hall.choose()
    hall.play(1)
    hall.matches.change(hall.match(2).id, WinnerEntered(winner=hall.match(2).game.players[0]))
    answer = hall.client.post(f"{hall.tournament_page}close", data={"number": "1", "sure": "yes"})
    assert answer.status_code == 409
    assert say("club.refused.still-scored", tables="Table 2") in Page(answer.text).text
    assert hall.points(1) == hall.gains(1), "all else is taken over"
    assert not hall.match(2).ended
    assert not hall.tournaments.get(hall.tournament_id).drawn[0].closed


def test_a_table_that_played_on_paper_is_asked_for_and_what_was_typed_stays(hall: Hall) -> None:
    hall.choose()
    hall.play(1)
    answer = hall.client.post(f"{hall.tournament_page}close", data={"number": "1", "sure": "yes"})
    assert say("club.refused.missing", tables="Table 2") in Page(answer.text).text
    hall.send("round/1/table/2/", **result_form())
    hall.send("close", number="1")  # whose result is in need not be asked about
    assert (hall.points(1), hall.points(2)) == (hall.gains(1), POINTS)


def test_where_others_play_it_is_asked_before_their_match_ends(hall: Hall) -> None:
    other_match = hall.matches.at_table(hall.table_ids[0]).begin(
        MatchBegun(("A", "B", "C", "D"), "bmja", 1000, ())
    )
    hall.matches.change(other_match, WinnerEntered(winner=None))
    hall.matches.change(other_match, DealSettled(winner=None, scores={}))
    response = hall.client.post(
        f"{hall.tournament_page}tables/", data={**hall.proposed_tables(), **RULES}
    )
    assert response.status_code == 409
    assert say("club.tournament.taken-at", tables="Table 2") in Page(response.text).text
    assert not hall.matches.get(other_match).ended
    hall.send("tables/begin", end="yes")
    assert hall.matches.get(other_match).ended
    assert hall.match(2).table == hall.table_ids[0]


@pytest.mark.parametrize(
    ("deals", "status", "reason"),
    [(0, 303, "nobody has played yet"), (1, 409, "what was played would be lost")],
)
def test_a_draw_is_taken_back_before_the_first_deal(
    hall: Hall, deals: int, status: int, reason: str
) -> None:
    hall.choose()
    before = hall.match(1).id
    for _ in range(deals):
        hall.play(1)
    answer = hall.client.post(
        f"{hall.tournament_page}withdraw", data={"number": "1", "sure": "yes"}
    )
    assert answer.status_code == status, reason
    assert hall.matches.get(before).ended == (not deals), reason
    if not deals:
        hall.send("draw", number="1")
        hall.send("tables/begin")
        assert hall.match(1).id != before


def test_to_take_another_round_back_ends_no_match(hall: Hall) -> None:
    hall.choose()
    answer = hall.client.post(
        f"{hall.tournament_page}withdraw", data={"number": "2", "sure": "yes"}
    )
    assert answer.status_code == 409
    assert not hall.match(1).ended


def test_a_match_that_is_put_right_afterwards_is_said_and_taken_again(hall: Hall) -> None:
    hall.choose()
    for number in (1, 2):
        hall.play(number)
    hall.send("close", number="1", sure="yes")
    first, match = hall.points(1), hall.match(1).id
    hall.matches.resume(match)
    hall.play(1, winner=1)
    hall.matches.change(match, MatchEnded())
    round_page = f"{hall.tournament_page}round/1/"
    assert say("club.tournament.differs") in get_page(hall.client, round_page).text
    correction = {"match": match, "seen": "1", "by": "Gus", "why": "One deal was missing"}
    assert hall.client.post(f"{round_page}table/1/take", data=correction).status_code == 303
    assert hall.points(1) == hall.gains(1) != first
    assert say("club.tournament.differs") not in get_page(hall.client, round_page).text


def test_seats_that_are_put_right_afterwards_are_said_to_the_tournament(hall: Hall) -> None:
    hall.choose()
    for number in (1, 2):
        hall.play(number, winner=1)
    hall.send("close", number="1", sure="yes")
    before, match = hall.points(1), hall.match(1)
    east, south, west, north = match.game.players
    history = f"/match/{match.id}/"
    sentence = say("history.outdated", name=hall.tournaments.get(hall.tournament_id).name)
    assert sentence not in get_page(hall.client, history).text
    assert say("seats.drawn", name=hall.tournaments.get(hall.tournament_id).name) in (
        get_page(hall.client, f"{history}seats/").text
    )
    hall.matches.change(match.id, PlayersReseated((south, east, west, north)))
    assert hall.points(1) == before, "what the round counted stands until somebody says otherwise"
    for page in (history, f"{history}final"):
        assert sentence in get_page(hall.client, page).text
    form = {"match": match.id, "seen": "1", "by": "Gus", "why": "Wrong seats"}
    hall.client.post(f"{hall.tournament_page}round/1/table/1/take", data=form)
    assert hall.points(1) == hall.gains(1) != before, "by name, in the order of the draw"
    assert sentence not in get_page(hall.client, history).text


def test_names_that_are_put_right_and_a_substitute_lead_no_points_astray(hall: Hall) -> None:
    hall.choose()
    for number in (1, 2):
        hall.play(number)
    old = hall.match(1).game.players[1]
    hall.matches.change(hall.match(1).id, PlayersRenamed({old: "Zoe"}))
    seats = hall.tournaments.get(hall.tournament_id).drawn[0].seats.tables[1]
    post(
        hall.client,
        f"{hall.tournament_page}players/",
        wish="replace",
        player=str(seats[0]),
        name="Quin",
    )
    hall.send("close", number="1", sure="yes")
    assert (hall.points(1), hall.points(2)) == (hall.gains(1), hall.gains(2))


def test_a_stand_in_plays_under_a_name_of_its_own(hall: Hall) -> None:
    hall.send("withdraw", number="1")
    post(hall.client, f"{hall.tournament_page}players/", wish="withdraw", player="7")
    post(hall.client, f"{hall.tournament_page}players/", wish="withdraw", player="6")
    hall.send("draw", number="1")
    hall.choose()
    players = [name for n in (1, 2) for name in hall.match(n).game.players]
    stand_in = say("club.tournament.stand-in")
    assert sum(name.startswith(stand_in) for name in players) == 2
    for number in (1, 2):
        hall.play(number)
    hall.send("close", number="1", sure="yes")
    assert hall.points(1) == hall.gains(1)


def test_a_box_of_one_table_is_asked_nothing_of_it(
    client: FlaskClient, store: Store, hands: HandRepository
) -> None:
    tournaments = TournamentRepository(store)
    tournament = add_tournament(tournaments)
    tournaments.draw(tournament, 1)
    page = get_page(client, f"{HOME}{tournament}/").text
    assert say("club.tournament.begin-at", round=1) not in page
    assert say("club.tournament.at-title") not in page


def test_one_table_twice_is_refused(hall: Hall) -> None:
    fields = {"table0": hall.table_ids[0], "table1": hall.table_ids[0], **RULES}
    answer = hall.client.post(f"{hall.tournament_page}tables/", data=fields)
    assert answer.status_code == 422
    page = Page(answer.text)
    assert page.single(".problem[role=alert]").text == say("club.refused.one-table-twice")
    assert page.attributes("value", "select[name^=table] [selected]") == [hall.table_ids[0]] * 2
    assert hall.tournaments.get(hall.tournament_id).played_at is None


def test_when_a_table_is_done_its_phones_are_led_on_to_the_tournament(
    hall: Hall, app: Flask
) -> None:
    hall.choose()
    phone = phone_at(app, hall.table_ids[1])
    post(phone, "/table/join", number="0")
    for number in (1, 2):
        hall.play(number)
    hall.send("close", number="1", sure="yes")
    page = Page(phone.get("/table/", follow_redirects=True).text)
    final = get_page(phone, f"/match/{hall.match(1).id}/final")
    for shown in (page, final):
        assert hall.tournament_page in shown.links()
        assert say("final.same-seats") not in shown.text, "that would be a match of no round"
    other = hall.matches.at_table(hall.table_ids[1]).begin(
        MatchBegun(("A", "B", "C", "D"), "bmja", 1000, ())
    )
    hall.matches.change(other, MatchEnded())
    assert say("final.same-seats") in get_page(phone, f"/match/{other}/final").text
