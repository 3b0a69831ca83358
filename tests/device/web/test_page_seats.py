"""Two phones at one player's seat: nothing that either gives in is lost, and both are told."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from flask import Flask
from msgspec import structs
from werkzeug.test import TestResponse

from device.intake import IncomingPhoto, MatchHand
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store.events import DealSettled, MatchEnded, WinnerEntered
from device.web.contexts import photo_desk
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, Group, lay, picture
from tests.device.match_play import AGREED_TERMS, settle
from tests.device.page import Page

SEAT = "/table/hand/1"
"""Bob's."""

OTHER: tuple[Group, ...] = (("concealed", "C1 C2 C3 C4 C5 C6 O1 O2 O3 WS WS DW DG"),)


class Phone:
    """A phone that shows a page, and sends what the forms of that page say."""

    def __init__(self, app: Flask, player: int) -> None:
        self.client = app.test_client()
        self.client.post("/table/join", data={"number": str(player)})
        self.page = Page("")

    def open(self, path: str) -> str:
        """Open a page; return what it says."""
        self.page = Page(self.client.get(path, follow_redirects=True).text)
        return self.page.main.text

    def send(self, action: str, **fields: object) -> TestResponse:
        """Send the form of the page that leads there."""
        form = next(each for each in self.page.forms if each.action.startswith(f"{action}?"))
        return self.client.post(form.action, data=form.hidden_fields | fields)

    def photograph(self, data: bytes) -> str:
        """Photograph the player's hand on its page; return the id of the hand."""
        answer = self.send(SEAT, photo=(io.BytesIO(data), "hand.jpg"))
        assert answer.status_code == 303
        return answer.headers["Location"].rstrip("/").rpartition("/")[2]


@pytest.fixture
def phones(app: Flask, matches: MatchRepository) -> tuple[Phone, Phone]:
    """Return Ann's phone and Di's, both at the page that asks for Bob's hand."""
    matches.change(matches.begin(AGREED_TERMS), WinnerEntered(winner="Cy"))
    pair = (Phone(app, 0), Phone(app, 3))
    for phone in pair:
        phone.open(SEAT)
    return pair


Match_ = Callable[[], Match]


@pytest.fixture
def read_match(matches: MatchRepository) -> Match_:
    def current() -> Match:
        match = matches.current()
        assert match
        return match

    return current


def test_of_two_photos_at_once_the_table_says_which_counts(
    phones: tuple[Phone, Phone], wait_settled: Wait, read_match: Match_, reader: FakeReader
) -> None:
    ann, di = phones
    first = ann.photograph(picture(lay()))
    wait_settled(first)
    reader.reading = lay(OTHER)
    second = di.photograph(picture(lay(OTHER), "#7a1f2b"))
    wait_settled(second)
    for phone, own_hand in ((ann, first), (di, second)):
        page = phone.open(f"/hand/{own_hand}/")
        assert "Which one is Bob's hand?" in page, "both are told, wherever they look"
        assert "Ann," in page
        assert "Di," in page
        assert {first, second} <= set(phone.page.values("hand"))
    assert not read_match().deal.given_hand("Bob").agreed
    assert "which one?" in ann.open("/table/")
    ann.open(f"{SEAT}/which/")
    answer = ann.client.post(f"{SEAT}/which/", data={"hand": first})
    assert answer.status_code == 303
    assert read_match().deal.given_hand("Bob").hand == first
    page = di.open(f"/hand/{second}/")
    assert "Ann has entered another photo of this hand. This one no longer counts." in page
    assert second in di.page.values("hand"), "it can still be taken"


def test_what_was_agreed_is_asked_about_when_another_photo_comes(
    phones: tuple[Phone, Phone], wait_settled: Wait, read_match: Match_
) -> None:
    ann, di = phones
    first = ann.photograph(picture(lay(OTHER)))
    wait_settled(first)
    ann.client.post(f"{SEAT}/right", data={"hand": first})
    assert read_match().deal.given_hand("Bob").agreed
    second = di.photograph(picture(lay(OTHER), "#7a1f2b"))
    assert not read_match().deal.given_hand("Bob").agreed
    assert read_match().deal.given_hand("Bob").all_ids == (first, second)


def test_a_page_that_knows_of_the_photo_takes_another_at_once(
    phones: tuple[Phone, Phone], read_match: Match_
) -> None:
    ann, _ = phones
    ann.photograph(picture(lay()))
    ann.open(SEAT)
    second = ann.photograph(picture(lay(OTHER)))
    assert read_match().deal.given_hand("Bob").hand == second
    assert not read_match().deal.given_hand("Bob").others


def test_a_score_is_not_typed_over_a_photo_that_the_page_did_not_show(
    phones: tuple[Phone, Phone], wait_settled: Wait, read_match: Match_
) -> None:
    ann, di = phones
    first = ann.photograph(picture(lay()))
    wait_settled(first)
    answer = di.send(f"{SEAT}/score", score="48")
    assert read_match().deal.given_hand("Bob").counts == first
    page = di.open(answer.headers["Location"])
    assert "Somebody entered this hand while you were on this page." in page
    assert "Ann has entered this hand." in page
    assert di.page.values("score", "[type=number]") == ["48"], "what was typed stands there still"
    di.send(f"{SEAT}/score", score="48")
    assert read_match().deal.given_hand("Bob").counts == "48", "who knows of it may"
    assert "A score of 48 was typed for this hand." in ann.open(f"/hand/{first}/")


def test_a_photo_does_not_replace_a_typed_score_that_the_page_did_not_show(
    phones: tuple[Phone, Phone], read_match: Match_
) -> None:
    ann, di = phones
    ann.send(f"{SEAT}/score", score="48")
    di.photograph(picture(lay()))
    page = di.open(SEAT)
    assert "48 points, typed" in page
    di.client.post(f"{SEAT}/which/", data={"hand": ""})
    assert read_match().deal.given_hand("Bob").counts == "48"
    assert read_match().deal.given_hand("Bob").agreed


def test_tiles_are_not_entered_over_a_photo_that_the_page_did_not_show(
    phones: tuple[Phone, Phone], read_match: Match_
) -> None:
    ann, di = phones
    first = ann.photograph(picture(lay()))
    answer = di.send(f"{SEAT}/enter")
    assert read_match().deal.given_hand("Bob").hand == first
    assert "Ann has entered this hand." in di.open(answer.headers["Location"])


def test_a_capture_page_says_what_has_been_given_in(phones: tuple[Phone, Phone]) -> None:
    ann, di = phones
    ann.photograph(picture(lay()))
    assert "Ann has entered this hand." in di.open(SEAT)
    assert di.page.single("#given[data-live][data-news]"), "it is told at once"


@pytest.mark.parametrize(
    ("winner", "path", "fields"),
    [
        ("Cy", f"{SEAT}/score", {"score": "88"}),
        (None, f"{SEAT}/score", {"score": "88"}),  # the next deal is a goulash
        ("Cy", f"{SEAT}/enter", {}),  # tiles that are tapped
    ],
)
def test_a_page_of_a_deal_that_is_over_gives_in_nothing_for_the_next(
    phones: tuple[Phone, Phone],
    matches: MatchRepository,
    read_match: Match_,
    winner: str | None,
    path: str,
    fields: dict[str, str],
) -> None:
    settle(matches, read_match().id, winner)
    answer = phones[0].send(path, **fields)
    assert answer.status_code == 409
    assert "Somebody confirmed the " in answer.text
    assert not read_match().deal.hands


@pytest.mark.parametrize("path", [SEAT, "/table/whole/"])
def test_a_photo_from_the_page_of_a_deal_that_is_over_is_kept_and_offered(
    phones: tuple[Phone, Phone],
    matches: MatchRepository,
    wait_settled: Wait,
    read_match: Match_,
    path: str,
) -> None:
    ann, _ = phones
    settle(matches, read_match().id, "Cy")
    answer = ann.send(path, photo=(io.BytesIO(picture(lay())), "hand.jpg"))
    hand = answer.headers["Location"].rstrip("/").rpartition("/")[2]
    wait_settled(hand)
    assert not read_match().deal.hands
    page = ann.open(f"/hand/{hand}/")
    assert "from the page of another deal. It does not count. Whose hand is it in deal 2?" in page
    assert "/table/" in ann.page.links()
    ann.send(f"{SEAT}/which/", hand=hand)
    assert read_match().deal.given_hand("Bob").hand == hand
    assert "another deal" not in ann.open(f"/hand/{hand}/")


def test_a_deal_that_is_settled_while_a_photo_is_decoded_keeps_it_out_of_the_next(
    app: Flask, phones: tuple[Phone, Phone], matches: MatchRepository, read_match: Match_
) -> None:
    page_match = read_match()
    purpose = MatchHand(page_match, "Bob", "Ann", "", page_match.course.next_deal.number)

    def settle_first() -> IncomingPhoto:
        settle(matches, page_match.id, "Cy")
        return IncomingPhoto("hand.jpg", lambda: picture(lay()), by_phone=True)

    with app.test_request_context():
        photo_desk().intake.take(settle_first, purpose)
    assert not read_match().deal.hands


def test_a_hand_that_was_undone_says_so_and_can_be_given_in_again(
    phones: tuple[Phone, Phone], matches: MatchRepository, wait_settled: Wait, read_match: Match_
) -> None:
    ann, di = phones
    hand = ann.photograph(picture(lay()))
    wait_settled(hand)
    matches.undo(read_match().id, read_match().doings[-1].seq)
    page = ann.open(f"/hand/{hand}/")
    assert "This hand was undone. It does not count. Whose hand is it in deal 1?" in page
    di.open(SEAT)
    other = di.photograph(picture(lay(OTHER)))
    ann.send(f"{SEAT}/which/", hand=hand)
    assert read_match().deal.given_hand("Bob").all_ids == (other, hand), "the table is asked"
    settle(matches, read_match().id, "Cy")
    matches.change(read_match().id, MatchEnded())
    assert "was undone" not in ann.open(f"/hand/{hand}/")


def test_a_hand_of_a_deal_that_is_over_is_not_read_as_the_whole_table_of_the_next(
    phones: tuple[Phone, Phone], matches: MatchRepository, wait_settled: Wait, read_match: Match_
) -> None:
    ann, _ = phones
    hand = ann.photograph(picture(lay()))
    wait_settled(hand)
    settle(matches, read_match().id, "Cy")
    answer = ann.client.post(f"/table/whole/of/{hand}")
    assert answer.status_code == 409


def test_an_open_page_says_that_its_deal_is_over_and_leads_on(
    phones: tuple[Phone, Phone], matches: MatchRepository, read_match: Match_
) -> None:
    ann, _ = phones
    settle(matches, read_match().id, "Cy")
    news = ann.page.single("#given")["data-news"]
    for _ in "12":  # however often it looks
        page = ann.open(news)
        assert "This page is of another deal. Go to deal 2" in page
        news = ann.page.single("#given")["data-news"]


def test_take_again_on_a_page_of_a_deal_that_is_over_leads_to_that_deal(
    phones: tuple[Phone, Phone], matches: MatchRepository, wait_settled: Wait, read_match: Match_
) -> None:
    ann, _ = phones
    hand = ann.photograph(picture(lay()))
    wait_settled(hand)
    ann.open(f"/hand/{hand}/")
    address = next(link for link in ann.page.links() if link.startswith(SEAT))
    settle(matches, read_match().id, "Cy")
    assert "This page is of another deal. Go to deal 2" in ann.open(address)
    ann.send(SEAT, photo=(io.BytesIO(picture(lay(OTHER))), "hand.jpg"))
    assert not read_match().deal.hands


def test_a_photo_from_an_old_page_is_kept_where_its_player_sits_out_now(
    app: Flask, matches: MatchRepository, read_match: Match_
) -> None:
    five = structs.replace(AGREED_TERMS, players=(*AGREED_TERMS.players, "Eve"))
    matches.change(matches.begin(five), WinnerEntered(winner="Cy"))
    phone = Phone(app, 1)
    phone.open("/table/hand/0")
    match = read_match()
    scores = dict.fromkeys(match.course.next_deal.seats.values(), 40)
    matches.change(match.id, DealSettled("Cy", scores))
    assert "Ann" not in read_match().course.next_deal.seats.values()
    answer = phone.send("/table/hand/0", photo=(io.BytesIO(picture(lay())), "hand.jpg"))
    assert answer.headers["Location"].startswith("/hand/")


@pytest.mark.parametrize(("score", "field"), [("87", "doubted"), ("44", "since")])
def test_a_score_that_is_asked_back_about_stays_with_its_deal(
    phones: tuple[Phone, Phone],
    matches: MatchRepository,
    read_match: Match_,
    score: str,
    field: str,
) -> None:
    ann, di = phones
    if field == "since":
        di.send(f"{SEAT}/score", score="20")
    address = ann.send(f"{SEAT}/score", score=score).headers["Location"]
    assert f"{field}={score}" in address
    settle(matches, read_match().id, "Cy")
    assert "This page is of another deal. Go to deal 2" in ann.open(address)
    assert ann.send(f"{SEAT}/score", score=score).status_code == 409


def test_a_hand_that_somebody_entered_before_the_tiles_stays_with_its_deal(
    phones: tuple[Phone, Phone], matches: MatchRepository, read_match: Match_
) -> None:
    ann, di = phones
    di.send(f"{SEAT}/score", score="20")
    address = ann.send(f"{SEAT}/enter").headers["Location"]
    assert "Somebody entered this hand" in ann.open(address)
    settle(matches, read_match().id, "Cy")
    assert "This page is of another deal. Go to deal 2" in ann.open(address)
