"""The page of a score in dispute: lines and tiles know of each other, asking changes nothing."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.views.hand_page import hand_view
from device.views.table.evidence import evidence_lines, exhibits, format_tile_numbers
from tests.device.events import event_of
from tests.device.fake_reader import FakeReader
from tests.device.match_play import AGREED_TERMS, give_hand
from tests.device.page import get_page


def text(client: FlaskClient, hand: str, query: str = "") -> str:
    return get_page(client, f"/hand/{hand}/dispute{query}").main.text


def suppose(client: FlaskClient, hand: str, query: str) -> str:
    """Return what the page says would be, in words."""
    page = get_page(client, f"/hand/{hand}/dispute{query}")
    return page.single("#supposed[role=status]").text


def test_lines_and_tiles_name_each_other(hands: HandRepository, read_hand: str) -> None:
    record = hands.get(read_hand)
    view = hand_view(record)
    lines = evidence_lines(record, view.score)
    awards = [award for group in lines.values() for award in group]
    tiles = exhibits(record, view, lines)
    assert [award.index for award in awards] == list(range(len(awards)))
    assert len(tiles) == len(record.tiles)
    for award in awards:
        users = {tile.place for tile in tiles if award in tile.awards}
        assert users == set(award.line.places)


@pytest.mark.parametrize(
    ("places", "expected", "reason"),
    [
        ((), "", "a line for the way of winning has no tiles"),
        ((4,), "5", "people count from 1"),
        ((0, 1, 2, 7), "1–3, 8", "tiles side by side in short"),
        ((0, 2), "1, 3", "a gap is no run"),
    ],
)
def test_numbers_of_tiles_in_short(places: tuple[int, ...], expected: str, reason: str) -> None:
    assert format_tile_numbers(places) == expected, reason


def test_every_link_of_the_page_leads_somewhere_without_a_script(
    client: FlaskClient, read_hand: str
) -> None:
    page = get_page(client, f"/hand/{read_hand}/dispute")
    targets = set(page.links("#"))
    assert {"#tile-0", "#line-0"} <= targets
    assert targets <= {f"#{each}" for each in page.attributes("id")}


def test_what_was_read_stays_to_be_seen_beside_what_was_changed(
    client: FlaskClient, read_hand: str
) -> None:
    client.post(f"/hand/{read_hand}/tile/15", data={"code": "F2"})
    page = text(client, read_hand)
    assert "Read as flower 1 (plum), 99 % sure." in page
    assert "Tile 16: read flower 1 (plum), changed to flower 2 (orchid)" in page
    assert "What if" in page


def test_a_correction_in_a_match_says_whose_phone_it_was(
    client: FlaskClient,
    hands: HandRepository,
    matches: MatchRepository,
    store: Store,
    read_hand: str,
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    client.post("/table/join", data={"number": "1"})
    client.post(f"/hand/{hand}/tile/15", data={"code": "F2"})
    client.post(f"/hand/{hand}/situation", data={"original_call": "yes"})
    assert hands.get(hand).changes[-1].changed_by == "Bob"
    assert "(Bob, " in text(client, hand)
    client.post(f"/hand/{read_hand}/tile/15", data={"code": "F2"})
    assert hands.get(read_hand).changes[-1].changed_by == "", "a hand of its own has no players"


@pytest.mark.parametrize(
    ("query", "expected", "reason"),
    [
        ("?tile=15&code=F2", "112 instead of 224", "East's own flower is the first"),
        ("?tile=7&code=B9", "do not make four sets and a pair", "or else why it is no hand"),
        ("?won_by=loose", "432 instead of 224", "no 2 for the wall, but a double"),
        ("?tile=15&code=F1", "This is how it is now", "the tile that it is"),
        ("?tile=15&code=X1", "This is how it is now", "no such face"),
    ],
)
def test_what_if_is_a_difference_that_changes_nothing(
    client: FlaskClient,
    hands: HandRepository,
    read_hand: str,
    query: str,
    expected: str,
    reason: str,
) -> None:
    before = hands.get(read_hand)
    assert expected in suppose(client, read_hand, query), reason
    assert hands.get(read_hand) == before


def test_other_choices_of_the_rules_are_weighed_when_asked_for(
    client: FlaskClient, read_hand: str
) -> None:
    assert suppose(client, read_hand, "") == ""
    answer_text = suppose(client, read_hand, "?options=1")
    assert "If the table" in answer_text or "No other choice" in answer_text


def test_a_hand_without_a_score_says_why_and_supposes_nothing(
    client: FlaskClient, read_hand: str
) -> None:
    client.post(f"/hand/{read_hand}/tile/0", data={"code": "B3"})
    page = text(client, read_hand, "?won_by=loose")
    assert "No score yet" in page
    assert "What if?" not in page
    assert client.get(f"/hand/{read_hand}/referee").status_code == 200


def test_the_page_for_the_referee_has_all_of_it(client: FlaskClient, read_hand: str) -> None:
    client.post(f"/hand/{read_hand}/tile/15", data={"code": "F2"})
    page = get_page(client, f"/hand/{read_hand}/referee")
    for part in ("BMJA-B11", "Not counted", "changed to flower 2", "won=wall"):
        assert part in page.text, part
    assert page.all('img[src$="photo.jpg"], image[href$="photo.jpg"]')
    assert not page.all("details"), "paper does not unfold"


def test_which_networks_read_it_is_said(
    client: FlaskClient, hands: HandRepository, unread_hand: str, reader: FakeReader
) -> None:
    assert "is not known" in text(client, unread_hand)
    reading = {
        **reader.reading.to_json(),
        "models": {"locator": "4a92135d", "classifier": "dcb0c17e"},
    }
    hands.change(unread_hand, event_of("reading-made", reading))
    assert "Read by locator 4a92135d, classifier dcb0c17e." in text(client, unread_hand)
