"""Whose phone it is, from one match to the next: asked at each, and proposed."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.settings.access import ensure_phone_secret
from device.web.phone_identity import PhoneIdentity, sign_identity
from tests.device.page import Part, get_page

FIRST = ("Margaret", "Bob", "Cy", "Di")


def begin(client: FlaskClient, *players: str) -> None:
    names = {f"player{place}": name for place, name in enumerate(players)}
    answer = client.post("/match/new", data=names | {"ruleset": "bmja", "limit": "1000"})
    assert answer.status_code == 303


def on(hands: HandRepository) -> Match:
    match = MatchRepository(hands.store).current()
    assert match
    return match


def asks(client: FlaskClient) -> list[Part]:
    """Return what the table's page asks of the phone; nothing when it knows whose it is."""
    return get_page(client, "/table/").all("#who form")


@pytest.mark.parametrize(
    ("players", "proposed"),
    [
        (("Ann", "Bob", "Cy", "Di"), ""),  # she is not there: nobody is proposed
        (FIRST, "0"),
        (("Ann", "Bob", "Cy", "Margaret"), "3"),  # by her name, not by her number
        (("Ann", "Bob", "Cy", "margaret"), "3"),  # as names are compared
    ],
)
def test_each_match_asks_and_proposes_who_it_was(
    client: FlaskClient, hands: HandRepository, players: tuple[str, ...], proposed: str
) -> None:
    begin(client, *FIRST)
    client.post("/table/join", data={"number": "0"})
    assert not asks(client)
    begin(client, *players)
    (asked,) = asks(client)
    numbers = [each for each in asked.values("number") if each in "0123"]
    assert sorted(numbers) == list("0123"), "all can be chosen"
    assert asked.values("number", ".primary.wide") == list(proposed)
    client.post("/table/winner", data={"who": "1"})
    assert on(hands).doings[-1].by == "", "until it is answered, the phone is nobody's"
    client.post("/table/join", data={"number": "2"})
    assert not asks(client)
    client.post("/table/winner", data={"who": "1", "won_by": "discard"})
    assert on(hands).doings[-1].by == "Cy"


def test_a_phone_that_changes_what_is_signed_is_nobodys(
    client: FlaskClient, hands: HandRepository
) -> None:
    begin(client, *FIRST)
    match = on(hands).id
    for secret, is_known in (("another box", False), (ensure_phone_secret(hands.store), True)):
        client.set_cookie("player", sign_identity(secret, PhoneIdentity(match, 0, "Margaret")))
        assert (not asks(client)) == is_known


def test_who_only_watches_is_asked_again_too(client: FlaskClient, hands: HandRepository) -> None:
    begin(client, *FIRST)
    client.post("/table/join", data={"number": "-1"})
    assert not asks(client)
    begin(client, *FIRST)
    (asked,) = asks(client)
    assert not asked.all("button.primary")


NO_ANSWERS = [
    ("0", "an old version's"),
    ("", "nothing"),
    ("match=&number=0", "no match"),
    ("%", "nothing of ours"),
    ("match=x&number=99&name=Ann", "nobody's number"),
    ("match={match}&number=0&name=Margaret", "what the last version wrote, unsigned"),
    ("e30.AAAA", "a signature that is none"),
    (sign_identity("", PhoneIdentity("{match}", 0, "Margaret")), "signed with no secret"),
]


@pytest.mark.parametrize(("cookie", "why"), NO_ANSWERS)
def test_what_an_older_version_or_another_hand_wrote_is_no_answer(
    client: FlaskClient, hands: HandRepository, cookie: str, why: str
) -> None:
    begin(client, *FIRST)
    client.set_cookie("player", cookie.format(match=on(hands).id))
    assert asks(client)
    client.post("/table/winner", data={"who": "1"})
    assert on(hands).doings[-1].by == ""


def test_the_question_comes_by_itself_to_a_phone_that_shows_the_last_match(app: Flask) -> None:
    """The script takes over the parts that are live; the question is one of them."""
    one, other = app.test_client(), app.test_client()
    begin(one, *FIRST)
    other.post("/table/join", data={"number": "0"})
    begin(one, "Ann", "Bob", "Cy", "Margaret")
    assert get_page(other, "/table/").one("div#who[data-live]")
