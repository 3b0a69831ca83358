"""What the page asks about how tiles lie, answered with a player's taps."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from scorer.message import message
from tests.device.fake_reader import FakeReader, lay, lay_two_blocks, picture
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player
from tests.e2e.tap_counter import CountingPlayer
from tests.e2e.tour import begin, other_phone, upload, wait_until_read
from vision.reading import Problem, Reading

ONE_ROW = structs.replace(
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
    counter = CountingPlayer(player.browser)
    live, hand = _open(counter, serve_with, lay_two_blocks())
    counter.tap("#strip .asked [name=own][value=yes]")
    counter.see(".strip-bonus")
    assert counter.taps == 1
    assert len(live.hands.get(hand).assembled_hand.exposed) == 3
    counter.tap(".changes form[action$='/undo'] button")
    counter.see("#strip .asked [name=own][value=no]")
    assert counter.complaints() == []


def test_which_were_exposed_is_asked_until_that_is_all(
    player: Player, serve_with: ServeWith
) -> None:
    live, hand = _open(player, serve_with, ONE_ROW)
    player.tap(".strip-concealed .set.turn")
    player.see(".strip-exposed")
    player.reads("#strip .asked button", "Done")
    player.tap(".strip-concealed .whole-row .turn")
    player.wait_until(
        lambda: len(live.hands.get(hand).assembled_hand.exposed) == 4, "all sets moved"
    )
    player.tap(".strip-exposed .strip-sets form:nth-child(4) .turn")
    player.wait_until(
        lambda: len(live.hands.get(hand).assembled_hand.exposed) == 3, "one set moved back"
    )
    player.tap("#strip .asked button[value=rows]")
    player.wait_until(
        lambda: not player.browser.find_elements("css selector", ".whole-row"), "asked on"
    )
    assert player.complaints() == []


CLEAN = lay(
    (("exposed", "O2 O2 O2"), ("concealed", "B6 B7 B8"), ("concealed", "DW DW C1 C9 WS WN O7"))
)

DOUBTFUL = lay(
    (("exposed", "B2 B2 B2"), ("concealed", "C3 C4 C5"), ("concealed", "DR DR O1 O9 WE WN O5")),
    doubtful=(0, 1, 2, 4, 6),
)
"""Three of the five are the same pung."""


def test_five_tiles_in_doubt_cost_two_taps(
    player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    """And whoever answers one by one is led on."""
    reader = FakeReader()
    live = serve_with(reader)
    begin(live.url)
    other_phone(live.url, "/table/winner", who="0", won_by="discard")
    counter, taps = CountingPlayer(player.browser), []
    for seat, reading in ((1, CLEAN), (2, DOUBTFUL), (3, DOUBTFUL)):
        reader.reading, before = reading, counter.taps
        photo = tmp_path / f"{seat}.jpg"
        photo.write_bytes(picture(reading, f"#20573{seat}"))
        counter.open(f"{live.url}/table/hand/{seat}?again=")
        counter.choose_photo(photo)
        counter.see("#bar .button")
        if seat == 2:
            counter.tap("#bar a.button")
            counter.tap("#sheet .stays-in-sight button")
        if seat == 3:
            _answer_one_by_one(counter)
        counter.tap("#bar form .button")
        counter.wait_until(lambda: bool(counter.see(".ways-in, .payments-list")), "agreed")
        taps.append(counter.count_since(before))
    assert taps == [1, 3, 5]
    assert counter.complaints() == []


def _answer_one_by_one(player: Player) -> None:
    player.tap("#bar a.button")
    player.tap("#sheet .doubt:nth-child(3)")
    player.tap("#sheet button[name=code].primary")
    player.see("#sheet .doubt:nth-child(2)")
    player.tap("#sheet .stays-in-sight button")
