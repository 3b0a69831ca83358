"""What makes no sense in the club's streams: said, and cut back by the same page as a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient

from device.club.people_log import PeopleLog
from device.club.season_log import SeasonLog
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.damage import damages
from device.hands.repository import HandRepository
from device.settings.organiser import make_organiser_pin
from device.settings.settings import SettingsLog
from device.store import Store
from device.store.events import PERSON, SeasonBegun
from tests.device.club.tournament.played import arranged, play_round
from tests.device.events import write_raw

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
    at = arranged(log)
    play_round(log, at)
    here = f"/club/tournaments/{at}/"
    return Torn(f"tournament:{at}", "round-drawn", {"number": 7}, "/club/tournaments/", here,
                f"{here}draw", {"number": "2"})  # fmt: skip


def season(store: Store) -> Torn:
    at = SeasonLog(store).begin(YEAR)
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
    assert [each.seq for each in damages(store)] == [seq], "the doctor and a restored copy say so"
    where = f"/damaged/{torn.stream}/"
    if torn.listed:
        assert f'href="{where}"' in client.get(torn.listed).text
    stopped = client.post(torn.change, data=torn.sends)
    assert stopped.status_code == 409
    assert f'action="{where}cut"' in stopped.text, "what is to be done is offered at once"
    assert client.get(f"{where}events.jsonl").text.count("\n") == len(store.raw(torn.stream))
    done = client.post(f"{where}cut", data={"since": str(seq)})
    assert (done.status_code, done.headers["Location"]) == (303, torn.here)
    assert _shown(client.get(torn.here).text) == before
    assert not list(damages(store))
    assert client.post(torn.change, data=torn.sends).status_code != 409
    assert client.get(where).status_code == 404


def test_only_the_organiser_cuts_back_what_is_the_clubs(
    client: FlaskClient, store: Store, hands: HandRepository
) -> None:
    torn = tournament(store)
    seq = write_raw(store, torn.stream, torn.kind, torn.fields)
    pin = make_organiser_pin(SettingsLog(hands.store)).organiser_pin
    where = f"/damaged/{torn.stream}/"
    assert client.get(where).status_code == 200
    assert client.post(f"{where}cut", data={"since": str(seq)}).status_code == 403
    assert list(damages(store))
    client.post("/club/organiser/enter", data={"pin": pin})
    assert client.post(f"{where}cut", data={"since": str(seq)}).status_code == 303
    assert not list(damages(store))


def test_the_register_goes_on_without_what_makes_no_sense(
    client: FlaskClient, store: Store
) -> None:
    """Each word about a person stands by itself, so there is nothing to cut back."""
    people = PeopleLog(store)
    ann = people.add("Ann")
    write_raw(store, PERSON + ann.id, "person-named", {"nothing": "of the kind"})
    page = client.get("/club/players/")
    assert page.status_code == 200
    assert "Ann" in page.text
    people.rename(people.register().of("Ann"), "Anne")
    assert "Anne" in client.get("/club/players/").text
