"""A slip in a name is put right in the midst of a match, and nothing else changes."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealCorrected
from tests.device.match_play import AGREED_TERMS, FEE, settle
from tests.device.page import Page, get_page, main_text

NAMES = {"player0": "Anne", "player1": "Bob", "player2": "Cyril", "player3": "Di"}


@pytest.fixture
def match(matches: MatchRepository, client: FlaskClient) -> str:
    """Play two deals and a payment, correct one, and begin a third; the phone is Cy's."""
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy", tap_id="Ann")
    settle(matches, match, None, tap_id="Cy")
    matches.change(match, FEE)
    matches.change(
        match, DealCorrected(1, winner="Ann", scores=dict.fromkeys(AGREED_TERMS.players, 40))
    )
    client.post("/table/join", data={"number": "2"})
    client.post("/table/winner", data={"who": "2", "won_by": "wall"})
    client.post("/table/hand/0/score", data={"score": "40"})
    return match


def by_place(match: Match) -> list[int]:
    return [match.course.totals[player] for player in match.game.players]


def test_a_name_is_changed_everywhere_and_nothing_else_is(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    before = matches.get(match)
    assert "Change a name" in main_text(client, "/table/")
    assert get_page(client, "/table/names/").value("player2") == "Cy"
    answer = client.post("/table/names/", data=NAMES | {"seen": str(before.version)})
    assert answer.status_code == 303
    after = matches.get(match)
    assert after.game.players == ("Anne", "Bob", "Cyril", "Di")
    assert by_place(after) == by_place(before)
    assert after.deal.given_hand("Anne").typed == 40
    assert after.deal.ending
    assert after.deal.ending.winner == "Cyril"
    for page in ("/table/", f"/match/{match}/", "/table/hand/0"):
        text = main_text(client, page)
        assert re.search(r"\bAnne\b", text)
        assert not re.search(r"\b(Ann|Cy)\b", text), page
    assert "Cyril changed a name" in main_text(client, f"/match/{match}/"), (
        "the phone is still the same player's"
    )


def test_the_match_goes_on_under_the_new_name(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    client.post("/table/names/", data=NAMES)
    for number in (1, 2, 3):
        client.post(f"/table/hand/{number}/score", data={"score": "40"})
    client.post("/table/settle")
    assert len(matches.get(match).past) == 3
    assert matches.get(match).past[-1].by == "Cyril"
    assert "Anne" in main_text(client, "/table/deal/1/correct")


SAME_NAME = "Two players have the same name. Please change one of them."


@pytest.mark.parametrize(
    ("before", "names", "expected", "reason"),
    [
        (
            {},
            {"player0": "Bob"},
            SAME_NAME,
            "somebody else's",
        ),
        (
            {},
            {"player0": "bOB"},
            SAME_NAME,
            "is the same",
        ),
        (
            {},
            {"player0": "Cy", "player2": "Ann"},
            "“Ann” is or was another player's name in this match. Choose another name. "
            "If two players sit in each other's places, tap “Wrong seats?”.",
            "swapped: nobody could tell who said what before",
        ),
        (
            {"player0": "Anne"},
            {"player0": "Anne", "player1": "Ann"},
            "“Ann” is or was another player's name in this match",
            "by way of a third name",
        ),
    ],
)
def test_everybody_keeps_a_name_of_their_own(
    client: FlaskClient,
    matches: MatchRepository,
    match: str,
    before: dict[str, str],
    names: dict[str, str],
    expected: str,
    reason: str,
) -> None:
    names_by_field = {f"player{n}": name for n, name in enumerate(AGREED_TERMS.players)}
    client.post("/table/names/", data=names_by_field | before)
    players = matches.get(match).game.players
    answer = client.post("/table/names/", data=names_by_field | names)
    assert answer.status_code == 422
    page = Page(answer.text)
    assert expected in page.text, reason
    assert f"/match/{match}/seats/" in page.links("/match/"), "the way that helps is at hand"
    assert matches.get(match).game.players == players


def test_an_empty_field_changes_no_name(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    client.post("/table/names/", data=NAMES | {"player3": " "})
    assert matches.get(match).game.players[3] == "Di"


def test_a_name_may_be_changed_back(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    client.post("/table/names/", data=NAMES)
    client.post("/table/names/", data=NAMES | {"player0": "Ann"})
    assert matches.get(match).game.players[0] == "Ann"


def test_the_next_match_is_proposed_with_the_new_names(
    client: FlaskClient, match: str, store: Store
) -> None:
    client.post("/table/names/", data=NAMES)
    assert get_page(client, "/match/new").all('[value="Cyril"]')
