"""The page on which a hand is entered, without its script: every tap is a form."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.hands.export import export_rows
from device.hands.record import Agreement
from device.hands.repository import HandRepository
from device.hands.scoring import hand_from
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealSettled, MatchEnded, SetRemoved, WinnerEntered
from scorer.notation import format_hand
from tests.device.fake_reader import lay, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page

pytestmark = pytest.mark.slow


@pytest.fixture
def hand(client: FlaskClient) -> str:
    return client.post("/enter").headers["Location"].split("/")[2]


def tap(client: FlaskClient, hand: str, **fields: str) -> Page:
    """Tap, and return the page that follows."""
    return Page(client.post(f"/hand/{hand}/enter", data=fields, follow_redirects=True).text)


def test_a_hand_is_entered_and_has_a_score_when_it_is_whole(
    client: FlaskClient, hands: HandRepository, hand: str
) -> None:
    page = tap(client, hand, kind="pung", row="exposed", code="B3")
    assert "3 of 13 tiles" in page.text
    assert "Not complete" in page.text, "no number while tiles are missing"
    tap(client, hand, kind="pung", row="exposed", code="O9")
    tap(client, hand, kind="pung", row="concealed", code="C2")
    tap(client, hand, kind="pung", row="concealed", code="F2")
    page = tap(client, hand, kind="loose", row="concealed", code="DR")
    assert format_hand(hand_from(hands.get(hand))).startswith("B333 O999 | C222 DR | F2 ")
    assert "10 of 13 tiles" in page.text
    page = tap(client, hand, kind="pung", row="concealed", code="WS")
    assert "22" in page.texts("strong"), "2 + 4 + 4 + 8 + 4 for the flower"
    tap(client, hand, kind="loose", row="concealed", code="F3")
    page = get_page(client, f"/hand/{hand}/")
    assert page.texts(".total strong") == ["26"]
    assert not page.all(".total .was"), "22 was on the way there"
    client.post(f"/hand/{hand}/set/0", data={"row": "concealed"})
    assert get_page(client, f"/hand/{hand}/").texts(".total .was") == ["was 26"]


def test_a_single_hand_is_scored_by_the_rules_of_the_match(
    client: FlaskClient, matches: MatchRepository, hands: HandRepository
) -> None:
    match = matches.begin(replace(AGREED_TERMS, limit=500))
    agreement = matches.get(match).agreement
    photo = {"photo": (io.BytesIO(picture(lay())), "hand.jpg")}
    for path, fields in (("/enter", {}), ("/hands", photo)):
        hand = client.post(path, data=fields).headers["Location"].split("/")[2]
        assert hands.get(hand).agreement == agreement, path
    matches.change(match, MatchEnded())
    hand = client.post("/enter").headers["Location"].split("/")[2]
    assert hands.get(hand).agreement == Agreement(), "there is no match any more"


def test_what_was_chosen_stays_chosen(client: FlaskClient, hand: str) -> None:
    page = tap(client, hand, kind="chow", row="concealed", code="B3")
    assert (page.chosen_values("kind"), page.chosen_values("row")) == (["chow"], ["concealed"])


@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"kind": "chow", "code": "WE"}, 422, "No chow begins with East wind"),
        ({"kind": "kong", "code": "B3"}, 422, "this hand already has 3"),
        ({"kind": "loose", "code": "JK"}, 400, "did not understand"),
        ({"guess": "pung B3 x"}, 400, "did not understand"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_changes_nothing(
    client: FlaskClient,
    hands: HandRepository,
    hand: str,
    fields: dict[str, str],
    status: int,
    says: str,
) -> None:
    tap(client, hand, kind="pung", row="exposed", code="B3")
    before = hands.get(hand)
    answer = client.post(f"/hand/{hand}/enter", data=fields)
    assert answer.status_code == status
    assert says in Page(answer.text).text
    assert hands.get(hand) == before


def test_a_hand_that_cannot_be_is_said_in_words(client: FlaskClient, hand: str) -> None:
    for code in ("B3", "O9", "C2", "C5"):
        tap(client, hand, kind="pung", row="concealed", code=code)
    page = tap(client, hand, kind="pung", row="concealed", code="DR")
    assert "This hand needs 14 tiles and has 15." in page.text, "five pungs"
    assert "Message(" not in str(page)


def test_a_guess_is_one_tap_and_everything_can_be_taken_out(
    client: FlaskClient, hands: HandRepository, hand: str
) -> None:
    tap(client, hand, guess="pung DR ", row="concealed")
    tap(client, hand, kind="loose", code="B1", row="concealed")
    tap(client, hand, guess="loose B1 1", row="concealed")
    assert [s.kind for s in hands.get(hand).assembled_hand.sets] == ["pung", "pair"]
    client.post(f"/hand/{hand}/enter/remove", data={"tiles": "0 1 2"})
    assert [s.kind for s in hands.get(hand).assembled_hand.sets] == ["pair"]
    seq = hands.get(hand).changes[-1].seq
    client.post(f"/hand/{hand}/enter/undo", data={"seq": seq})
    assert [s.kind for s in hands.get(hand).assembled_hand.sets] == ["pung", "pair"]


def test_a_hand_without_a_photo_is_shown_wherever_hands_are(
    client: FlaskClient, hands: HandRepository, hand: str
) -> None:
    tap(client, hand, kind="pung", row="exposed", code="B3")
    assert "Entered by hand" in get_page(client, f"/hand/{hand}/").text
    assert client.get(f"/hand/{hand}/tile/0").status_code == 200
    assert client.get(f"/hand/{hand}/add").status_code == 200
    assert f"/hand/{hand}/" in get_page(client, "/single/").links()
    assert [row.photo for row in export_rows(hands)] == [""], "an export has an empty cell"
    assert client.get(f"/hand/{hand}/thumbnail.jpg").status_code == 404
    assert client.get(f"/hand/{hand}/photo.jpg").status_code == 404


def test_a_photographed_hand_is_finished_by_hand(
    client: FlaskClient, hands: HandRepository, read_hand: str
) -> None:
    hands.change(read_hand, SetRemoved(tiles=(0, 1, 2)))
    assert f"/hand/{read_hand}/enter" in get_page(client, f"/hand/{read_hand}/").links()
    tap(client, read_hand, kind="pung", row="exposed", code="B4")
    assert ("B4", "B4", "B4") in hand_from(hands.get(read_hand)).exposed


def test_a_set_is_split_and_joined_by_one_form(
    client: FlaskClient, hands: HandRepository, hand: str
) -> None:
    tap(client, hand, kind="kong", row="concealed", code="B3")
    way = get_page(client, f"/hand/{hand}/tile/0").value("groups")
    assert way == "0 1 2|3"
    client.post(f"/hand/{hand}/group", data={"groups": way})
    assert [s.kind for s in hands.get(hand).assembled_hand.sets] == ["pung", "loose"]
    way = get_page(client, f"/hand/{hand}/tile/0").value("groups")
    assert way == "0 1 2 3"
    client.post(f"/hand/{hand}/group", data={"groups": way})
    assert [s.kind for s in hands.get(hand).assembled_hand.sets] == ["kong"]


@pytest.fixture
def match(client: FlaskClient, matches: MatchRepository) -> str:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))
    return match


def test_a_seats_hand_is_entered_and_goes_on_where_it_was(
    client: FlaskClient, hands: HandRepository, match: str
) -> None:
    first = client.post("/table/hand/0/enter").headers["Location"].split("/")[2]
    tap(client, first, kind="pung", row="exposed", code="B3")
    same_hand = client.post("/table/hand/0/enter").headers["Location"].split("/")[2]
    assert same_hand == first
    assert hands.get(first).player == "Ann"
    assert "This hand is entered." in get_page(client, "/table/hand/0").text, (
        "perhaps by this phone"
    )
    assert "of 13 tiles" in get_page(client, f"/hand/{first}/enter").text
    winner = client.post("/table/hand/2/enter").headers["Location"].split("/")[2]
    assert "of 14 tiles" in get_page(client, f"/hand/{winner}/enter").text


def test_tiles_that_the_hands_of_a_deal_hold_too_often_are_told_of(
    client: FlaskClient, match: str
) -> None:
    hands = [
        client.post(f"/table/hand/{number}/enter").headers["Location"].split("/")[2]
        for number in (0, 1)
    ]
    tap(client, hands[0], kind="pung", row="exposed", code="B3")
    page = tap(client, hands[1], kind="pair", row="concealed", code="B3")
    assert (
        "only 4 of each tile, but the hands of this deal show 5 of 3 bamboo: Ann 3, Bob 2"
        in page.text
    )


def test_a_joker_is_offered_in_a_goulash_alone(
    client: FlaskClient, hands: HandRepository, matches: MatchRepository, store: Store
) -> None:
    match = matches.begin(AGREED_TERMS)
    plain = client.post("/table/hand/0/enter").headers["Location"].split("/")[2]
    assert "JK" not in get_page(client, f"/hand/{plain}/enter").values("code")
    matches.change(match, WinnerEntered(winner=None))
    matches.change(match, DealSettled(winner=None))
    matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))
    wild = client.post("/table/hand/0/enter").headers["Location"].split("/")[2]
    page = get_page(client, f"/hand/{wild}/enter")
    assert "JK" in page.values("code")
    assert "chow" not in page.values("kind"), "a goulash has no chows (BMJA-H03)"
    tap(client, wild, kind="pung", row="exposed", code="B5", wild="JK 1")
    page = tap(client, wild, kind="kong", row="exposed", code="O5", wild="JK 2")
    assert hand_from(hands.get(wild)).exposed == (("B5", "B5", "JK"), ("O5", "O5", "JK", "JK"))
    assert "6 of 13" in page.text, "a kong counts for three, with its jokers as well"
    for path, kinds in ((f"/hand/{wild}/", "p.kind"), (f"/hand/{wild}/dispute", ".tile-of em")):
        notes = get_page(client, path).texts(kinds)
        assert "Single" not in notes, "a pung with a joker is a pung"
        assert "wild, counts as 5 bamboo" in notes, path
        assert notes.count("wild, counts as 5 circles") == 2, path
    tap(client, wild, kind="loose", row="exposed", code="O1")
    assert hand_from(hands.get(wild)).exposed[-1] == ("O1",), "and grows no further"
