"""Sharing a picture: who may fetch it, which names it shows, and when there is none."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from device.club.people import PeopleRepository
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchEnded
from tests.device.match_play import AGREED_TERMS, settle
from tests.device.page import get_page

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def match(matches: MatchRepository) -> str:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    matches.change(match, MatchEnded())
    return match


def words_of(client: FlaskClient, address: str) -> str:
    """Return all words of a drawing."""
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.mimetype == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.data)  # noqa: S314 - the box's own answer
    return " ".join(text.text or "" for text in drawing.iter(f"{SVG}text"))


def test_a_finished_match_is_shared(client: FlaskClient, match: str) -> None:
    page = get_page(client, f"/match/{match}/final")
    assert f"/match/{match}/picture/" in page.links()
    page = get_page(client, f"/match/{match}/picture/")
    assert page.single("img#picture")["src"] == f"/match/{match}/picture.svg"
    assert "won with" in page.single("img#picture")["alt"]
    words = words_of(client, f"/match/{match}/picture.svg")
    assert all(name in words for name in ("Ann", "Bob", "Cy", "Di"))


def test_a_running_match_has_no_picture(client: FlaskClient, matches: MatchRepository) -> None:
    match = matches.begin(AGREED_TERMS)
    assert client.get(f"/match/{match}/picture/").status_code == 404
    assert client.get(f"/match/{match}/picture.svg").status_code == 404
    assert client.get("/match/nowhere/picture.svg").status_code == 404


def test_a_hidden_player_is_hidden_there_too(client: FlaskClient, match: str, store: Store) -> None:
    people = PeopleRepository(store)
    people.remove(people.register().find_person("Cy"), is_hidden=True)
    words = words_of(client, f"/match/{match}/picture.svg")
    assert "Cy" not in words.split()
    assert "Bob" in words


def test_no_phone_shows_a_picture_of_before(client: FlaskClient, match: str) -> None:
    """Chromium shows it again in the language before, also where `Vary` names the cookie."""
    answer = client.get(f"/match/{match}/picture.svg")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_hand_is_shared_with_its_tiles_and_its_sum(client: FlaskClient, read_hand: str) -> None:
    address = f"/hand/{read_hand}/picture.svg"
    assert client.get(address).status_code == 404, "its winds are not said"
    assert f"/hand/{read_hand}/picture/" not in get_page(client, f"/hand/{read_hand}/").links()
    fields = {"seat_wind": "E", "prevailing_wind": "E", "winner": "yes", "won_by": "wall"}
    client.post(f"/hand/{read_hand}/situation", data=fields)
    page = get_page(client, f"/hand/{read_hand}/")
    assert f"/hand/{read_hand}/picture/" in page.links()
    words = words_of(client, address)
    assert page.single("#score .total strong").text in words
    drawing = ElementTree.fromstring(client.get(address).data)  # noqa: S314
    assert len(list(drawing.iter(f"{SVG}use"))) >= 14
    assert page.all("#score .line .what")[0].text in words


def test_an_unscored_hand_has_no_picture(client: FlaskClient, hands: HandRepository) -> None:
    hand = hands.begin_by_hand("bmja")
    assert client.get(f"/hand/{hand}/picture.svg").status_code == 404
    assert client.get(f"/hand/{hand}/picture/").status_code == 404
    assert client.get("/hand/nowhere/picture.svg").status_code == 404
