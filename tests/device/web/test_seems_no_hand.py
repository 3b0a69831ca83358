"""A photograph that seems to show no hand is read and asked about, never refused."""

from __future__ import annotations

import io
import time
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository
from device.store.events import WinnerEntered
from scorer.message import plain_text
from tests.device.fake_reader import FakeReader, lay
from tests.device.fake_table import lay_round
from tests.device.match_play import AGREED_TERMS
from tests.device.matches.test_table_photo import HANDS
from tests.device.page import Page, get_page
from vision.errors import PhotoError
from vision.quality import NOT_A_HAND
from vision.reading import make_problem

NO_TILES = make_problem("no-tiles", plain_text("I found no tiles in this photo."))

Settled = Callable[[str], HandRecord]


@pytest.mark.parametrize("fails", [False, True])
def test_one_tap_enters_by_hand_what_was_not_seen(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, hands: HandRepository,
    unread_hand: str, wait_settled: Settled, fails: bool,
) -> None:  # fmt: skip
    reader.reading = structs.replace(lay(()), problems=(NO_TILES,))
    reader.fault = PhotoError("too-dark", plain_text("It is too dark to read.")) if fails else None
    jobs.submit("hand", unread_hand)
    wait_settled(unread_hand)
    question = Page(client.get(f"/hand/{unread_hand}/").text).single("#bar")
    assert "Are there any in it?" in question.text
    assert f"/hand/{unread_hand}/enter" in question.links()
    response = client.post(
        f"/hand/{unread_hand}/enter", data={"kind": "pung", "row": "exposed", "code": "DR"}
    )
    assert response.status_code < 400
    after = hands.get(unread_hand)
    assert [tile.code for tile in after.tiles] == ["DR"] * 3
    assert after.photo is not None, "the photo stays"
    assert "Are there any in it?" not in client.get(f"/hand/{unread_hand}/").text


def test_more_tiles_than_a_hand_holds_are_shown_and_asked_about(
    client: FlaskClient,
    jobs: PhotoQueue,
    reader: FakeReader,
    unread_hand: str,
    wait_settled: Settled,
) -> None:
    reader.reading = structs.replace(lay(), problems=(NOT_A_HAND,))
    jobs.submit("hand", unread_hand)
    wait_settled(unread_hand)
    page = get_page(client, f"/hand/{unread_hand}/")
    question = page.single("#bar")
    assert question.values("point") == ["several"]
    assert "whole table" not in question.text, "it is of no match"
    assert "photograph only one hand" not in page.text, "said once, as a question"
    client.post(f"/hand/{unread_hand}/so", data={"point": "several"})
    page = get_page(client, f"/hand/{unread_hand}/")
    assert "What does the photo show?" not in page.text
    client.post(f"/hand/{unread_hand}/undo", data={"seq": page.single(".changes").value("seq")})
    assert "What does the photo show?" in client.get(f"/hand/{unread_hand}/").text
    client.post(f"/hand/{unread_hand}/tile/0", data={"code": "B3"})
    page = get_page(client, f"/hand/{unread_hand}/")
    assert "What does the photo show?" not in page.text, "somebody went on"


def test_at_the_table_one_tap_reads_every_hand(
    client: FlaskClient,
    jobs: PhotoQueue,
    reader: FakeReader,
    hands: HandRepository,
    matches: MatchRepository,
) -> None:
    match = matches.begin(AGREED_TERMS)
    client.post("/table/join", data={"number": "2"})
    reader.reading = structs.replace(lay(), problems=(NOT_A_HAND,))
    reader.table, data = lay_round(HANDS)
    matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))
    hand = _give_photo(client, jobs, matches, match, data)
    question = Page(client.get(f"/hand/{hand}/").text).single("#bar")
    assert question.single(f'[action="/table/whole/of/{hand}?match={match}"]')
    address = client.post(f"/table/whole/of/{hand}").headers["Location"]
    _wait(jobs, address.split("/")[-1])
    client.post("/phone/", data={"language": "zh-Hant"})
    assert "Cy · 西" in get_page(client, address).texts(".bottom-names button")
    client.post(f"{address}/bottom", data={"number": "2"})
    given_hands = matches.get(match).deal.hands
    assert set(given_hands) == {"Ann", "Bob", "Cy", "Di"}
    assert hands.get(hand).tiles, "what was given in stays as it was"


def _give_photo(
    client: FlaskClient, jobs: PhotoQueue, matches: MatchRepository, match: str, data: bytes
) -> str:
    """Give in a photograph as Cy's hand; return the hand's id."""
    client.post("/table/hand/2", data={"photo": (io.BytesIO(data), "table.jpg")})
    hand = matches.get(match).deal.given_hand("Cy").hand
    assert hand
    _wait(jobs, hand)
    return hand


def _wait(jobs: PhotoQueue, hand: str) -> None:
    for _ in range(3000):
        if jobs.stage(hand) is None:
            return
        time.sleep(0.01)
    raise AssertionError("it was not read within thirty seconds")
