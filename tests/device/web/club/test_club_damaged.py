"""What makes no sense in the club's streams: said, and cut back by the same page as a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.access import set_new_organiser_pin
from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.damage import examine_all
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.settings import SettingsLog
from device.store import Store
from device.store.events import PERSON, SeasonBegun
from device.web.club.organiser import ORGANISER_COOKIE
from tests.device.club.rooms import phone_at
from tests.device.club.tournament.tournament_play import add_tournament, play_round
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page

YEAR = SeasonBegun("Year", "2026-01-01", "2026-12-31", "totals", (4, 2, 1, 0), None)


@dataclass(frozen=True)
class DamagedStream:
    """A stream with an event that makes no sense."""

    stream: str
    kind: str
    fields: dict[str, Any]
    list_page: str
    """Where it is listed."""
    page: str
    """Its own page."""
    change: str
    """An address to which a change of it is sent."""
    sends: dict[str, str]


def tournament(store: Store) -> DamagedStream:
    log = TournamentRepository(store)
    stream_id = add_tournament(log)
    play_round(log, stream_id)
    page = f"/club/tournaments/{stream_id}/"
    return DamagedStream(
        f"tournament:{stream_id}",
        "round-drawn",
        {"number": 7},
        "/club/tournaments/",
        page,
        f"{page}draw",
        {"number": "2"},
    )


def season(store: Store) -> DamagedStream:
    stream_id = SeasonRepository(store).begin(YEAR)
    page = f"/club/season/{stream_id}/"
    days = {"first": "2026-12-31", "last": "2026-01-01"}
    fields: dict[str, Any] = {"name": "Odd", **days, "points": "totals", "by_place": []}
    return DamagedStream(
        f"season:{stream_id}",
        "season-changed",
        fields,
        "/club/season/every",
        page,
        f"{page}match/none",
        {"counts": "no", "why": "So", "who": "Ann"},
    )


def table(store: Store) -> DamagedStream:
    stream_id = ClubTables(store).lay("Window")
    page = f"/club/tables/{stream_id}/"
    return DamagedStream(
        stream_id, "table-renamed", {"name": " "}, "", page, f"{page}name", {"name": "Door"}
    )


def _show_text(page: str) -> str:
    """Return a page but for its head: what it shows, and not how new its news are."""
    return page[page.index("<main") :]


@pytest.mark.parametrize("make", [tournament, season, table], ids=lambda make: make.__name__)
def test_it_is_said_and_gone_on_with(client: FlaskClient, store: Store, make: Any) -> None:  # noqa: ANN401
    damaged_stream = make(store)
    before = _show_text(client.get(damaged_stream.page).text)
    seq = write_raw(store, damaged_stream.stream, damaged_stream.kind, damaged_stream.fields)
    assert [each.seq for each in examine_all(store).torn_events] == [seq], (
        "the doctor and a restored copy say so"
    )
    address = f"/damaged/{damaged_stream.stream}/"
    if damaged_stream.list_page:
        assert address in get_page(client, damaged_stream.list_page).links()
    refusal = client.post(damaged_stream.change, data=damaged_stream.sends)
    assert refusal.status_code == 409
    assert Page(refusal.text).all(f'[action="{address}cut"]'), (
        "what is to be done is offered at once"
    )
    assert client.get(f"{address}events.jsonl").text.count("\n") == len(
        store.raw_rows(damaged_stream.stream)
    )
    response = client.post(f"{address}cut", data={"since": str(seq)})
    assert (response.status_code, response.headers["Location"]) == (303, damaged_stream.page)
    assert _show_text(client.get(damaged_stream.page).text) == before
    assert not examine_all(store).torn_events
    assert client.post(damaged_stream.change, data=damaged_stream.sends).status_code != 409
    assert client.get(address).status_code == 404


def test_only_the_organiser_cuts_back_what_is_the_clubs(
    client: FlaskClient, store: Store, hands: HandRepository
) -> None:
    damaged_stream = tournament(store)
    seq = write_raw(store, damaged_stream.stream, damaged_stream.kind, damaged_stream.fields)
    pin = set_new_organiser_pin(SettingsLog(hands.store)).organiser_pin
    address = f"/damaged/{damaged_stream.stream}/"
    assert get_page(client, damaged_stream.page).all("[role=alert]:not([hidden])"), (
        "its own page says so"
    )
    assert client.get(address).status_code == 200
    assert client.post(f"{address}cut", data={"since": str(seq)}).status_code == 403
    assert examine_all(store).torn_events
    client.post("/club/organiser/enter", data={"pin": pin})
    assert client.post(f"{address}cut", data={"since": str(seq)}).status_code == 303
    assert not examine_all(store).torn_events


def test_what_the_log_has_of_a_table_with_a_pin_is_for_who_may_know_it(
    client: FlaskClient, store: Store
) -> None:
    damaged_stream = table(store)
    pin = ClubTables(store).new_pin(damaged_stream.stream)
    write_raw(store, damaged_stream.stream, damaged_stream.kind, damaged_stream.fields)
    client.set_cookie(ORGANISER_COOKIE, set_new_organiser_pin(SettingsLog(store)).organiser_token)
    file = f"/damaged/{damaged_stream.stream}/events.jsonl"
    stranger = client.application.test_client().get(file)
    assert stranger.status_code == 403
    assert pin.pin_token not in stranger.text
    assert pin.pin_token in client.get(file).text, "nothing is lost"


@pytest.mark.parametrize("sort", ["match", "hand"])
def test_what_is_damaged_at_a_table_is_cut_back_there_alone(
    app: Flask, store: Store, hands: HandRepository, sort: str
) -> None:
    tables = ClubTables(store)
    first_table, second_table = tables.lay("Here"), tables.lay("There")
    match = MatchRepository(hands.store, first_table).begin(AGREED_TERMS)
    hand = hands.begin_by_hand("bmja", match, first_table)
    stream, kind = {"match": (match, "round-drawn"), "hand": (hand, "tile-corrected")}[sort]
    seq = write_raw(store, stream, kind, {"tile": 99, "code": "B1"})
    address, fields = f"/damaged/{stream}/", {"since": str(seq)}
    refusal = phone_at(app, second_table).post(f"{address}cut", data=fields)
    assert refusal.status_code == 409
    assert f"/at/{first_table}/" in Page(refusal.text).addresses, "the way to that table"
    assert examine_all(store).torn_events
    assert phone_at(app, first_table).post(f"{address}cut", data=fields).status_code == 303
    assert not examine_all(store).torn_events


def test_the_register_goes_on_without_what_makes_no_sense(
    client: FlaskClient, store: Store
) -> None:
    """Each word about a person stands by itself, so there is nothing to cut back."""
    people = PeopleRepository(store)
    ann = people.add("Ann")
    write_raw(store, PERSON + ann.id, "person-named", {"nothing": "of the kind"})
    page = client.get("/club/players/")
    assert page.status_code == 200
    assert "Ann" in page.text
    people.rename(people.register().find_person("Ann"), "Anne")
    assert "Anne" in client.get("/club/players/").text
