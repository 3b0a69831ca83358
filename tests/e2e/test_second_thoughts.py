"""Who went out, and how, said again: by the way back, and by a tap on the table."""

from __future__ import annotations

import pytest

from device.matches.match import Ending
from device.matches.repository import MatchRepository
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.tour import begin, post

SHOWS_WHAT_WAS_UNFOLDED = """
const {top, bottom} = document.getElementById("goulash").getBoundingClientRect();
const room = document.getElementById("bar").getBoundingClientRect().top;
return top >= 0 && (bottom <= room || top < 40);
"""
"""Whether the whole fold is above the bar, or as much of it as there is room for."""


def _begin(player: Player, serve_with: ServeWith, seat: int) -> LiveServer:
    box = serve_with(FakeReader())
    begin(box.url)
    player.open(f"{box.url}/table/")
    player.tap(f"button[name=number][value='{seat}']")
    player.see("#bar .primary")
    return box


def _ending(box: LiveServer) -> Ending | None:
    match = MatchRepository(box.hands.store).current()
    assert match
    return match.deal.ending


@pytest.mark.parametrize(
    ("seat", "first"), [(0, "Ann"), (-1, "Bob")], ids=["Ann's phone", "a phone that watches"]
)
def test_the_way_back_leads_to_another_answer(
    player: Player, serve_with: ServeWith, seat: int, first: str
) -> None:
    box = _begin(player, serve_with, seat)
    player.tap("#bar .primary")
    player.tap(".seat.at-right")
    player.tap("button[value=discard]")
    player.reads("h1", f"{first}'s hand")
    player.browser.back()
    player.tap("button[value=wall]")
    player.reads("h1", f"{first}'s hand")
    assert _ending(box) == Ending("Bob", "wall")


@in_webkit_at_length
def test_the_table_says_who_won_and_how_and_a_tap_changes_it(
    player: Player, serve_with: ServeWith
) -> None:
    box = _begin(player, serve_with, 0)
    post(box, "/table/winner", who="1", won_by="discard")
    player.reads(".ending b", "Bob went out: on a discard")
    player.tap(".ending")
    assert "Bob" in player.text("h1")
    player.tap("button[value=wall]")
    player.reads("h1", "Ann's hand")  # it is her phone
    assert _ending(box) == Ending("Bob", "wall")
    for number in (0, 2):
        post(box, f"/table/hand/{number}/score", score="8")
    player.open(f"{box.url}/table/winner")
    player.tap("form .button.wide")
    player.reads("h1", "Was this deal a wash-out?")
    player.tap("button[name=sure]")
    player.tap("#bar button.primary")
    player.tap("#goulash summary")
    assert "Ann ↔ Cy" in player.text("#goulash")
    player.wait_until(
        lambda: player.browser.execute_script(SHOWS_WHAT_WAS_UNFOLDED), "it is scrolled into sight"
    )
    assert player.overflow() == 0
    assert player.complaints() == []
    player.browser.execute_script("document.querySelector('.done button').value = 1")
    player.tap(".done button")  # as on a page that is out of date
    assert "nothing was changed" in player.text("#sheet [role=alert]")
    player.tap("#sheet [data-close]")
    player.tap(".done button:not([value='1'])")  # it shows how things are now
    player.see(".done.undone")
