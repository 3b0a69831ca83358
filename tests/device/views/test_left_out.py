"""Tiles that were left out: the page says why, and one tap takes them in."""

from __future__ import annotations

from typing import get_args

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.views import photo_overlay
from device.views.photo_overlay import left_out_places
from scorer.message import plain_text
from tests.device.fake_reader import lay
from tests.device.page import Page, get_page
from vision.reading import (
    REASONS_FAR_OFF,
    REASONS_NEARBY,
    LeftOut,
    LeftOutReason,
    Reading,
    make_problem,
)


def read(reason: LeftOutReason, code: str = "O7") -> Reading:
    """Return a reading with one tile more than the hand's, left out for a reason."""
    hand = lay()
    quad = ((900.0, 20.0), (960.0, 20.0), (960.0, 50.0), (900.0, 50.0))
    odd = structs.replace(hand.tiles[0], code=code, quad=quad)
    note = make_problem("left-out", plain_text("I left out 1 tile that lies apart from the hand."))
    left_out_tile = LeftOut(len(hand.tiles), reason)
    return structs.replace(
        hand, tiles=(*hand.tiles, odd), left_out=(left_out_tile,), problems=(note,)
    )


@pytest.fixture
def odd_place() -> int:
    return len(lay().tiles)


@pytest.mark.parametrize("reason", get_args(LeftOutReason))
def test_the_page_says_why_and_takes_the_tile_in(
    client: FlaskClient,
    hands: HandRepository,
    unread_hand: str,
    odd_place: int,
    reason: LeftOutReason,
) -> None:
    hands.change(unread_hand, reading_event(read(reason)))
    page = get_page(client, f"/hand/{unread_hand}/")
    assert say(f"left-out.{reason}.one") in page.text, "as a line"
    assert page.single("svg title", say(f"left-out.{reason}.this")), "in the drawing over the photo"
    assert page.single("details summary", "One tile left out"), "opened by a tap"
    assert len(page.all("#overlay text")) == len(page.all("#overlay polygon.outer"))
    assert str(odd_place + 1) not in page.texts("#overlay text"), "the hand alone is numbered"
    assert "The box left out" not in page.text, "not said twice"
    dispute = get_page(client, f"/hand/{unread_hand}/dispute")
    assert not dispute.all(f".tile-of[data-tile='{odd_place}']"), "a what-if offers none"
    sheet = get_page(client, f"/hand/{unread_hand}/tile/{odd_place}").text
    assert say(f"left-out.{reason}.this") in sheet
    assert say("left-out.take-this") in sheet
    assert (f"/tile/{odd_place}/move" in str(page)) == (reason in REASONS_NEARBY), (
        "a wall is not to be tapped at"
    )
    client.post(f"/hand/{unread_hand}/tile/{odd_place}/move", data={"row": "concealed"})
    shown_page = Page(client.get(f"/hand/{unread_hand}/").text)
    assert not shown_page.all(".tray.left-out")
    assert odd_place in hands.get(unread_hand).sets[-1].tiles
    sheet = get_page(client, f"/hand/{unread_hand}/tile/{odd_place}").text
    assert say("left-out.take-this") not in sheet


def test_every_reason_is_shown_or_counted() -> None:
    assert set(REASONS_NEARBY) | set(REASONS_FAR_OFF) == set(get_args(LeftOutReason))


def test_a_flower_goes_with_the_flowers(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(read("apart", code="F2")))
    page = get_page(client, f"/hand/{unread_hand}/")
    assert page.all('[name="row"][value="bonus"]')


def test_a_tile_struck_out_is_not_left_out(
    client: FlaskClient, hands: HandRepository, unread_hand: str, odd_place: int
) -> None:
    hands.change(unread_hand, reading_event(read("size")))
    client.post(f"/hand/{unread_hand}/tile/{odd_place}", data={"code": "none"})
    assert not left_out_places(hands.get(unread_hand))
    assert not get_page(client, f"/hand/{unread_hand}/").all(".tray.left-out")


@pytest.mark.parametrize(("reason", "is_shown"), [("apart", True), ("far", False)])
def test_the_closer_view_shows_what_may_be_the_hands(
    hands: HandRepository, unread_hand: str, reason: LeftOutReason, is_shown: bool
) -> None:
    hand = read("far")
    in_hand = hand.sets[2].tiles
    left_out = tuple(LeftOut(k, "far") for k in range(len(hand.tiles) - 1) if k not in in_hand)
    odd = LeftOut(len(hand.tiles) - 1, reason)
    hand = structs.replace(hand, sets=hand.sets[2:3], left_out=(*left_out, odd))
    hands.change(unread_hand, reading_event(hand))
    window = photo_overlay.close_up(hands.get(unread_hand))
    assert (window.x + window.width >= 960) == is_shown
