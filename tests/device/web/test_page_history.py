"""The pages of history, correction and payment: seen before kept, kept with a name and a time."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealSettled, MatchEnded, TileCorrected, WinnerEntered
from tests.device.match_play import AGREED_TERMS, FEE, SCORES, give_hand, settle
from tests.device.page import Page, get_page, main_text
from tests.spreadsheets import csv_rows

pytestmark = pytest.mark.slow


@pytest.fixture
def match(matches: MatchRepository, client: FlaskClient) -> str:
    """Play two deals and a payment; the phone is Ann's."""
    match = matches.begin(AGREED_TERMS)
    client.post("/table/join", data={"number": "0"})
    settle(matches, match, "Cy", tap_id="Ann")
    settle(matches, match, "Bob", tap_id="Di")
    matches.change(match, FEE)
    return match


def test_the_history_tells_every_deal_the_newest_first(client: FlaskClient, match: str) -> None:
    page = main_text(client, "/table/history")
    order = ["Looked at Bob's tiles", "Bob went out", "Cy went out"]
    assert [page.index(each) for each in order] == sorted(page.index(each) for each in order)
    assert "Di confirmed the deal" in page
    assert "Ann pays Bob" in page or "Bob pays Cy" in page
    assert page == main_text(client, f"/match/{match}/")


def test_a_new_match_has_an_empty_history(client: FlaskClient, matches: MatchRepository) -> None:
    match = matches.begin(AGREED_TERMS)
    assert "No deal has been scored yet" in main_text(client, "/table/history")
    sheet = get_page(client, f"/match/{match}/").single(".score-sheet")
    assert [each.text for each in sheet.all("tfoot td")] == ["2000"] * 4, "what each begins with"
    assert not sheet.all("tbody tr")


def test_without_a_match_there_is_no_history(client: FlaskClient) -> None:
    assert client.get("/table/history").status_code == 404
    assert client.get("/match/nowhere/").status_code == 404
    assert "No match has been played" in main_text(client, "/matches")


def test_an_ended_match_is_listed_and_put_right_alone(
    client: FlaskClient, match: str, matches: MatchRepository
) -> None:
    matches.change(match, MatchEnded())
    assert "won with" in main_text(client, "/matches")
    page = get_page(client, f"/match/{match}/")
    assert not page.main.all("form"), "nothing is undone"
    assert page.links(f"/match/{match}/deal/1/correct")
    answer = client.post(f"/match/{match}/undo", data={"seq": "3"})
    assert answer.headers["Location"].startswith(f"/match/{match}/final")


def test_the_preview_names_the_hands_that_were_counted_with_other_winds(
    client: FlaskClient, matches: MatchRepository, store: Store, read_hand: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")  # East passes to Bob
    give_hand(matches, match, store, read_hand, "Bob", winner="Bob")
    matches.change(match, DealSettled(winner="Bob", scores={**SCORES, "Bob": 224}))
    page = main_text(client, "/table/deal/1/changes?who=0")
    assert "Deal 2: Bob's hand scored 224. As South," in page
    assert "its tiles now score 108." in page
    assert "settled at 224" not in main_text(client, "/table/deal/1/changes?score0=20"), (
        "same winds"
    )
    deleted = main_text(client, "/table/deal/1/changes?struck=1")
    assert "Deal 2: Bob's hand scored 224." in deleted, "by its number in the history"
    client.post("/table/deal/1/correct", data={"struck": "1"})
    for page in (deleted, main_text(client, "/table/deal/1/changes")):
        assert page.count("Deal 1") == 1, "the deal that is deleted, or brought back"
        assert "Changes with it Deal 2" in page


def test_the_preview_tells_what_later_deals_become_and_keeps_nothing(
    client: FlaskClient, match: str, matches: MatchRepository
) -> None:
    before = matches.get(match)
    page = main_text(client, "/table/deal/1/changes?who=0&won_by=discard")
    assert "Cy went out: from the wall Ann went out: on a discard" in page.replace("becomes ", "")
    assert "Changes with it Deal 2" in page
    assert "Only the totals change (1)" in page, "the payment"
    assert matches.get(match) == before


def test_a_confirmed_correction_stands_in_the_history(
    client: FlaskClient, match: str, matches: MatchRepository
) -> None:
    version = matches.get(match).version
    form = {"who": "0", "won_by": "discard", "score3": "20", "seen": str(version)}
    answer = client.post("/table/deal/1/correct", data=form)
    assert answer.headers["Location"] == f"/match/{match}/", "new totals and Undo are at the top"
    page = main_text(client, "/table/history")
    assert "Ann went out: on a discard" in page
    assert "Ann corrected a deal at" in page, "by the phone's player"
    (entry, _) = matches.get(match).course.rows[:2]
    assert getattr(entry.event, "scores", {}) == {**SCORES, "Di": 20}


def test_a_phone_that_was_overtaken_is_told_and_changes_nothing(
    client: FlaskClient, match: str, matches: MatchRepository
) -> None:
    version = matches.get(match).version
    settle(matches, match, "Di", tap_id="Bob")
    match_record = matches.get(match)
    answer = client.post("/table/deal/1/correct", data={"who": "0", "seen": str(version)})
    assert answer.status_code == 409
    assert "Bob confirmed the deal" in Page(answer.text).text
    assert matches.get(match) == match_record


def test_a_struck_deal_stays_to_be_seen_and_comes_back(client: FlaskClient, match: str) -> None:
    assert "Deleted" in main_text(client, "/table/deal/1/changes?struck=1")
    client.post("/table/deal/1/correct", data={"struck": "1"})
    assert "Deleted: does not count Cy went out" in main_text(client, "/table/history")
    sheet = get_page(client, f"/match/{match}/")
    assert sheet.attributes("href", ".score-sheet tbody th a") == ["#entry-2", "#entry-3"]
    form = get_page(client, "/table/deal/1/correct")
    assert form.value("score2") == "208", "Cy's score as it was"
    client.post("/table/deal/1/correct", data={})
    assert "Deleted" not in main_text(client, "/table/history")


@pytest.mark.parametrize(
    ("query", "expected", "reason"),
    [
        ("", "Nothing changes", "as it was settled"),
        ("?score0=-4", "Deal 1: Ann's score is -4", "no hand scores below 0"),
        ("?won_by=discard", "on a discard", "how it was won is kept, too"),
        ("?who=-1", "Wash-out: nobody went out", "then there are no scores"),
        ("?struck=1", "Delete this deal", "one more tap, on what it changes"),
    ],
)
def test_what_the_preview_says(
    client: FlaskClient, match: str, query: str, expected: str, reason: str
) -> None:
    page = main_text(client, f"/table/deal/1/changes{query}")
    assert expected in page, reason
    assert ("Confirm the correction" in page) == (query in ("?won_by=discard", "?who=-1"))


def test_what_is_no_deal_is_not_corrected(client: FlaskClient, match: str) -> None:
    for path in ("9/correct", "3/correct", "9/changes?struck=1", "1/correct?who=7"):
        assert client.get(f"/table/deal/{path}").status_code == 404


def test_tiles_put_right_since_are_offered_and_taken_over(
    client: FlaskClient,
    matches: MatchRepository,
    hands: HandRepository,
    store: Store,
    read_hand: str,
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, DealSettled(winner="Ann", scores={**SCORES, "Ann": 224}))
    assert "tiles:" not in main_text(client, "/table/history")
    hands.change(hand, TileCorrected(tile=15, code=None))
    assert "tiles: 104" in main_text(client, "/table/history")
    assert "The tiles score 104." in main_text(client, "/table/deal/1/correct")
    assert get_page(client, "/table/deal/1/correct?take=0").value("score0") == "104"
    text = main_text(client, "/table/deal/1/correct?who=1")
    assert "The tiles score 60." in text, "without 20 for Mah-Jong and 2 for the wall: 30 × 2"


@pytest.mark.parametrize(
    ("query", "amounts", "reason"),
    [
        ("penalty=false-mah-jong", [166, 166, 166], "half the limit, shared evenly"),
        ("penalty=misnamed-discard&claimer=2", [0, 50, 0], "50 to who claimed it"),
        ("penalty=cannon", [0, 208, 208], "what Cy and Di had paid Bob, the winner"),
        ("penalty=", [0, 0, 0], "for the table to say"),
    ],
)
def test_a_penalty_fills_in_what_each_receives(
    client: FlaskClient, matches: MatchRepository, query: str, amounts: list[int], reason: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, WinnerEntered(winner="Bob"))
    scores = {"Ann": 0, "Bob": 208, "Cy": 0, "Di": 0}
    matches.change(match, DealSettled(winner="Bob", scores=scores))
    page = get_page(client, f"/table/charge/amounts?payer=0&{query}")
    assert [int(page.value(f"amount{n}")) for n in (1, 2, 3)] == amounts, reason


def test_who_claimed_the_tile_is_asked(client: FlaskClient, match: str) -> None:
    page = main_text(client, "/table/charge/amounts?payer=0&penalty=misnamed-discard")
    assert "Who claimed the tile?" in page


def test_a_penalty_that_goes_by_a_deal_is_greyed_before_one(
    client: FlaskClient, matches: MatchRepository
) -> None:
    matches.begin(AGREED_TERMS)
    page = get_page(client, "/table/charge/")
    assert page.single('[value="cannon"][disabled]')
    assert "Nobody won the last one." in page.text


def test_a_payment_is_written_down_with_its_reason(
    client: FlaskClient, match: str, matches: MatchRepository
) -> None:
    form = {"payer": "3", "why": "  Dropped   the wall ", "amount0": "20", "amount1": "0"}
    client.post("/table/charge/", data=form)
    page = main_text(client, "/table/history")
    assert "Dropped the wall" in page
    assert "Di pays Ann 20." in page
    assert "Ann added a payment" in page
    assert matches.get(match).course.rows[-1].changes == {"Ann": 20, "Bob": 0, "Cy": 0, "Di": -20}


@pytest.mark.usefixtures("match")
def test_a_payment_that_cannot_be_says_why(client: FlaskClient) -> None:
    for form, sentence in (
        ({"payer": "0", "why": "Fun"}, "needs somebody who receives it"),
        ({"payer": "0", "why": " ", "amount1": "8"}, "Say in a few words"),
        ({"payer": "0", "why": "Fun", "amount1": "-8"}, "must receive more than 0"),
    ):
        answer = client.post("/table/charge/", data=form)
        assert answer.status_code == 422
        page = Page(answer.text)
        assert sentence in page.single("form .problem").text
        assert "Entry" not in page.text, "nobody has seen a number of an entry"
        assert page.value("why") == form["why"].strip(), "typed stays"
        assert page.value("amount1") == form.get("amount1", "0")


def test_the_score_sheet_is_one_row_a_deal_and_player(client: FlaskClient, match: str) -> None:
    answer = client.get(f"/match/{match}/score-sheet.csv")
    assert answer.mimetype == "text/csv"
    rows = csv_rows(answer.text)
    assert [(row["deal"], row["player"]) for row in rows[:5]] == [
        ("1", "Ann"), ("1", "Bob"), ("1", "Cy"), ("1", "Di"), ("2", "Ann"),
    ]  # fmt: skip
    assert len(client.get(f"/match/{match}/score-sheet.jsonl").text.splitlines()) == len(rows) == 12
    assert client.get(f"/match/{match}/score-sheet.exe").status_code == 404


def test_the_score_sheet_is_a_table_of_deals_and_players(client: FlaskClient, match: str) -> None:
    sheet = get_page(client, f"/match/{match}/").single(".score-sheet table")
    assert sheet.single("caption").text.startswith("Score sheet")
    heads = sheet.all("thead th[scope=col]")
    assert [each.single(".unseen").text for each in heads] == ["Ann", "Bob", "Cy", "Di"]
    rows = sheet.all("tbody tr")
    assert [each.single("th[scope=row] [aria-hidden]").text for each in rows] == ["1", "2", "±"]
    assert rows[0].attributes("href", "th a") == ["#entry-1"]
    first = [each.text.split() for each in rows[0].all("td")]
    assert first[0][:2] == ["E", "80"], "Ann was East"
    assert first[2][:3] == ["went", "out", "208"], "Cy"
    assert len(rows[0].all("td.won")) == 1
    assert rows[2].all("td")[1].text.split()[0] == "+50", "what Ann paid Bob"
    totals = [each.text for each in sheet.all("tfoot td")]
    assert totals == [each.text.split()[-1] for each in rows[2].all("td")]


def test_the_graph_says_what_it_shows(client: FlaskClient, match: str) -> None:
    graph = get_page(client, f"/match/{match}/").single("svg.match-graph[role=img]")
    assert graph["aria-labelledby"] == "graph-title graph-says"
    assert "leads with" in graph.single("desc").text
    assert len(graph.all("polyline")) == 4
    client.post("/table/end")
    assert "won with" in get_page(client, f"/match/{match}/final").single("desc").text
