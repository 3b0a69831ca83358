"""What the page asks about how tiles lie, answered with a player's taps."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from scorer.message import message
from tests.device.fake_reader import WINNING_ON_WOOD, FakeReader, lay, lay_two_blocks, picture
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.sizes import find_at
from tests.e2e.tap_counter import CountingPlayer
from tests.e2e.tour import begin_at_seat, upload, wait_until_read
from vision.reading import Reading, make_problem

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
    problems=(make_problem("exposed-or-concealed", message("lies.one-row")),),
)


COUNT_SETS_IN_SIGHT = """
page.dataset.text = "big";
const bar = document.getElementById("bar").getBoundingClientRect().top;
const sets = [...document.querySelectorAll(".turn")];
const inSight = sets.filter((each) => each.getBoundingClientRect().bottom <= bar);
page.dataset.text = "usual";
return inSight.length;
"""


def _open(player: Player, serve_with: ServeWith, reading: Reading) -> tuple[LiveServer, str]:
    live = serve_with(FakeReader(reading))
    hand = upload(live, "/hands", picture(reading)).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    player.open(f"{live.url}/hand/{hand}/")
    return live, hand


@in_webkit_at_length
def test_tiles_beside_the_hand_are_one_tap(player: Player, serve_with: ServeWith) -> None:
    counter = CountingPlayer(player.browser)
    live, hand = _open(counter, serve_with, lay_two_blocks())
    counter.see(".overlay .box.asked-about")
    counter.tap("#bar [name=own][value=yes]")
    counter.see(".strip-bonus")
    assert counter.taps == 1
    assert len(live.hands.get(hand).assembled_hand.exposed) == 3
    counter.tap(".changes form[action$='/undo'] button")
    counter.see("#bar [name=own][value=no]")
    assert counter.complaints() == []


@in_webkit_at_length
def test_which_were_exposed_is_asked_until_that_is_all(
    player: Player, serve_with: ServeWith
) -> None:
    live, hand = _open(player, serve_with, ONE_ROW)

    player.reads("#bar .primary", "None were exposed")
    sets_in_sight = find_at(player.browser, (360, 740), COUNT_SETS_IN_SIGHT)
    player.browser.resize()
    assert sets_in_sight >= 2, "what is asked about, in big text"
    player.tap(".strip-laid form:nth-child(1) .turn")
    player.reads("#bar .primary", "Done: 1 exposed")
    player.see('.overlay .asked-about[data-tile="0"]')
    player.tap("#bar [name=row]")  # all concealed, again
    player.reads("#bar .primary", "None were exposed")
    player.tap("#bar [name=row]")
    player.reads("#bar .primary", "Done: 4 exposed")
    player.tap(".strip-laid form:nth-child(4) .turn")
    player.reads("#bar .primary", "Done: 3 exposed")
    assert len(live.hands.get(hand).assembled_hand.exposed) == 3
    player.tap("#bar [value=rows]")
    player.see(".strip-exposed")
    assert player.complaints() == []


def test_only_the_gaps_of_bare_wood_go_out(player: Player, serve_with: ServeWith) -> None:
    live, hand = _open(player, serve_with, lay(WINNING_ON_WOOD, (8, 16, 17, 18)))
    player.reads("#question", "Is this the 4 characters?")
    assert "gaps" not in player.text("#bar"), "one of the four belongs to the hand"
    player.tap('#bar [value="8"].primary')
    player.tap("#bar [action$=leave-out] button")
    player.wait_until(lambda: live.hands.get(hand).tiles[18].code is None, "a gap is still there")
    assert [tile.code for tile in live.hands.get(hand).tiles[16:]] == [None] * 3
    assert live.hands.get(hand).tiles[8].code == "C4"
    assert player.complaints() == []


CLEAN = lay(
    (
        ("exposed", "O2 O2 O2"),
        ("concealed", "B6 B7 B8"),
        ("concealed", "DW DW"),
        ("concealed", "C1 C9 WS WN O7"),
        ("bonus", "F1"),
    )
)

CONCEALED = structs.replace(
    lay(
        (
            ("concealed", "B4 B4 B4"),
            ("concealed", "C7 C8 C9"),
            ("concealed", "DG DG B1 B9 O8 O3 O4"),
        )
    ),
    problems=ONE_ROW.problems,
)

DOUBTFUL = lay(
    (("exposed", "C2 C2 C2"), ("concealed", "C3 C4 C5"), ("concealed", "O6 O6 O5 O9 WS WN WW")),
    doubtful=(3, 6),
)


@in_webkit_at_length
def test_a_photographed_deal_on_one_phone_takes_fourteen_taps(
    player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    """Two hands lie in one row, and of the winner's it is asked which tile won.

    Two tiles in doubt are two taps more. A clean hand is three, with that on *My hand*.
    """
    reader = FakeReader()
    live = serve_with(reader)
    counter = CountingPlayer(player.browser)
    begin_at_seat(counter, live.url, 1)
    before, taps = counter.taps, []

    def count() -> None:
        nonlocal before
        taps.append(counter.count_since(before))
        before = counter.taps

    for selector in ("#bar .primary", ".seat.at-bottom", "button[value=discard]"):
        counter.tap(selector)
    count()
    for (name, reading), cloth in zip(HANDS, CLOTHS, strict=True):
        counter.reads("h1", f"{name}'s hand")
        reader.reading = reading
        photo = tmp_path / f"{name}.jpg"
        photo.write_bytes(picture(reading, cloth))
        counter.choose_photo(photo)
        counter.taps += 1
        counter.reads(".whose h1", name)
        for answer in ANSWERS[name]:
            counter.tap(f"#bar {answer}")
        count()
    counter.see(".payments-list")
    counter.tap("#bar .primary")
    counter.wait_until(lambda: "Deal 2" in counter.text(".middle"), "the next deal did not come")
    count()
    assert taps == [3, 4, 4, 2, 2, 1]
    assert sum(taps) - DOUBTS == MOST_TAPS
    assert counter.complaints() == []


MOST_TAPS, DOUBTS = 14, 2

CLOTHS = ("#20573f", "#6f2b2b", "#2b3a6f", "#6f5f2b")

HANDS = (("Bob", ONE_ROW), ("Cy", DOUBTFUL), ("Di", CONCEALED), ("Ann", CLEAN))

ANSWERS = {
    "Bob": ("[value=rows].primary", '[name=winning_tile][value="0"]', "[action*=right] .primary"),
    "Cy": ('[value="3"].primary', '[value="6"].primary', "[action*=right] .primary"),
    "Di": ("[action*=right] .primary",),
    "Ann": ("[action*=right] .primary",),
}
"""What each player taps after the photograph. Di says with one tap that it looks right, and that
nothing was exposed."""
