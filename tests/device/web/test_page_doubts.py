"""What cannot be is said before a deal is settled: one photo for two hands, too many of a tile."""

from __future__ import annotations

import io
import time
from collections.abc import Callable

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image

from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store.events import WinnerEntered
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, Group, lay, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.page import get_page, main_text

SEVENS: tuple[Group, ...] = (
    ("exposed", "O7 O7 O7 O7"),
    ("concealed", "C1 C2 C3 B4 B5 B6 WS WS DW"),
)
PLAIN: tuple[Group, ...] = (("concealed", "C4 C5 C6 O1 O2 O3 B1 B2 B3 WN WN DR DG"),)


def encode_again(data: bytes) -> bytes:
    """Return the same picture as a messenger sends it on: smaller, and encoded anew."""
    image = Image.open(io.BytesIO(data))
    buffer = io.BytesIO()
    image.resize((image.width * 2 // 3, image.height * 2 // 3)).save(buffer, "JPEG", quality=55)
    return buffer.getvalue()


class Table:
    """A deal that Cy won; hands are given in by their photographs."""

    def __init__(
        self, client: FlaskClient, hands: HandRepository, settled: Wait, reader: FakeReader
    ) -> None:
        self.client, self.hands, self.settled, self.reader = client, hands, settled, reader
        self.tables = MatchRepository(hands.store)
        self.match = self.tables.begin(AGREED_TERMS)
        self.begin()

    def begin(self) -> None:
        self.tables.change(self.match, WinnerEntered(winner="Cy"))

    def give(self, number: int, groups: tuple[Group, ...], data: bytes) -> str:
        """Give a hand in by a photograph, and agree to it; return its id."""
        self.reader.reading = lay(groups)
        answer = self.client.post(
            f"/table/hand/{number}", data={"photo": (io.BytesIO(data), "hand.jpg")}
        )
        hand = answer.headers["Location"].rstrip("/").rpartition("/")[2]
        self.settled(hand)
        self.client.post(f"/table/hand/{number}/right", data={"hand": hand})
        return hand

    def waits_for(self, sentence: str, path: str) -> None:
        for _ in range(400):
            if sentence in main_text(self.client, path):
                return
            time.sleep(0.01)
        raise AssertionError(f"{path} never says: {sentence}")

    def type(self, *numbers: int) -> None:
        for number in numbers:
            self.client.post(f"/table/hand/{number}/score", data={"score": "28"})


@pytest.fixture
def table(
    client: FlaskClient, hands: HandRepository, wait_settled: Wait, reader: FakeReader
) -> Table:
    return Table(client, hands, wait_settled, reader)


SAME_PHOTO_SENTENCE = "Bob and Ann have the same photo. Please take one of them again."
EIGHT = (
    "There are only 4 of each tile, but the hands of this deal show 8 of 7 circles: Ann 4, Bob 4."
)


@pytest.mark.parametrize("resend", [bytes, encode_again], ids=["the same file", "encoded anew"])
def test_one_photo_for_two_players_is_told_before_the_settlement(
    table: Table, resend: Callable[[bytes], bytes]
) -> None:
    photo = picture(lay(SEVENS))
    table.give(0, SEVENS, photo)
    second = table.give(1, SEVENS, resend(photo))
    table.type(2, 3)
    for page in ("/table/settle", f"/hand/{second}/"):
        text = main_text(table.client, page)
        assert SAME_PHOTO_SENTENCE in text
        assert EIGHT in text
    assert "Confirm anyway" in table.client.get("/table/settle").text


def test_after_a_wash_out_no_hand_scores_and_none_is_doubted(table: Table) -> None:
    photo = picture(lay(SEVENS))
    hands = [table.give(0, SEVENS, photo), table.give(1, SEVENS, photo)]
    assert get_page(table.client, f"/hand/{hands[1]}/").texts(".problem")
    table.client.post("/table/winner", data={"who": "-1", "sure": "yes"})
    assert get_page(table.client, "/table/settle").texts(".problem") == []
    for hand in hands:
        text = main_text(table.client, f"/hand/{hand}/")
        assert SAME_PHOTO_SENTENCE not in text
        assert EIGHT not in text


def test_of_a_flower_there_is_only_one(table: Table) -> None:
    flower_hand = (*PLAIN, ("bonus", "F2"))
    table.give(0, flower_hand, noise(1))
    table.give(1, (*SEVENS, ("bonus", "F2")), noise(2))
    table.type(2, 3)
    words = "There is only one flower 2 (orchid), but the hands of this deal show 2"
    assert words in main_text(table.client, "/table/settle")


def test_too_many_of_a_tile_are_told_whatever_the_photos(table: Table) -> None:
    table.give(0, SEVENS, picture(lay(PLAIN), "#7a1f2b"))
    hand = table.give(1, SEVENS, noise(1))
    table.type(2, 3)
    for page in ("/table/settle", f"/hand/{hand}/"):
        text = main_text(table.client, page)
        assert EIGHT in text
        assert "same photo" not in text


def test_a_photo_of_an_earlier_deal_is_told(table: Table) -> None:
    photo = picture(lay(PLAIN))
    table.give(0, PLAIN, photo)
    table.type(1, 2, 3)
    table.client.post("/table/settle")
    table.begin()
    hand = table.give(3, PLAIN, encode_again(photo))
    sentence = "Di’s photo is the same as Ann’s in deal 1."
    assert sentence in main_text(table.client, f"/hand/{hand}/")
    table.type(0, 1, 2)
    assert sentence in main_text(table.client, "/table/settle")


def test_a_photo_of_the_table_met_before_is_told(table: Table) -> None:
    photo = picture(lay(PLAIN))
    table.give(0, PLAIN, photo)
    table.type(1, 2, 3)
    table.client.post("/table/settle")
    table.begin()
    table.client.set_cookie("player", "0")
    answer = table.client.post("/table/whole/", data={"photo": (io.BytesIO(photo), "all.jpg")})
    address = answer.headers["Location"]
    table.client.post(f"{address}/bottom".replace("//bottom", "/bottom"), data={"number": "0"})
    table.waits_for("is the same as Ann’s in deal 1.", address)


def test_the_same_photo_added_to_its_own_hand_is_told(table: Table) -> None:
    photo = picture(lay(PLAIN))
    hand = table.give(0, PLAIN, photo)
    table.client.post(f"/hand/{hand}/photo", data={"photo": (io.BytesIO(photo), "again.jpg")})
    sentence = "The same photo was added to Ann’s hand twice. That changes nothing."
    table.waits_for(sentence, f"/hand/{hand}/")


def test_once_another_photo_is_taken_nothing_is_told_any_more(table: Table) -> None:
    photo = picture(lay(PLAIN))
    table.give(0, PLAIN, photo)
    table.give(1, PLAIN, photo)
    table.give(1, SEVENS, noise(1))
    table.type(2, 3)
    text = main_text(table.client, "/table/settle")
    assert "same photo" not in text
    assert "Who pays whom" in text


def noise(seed: int) -> bytes:
    """Return a picture that is like no other."""
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 255, (30, 40, 3), np.uint8)).resize((800, 600))
    buffer = io.BytesIO()
    coarse.save(buffer, "JPEG")
    return buffer.getvalue()
