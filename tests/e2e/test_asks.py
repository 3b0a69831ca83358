"""What the page asks about how tiles lie, answered with a player's taps."""

from __future__ import annotations

from dataclasses import replace

from scorer.message import message
from tests.device.fake_reader import FakeReader, lay, lay_two_blocks, picture
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.counting import CountingPlayer
from tests.e2e.player import Player
from tests.e2e.tour import upload, wait_until_read
from vision.reading import Problem, Reading

ONE_ROW = replace(
    lay(
        (
            ("concealed", "B2 B2 B2"),
            ("concealed", "C3 C4 C5"),
            ("concealed", "WE WE WE"),
            ("concealed", "O1 O1 O1"),
            ("concealed", "DR DR"),
        )
    ),
    problems=(Problem("exposed-or-concealed", message("lies.one-row")),),
)


def _open(player: Player, serve_with: ServeWith, reading: Reading) -> tuple[LiveServer, str]:
    live = serve_with(FakeReader(reading))
    hand = upload(live, "/hands", picture(reading)).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    player.open(f"{live.url}/hand/{hand}/")
    return live, hand


def test_tiles_beside_the_hand_are_one_tap(player: Player, serve_with: ServeWith) -> None:
    counting = CountingPlayer(player.browser)
    live, hand = _open(counting, serve_with, lay_two_blocks())
    counting.tap("#strip .asked [name=own][value=yes]")
    counting.see(".strip-bonus")
    assert counting.taps == 1
    assert len(live.hands.get(hand).assembled().exposed) == 3
    counting.tap(".changes form[action$='/undo'] button")
    counting.see("#strip .asked [name=own][value=no]")
    assert counting.complaints() == []


def test_which_were_exposed_is_asked_until_that_is_all(
    player: Player, serve_with: ServeWith
) -> None:
    live, hand = _open(player, serve_with, ONE_ROW)
    player.tap(".strip-concealed .set:nth-of-type(1) .turn")
    player.see(".strip-exposed")
    player.reads("#strip .asked button", "That is all")
    player.tap(".strip-concealed .whole-row .turn")
    player.until(lambda: len(live.hands.get(hand).assembled().exposed) == 4, "all sets moved")
    player.tap(".strip-exposed .set:nth-of-type(4) .turn")
    player.until(lambda: len(live.hands.get(hand).assembled().exposed) == 3, "one set moved back")
    player.tap("#strip .asked button[value=rows]")
    player.until(lambda: not player.browser.find_elements("css selector", ".whole-row"), "asked on")
    assert player.complaints() == []
