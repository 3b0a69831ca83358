"""The table's pages, asked for and posted to as phones do, without a script."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.server.connection import LISTEN_KEY
from device.store import Store
from device.store.events import DealSettled, MatchBegun, TileCorrected, WinnerEntered
from device.web import news
from scorer.match.settlement import MAX_SCORE_POINTS
from tests.device.fake_reader import FakeReader, picture
from tests.device.listening import listening, listening_at, newsroom
from tests.device.long_matches import AGREED_TERMS
from tests.device.page import Page, get_page, main_text

NAMES = {"player0": "Ann", "player1": "Bob", "player2": "Cy", "player3": "Di"}
RULES = {"ruleset": "bmja", "limit": "1000", "house-bmja": "clean_hand"}


@pytest.fixture
def begin(client: FlaskClient, matches: MatchRepository) -> Callable[..., Match]:
    """Begin a match by its form."""

    def begin_match(**fields: str) -> Match:
        answer = client.post("/match/new", data=NAMES | RULES | fields)
        assert answer.status_code == 303, answer.text
        match = matches.current()
        assert match
        return match

    return begin_match


def _score(client: FlaskClient, number: int, score: int) -> TestResponse:
    return client.post(f"/table/hand/{number}/score", data={"score": str(score)})


def _play(client: FlaskClient, winner: int, scores: list[int]) -> None:
    """Play a deal with typed scores, up to where it is to be confirmed."""
    client.post("/table/winner", data={"who": str(winner), "won_by": "wall"})
    for number, score in enumerate(scores):
        _score(client, number, score)


def test_without_a_match_there_is_no_table(client: FlaskClient) -> None:
    assert client.get("/table/").status_code == 404
    assert "Play a match" in main_text(client, "/")


def test_a_match_is_begun_and_stands_on_the_first_page(
    client: FlaskClient, begin: Callable[..., Match]
) -> None:
    begin()
    assert client.get("/").headers["Location"] == "/table/"
    table = main_text(client, "/table/")
    assert all(name in table for name in NAMES.values())
    assert "Prevailing wind East Deal 1" in table
    assert "Score this deal" in table


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"player1": "", "player2": "", "player3": ""}, "Please name two to five players."),
        ({"player1": "Ann"}, "Two players have the same name. Please change one of them."),
        ({"ruleset": "riichi"}, "is not one of"),
    ],
)
def test_a_match_that_cannot_be_begun_keeps_what_was_typed(
    client: FlaskClient, fields: dict[str, str], says: str
) -> None:
    answer = client.post("/match/new", data=NAMES | RULES | fields)
    assert answer.status_code == 422
    assert says in Page(answer.text).main.text
    assert Page(answer.text).value("player0") == "Ann"


@pytest.mark.parametrize("count", [2, 3])
def test_empty_seats_are_asked_about_and_nothing_typed_is_lost(
    client: FlaskClient, matches: MatchRepository, count: int
) -> None:
    names = dict(list(NAMES.items())[:count])
    form = names | RULES | {"limit": "off"}

    def tap(label: str, page: Page) -> TestResponse:
        button = page.single("form button", label)
        return client.post("/match/new", data=form | {button["name"]: button["value"]})

    question_page = Page(tap("Begin", get_page(client, "/match/new")).text)
    assert f"Only {count} players: {', '.join(names.values())}?" in question_page.main.text
    assert matches.current() is None
    assert [question_page.value(name) for name in names] == list(names.values())
    assert question_page.chosen_values("limit") == ["off"]
    form_page = Page(tap("No: add names", question_page).text)
    assert "Only" not in form_page.main.text
    assert form_page.single("[autofocus]")["name"] == f"player{count}", (
        "there the next name belongs"
    )
    form |= {f"player{count}": "Eve"}
    answer = tap("Yes", question_page)
    if count == 2:
        assert "Only 3 players" in Page(answer.text).main.text, "of two alone it was said"
        del form["player2"]
        answer = tap("Yes", question_page)
    assert answer.status_code == 303, "four players, or as many as were said"


def test_adding_names_begins_no_match(client: FlaskClient, matches: MatchRepository) -> None:
    """Also where they stand in the fields already."""
    answer = client.post("/match/new", data=NAMES | RULES | {"count": "back"})
    assert Page(answer.text).value("player3") == NAMES["player3"]
    assert matches.current() is None


def test_the_next_match_is_proposed_as_the_last_was(
    client: FlaskClient, begin: Callable[..., Match]
) -> None:
    match = begin(limit="off", player3="")
    assert (match.agreement.limit, len(match.game.players)) == (None, 3)
    other_names = NAMES | RULES | {"player0": "Eve"}
    assert client.post("/match/new", data=other_names).status_code == 409, "no page was seen"
    twins = {"seen": "0", "player1": "Eve"}  # from a page that is older than the running match
    refused_form = Page(client.post("/match/new", data=other_names | twins).text)
    answer = client.post("/match/new", data=other_names | {"seen": refused_form.value("seen")})
    assert answer.status_code == 409, "nor by who typed it again"
    form = get_page(client, "/match/new")
    assert form.value("player1") == "Bob"
    assert form.chosen_values("limit") == ["off"]


def test_the_tables_choices_are_agreed_and_count(begin: Callable[..., Match]) -> None:
    house_rules = begin().agreement.house
    assert "clean_hand:off" not in house_rules
    assert len(house_rules) > 3  # all others were on and have been switched off


def test_a_phone_says_whose_it_is_and_sits_at_the_bottom(
    client: FlaskClient, begin: Callable[..., Match]
) -> None:
    begin()
    client.post("/table/join", data={"number": "2"})
    page = get_page(client, "/table/")
    assert page.single(".seat.at-bottom.mine", "Cy")
    assert page.single(".seat.at-right", "Di")


def test_who_and_how_are_asked_and_what_cannot_be_is_greyed(
    client: FlaskClient, begin: Callable[..., Match]
) -> None:
    begin()
    assert "Nobody: wash-out" in main_text(client, "/table/winner")
    assert "/table/" in get_page(client, "/table/winner").links()
    east = get_page(client, "/table/winner?who=0").attributes("value", "[disabled]")
    assert "earth" in east
    assert "heaven" not in east
    assert "heaven" in get_page(client, "/table/winner?who=1").attributes("value", "[disabled]")


def test_a_deal_leads_from_hand_to_hand_to_its_settlement(
    client: FlaskClient, begin: Callable[..., Match], matches: MatchRepository
) -> None:
    begin()
    answer = client.post("/table/winner", data={"who": "2", "won_by": "discard"})
    addresses = []
    while "/hand/" in (address := answer.headers["Location"]):
        addresses.append(address)
        answer = _score(client, int(address[-1]), 16 * (1 + int(address[-1])))
    assert addresses == [f"/table/hand/{number}" for number in (2, 3, 0, 1)]
    assert address == "/table/settle"
    page = main_text(client, address)
    assert "Ann pays Cy 48 for going out, doubled because East pays: 96." in page
    assert "Cy 48 +192 2192" in page
    client.post("/table/settle")
    match = matches.current()
    assert match
    assert match.course.totals["Cy"] == 2192
    assert "Deal confirmed" in main_text(client, "/table/")
    assert "+192" in main_text(client, "/table/")
    assert "+192" not in main_text(client, "/table/winner"), "of the last deal, not of this one"


def test_two_who_pay_each_other_have_an_arrow_each(
    client: FlaskClient, begin: Callable[..., Match]
) -> None:
    begin(player2="", player3="", sure="yes")
    _play(client, 1, [600, 512])
    payments = get_page(client, "/table/settle").single(".payments")
    (first_line, second_line), amounts = payments.all("line"), payments.all(".amount-of")
    assert [each.text for each in amounts] == ["512", "88"]
    assert abs(float(first_line["x1"]) - float(second_line["x1"])) > 40
    for line, other_line, amount in (
        (first_line, second_line, amounts[0]),
        (second_line, first_line, amounts[1]),
    ):
        assert amount["x"] == line["x1"] == line["x2"]
        height = float(amount["y"])
        assert abs(height - float(line["y2"])) < abs(height - float(other_line["y2"]))


def test_a_wash_out_with_two_hands_in_is_asked_about(
    client: FlaskClient, matches: MatchRepository
) -> None:
    match = matches.begin(AGREED_TERMS)
    client.post("/table/winner", data={"who": "1", "won_by": "wall"})
    client.post("/table/hand/0/score", data={"score": "8"})
    client.post("/table/hand/2/score", data={"score": "16"})
    answer = client.post("/table/winner", data={}, follow_redirects=True)
    page = Page(answer.text)
    assert "Was this deal a wash-out? These hands are in: Cy, Ann." in page.text
    assert page.single("a.primary").get("href") == "/table/winner"
    assert matches.get(match).stage == "hands", "nothing is said yet"
    (form,) = page.forms
    client.post(form.action, data=form.hidden_fields | {"sure": "yes"})
    assert matches.get(match).stage == "settle"


def test_a_wash_out_with_one_hand_in_is_not_asked_about(
    client: FlaskClient, matches: MatchRepository
) -> None:
    match = matches.begin(AGREED_TERMS)
    client.post("/table/winner", data={"who": "1", "won_by": "wall"})
    client.post("/table/hand/0/score", data={"score": "8"})
    client.post("/table/winner", data={})
    assert matches.get(match).stage == "settle"


@pytest.mark.parametrize(
    ("terms", "expected", "absent", "reason"),
    [
        (AGREED_TERMS, ["Ann ↔ Cy Di ↔ Bob", "Ann ↔ Bob Cy ↔ Di", "Ann ↔ Di Cy ↔ Bob",
                  "no chows in a goulash,", "A wild tile stands for any playing tile."],
         "", "four"),
        (replace(AGREED_TERMS, players=("Ann", "Bob", "Cy")), ["no chows in a goulash,"], "↔",
         "three have nobody opposite"),
    ],
)  # fmt: skip
def test_a_goulash_says_what_is_different(
    client: FlaskClient,
    matches: MatchRepository,
    terms: MatchBegun,
    expected: list[str],
    absent: str,
    reason: str,
) -> None:
    match = matches.begin(terms)
    assert "Goulash" not in main_text(client, "/table/")
    matches.change(match, WinnerEntered(None))
    matches.change(match, DealSettled(None))
    page = main_text(client, "/table/")
    assert "Goulash: what is different" in page
    assert [each for each in expected if each not in page] == [], page
    assert not absent or absent not in page, reason


def test_a_wash_out_goes_straight_to_its_confirmation(
    client: FlaskClient, begin: Callable[..., Match]
) -> None:
    begin()
    assert "hands are in" not in main_text(client, "/table/winner?nobody=yes"), "by *Back*, say"
    assert client.post("/table/winner", data={}).headers["Location"] == "/table/settle"
    settlement = main_text(client, "/table/settle")
    assert "nobody pays" in settlement
    assert "Change: somebody went out" in settlement
    client.post("/table/settle")
    table = main_text(client, "/table/")
    assert "Deal 2 · Goulash" in table
    assert "Wash-out confirmed" in table, "and no deal"


def test_two_who_act_at_once_are_told(client: FlaskClient, begin: Callable[..., Match]) -> None:
    version = str(begin().version)
    client.post("/table/join", data={"number": "1"})
    first = client.post("/table/winner", data={"who": "1", "seen": version})
    other = client.application.test_client()
    second = other.post("/table/winner", data={"who": "3", "seen": version})
    assert (first.status_code, second.status_code) == (303, 409)
    assert "Bob entered the winner at" in Page(second.text).main.text
    assert "nothing was changed" in Page(second.text).main.text


def test_a_hand_without_a_score_cannot_be_agreed_to(
    client: FlaskClient, begin: Callable[..., Match], hands: HandRepository,
    matches: MatchRepository, reader: FakeReader, wait_settled: Callable[[str], HandRecord],
) -> None:  # fmt: skip
    begin()
    client.post("/table/winner", data={"who": "2", "won_by": "discard"})
    data = {"photo": (io.BytesIO(picture(reader.reading)), "hand.jpg")}
    hand = client.post("/table/hand/2", data=data).headers["Location"].split("/")[2]
    wait_settled(hand)
    hands.change(hand, TileCorrected(tile=0, code=None))
    answer = client.post("/table/hand/2/right", data={"hand": hand})
    assert answer.status_code == 422
    assert Page(answer.text).main.text.endswith("Back to the first page")
    assert matches.get(hands.get(hand).match).stage == "hands"


def test_under_safalras_rules_scores_are_written_down_and_nobody_pays(
    client: FlaskClient, begin: Callable[..., Match], matches: MatchRepository
) -> None:
    begin(ruleset="safalra")
    assert "Prevailing wind" not in main_text(client, "/table/")
    _play(client, 1, [16, 64, 0, 8])
    page = main_text(client, "/table/settle")
    assert "all write down their scores" in page
    assert "Bob 64 +64 64" in page
    client.post("/table/settle")
    match = matches.current()
    assert match
    assert match.course.next_deal.seats["E"] == "Bob"  # the winner is East (SAF-P07)


@pytest.mark.parametrize(
    ("amount", "style"),
    [
        (10_000, "tally"),
        (1_000_000, "tally long"),
        (MAX_SCORE_POINTS, "tally longest"),
    ],
)
def test_a_long_total_stands_smaller_so_that_it_fits_its_seat(
    client: FlaskClient, begin: Callable[..., Match], amount: int, style: str
) -> None:
    begin()
    client.post("/table/charge/", data={"payer": "0", "amount1": str(amount), "why": "A bet"})
    total = str(2000 - amount).replace("-", "\N{MINUS SIGN}")
    assert total in get_page(client, "/table/").texts(f'strong[class="{style}"]')


MEANINGLESS: list[tuple[str, dict[str, str] | None, int, str]] = [
    ("/table/hand/7", None, 404, "nobody sits there"),
    ("/table/hand/0/score", {"score": "-4"}, 422, "no score is below 0"),
    ("/table/winner?who=9", None, 404, "nobody of that number plays"),
    ("/table/undo", {}, 400, "of what?"),
    ("/table/hand/0/right", {"hand": "none"}, 404, "no such hand"),
]


def test_addresses_and_forms_that_mean_nothing_are_refused(
    client: FlaskClient, begin: Callable[..., Match]
) -> None:
    begin()
    for url, data, status, why in MEANINGLESS:
        answer = client.get(url) if data is None else client.post(url, data=data)
        assert answer.status_code == status, why


def test_five_play_and_one_sits_out(client: FlaskClient, begin: Callable[..., Match]) -> None:
    begin(player4="Eve")
    assert "Eve sits out this deal." in main_text(client, "/table/")
    assert client.get("/table/hand/4").status_code == 404


def test_every_phone_hears_of_news(app: Flask, begin: Callable[..., Match]) -> None:
    version = begin().version
    client = app.test_client()
    assert client.get("/news/now").json == {"version": version, "state": ""}
    phone = listening_at(client)
    assert f"data: {version}" in phone.next()
    client.post("/table/winner", data={"who": "1"})
    assert f"data: {version + 1}" in phone.next()
    phone.leave()


def test_a_phone_that_may_not_listen_is_told_to_ask_instead(app: Flask) -> None:
    refusal = app.test_client().get("/news/", environ_overrides={LISTEN_KEY: lambda _: None})
    assert refusal.status_code == 204, "an event stream's way to say: do not ask again"


def test_a_phone_that_is_gone_is_told_nothing_more(store: Store) -> None:
    room = newsroom(store)
    lost_phone, stays = listening(room), listening(room)
    assert lost_phone.next() == stays.next()
    lost_phone.leave()
    lost_phone.leave()
    store.append("m", AGREED_TERMS)
    assert stays.next() == "data: 1\n\n"
    assert not lost_phone.has_heard
    stays.leave()


def test_a_slow_phone_hears_the_newest_once_it_listens_again(store: Store) -> None:
    room = newsroom(store)
    slow, other = listening(room), listening(room)
    slow.next(), other.next()
    slow.slow = True
    store.append("m", AGREED_TERMS)
    assert other.next() == "data: 1\n\n"
    slow.slow = False
    store.append("n", AGREED_TERMS)
    assert slow.next() == "data: 2\n\n", "what came before would say no more"
    slow.leave(), other.leave()


def test_nobody_listens_for_good(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "MAX_LISTEN_S", 0.0)
    phone = listening(newsroom(store))
    assert phone.next().startswith("retry: 1000")
    store.append("m", AGREED_TERMS)
    assert phone.next() == "", "its browser asks anew, and whether it may"
