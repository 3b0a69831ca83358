"""Two phones that do the same at the same moment: one does it, the other is told."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.matches.match import Ending, Match
from device.matches.repository import MatchRepository, OvertakenError
from device.store import Event, Store
from device.store.events import DealSettled, ScoreTyped, WinnerEntered
from tests.device.match_play import AGREED_TERMS, SCORES
from tests.device.page import Page, get_page


def test_a_deal_that_two_confirm_at_once_is_settled_once(
    matches: MatchRepository, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))
    version = matches.get(match).version
    append, barrier = store.append, threading.Barrier(2)

    def slowly(stream: str, event: Event, **options: Any) -> int:  # noqa: ANN401
        with suppress(threading.BrokenBarrierError):
            barrier.wait(0.5)  # were both of them let in, they would meet here
        return append(stream, event, **options)

    monkeypatch.setattr(store, "append", slowly)
    answers = []

    def confirm() -> None:
        try:
            matches.change(match, DealSettled("Cy", SCORES), seen_version=version)
        except OvertakenError:
            answers.append("overtaken")

    phones = [threading.Thread(target=confirm) for _ in range(2)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert len(matches.get(match).past) == 1
    assert answers == ["overtaken"]


def test_a_score_that_was_put_right_since_is_looked_at_before_the_deal_is_settled(
    client: FlaskClient, matches: MatchRepository
) -> None:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))
    for player, score in SCORES.items():
        matches.change(match, ScoreTyped(player, score))
    version = matches.get(match).version
    matches.change(match, ScoreTyped("Ann", SCORES["Ann"] + 2))
    client.post("/table/settle", data={"seen": version})
    assert not matches.get(match).past
    client.post("/table/settle", data={"seen": matches.get(match).version})
    assert len(matches.get(match).past) == 1


NAMES = {"player0": "Ann", "player1": "Bob", "player2": "Cy", "player3": "Di"}

Step = tuple[int, str, dict[str, str]]
"""Whose phone it is, where it posts to, and what."""

PHOTO: Step = (0, "/table/hand/0/score", {"score": "28"})
OTHERS_PHOTO: Step = (1, "/table/hand/1/score", {"score": "28"})
OTHERS_WORD: Step = (1, "/table/winner", {"who": "3"})


@pytest.fixture
def phones(app: Flask) -> dict[int, FlaskClient]:
    phones = {number: app.test_client() for number in (0, 1, -1)}
    rules = {"ruleset": "bmja", "limit": "1000"}
    phones[0].post("/match/new", data=NAMES | rules)
    for number, phone in phones.items():
        phone.post("/table/join", data={"number": str(number)})
    return phones


def current_match(hands: HandRepository) -> Match:
    match = MatchRepository(hands.store).current()
    assert match
    return match


@pytest.mark.parametrize(
    ("later_steps", "counts"),
    [
        ([], True),
        ([PHOTO], True),  # the fault: back from the winner's photo
        ([OTHERS_PHOTO], False),  # somebody else goes by what was said
        ([PHOTO, OTHERS_PHOTO], False),
        ([OTHERS_WORD], False),  # two who act at once
    ],
)
def test_a_second_answer_of_the_same_page(
    phones: dict[int, FlaskClient], hands: HandRepository, later_steps: list[Step], counts: bool
) -> None:
    page_fields = {"seen": str(current_match(hands).version), "who": "1"}
    phones[0].post("/table/winner", data=page_fields | {"won_by": "discard"})
    for number, url, fields in later_steps:
        assert phones[number].post(url, data=fields).status_code == 303
    before = current_match(hands).deal.ending
    answer = phones[0].post("/table/winner", data=page_fields | {"won_by": "wall"})
    assert answer.status_code == (303 if counts else 409)
    assert current_match(hands).deal.ending == (Ending("Bob", "wall") if counts else before)
    if not counts:
        assert "/table/" in Page(answer.text).links(), "there is a way on"


def test_a_page_of_a_deal_that_is_settled_says_nothing_of_the_next(
    phones: dict[int, FlaskClient], hands: HandRepository
) -> None:
    fields = {"seen": str(current_match(hands).version), "who": "1"}
    phones[0].post("/table/winner", data=fields)
    for number in range(4):
        phones[0].post(f"/table/hand/{number}/score", data={"score": "28"})
    phones[0].post("/table/settle", data={"seen": str(current_match(hands).version)})
    assert phones[0].post("/table/winner", data=fields).status_code == 409
    assert current_match(hands).deal.ending is None


def test_a_phone_that_is_nobodys_is_told(
    phones: dict[int, FlaskClient], hands: HandRepository
) -> None:
    """Of two phones that have not said whose they are, nobody can tell which it was."""
    fields = {"seen": str(current_match(hands).version), "who": "1"}
    assert [phones[-1].post("/table/winner", data=fields).status_code for _ in "12"] == [303, 409]


@pytest.mark.parametrize(
    ("fields", "expected_text", "leads"),
    [
        ({"who": "1", "won_by": "discard"}, "Bob went out: on a discard", "/table/winner?who=1"),
        ({}, "Wash-out: nobody went out", "/table/winner"),
    ],
)
def test_the_table_says_how_the_deal_ended_and_leads_to_the_question(
    phones: dict[int, FlaskClient], fields: dict[str, str], expected_text: str, leads: str
) -> None:
    assert not get_page(phones[0], "/table/").all(".ending")
    phones[0].post("/table/winner", data=fields)
    ending = get_page(phones[1], "/table/").single(".ending")
    assert (ending["href"], ending.single("b").text) == (leads, expected_text)
