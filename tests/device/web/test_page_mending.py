"""A tile that was likely misread is named before a deal is settled, and put right with one tap."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, Group, lay, picture
from tests.device.page import get_page, main_text
from tests.device.web.test_page_doubts import Table, noise

KONG: tuple[Group, ...] = (
    ("exposed", "O7 O7 O7 O7"),
    ("concealed", "C1 C2 C4 B5 B6 B8 WS WS DW DG"),
)
FIFTH: tuple[Group, ...] = (("concealed", "O7 C5 C6 O1 O2 O3 B1 B2 B3 WN WN DR DG"),)
PAIR: tuple[Group, ...] = (("concealed", "O7 B4 B4 O1 O2 O3 B1 B2 B3 WN WN DR DG"),)
WINNING_HAND: tuple[Group, ...] = (
    ("exposed", "C7 C8 C9"),
    ("concealed", "O8 O8 O8 WE WE WE O5 O5 O5 C3 C3"),
)
"""As `lay` has it, any tile may be a 4 of bamboo instead, then a 3 of bamboo, a 2 of circles …"""

PLAIN: tuple[Group, ...] = (("concealed", "C4 C5 C6 O1 O2 O4 B1 B2 B9 WN WN DR DG"),)
OTHER: tuple[Group, ...] = (
    ("concealed", "C4 C5 C6 O1 O2 O4 B1 B7 B9 WW WS DR DG"),
    ("bonus", "F1"),
)

LIKELIEST = "Most likely misread: Bob’s tile 1, perhaps 4 bamboo."


@pytest.fixture
def table(
    client: FlaskClient, hands: HandRepository, wait_settled: Wait, reader: FakeReader
) -> Table:
    return Table(client, hands, wait_settled, reader)


def seat(table: Table, *hands: tuple[Group, ...]) -> list[str]:
    """Give in the hands of the first players, and numbers for the others; return the hands' ids."""
    hand_ids = [table.give(n, groups, noise(n + 1)) for n, groups in enumerate(hands)]
    table.type(*range(len(hands), 4))
    return hand_ids


def offers(table: Table, path: str = "/table/settle") -> list[str]:
    """Return what is proposed, as the page sends it."""
    return get_page(table.client, path).values("way")


def test_the_likeliest_tile_is_named_beside_the_doubt_and_in_its_hand(table: Table) -> None:
    ann, bob = seat(table, KONG, FIFTH)
    text = main_text(table.client, "/table/settle")
    assert "Ann 4, Bob 1. Please check them." in text
    assert LIKELIEST in text
    assert "Check Bob’s hand" in text
    links = get_page(table.client, "/table/settle").attributes("href")
    assert {f"/hand/{bob}/", f"/hand/{bob}/photo.jpg"} <= {*links}
    assert [each.rpartition(":")[2] for each in offers(table)] == ["B4", "B3", "O2"]
    assert LIKELIEST in main_text(table.client, f"/hand/{bob}/")
    assert LIKELIEST not in main_text(table.client, f"/hand/{ann}/")


def test_one_tap_puts_the_tile_right_and_one_takes_that_back(table: Table) -> None:
    _, bob = seat(table, KONG, FIFTH)
    answer = table.client.post("/table/mend/", data={"way": offers(table)[0]})
    assert answer.headers["Location"] == "/table/settle", "it scores as much as before"
    record = table.hands.get(bob)
    assert record.tiles[0].code == "B4"
    assert record.tiles[0].is_changed
    assert "hold 5" not in main_text(table.client, "/table/settle")
    assert not offers(table)
    table.client.post(f"/hand/{bob}/undo", data={"seq": str(record.changes[-1].seq)})
    assert LIKELIEST in main_text(table.client, "/table/settle")


def test_a_hand_that_scores_otherwise_then_is_looked_at_again(table: Table) -> None:
    _, bob = seat(table, KONG, PAIR)
    answer = table.client.post("/table/mend/", data={"way": offers(table)[0]})
    assert answer.headers["Location"] == f"/hand/{bob}/"
    assert table.client.get("/table/settle").headers["Location"] == "/table/", "not agreed to"


def test_what_is_not_proposed_or_was_once_changes_nothing(table: Table) -> None:
    _, bob = seat(table, KONG, FIFTH)
    for way in ("", "x", f"{bob}:0:O9", f"{bob}:1:B4", f"{bob}:0:B4 {bob}:0:B4"):
        assert table.client.post("/table/mend/", data={"way": way}).status_code == 303
    assert not table.hands.get(bob).changes
    stale = offers(table)
    for way in (stale[1], stale[0]):
        table.client.post("/table/mend/", data={"way": way})
    assert table.hands.get(bob).tiles[0].code == "B3"
    assert len(table.hands.get(bob).changes) == 1


def test_when_everything_adds_up_the_page_says_so(table: Table) -> None:
    seat(table, KONG, PLAIN, WINNING_HAND, OTHER)
    text = main_text(table.client, "/table/settle")
    assert "All 55 tiles add up." in text
    assert not offers(table)


@pytest.mark.parametrize(
    ("tile_hands", "reason"),
    [
        ((KONG, PLAIN, WINNING_HAND), "a score that was typed names no tiles"),
        ((KONG, FIFTH, WINNING_HAND, OTHER), "a face too many"),
    ],
)
def test_it_says_so_of_nothing_else(
    table: Table, tile_hands: tuple[tuple[Group, ...]], reason: str
) -> None:
    seat(table, *tile_hands)
    text = main_text(table.client, "/table/settle")
    assert "Who pays whom" in text
    assert "tiles add up" not in text, reason


def test_the_same_photo_twice_does_not_add_up(table: Table) -> None:
    photo = picture(lay(PLAIN))
    for number, groups in enumerate((KONG, PLAIN, WINNING_HAND, OTHER)):
        table.give(number, groups, photo if number in (1, 3) else noise(number))
    text = main_text(table.client, "/table/settle")
    assert "same photo" in text
    assert "add up" not in text


def test_the_page_of_the_whole_table_proposes_it_too(
    table: Table, reader: FakeReader, client: FlaskClient
) -> None:
    reader.table = {
        "bottom": lay(KONG),
        "right": lay(FIFTH),
        "top": lay(WINNING_HAND),
        "left": lay(OTHER),
    }
    answer = client.post("/table/whole/", data={"photo": (io.BytesIO(noise(9)), "all.jpg")})
    address = answer.headers["Location"]
    client.post(f"{address}/bottom", data={"number": "0"})
    table.waits_for(LIKELIEST, address)
    answer = client.post(
        "/table/mend/", data={"way": offers(table, address)[0], "whole": address.rpartition("/")[2]}
    )
    assert answer.headers["Location"] == address
    assert LIKELIEST not in main_text(client, address)
