"""Wrong seats are put right: what changes is shown first, then the deals are replayed."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealSettled, HandAgreed, MatchEnded, ScoreTyped, WinnerEntered
from tests.device.match_play import AGREED_TERMS, SCORES, give_hand, settle
from tests.device.page import Page, get_page, main_text


@pytest.fixture
def match(matches: MatchRepository, client: FlaskClient) -> str:
    """Begin a match; the phone is Ann's."""
    match = matches.begin(AGREED_TERMS)
    client.post("/table/join", data={"number": "0"})
    return match


def tap(client: FlaskClient, page: Page, name: str) -> Page:
    """Tap a player's place, or a name among those who may have been the first East."""
    link = next(each for each in page.all("a.button") if each.text.endswith(name))
    return get_page(client, link["href"])


def save(client: FlaskClient, page: Page) -> int:
    (form,) = [each for each in page.forms if "/seats/" in each.action]
    return client.post(form.action, data=form.hidden_fields).status_code


def seats(match: Match) -> str:
    return " ".join(match.course.next_deal.seats.values())


def test_two_change_places_before_the_first_deal(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    page = get_page(client, f"/match/{match}/seats/")
    assert get_page(client, "/table/").links(f"/match/{match}/seats/")
    assert not page.forms, "nothing to save yet"
    page = tap(client, page, "Ann")
    assert "Who belongs in Ann's place?" in page.text
    page = tap(client, page, "Cy")
    assert "Totals, before and after" not in page.text, "there was no deal"
    assert seats(matches.get(match)) == "Ann Bob Cy Di", "not saved yet"
    assert save(client, page) == 303
    assert seats(matches.get(match)) == "Cy Bob Ann Di"
    assert "Ann changed the seats at" in main_text(client, f"/match/{match}/")
    assert get_page(client, "/match/new").value("player0") == "Cy", "the next match sits so, too"


def test_another_first_east_after_the_deals(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    settle(matches, match, "Cy")
    settle(matches, match, None)
    before = matches.get(match)
    page = get_page(client, f"/match/{match}/seats/")
    easts = page.single(".names")
    page = get_page(client, next(each for each in easts.all("a") if each.text == "Cy")["href"])
    for expected in ("Totals, before and after", "Deal 1", "Nothing is saved yet."):
        assert expected in page.text
    assert save(client, page) == 303
    after = matches.get(match)
    assert seats(after) == "Cy Di Ann Bob", "he won as East and stays East"
    assert after.course.rows[0].changes != before.course.rows[0].changes
    assert "changed the seats at" in main_text(client, f"/match/{match}/")
    (undo,) = [each for each in get_page(client, f"/match/{match}/").forms if "undo" in each.action]
    client.post(undo.action, data={"seq": str(after.doings[-1].seq)})
    assert matches.get(match).course == before.course


def test_of_three_nobody_moves_when_another_was_the_first_east(
    client: FlaskClient, matches: MatchRepository
) -> None:
    match = matches.begin(replace(AGREED_TERMS, players=("Ann", "Bob", "Cy")))
    page = get_page(client, f"/match/{match}/seats/")
    east = next(each for each in page.single(".names").all("a") if each.text == "Bob")
    assert save(client, get_page(client, east["href"])) == 303
    winds = matches.get(match).course.next_deal.seats
    assert winds == {"E": "Bob", "S": "Cy", "N": "Ann"}, "the empty place stays where it is"


def test_a_hand_gets_its_score_from_its_right_wind(
    client: FlaskClient, matches: MatchRepository, match: str, store: Store, read_hand: str
) -> None:
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, HandAgreed(player="Ann", hand=hand))
    matches.change(match, DealSettled(winner="Ann", scores={**SCORES, "Ann": 224}))
    page = get_page(client, f"/match/{match}/seats/?order=1+0+2+3&winds=ESWN")
    assert "224 becomes 108" in page.text
    assert "Look at these hands again" not in page.text
    save(client, page)
    assert getattr(matches.get(match).course.rows[0].event, "scores", {})["Ann"] == 108


def test_what_changes_for_the_hands_that_are_in_is_shown_first(
    client: FlaskClient, matches: MatchRepository, match: str, store: Store, read_hand: str
) -> None:
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, HandAgreed(player="Ann", hand=hand))
    matches.change(match, ScoreTyped("Bob", 8))
    page = get_page(client, f"/match/{match}/seats/?order=1+0+2+3&winds=ESWN")
    assert page.texts(".totals-changed li") == ["Ann 224 becomes 108"], "a typed score stays"
    assert "A hand whose score changes must be checked." in page.text
    page = get_page(client, f"/match/{match}/seats/?order=0+1+3+2&winds=ESWN")
    assert not page.all(".totals-changed"), "Ann stays East"
    matches.change(match, WinnerEntered(winner=None))
    page = get_page(client, f"/match/{match}/seats/?order=1+0+2+3&winds=ESWN")
    assert not page.all(".totals-changed"), "in a wash-out no hand counts"


def test_a_phone_that_was_overtaken_is_told(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    page = get_page(client, f"/match/{match}/seats/?order=1+0+2+3&winds=ESWN")
    settle(matches, match, "Di", tap_id="Bob")
    assert save(client, page) == 409
    assert seats(matches.get(match)).startswith("Bob"), "Cy did not take Ann's place"


def test_seats_of_a_match_that_is_over(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    settle(matches, match, "Cy")
    matches.change(match, MatchEnded())
    matches.begin(AGREED_TERMS)
    assert get_page(client, f"/match/{match}/").links(f"/match/{match}/seats/")
    page = get_page(client, f"/match/{match}/seats/?order=1+0+2+3&winds=ESWN")
    assert save(client, page) == 303
    old_match = matches.get(match)
    assert old_match.ended
    assert old_match.game.order_of_play[0] == "Bob"
    history = get_page(client, f"/match/{match}/")
    (undo,) = [each for each in history.forms if "undo" in each.action]
    assert client.post(undo.action, data={"seq": str(old_match.doings[-1].seq)}).status_code == 303
    old_match = matches.get(match)
    assert old_match.game.order_of_play[0] == "Ann"
    assert old_match.ended
    end = {"seq": str(old_match.doings[-1].seq)}
    client.post(undo.action, data=end)
    assert matches.get(match).ended, "its end is not undone there, for another match is on"


def test_five_cannot_sit_so_that_somebody_missed_a_deal_that_they_played(
    client: FlaskClient, matches: MatchRepository
) -> None:
    match = matches.begin(replace(AGREED_TERMS, players=(*AGREED_TERMS.players, "Eve")))
    settle(matches, match, "Cy")
    page = get_page(client, f"/match/{match}/seats/")
    assert "sits out" in page.text
    answer = client.get(f"/match/{match}/seats/?order=4+1+2+3+0&winds=ESWN")
    assert answer.status_code == 422
    assert "Deal 1: 'Ann' did not play this deal." in Page(answer.text).text
    assert not Page(answer.text).forms


@pytest.mark.parametrize(
    "query",
    ["order=0+1+2", "order=0+1+2+2", "order=0+1+2+9", "order=x", "order=0+1+2+3&winds=EWSN"],
)
def test_an_address_that_makes_no_sense_is_refused(
    client: FlaskClient, match: str, query: str
) -> None:
    assert client.get(f"/match/{match}/seats/?{query}").status_code == 400


def test_a_deal_of_a_match_that_is_over_is_corrected_after_the_next_began(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    settle(matches, match, "Cy")
    matches.change(match, MatchEnded())
    matches.begin(AGREED_TERMS)
    deal_path = f"/match/{match}/deal/1"
    assert f"{deal_path}/correct" in get_page(client, f"/match/{match}/").links("/match/")
    page = get_page(client, f"{deal_path}/changes?who=3")
    (form,) = [each for each in page.forms if "/correct" in each.action]
    assert client.post(form.action, data=form.hidden_fields).status_code == 303
    assert getattr(matches.get(match).course.rows[0].event, "winner", "") == "Di"
    assert matches.get(match).ended
