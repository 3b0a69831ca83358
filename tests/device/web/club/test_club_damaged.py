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
from device.damage import find_torn_events
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.settings import SettingsLog
from device.store import Store
from device.store.events import PERSON, SeasonBegun
from device.web.club.organiser import ORGANISER_COOKIE
from tests.device.club.rooms import phone_at
from tests.device.club.tournament.played import add_tournament, play_round
from tests.device.events import write_raw
from tests.device.page import Page, get_page
from tests.device.played import AGREED

YEAR = SeasonBegun("Year", "2026-01-01", "2026-12-31", "totals", (4, 2, 1, 0), None)


@dataclass(frozen=True)
class Torn:
    """A stream with an event that makes no sense."""

    stream: str
    kind: str
    fields: dict[str, Any]
    listed: str
    """Where it is listed."""
    here: str
    """Its own page."""
    change: str
    """An address to which a change of it is sent."""
    sends: dict[str, str]


def tournament(store: Store) -> Torn:
    log = TournamentRepository(store)
    at = add_tournament(log)
    play_round(log, at)
    here = f"/club/tournaments/{at}/"
    return Torn(f"tournament:{at}", "round-drawn", {"number": 7}, "/club/tournaments/", here,
                f"{here}draw", {"number": "2"})  # fmt: skip


def season(store: Store) -> Torn:
    at = SeasonRepository(store).begin(YEAR)
    here = f"/club/season/{at}/"
    days = {"first": "2026-12-31", "last": "2026-01-01"}
    fields: dict[str, Any] = {"name": "Odd", **days, "points": "totals", "by_place": []}
    return Torn(f"season:{at}", "season-changed", fields, "/club/season/every", here,
                f"{here}match/none", {"counts": "no", "why": "So", "who": "Ann"})  # fmt: skip


def table(store: Store) -> Torn:
    at = ClubTables(store).lay("Window")
    here = f"/club/tables/{at}/"
    return Torn(at, "table-renamed", {"name": " "}, "", here, f"{here}name", {"name": "Door"})


def _shown(page: str) -> str:
    """Return a page but for its head: what it shows, and not how new its news are."""
    return page[page.index("<main") :]


@pytest.mark.parametrize("of", [tournament, season, table], ids=lambda each: each.__name__)
def test_it_is_said_and_gone_on_with(client: FlaskClient, store: Store, of: Any) -> None:  # noqa: ANN401
    torn = of(store)
    before = _shown(client.get(torn.here).text)
    seq = write_raw(store, torn.stream, torn.kind, torn.fields)
    assert [each.seq for each in find_torn_events(store)] == [seq], (
        "the doctor and a restored copy say so"
    )
    where = f"/damaged/{torn.stream}/"
    if torn.listed:
        assert where in get_page(client, torn.listed).links()
    stopped = client.post(torn.change, data=torn.sends)
    assert stopped.status_code == 409
    assert Page(stopped.text).all(f'[action="{where}cut"]'), "what is to be done is offered at once"
    assert client.get(f"{where}events.jsonl").text.count("\n") == len(store.raw_rows(torn.stream))
    done = client.post(f"{where}cut", data={"since": str(seq)})
    assert (done.status_code, done.headers["Location"]) == (303, torn.here)
    assert _shown(client.get(torn.here).text) == before
    assert not list(find_torn_events(store))
    assert client.post(torn.change, data=torn.sends).status_code != 409
    assert client.get(where).status_code == 404


def test_only_the_organiser_cuts_back_what_is_the_clubs(
    client: FlaskClient, store: Store, hands: HandRepository
) -> None:
    torn = tournament(store)
    seq = write_raw(store, torn.stream, torn.kind, torn.fields)
    pin = set_new_organiser_pin(SettingsLog(hands.store)).organiser_pin
    where = f"/damaged/{torn.stream}/"
    assert get_page(client, torn.here).all("[role=alert]:not([hidden])"), "its own page says so"
    assert client.get(where).status_code == 200
    assert client.post(f"{where}cut", data={"since": str(seq)}).status_code == 403
    assert list(find_torn_events(store))
    client.post("/club/organiser/enter", data={"pin": pin})
    assert client.post(f"{where}cut", data={"since": str(seq)}).status_code == 303
    assert not list(find_torn_events(store))


def test_what_the_log_has_of_a_table_with_a_pin_is_for_who_may_know_it(
    client: FlaskClient, store: Store
) -> None:
    torn = table(store)
    made = ClubTables(store).new_pin(torn.stream)
    write_raw(store, torn.stream, torn.kind, torn.fields)
    client.set_cookie(ORGANISER_COOKIE, set_new_organiser_pin(SettingsLog(store)).organiser_token)
    file = f"/damaged/{torn.stream}/events.jsonl"
    stranger = client.application.test_client().get(file)
    assert stranger.status_code == 403
    assert made.pin_token not in stranger.text
    assert made.pin_token in client.get(file).text, "nothing is lost"


@pytest.mark.parametrize("sort", ["match", "hand"])
def test_what_is_damaged_at_a_table_is_cut_back_there_alone(
    app: Flask, store: Store, hands: HandRepository, sort: str
) -> None:
    tables = ClubTables(store)
    here, there = tables.lay("Here"), tables.lay("There")
    match = MatchRepository(hands.store, here).begin(AGREED)
    hand = hands.begin_by_hand("bmja", match, here)
    stream, kind = {"match": (match, "round-drawn"), "hand": (hand, "tile-corrected")}[sort]
    seq = write_raw(store, stream, kind, {"tile": 99, "code": "B1"})
    where, since = f"/damaged/{stream}/", {"since": str(seq)}
    refused = phone_at(app, there).post(f"{where}cut", data=since)
    assert refused.status_code == 409
    assert f"/at/{here}/" in Page(refused.text).addresses, "the way to that table"
    assert list(find_torn_events(store))
    assert phone_at(app, here).post(f"{where}cut", data=since).status_code == 303
    assert not list(find_torn_events(store))


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
