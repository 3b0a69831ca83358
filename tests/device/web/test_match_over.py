"""A match that is ended: asked first, its final table for all, and what may follow on it."""

from __future__ import annotations

from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from device.hands.repository import HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store.events import ChangeUndone, MatchBegun, MatchEnded
from tests.device.page import Page, get_page

NAMES = ("Ann", "Bob", "Cy", "Di")
RULES = {"ruleset": "bmja", "limit": "1000", "house-bmja": "clean_hand"}


@pytest.fixture
def phones(app: Flask) -> list[FlaskClient]:
    """Begin a match; each of its players has a phone."""
    phones = [app.test_client() for _ in NAMES]
    names = {f"player{place}": name for place, name in enumerate(NAMES)}
    phones[0].post("/match/new", data=names | RULES)
    for number, phone in enumerate(phones):
        phone.post("/table/join", data={"number": str(number)})
    return phones


def current_match(hands: HandRepository) -> Match | None:
    return MatchRepository(hands.store).current()


def newest_match(hands: HandRepository) -> Match:
    match = MatchRepository(hands.store).find_newest()
    assert match
    return match


def play(phone: FlaskClient, winner: int, scores: tuple[int, ...]) -> None:
    phone.post("/table/winner", data={"who": str(winner)})
    for number, score in enumerate(scores):
        phone.post(f"/table/hand/{number}/score", data={"score": str(score)})
    assert phone.post("/table/settle").status_code == 303


def end(phone: FlaskClient) -> str:
    """End the match; return where its final table is."""
    answer = phone.post("/table/end")
    assert answer.status_code == 303
    return answer.headers["Location"]


def response_text(answer: TestResponse) -> str:
    assert answer.status_code == 200, answer.status
    return Page(answer.text).main.text


def test_the_end_is_asked_for_before_it_is_one(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    table = get_page(phones[0], "/table/")
    assert "/table/end" in table.links()
    assert not table.all('[action^="/table/end"]'), "one tap on the table ends nothing"
    play(phones[0], 0, (20, 8, 8, 8))
    shown_page = get_page(phones[0], "/table/end")
    assert "End the match?" in shown_page.text
    assert "/table/" in shown_page.main.links(), "there is a way to play on"
    assert current_match(hands)
    end(phones[0])
    assert current_match(hands) is None


def test_a_deal_that_is_not_settled_is_told_of(phones: list[FlaskClient]) -> None:
    sentence = "Deal 1 has not been scored: it will not count."
    assert sentence not in response_text(phones[0].get("/table/end"))
    phones[0].post("/table/winner", data={"who": "1"})
    assert sentence in response_text(phones[0].get("/table/end"))


def test_who_asks_while_another_settles_is_told(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    seen_seq = get_page(phones[0], "/table/end").value("seen")
    play(phones[1], 0, (40, 8, 8, 8))
    assert phones[0].post("/table/end", data={"seen": seen_seq}).status_code == 409
    assert current_match(hands)


@pytest.mark.parametrize(
    ("deals", "says"),
    [
        (  # one leads; the other three paid alike, and share the second place
            [(0, (40, 8, 8, 8))],
            ["Ann wins with 2240.", "1 Ann 1 +240 2240", "2 joint Bob 0 −80 1920",
             "2 joint Cy 0 −80 1920", "2 joint Di 0 −80 1920",
             "Best hand: Ann, 40 points in deal 1."],
        ),
        ([], ["No deal was scored.", "1 joint Ann 0 0 2000", "1 joint Di 0 0 2000"]),
        (  # two who lead, and two best hands; nobody's place is the second
            [(None, ())],
            ["No deal was scored.", "0 deals were scored.", "No deal was won.",
             "1 joint Bob 0 0 2000"],
        ),
    ],
)  # fmt: skip
def test_the_final_table(
    phones: list[FlaskClient],
    deals: list[tuple[int | None, tuple[int, ...]]],
    says: list[str],
) -> None:
    for winner, scores in deals:
        if winner is None:
            phones[0].post("/table/winner", data={})
            phones[0].post("/table/settle")
        else:
            play(phones[0], winner, scores)
    page = response_text(phones[0].get(end(phones[0])))
    assert [each for each in says if each not in page] == [], page
    assert "Ann ended the match at" in page


PAGES = ("/table/", "/table/winner?who=1", "/table/hand/2", "/table/settle", "/table/end",
         "/table/history", "/table/charge/", "/table/deal/1/correct",
         "/table/deal/1/changes?struck=1", "/match/MATCH/?while-on=yes")  # fmt: skip
STALE: tuple[tuple[str, dict[str, str]], ...] = (
    ("/table/winner", {"who": "1"}),
    ("/table/hand/2/score", {"score": "24"}),
    ("/table/settle", {}),
    ("/match/MATCH/undo", {"seq": "3"}),
)


def test_every_phone_is_led_to_the_final_table_and_told_that_nothing_more_is_kept(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    play(phones[0], 0, (20, 8, 8, 8))
    match = newest_match(hands).id
    pages = [path.replace("MATCH", match) for path in PAGES]
    for path in pages:
        assert not phones[2].get(path, follow_redirects=True).request.path.endswith("/final")
    final = end(phones[0])
    assert {phones[2].get(path).headers["Location"] for path in pages} == {final}
    before = newest_match(hands).version
    for path, fields in STALE:
        answer = phones[2].post(path.replace("MATCH", match), data=fields)
        assert answer.status_code == 303
        assert answer.headers["Location"].partition("?")[0] == final
        assert "was not saved" in response_text(phones[2].get(answer.headers["Location"]))
    assert "was not saved" not in response_text(phones[2].get(final))
    assert newest_match(hands).version == before


def test_two_who_end_it_at_once_both_see_the_final_table(phones: list[FlaskClient]) -> None:
    assert end(phones[0]) == end(phones[1])


def test_it_may_be_gone_on_with_and_every_phone_is_led_back(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    play(phones[0], 0, (20, 8, 8, 8))
    before = newest_match(hands)
    final = end(phones[0])
    resume = final.replace("final", "resume")
    assert resume in [each.action for each in get_page(phones[1], final).forms]
    assert [phones[who].post(resume).headers["Location"] for who in (1, 2)] == ["/table/"] * 2
    match = current_match(hands)
    assert match
    assert (match.course, match.past) == (before.course, before.past)
    kinds = [each.kind for each in hands.store.events(match.id)][-2:]
    assert kinds == ["match-ended", "match-resumed"], "nothing is taken out of the log"
    assert "Bob went on with the match at" in response_text(phones[3].get(f"/match/{match.id}/"))
    assert phones[3].get(final).headers["Location"] == "/table/"
    play(phones[0], 1, (8, 30, 8, 8))


def test_once_another_was_begun_the_last_is_not_gone_on_with(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    final = end(phones[0])
    first = newest_match(hands).id
    phones[0].post(final.replace("final", "again"))
    assert phones[1].post(final.replace("final", "resume")).status_code == 409
    assert newest_match(hands).id != first
    page = get_page(phones[1], final)
    assert "resume" not in str(page)
    assert "The next match has begun." in page.text
    assert "/table/" in page.main.links()


def test_the_same_people_play_again_with_one_tap(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    first = newest_match(hands)
    final = end(phones[0])
    new_match_url = final.replace("final", "again")
    assert new_match_url in [each.action for each in get_page(phones[2], final).forms]
    assert [phones[who].post(new_match_url).headers["Location"] for who in (2, 3)] == [
        "/table/"
    ] * 2
    match = current_match(hands)
    assert match
    assert match.id != first.id
    assert (match.game.players, match.agreement) == (first.game.players, first.agreement)
    streams = hands.store.with_event(MatchBegun, limit=9)
    assert len(streams) == 2, "two phones that ask for it begin one match"


def test_the_seats_are_chosen_anew_wind_by_wind(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    new_match_url = end(phones[0]).replace("final", "again")
    order: list[str] = []
    for wind, player in (("East", "Cy"), ("South", "Di")):
        page = phones[1].get(f"{new_match_url}?order={'+'.join(order)}" if order else new_match_url)
        assert f"Who is {wind}?" in response_text(page)
        order.append(str(NAMES.index(player)))
        assert f"order={'+'.join(order)}" in unescape(page.text)
    last = phones[1].get(f"{new_match_url}?order={'+'.join(order)}")
    assert "Who is West?" in response_text(last)
    assert Page(last.text).all('[name="order"][value="2 3 0 1"]'), "who is left is North"
    phones[1].post(new_match_url, data={"order": "2 3 0 1"})
    match = current_match(hands)
    assert match
    assert match.game.players == ("Cy", "Di", "Ann", "Bob")


def test_an_order_that_seats_somebody_twice_or_nowhere_is_none(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    new_match_url = end(phones[0]).replace("final", "again")
    for order in ("0 1 2", "0 1 2 2", "0 1 2 9", "x"):
        assert phones[0].post(new_match_url, data={"order": order}).status_code == 400
        assert current_match(hands) is None


def test_a_match_that_goes_on_is_not_begun_again(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    final = end(phones[0])
    phones[1].post(final.replace("final", "resume"))
    match = newest_match(hands).id
    assert phones[0].post(final.replace("final", "again")).headers["Location"] == "/table/"
    running_match = current_match(hands)
    assert running_match
    assert running_match.id == match, "a page from before it was gone on with ends nothing"


def test_going_on_can_be_taken_back_and_done_again(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    final = end(phones[0])
    phones[0].post(final.replace("final", "resume"))
    seq = newest_match(hands).doings[-1].seq
    answer = phones[0].post("/table/undo", data={"seq": str(seq)})
    assert phones[0].get(answer.headers["Location"]).headers["Location"] == final
    assert isinstance(hands.store.events(newest_match(hands).id)[-1].event, ChangeUndone)
    phones[0].post(final.replace("final", "resume"))
    assert current_match(hands)
    assert any(isinstance(e.event, MatchEnded) for e in hands.store.events(newest_match(hands).id))


def test_the_history_of_an_ended_match_leads_to_its_final_table(
    phones: list[FlaskClient], hands: HandRepository
) -> None:
    final = end(phones[0])
    assert final in get_page(phones[0], f"/match/{newest_match(hands).id}/").links()
    assert phones[0].get("/match/none/final").status_code == 404
