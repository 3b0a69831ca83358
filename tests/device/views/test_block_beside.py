"""Tiles that lie together beside the hand: the page asks, and one tap takes them all in."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.hands.scoring import find_total
from device.i18n.words import say
from device.views.tiles import doubtful_places
from tests.device.fake_reader import Group, lay, lay_two_blocks
from tests.device.page import Page, get_page
from vision.reading import BlockReading, LeftOut


@pytest.fixture
def asked_hand(hands: HandRepository, unread_hand: str) -> str:
    """Return a hand of five tiles that is asked about eleven more."""
    hands.change(unread_hand, reading_event(lay_two_blocks()))
    return unread_hand


def strip(client: FlaskClient, hand: str) -> str:
    return get_page(client, f"/hand/{hand}/").single("#bar").text


def test_the_page_asks_for_the_tiles_beside_the_hand_and_for_no_others(
    client: FlaskClient, hands: HandRepository, asked_hand: str
) -> None:
    page = get_page(client, f"/hand/{asked_hand}/")
    assert "11 tiles lie apart, to the left. Are they yours?" in page.single("#bar").text
    assert say("open.count") not in page.text, "no tile is hidden"
    assert find_total(hands.get(asked_hand)) is None, "0 would be a score"
    lit_places = [box["data-tile"] for box in page.all("#overlay.asking .box.asked-about")]
    assert lit_places == [str(place) for place in range(11)], "what is asked about is lit"


def test_one_tap_takes_the_whole_block_in_and_undo_gives_it_back(
    client: FlaskClient, hands: HandRepository, asked_hand: str
) -> None:
    before = hands.get(asked_hand)
    client.post(f"/hand/{asked_hand}/block", data={"block": "0", "own": "yes"})
    record = hands.get(asked_hand)
    hand = record.assembled_hand
    assert hand.exposed == (("B2",) * 3, ("O9",) * 3, ("WS",) * 3)
    assert hand.bonus == ("F1", "S1")
    assert record.situation.winner, "fourteen tiles"
    assert find_total(record)
    page = get_page(client, f"/hand/{asked_hand}/")
    assert not page.all(".tray.left-out")
    assert "Tiles beside the hand" in page.single(".changes").text
    hands.undo(asked_hand, record.changes[-1].seq)
    assert hands.get(asked_hand).sets == before.sets
    assert "Are they yours?" in strip(client, asked_hand)


def test_another_hand_takes_the_place_of_the_one_that_was_read(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    blocks = lay_two_blocks()
    rival = structs.replace(
        blocks, blocks=(structs.replace(blocks.blocks[0], instead=True),), winning_tile=12
    )
    hands.change(unread_hand, reading_event(rival))
    assert "There is another hand, of 11 tiles. Is it yours?" in strip(client, unread_hand)
    client.post(f"/hand/{unread_hand}/block", data={"block": "0", "own": "yes"})
    record = hands.get(unread_hand)
    assert record.assembled_hand.exposed == (("B2",) * 3, ("O9",) * 3, ("WS",) * 3)
    assert not record.assembled_hand.concealed, "the five tiles are another player's"
    assert record.situation.winning_tile is None, "it was one of the five"
    hands.undo(unread_hand, record.changes[-1].seq)
    assert len(hands.get(unread_hand).assembled_hand.concealed) == 5


@pytest.mark.parametrize(("answer", "bonus"), [("yes", ("S1", "F1")), ("no", ("S1",))])
def test_a_flower_that_may_be_anothers_is_the_hands_after_one_tap(
    client: FlaskClient,
    hands: HandRepository,
    unread_hand: str,
    answer: str,
    bonus: tuple[str, ...],
) -> None:
    sets = ("B2 B2 B2", "O9 O9 O9", "WS WS WS", "C3 C4 C5", "WE WE")
    reading = lay([("bonus", "S1"), *(("concealed", each) for each in sets), ("bonus", "F1")])
    flower = BlockReading("above", reading.sets[-1:])
    left_out = tuple(LeftOut(place, "far") for place in flower.tiles)
    hands.change(
        unread_hand,
        reading_event(
            structs.replace(reading, sets=reading.sets[:-1], left_out=left_out, blocks=(flower,))
        ),
    )
    assert "1 tile lies apart, above the others. Is it yours?" in strip(client, unread_hand)
    client.post(f"/hand/{unread_hand}/block", data={"block": "0", "own": answer})
    after = hands.get(unread_hand)
    assert after.asked_block is None
    assert sorted(after.assembled_hand.bonus) == sorted(bonus)
    assert after.situation.winner, "flowers complete no hand and spoil none"


@pytest.fixture
def included_flower(hands: HandRepository, unread_hand: str) -> str:
    """Return a hand that includes a flower in doubt, of which it is unclear whose it is."""
    sets = ("B2 B2 B2", "O9 O9 O9", "WS WS WS", "C3 C4 C5", "WE WE")
    groups: list[Group] = [*(("concealed", each) for each in sets), ("bonus", "F1")]
    reading = lay(groups, doubtful=(FLOWER,))
    flower = BlockReading("above", reading.sets[-1:], included=True)
    hands.change(unread_hand, reading_event(structs.replace(reading, blocks=(flower,))))
    return unread_hand


FLOWER = 14


@pytest.mark.parametrize(
    ("answer", "bonus", "named", "reason"),
    [
        ("yes", ("F1",), True, "it is the hand's, so its name matters"),
        ("no", (), False, "nobody is asked what another player's flower is"),
    ],
)
def test_an_included_flower_is_asked_about_once_and_scored_meanwhile(
    client: FlaskClient,
    hands: HandRepository,
    included_flower: str,
    answer: str,
    bonus: tuple[str, ...],
    named: bool,
    reason: str,
) -> None:
    before = hands.get(included_flower)
    assert "1 tile lies apart, above the others. Is it yours?" in strip(client, included_flower)
    assert find_total(before), "it counts until the player says otherwise"
    client.post(f"/hand/{included_flower}/block", data={"block": "0", "own": answer})
    after = hands.get(included_flower)
    assert after.assembled_hand.bonus == bonus
    assert after.asked_block is None
    assert (doubtful_places(after) == (FLOWER,)) == named, reason
    assert after.situation == before.situation, "flowers complete no hand and spoil none"
    page = get_page(client, f"/hand/{included_flower}/")
    assert bool(page.all(".tray.left-out")) != named
    hands.undo(included_flower, after.changes[-1].seq)
    assert hands.get(included_flower).asked_block == 0


@pytest.mark.parametrize("way", ["corrected", "all right"])
def test_who_looked_at_an_included_flower_is_not_asked_whose_it_is(
    client: FlaskClient, hands: HandRepository, included_flower: str, way: str
) -> None:
    if way == "corrected":
        client.post(f"/hand/{included_flower}/tile/{FLOWER}", data={"code": "F2"})
    else:
        client.post(f"/hand/{included_flower}/right")
    assert hands.get(included_flower).asked_block is None


def test_who_says_no_is_asked_for_what_is_missing(
    client: FlaskClient, hands: HandRepository, asked_hand: str
) -> None:
    client.post(f"/hand/{asked_hand}/block", data={"block": "0", "own": "no"})
    page = get_page(client, f"/hand/{asked_hand}/")
    assert say("open.count") in page.single("#bar").text
    assert "Are they yours?" not in page.text
    assert say("left-out.take-this") in get_page(client, f"/hand/{asked_hand}/tile/0").text
    response = client.post(f"/hand/{asked_hand}/block", data={"block": "0", "own": "yes"})
    assert response.status_code == 409, "it was answered"
    hands.undo(asked_hand, hands.get(asked_hand).changes[-1].seq)
    assert "Are they yours?" in strip(client, asked_hand)


@pytest.mark.parametrize(
    ("path", "data", "asks", "reason"),
    [
        ("tile/0", {"code": "WE"}, True, "another tile is still one of the block"),
        ("tile/0", {"code": "none"}, False, "one of them is no tile"),
        ("tile/3/move", {"row": "exposed"}, False, "one was taken in by itself"),
        ("enter", {"kind": "pung", "code": "DR", "row": "exposed"}, False, "17 are no hand"),
    ],
)
def test_it_is_asked_while_both_may_be_one_hand(
    client: FlaskClient, asked_hand: str, path: str, data: dict[str, str], asks: bool, reason: str
) -> None:
    client.post(f"/hand/{asked_hand}/{path}", data=data)
    assert ("Are they yours?" in strip(client, asked_hand)) == asks, reason


def test_an_old_log_without_blocks_reads_as_before(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(structs.replace(lay_two_blocks(), blocks=())))
    page = Page(client.get(f"/hand/{unread_hand}/").text)
    assert say("open.count") in page.single("#bar").text
    assert find_total(hands.get(unread_hand)) is not None
