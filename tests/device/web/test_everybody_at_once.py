"""Who photographs which hand: each phone its own player's, and those that no phone sees to."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.access import ensure_phone_secret
from device.hands.repository import HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.services import Services
from device.web import Box, create_app
from device.web.phone_identity import PhoneIdentity, sign_identity
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, picture
from tests.device.page import Part, get_page

NAMES = ("Ann", "Bob", "Cy", "Di")
ANN, BOB, CY, DI = range(4)
NO_PLAYER = -1


def sit_down(app: Flask, *players: int) -> dict[int, FlaskClient]:
    """Begin a match; return the phones that have said whose they are."""
    names = {f"player{place}": name for place, name in enumerate(NAMES)}
    response = app.test_client().post(
        "/match/new", data=names | {"ruleset": "bmja", "limit": "1000"}
    )
    assert response.status_code == 303
    phones = {each: app.test_client() for each in players}
    for number, phone in phones.items():
        assert phone.post("/table/join", data={"number": number}).status_code == 303
    return phones


def goes_out(phone: FlaskClient, winner: int) -> str:
    """Let a phone say who went out; return where it is led."""
    answer = phone.post("/table/winner", data={"who": winner, "won_by": "discard"})
    return answer.headers["Location"]


def types(phone: FlaskClient, number: int) -> str:
    """Let a phone give a hand in as a number; return where it is led."""
    return phone.post(f"/table/hand/{number}/score", data={"score": "32"}).headers["Location"]


def bar(phone: FlaskClient) -> str:
    """Return what stands at the bottom of the table's page, without its tags."""
    return get_page(phone, "/table/").single("#bar").text


def leads_to(phone: FlaskClient) -> str:
    """Return where the page's main button leads."""
    return phone.get("/table/next").headers["Location"]


def test_each_of_four_phones_has_its_own_hand_before_it_at_once(app: Flask) -> None:
    phones = sit_down(app, ANN, BOB, CY, DI)
    assert goes_out(phones[BOB], CY) == f"/table/hand/{BOB}"
    for number, phone in phones.items():
        assert bar(phone) == "My hand"
        assert leads_to(phone) == f"/table/hand/{number}"


def test_a_phone_that_is_done_is_told_who_is_missing_and_pushed_to_nobodys_hand(
    app: Flask,
) -> None:
    phones = sit_down(app, ANN, BOB, CY, DI)
    goes_out(phones[BOB], CY)
    missing = {DI: "Cy, Ann, Bob", BOB: "Cy, Ann", ANN: "Cy"}  # in any order
    for number, names in missing.items():
        assert types(phones[number], number) == "/table/"
        assert f"Still missing: {names}" in bar(phones[number])
        assert leads_to(phones[number]) == "/table/"
    assert types(phones[CY], CY) == "/table/settle"
    assert all(bar(phone) == "Who pays whom" for phone in phones.values())


def test_a_hand_that_its_phone_has_not_taken_can_be_taken_with_another(app: Flask) -> None:
    """A phone may be at home, or empty: nobody has to wait for it."""
    phones = sit_down(app, ANN, BOB)
    goes_out(phones[ANN], CY)
    for number in (BOB, CY, DI):
        types(phones[BOB], number)
    assert "Take Ann's hand with this phone" in bar(phones[BOB])
    assert f"/table/hand/{ANN}" in get_page(phones[BOB], "/table/").links()
    assert types(phones[BOB], ANN) == "/table/settle"


@pytest.mark.parametrize(
    ("with_phone", "asker", "expected_hands"),
    [
        ((ANN,), ANN, (ANN, CY, DI, BOB)),  # the only phone sees to all: its own, then as ever
        ((CY,), CY, (CY, DI, ANN, BOB)),  # where the winner's is the only one, all is as ever
        ((ANN, BOB), ANN, (ANN,)),  # the next seat has a phone
        ((ANN, BOB), BOB, (BOB, CY, DI)),  # those that follow have none
        ((ANN, CY), ANN, (ANN, BOB)),  # each takes its right-hand neighbour's
        ((ANN, BOB, DI), DI, (DI,)),  # what lies beyond Ann is hers
        ((BOB, NO_PLAYER), NO_PLAYER, (CY, DI, ANN)),  # a phone of nobody's leaves Bob's to Bob's
    ],
)
def test_who_sees_to_which_hands_when_cy_went_out(
    app: Flask, with_phone: tuple[int, ...], asker: int, expected_hands: tuple[int, ...]
) -> None:
    phones = sit_down(app, *with_phone)
    goes_out(phones[asker], CY)
    addresses = []
    while "/hand/" in (address := leads_to(phones[asker])):
        addresses.append(int(address[-1]))
        types(phones[asker], addresses[-1])
    assert tuple(addresses) == expected_hands
    assert address == ("/table/settle" if len(expected_hands) == len(NAMES) else "/table/")


def test_whose_phones_there_are_is_known_again_after_a_restart(
    app: Flask, services: Services
) -> None:
    """A phone that looks at the table is known by what it keeps itself."""
    phones = sit_down(app, ANN, BOB)
    goes_out(phones[ANN], CY)
    restarted_app = create_app(Box(services))
    after = {number: restarted_app.test_client() for number in phones}
    for number, phone in after.items():
        cookie = phones[number].get_cookie("player")
        assert cookie
        phone.set_cookie("player", cookie.value)
        phone.get("/table/")
    assert types(after[ANN], ANN) == "/table/"


def test_ones_own_hand_that_another_has_taken_is_the_one_to_look_at(
    app: Flask, reader: FakeReader, wait_settled: Wait
) -> None:
    phones = sit_down(app, ANN, BOB)
    goes_out(phones[ANN], CY)
    response = phones[BOB].post(
        f"/table/hand/{ANN}", data={"photo": (io.BytesIO(picture(reader.reading)), "a.jpg")}
    )
    hand = response.headers["Location"]
    wait_settled(hand.split("/")[2])
    assert bar(phones[ANN]) == "My hand"
    assert leads_to(phones[ANN]) == hand
    for number in (CY, DI, BOB):
        types(phones[BOB], number)
    assert bar(phones[BOB]) == "Being read or checked: Ann"


def test_whose_phone_goes_out_says_so_in_two_taps(app: Flask) -> None:
    phones = sit_down(app, ANN, NO_PLAYER)
    assert bar(phones[ANN]) == "Score this deal I went out"
    assert f"/table/winner?who={ANN}" in get_page(phones[ANN], "/table/").links()
    assert bar(phones[NO_PLAYER]) == "Score this deal"


def test_how_to_hold_the_phone_is_drawn_beside_its_button(app: Flask) -> None:
    phone = sit_down(app, ANN)[ANN]
    figure = get_page(phone, "/table/hand/0").single(
        "figure.hold:has(+ label)"
    )  # before the button
    assert figure.single("svg")
    assert "Hold the phone sideways" in figure.text


@pytest.mark.parametrize(
    ("winner", "score", "sentence", "gong"),
    [
        (CY, "64", "Cy went out: from the wall|Cy scored 64.", False),
        (CY, "1000", "Cy went out: from the wall|Cy scored 1000.", True),
        (NO_PLAYER, "", "Wash-out: nobody went out", False),
    ],
)
def test_what_is_read_out_stands_on_the_page_of_a_phone_that_reads_out_alone(
    app: Flask, winner: int, score: str, sentence: str, gong: bool
) -> None:
    phones = sit_down(app, ANN, BOB)
    phones[ANN].post("/phone/", data={"announcer": "on"})
    assert get_page(phones[ANN], "/table/").all('[data-settled="0"]'), "nothing has been settled"
    phones[BOB].post("/table/winner", data={"who": winner, "won_by": "wall"})
    for number in (CY, ANN, BOB, DI):
        if score:
            points = score if number == CY else "8"
            phones[BOB].post(f"/table/hand/{number}/score", data={"score": points})
    phones[BOB].post("/table/settle")
    aloud = get_page(phones[ANN], "/table/").single("#aloud")
    assert "|".join(aloud.texts("p")).startswith(sentence)
    assert bool(aloud.all("[data-gong]")) is gong
    assert not get_page(phones[BOB], "/table/").all("#aloud")


def test_each_phone_reads_first_what_its_player_pays_and_gets(app: Flask) -> None:
    phones = sit_down(app, ANN, BOB, CY, DI)
    goes_out(phones[CY], CY)
    for number, score in ((CY, 48), (ANN, 16), (BOB, 8), (DI, 8)):
        phones[number].post(f"/table/hand/{number}/score", data={"score": score})
    own_payments = {
        number: get_page(phone, "/table/settle").texts(".mine li")
        for number, phone in phones.items()
    }
    assert own_payments[CY][0] == "You get 96 from Ann."
    assert own_payments[ANN] == ["You pay Cy 96.", "You get 16 from Bob.", "You get 16 from Di."]
    assert own_payments[DI] == ["You pay Cy 48.", "You pay Ann 16."]
    assert get_page(app.test_client(), "/table/settle").texts(".mine li") == []


FIRST = ("Margaret", "Bob", "Cy", "Di")


def begin(client: FlaskClient, *players: str) -> None:
    names = {f"player{place}": name for place, name in enumerate(players)}
    rules = {
        "ruleset": "bmja",
        "limit": "1000",
        "seen": get_page(client, "/match/new").value("seen"),
    }
    assert client.post("/match/new", data=names | rules).status_code == 303


def current_match(hands: HandRepository) -> Match:
    match = MatchRepository(hands.store).current()
    assert match
    return match


def asks(client: FlaskClient) -> list[Part]:
    """Return what the table's page asks of the phone; nothing when it knows whose it is."""
    return get_page(client, "/table/").all("#who form")


@pytest.mark.parametrize(
    ("players", "proposed_name"),
    [
        (("Ann", "Bob", "Cy", "Di"), ""),  # she is not there: nobody is proposed
        (("Ann", "Bob", "Cy", "Margaret"), "3"),  # by her name, not by her number
        (("Ann", "Bob", "Cy", "margaret"), "3"),  # as names are compared
    ],
)
def test_each_match_asks_and_proposes_who_it_was(
    client: FlaskClient, hands: HandRepository, players: tuple[str, ...], proposed_name: str
) -> None:
    begin(client, *FIRST)
    client.post("/table/join", data={"number": "0"})
    assert not asks(client)
    begin(client, *players)
    (question,) = asks(client)
    numbers = [each for each in question.values("number") if each in "0123"]
    assert sorted(numbers) == list("0123"), "all can be chosen"
    assert question.values("number", ".primary.wide") == list(proposed_name)
    client.post("/table/winner", data={"who": "1"})
    assert current_match(hands).doings[-1].by == "", "until it is answered, the phone is nobody's"
    client.post("/table/join", data={"number": "2"})
    assert not asks(client)
    client.post("/table/winner", data={"who": "1", "won_by": "discard"})
    assert current_match(hands).doings[-1].by == "Cy"


def test_a_phone_that_changes_what_is_signed_is_nobodys(
    client: FlaskClient, hands: HandRepository
) -> None:
    begin(client, *FIRST)
    match = current_match(hands).id
    for secret, is_known in (("another box", False), (ensure_phone_secret(hands.store), True)):
        client.set_cookie("player", sign_identity(secret, PhoneIdentity(match, 0, "Margaret")))
        assert (not asks(client)) == is_known


def test_who_only_watches_is_asked_again_too(client: FlaskClient, hands: HandRepository) -> None:
    begin(client, *FIRST)
    client.post("/table/join", data={"number": "-1"})
    assert not asks(client)
    begin(client, *FIRST)
    (question,) = asks(client)
    assert not question.all("button.primary")


NO_ANSWERS = [
    ("0", "an old version's"),
    ("match=&number=0", "no match"),
    ("match={match}&number=0&name=Margaret", "what the last version wrote, unsigned"),
    ("e30.AAAA", "a signature that is none"),
    (sign_identity("", PhoneIdentity("{match}", 0, "Margaret")), "signed with no secret"),
]


def test_what_an_older_version_or_another_hand_wrote_is_no_answer(
    client: FlaskClient, hands: HandRepository
) -> None:
    begin(client, *FIRST)
    for number, (cookie, reason) in enumerate(NO_ANSWERS):
        client.set_cookie("player", cookie.format(match=current_match(hands).id))
        assert asks(client), reason
        client.post("/table/winner", data={"who": str(number % 4)})
        assert current_match(hands).doings[-1].by == "", reason
