"""A match or hand with an event that makes no sense: shown up to there, kept, and gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchEnded, TileCorrected
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS, settle
from tests.device.page import Page, get_page

Cut = Callable[[str, int], str]


@pytest.fixture
def cut(client: FlaskClient) -> Cut:
    """Return how a player goes on from before an event; it gives the page that follows."""

    def button(stream: str, seq: int) -> str:
        damage_page = client.get(f"/damaged/{stream}/")
        assert damage_page.status_code == 200
        assert Page(damage_page.text).all(f'[name="since"][value="{seq}"]')
        cut_response = client.post(f"/damaged/{stream}/cut", data={"since": str(seq)})
        assert cut_response.status_code == 303
        return str(cut_response.headers["Location"])

    return button


def test_a_match_that_two_boxes_settled_goes_on_from_before_that(
    client: FlaskClient, store: Store, matches: MatchRepository, cut: Cut
) -> None:
    other, match = matches.begin(AGREED_TERMS), matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    before = matches.get(match)
    settled_row = store.raw_rows(match)[-1]
    torn_seq = write_raw(store, match, settled_row[2], json.loads(settled_row[3]))
    write_raw(store, match, "winner-said", {"winner": "Ann"})

    text = client.get(f"/match/{match}/").text
    assert "cannot read entry" in text
    assert "Cy" in text, "the deal before it"
    sheet = client.get(f"/match/{match}/score-sheet.csv")
    assert (sheet.status_code, len(sheet.text.splitlines())) == (200, 5)
    assert client.get("/table/").status_code == 409
    lines = client.get(f"/damaged/{match}/events.jsonl").text.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [row[0] for row in store.raw_rows(match)]

    assert cut(match, torn_seq) == f"/match/{match}/"
    after = matches.get(match)
    assert (after.course, after.past) == (before.course, before.past)
    settle(matches, match, "Ann")
    assert len(matches.get(match).past) == 2
    assert client.get("/table/").status_code == 200
    assert not list(store.find_torn())
    assert client.get(f"/damaged/{match}/").status_code == 404, "nothing is wrong any more"
    assert [row[0] for row in store.raw_rows(match)][: len(lines)] == [
        json.loads(k)["seq"] for k in lines
    ]
    assert matches.get(other).ended


def test_a_hand_goes_on_from_before_a_correction_that_is_none(
    client: FlaskClient, store: Store, hands: HandRepository, read_hand: str, cut: Cut
) -> None:
    hands.change(read_hand, TileCorrected(0, "B1"))
    before = hands.get(read_hand)
    torn_seq = write_raw(store, read_hand, "tile-corrected", {"tile": 99, "code": "B1"})
    assert client.get(f"/hand/{read_hand}/").status_code == 409
    assert cut(read_hand, torn_seq) == f"/hand/{read_hand}/"
    assert hands.get(read_hand).tiles == before.tiles
    assert client.get(f"/hand/{read_hand}/").status_code == 200


CHANGES: list[tuple[int, str]] = [
    (-1, "an event that is fine"),
    (1, "one that came after the bad one"),
    (10**9, "no number of the log"),
]


def test_only_what_makes_no_sense_is_cut_off(
    client: FlaskClient, store: Store, matches: MatchRepository
) -> None:
    match = matches.begin(AGREED_TERMS)
    torn_seq = write_raw(store, match, "match-won", {})
    write_raw(store, match, "match-ended", {})
    rows = store.raw_rows(match)
    for other_change, reason in CHANGES:
        answer = client.post(f"/damaged/{match}/cut", data={"since": str(torn_seq + other_change)})
        assert answer.headers["Location"] == f"/damaged/{match}/", reason
        assert store.raw_rows(match) == rows


def test_of_two_who_go_on_one_cuts_and_both_see_it(
    client: FlaskClient, store: Store, matches: MatchRepository, cut: Cut
) -> None:
    match = matches.begin(AGREED_TERMS)
    torn_seq = write_raw(store, match, "match-won", {})
    cut(match, torn_seq)
    matches.change(match, MatchEnded())
    rows = store.raw_rows(match)
    client.post(f"/damaged/{match}/cut", data={"since": str(torn_seq)})
    assert store.raw_rows(match) == rows
    assert matches.get(match).ended


def test_a_match_whose_beginning_is_bad_is_kept_as_a_file(
    client: FlaskClient, store: Store
) -> None:
    torn_seq = write_raw(store, "abc", "match-begun", {"players": 7})
    shown_page = get_page(client, "/damaged/abc/")
    assert "nothing before it to go back to" in shown_page.text
    assert not shown_page.all(f'[value="{torn_seq}"]')
    client.post("/damaged/abc/cut", data={"since": str(torn_seq)})
    assert len(store.raw_rows("abc")) == 1
    assert client.get("/damaged/abc/events.jsonl").text.count("\n") == 1


def test_of_what_is_whole_or_not_there_nothing_is_said(client: FlaskClient) -> None:
    for stream in ("nothing", "box", "pupil:ann"):
        assert client.get(f"/damaged/{stream}/").status_code == 404
        assert client.get(f"/damaged/{stream}/events.jsonl").status_code == 404
