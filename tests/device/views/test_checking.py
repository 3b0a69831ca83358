"""Tiles in doubt are shown together and said to be right with one tap, or put right one by one."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.views.tiles import doubtful_groups, doubtful_places, find_gaps
from tests.device.fake_reader import WINNING, WINNING_ON_WOOD, lay
from tests.device.page import get_page
from vision.reading import LeftOut

DOUBTS = (0, 1, 2, 8, 12)
"""All of a pung, one of a chow, and an end of another pung."""


@pytest.fixture
def doubtful_hand(hands: HandRepository, unread_hand: str) -> str:
    """Return a hand with five tiles in doubt."""
    hands.change(unread_hand, reading_event(lay(WINNING, DOUBTS)))
    return unread_hand


def test_tiles_alike_in_one_set_are_one_question(
    client: FlaskClient, hands: HandRepository, doubtful_hand: str
) -> None:
    assert doubtful_groups(hands.get(doubtful_hand)) == ((0, 1, 2), (8,), (12,))
    page = get_page(client, f"/hand/{doubtful_hand}/check")
    assert [len(each.all(".crop")) for each in page.all(".doubt")] == [3, 1, 1]
    assert page.texts(".doubt b") == ["2 bamboo", "4 characters", "red dragon"]
    assert len(get_page(client, f"/hand/{doubtful_hand}/tile/1").all(".compare .crop")) == 3


@pytest.mark.parametrize(
    ("looks", "groups", "reason"),
    [
        ({}, ((0, 1, 2), (8,), (12,)), "one set"),
        ({8: 1, 4: 1}, ((0, 1, 2), (8,), (12,)), "a sure tile is not asked about"),
        ({2: 1, 8: 1}, ((0, 1, 2), (8,), (12,)), "two names are two questions"),
        ({0: 1, 2: 2}, ((0, 1, 2), (8,), (12,)), "one set, whatever they look like"),
    ],
)
def test_tiles_that_look_alike_are_one_question(
    hands: HandRepository,
    unread_hand: str,
    looks: dict[int, int],
    groups: tuple[tuple[int, ...], ...],
    reason: str,
) -> None:
    reading = lay(WINNING, DOUBTS)
    read = (structs.replace(t, alike=looks.get(k, 0)) for k, t in enumerate(reading.tiles))
    hands.change(unread_hand, reading_event(structs.replace(reading, tiles=tuple(read))))
    assert doubtful_groups(hands.get(unread_hand)) == groups, reason


def test_two_sets_of_one_look_are_one_question(hands: HandRepository, unread_hand: str) -> None:
    reading = lay((("concealed", "C2 C3 C4"), ("concealed", "C2 C2")), (0, 3, 4))
    read = (structs.replace(t, alike=int(t.code == "C2")) for t in reading.tiles)
    hands.change(unread_hand, reading_event(structs.replace(reading, tiles=tuple(read))))
    assert doubtful_groups(hands.get(unread_hand)) == ((0, 3, 4),)


def test_tiles_that_differ_are_asked_about_one_by_one(
    client: FlaskClient, hands: HandRepository, doubtful_hand: str
) -> None:
    sheet = get_page(client, f"/hand/{doubtful_hand}/tile/1")
    separate_page = get_page(client, sheet.link("They are not all alike"))
    assert [len(each.all(".crop")) for each in separate_page.all(".doubt")] == [1] * 5
    single_page = get_page(client, separate_page.all(".doubt")[1]["href"])
    assert len(single_page.all(".compare .crop")) == 1
    fields = {
        "code": "B3",
        "alike": single_page.value("alike"),
        "apart": single_page.value("apart"),
    }
    answer = client.post(f"/hand/{doubtful_hand}/tile/1", data=fields)
    assert [tile.code for tile in hands.get(doubtful_hand).tiles[:3]] == ["B2", "B3", "B2"]
    assert answer.location.endswith(f"/hand/{doubtful_hand}/check?apart=yes")
    assert "not all alike" not in get_page(client, f"/hand/{doubtful_hand}/tile/8").text


def test_all_are_right_with_one_tap_that_can_be_undone(
    client: FlaskClient, hands: HandRepository, doubtful_hand: str
) -> None:
    button = get_page(client, f"/hand/{doubtful_hand}/check").button("All these are right")
    answer = client.post(f"/hand/{doubtful_hand}/check", data={"tiles": button["value"]})
    assert answer.location.endswith(f"/hand/{doubtful_hand}/")
    record = hands.get(doubtful_hand)
    assert not doubtful_places(record)
    assert not record.tiles_right, "nobody looked at the others"
    assert client.get(f"/hand/{doubtful_hand}/check").location.endswith(f"/hand/{doubtful_hand}/")
    hands.undo(doubtful_hand, record.changes[-1].seq)
    assert doubtful_places(hands.get(doubtful_hand)) == DOUBTS


@pytest.mark.parametrize(
    ("code", "codes", "left", "reason"),
    [
        ("B2", ["B2", "B2", "B2"], (8, 12), "a yes is one for all alike"),
        ("B3", ["B3", "B3", "B3"], (8, 12), "they were misread alike"),
        ("none", [None, "B2", "B2"], (1, 2, 8, 12), "one is no tile; the others are asked about"),
    ],
)
def test_an_answer_leads_to_the_next_doubt(
    client: FlaskClient,
    hands: HandRepository,
    doubtful_hand: str,
    code: str,
    codes: list[str | None],
    left: tuple[int, ...],
    reason: str,
) -> None:
    sheet = get_page(client, f"/hand/{doubtful_hand}/tile/0")
    answer = client.post(
        f"/hand/{doubtful_hand}/tile/0", data={"code": code, "alike": sheet.value("alike")}
    )
    record = hands.get(doubtful_hand)
    assert [tile.code for tile in record.tiles[:3]] == codes, reason
    assert doubtful_places(record) == left
    assert answer.location.endswith(f"/hand/{doubtful_hand}/check")


def test_the_last_doubt_is_its_own_sheet_and_leads_to_the_hand(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(lay(WINNING, (8,))))
    assert client.get(f"/hand/{unread_hand}/check").location.endswith("/tile/8")
    answer = client.post(f"/hand/{unread_hand}/tile/8", data={"code": "C4", "alike": "8"})
    assert answer.location.endswith(f"/hand/{unread_hand}/")


def test_a_tile_corrected_meanwhile_stays_corrected(
    client: FlaskClient, hands: HandRepository, doubtful_hand: str
) -> None:
    client.post(f"/hand/{doubtful_hand}/tile/8", data={"code": "C5"})
    client.post(f"/hand/{doubtful_hand}/check", data={"tiles": "8 12"})
    tile = hands.get(doubtful_hand).tiles[8]
    assert (tile.code, tile.is_changed) == ("C5", True)
    assert doubtful_places(hands.get(doubtful_hand)) == (0, 1, 2)


@pytest.mark.parametrize("tiles", ["", "99"])
def test_tiles_that_are_not_there_are_not_right(
    client: FlaskClient, doubtful_hand: str, tiles: str
) -> None:
    assert client.post(f"/hand/{doubtful_hand}/check", data={"tiles": tiles}).status_code in (
        400,
        409,
    )


GAPS = (16, 17, 18)
"""What bare wood adds to a winning hand, as `WINNING_ON_WOOD` has it."""


def lay_on_wood(hands: HandRepository, hand: str, *doubts: int) -> None:
    """Let a hand be read with three gaps as tiles, and more tiles in doubt."""
    hands.change(hand, reading_event(lay(WINNING_ON_WOOD, (*doubts, *GAPS))))


def test_gaps_that_were_read_as_tiles_go_out_with_one_tap(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    lay_on_wood(hands, unread_hand)
    bar = get_page(client, f"/hand/{unread_hand}/").single("#bar")
    button = bar.button("All 3 are gaps: leave them out")
    client.post(f"/hand/{unread_hand}/leave-out", data={"tiles": button["value"]})
    record = hands.get(unread_hand)
    assert [record.tiles[place].code for place in GAPS] == [None] * len(GAPS)
    assert not doubtful_places(record)
    hands.undo(unread_hand, record.changes[-1].seq)
    assert doubtful_places(hands.get(unread_hand)) == GAPS


@pytest.mark.parametrize(
    ("doubts", "gaps", "reason"),
    [
        ((), GAPS, "what is in doubt is what is too much"),
        ((8,), (), "one of the hand's own tiles is in doubt, too"),
        ((8, 12), (), "two of them"),
        ((3,), (), "without it the kong is a pung, so that the count fits all the same"),
        ((6,), (), "the tile that makes it a kong lies face down"),
        ((15,), GAPS, "a flower is asked about by itself: it counts among no tiles"),
    ],
)
def test_only_what_is_too_much_is_taken_for_gaps(
    hands: HandRepository, unread_hand: str, doubts: tuple[int, ...], gaps: object, reason: str
) -> None:
    lay_on_wood(hands, unread_hand, *doubts)
    assert find_gaps(hands.get(unread_hand)) == gaps, reason


@pytest.mark.parametrize(("odds", "gaps"), [(0.3, ()), (0.02, GAPS)])
def test_the_fourth_tile_of_a_pung_is_no_gap(
    hands: HandRepository, unread_hand: str, odds: float, gaps: object
) -> None:
    reading = lay(WINNING_ON_WOOD, GAPS)
    gap = structs.replace(reading.tiles[16], alternatives=(("B2", odds),))
    tiles = (*reading.tiles[:16], gap, *reading.tiles[17:])
    hands.change(unread_hand, reading_event(structs.replace(reading, tiles=tiles)))
    assert find_gaps(hands.get(unread_hand)) == gaps, "three B2 lie there"


def test_what_lies_among_the_discards_makes_no_kong(
    hands: HandRepository, unread_hand: str
) -> None:
    reading = lay((*WINNING_ON_WOOD, ("concealed", "C1 C1 C1")), GAPS)
    gap = structs.replace(reading.tiles[16], alternatives=(("C1", 0.3),))
    tiles = (*reading.tiles[:16], gap, *reading.tiles[17:])
    left_out = tuple(LeftOut(place, "far") for place in reading.sets[-1].tiles)
    reading = structs.replace(reading, tiles=tiles, sets=reading.sets[:-1], left_out=left_out)
    hands.change(unread_hand, reading_event(reading))
    assert find_gaps(hands.get(unread_hand)) == GAPS


def test_tiles_in_doubt_of_a_whole_hand_are_no_gaps(
    client: FlaskClient, hands: HandRepository, doubtful_hand: str
) -> None:
    assert "gaps" not in get_page(client, f"/hand/{doubtful_hand}/").single("#bar").text
    fields = {"tiles": " ".join(map(str, DOUBTS))}
    assert client.post(f"/hand/{doubtful_hand}/leave-out", data=fields).status_code == 409
    assert doubtful_places(hands.get(doubtful_hand)) == DOUBTS


def test_gaps_are_offered_once_the_hands_own_tile_is_said_to_be_right(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    lay_on_wood(hands, unread_hand, 8)
    client.post(f"/hand/{unread_hand}/check", data={"tiles": "8"})
    assert find_gaps(hands.get(unread_hand)) == GAPS
