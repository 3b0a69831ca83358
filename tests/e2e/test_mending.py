"""Five of a face in one photograph of the table: the likeliest is one tap, undone by another."""

from __future__ import annotations

from msgspec import structs

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, Group, lay
from tests.device.fake_table import lay_round
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.tour import begin_at_seat, other_phone
from vision.reading import Reading, Side

SEATED_HANDS: dict[Side, list[Group]] = {
    "bottom": [("exposed", "C7 C8 C9"), ("concealed", "O8 O8 O8 WE WE WE O5 O5 O5 C3 C3")],
    "right": [("exposed", "O7 O7 O7 O7"), ("concealed", "C1 C2 C4 B5 B6 B8 WS WS DW DG")],
    "top": [("concealed", "O7 C5 C6 O1 O2 O3 B1 B2 B3 WN WN DR DG")],
    "left": [("concealed", "C4 C5 C6 O1 O2 O4 B1 B7 B9 WW WS DR DG"), ("bonus", "F1")],
}


SEEN_SCRIPT = """
const [arrows, bar] = ["svg.payments", "#bar"].map((css) => document.querySelector(css));
return arrows.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top;
"""
"""Whether the arrows of who pays whom are in sight."""


def read(groups: list[Group]) -> Reading:
    """Return the reading of a hand whose sevens may well be nines."""
    reading = lay(groups)
    tiles = tuple(
        structs.replace(tile, alternatives=(("O9", 0.3), ("B7", 0.01)))
        if tile.code == "O7"
        else tile
        for tile in reading.tiles
    )
    return structs.replace(reading, tiles=tiles)


def test_the_tile_that_was_likely_misread_is_put_right_with_one_tap(
    player: Player, serve_with: ServeWith
) -> None:
    reader = FakeReader()
    reader.table, data = lay_round({side: read(groups) for side, groups in SEATED_HANDS.items()})
    live = serve_with(reader, FakeCamera(data))
    begin_at_seat(player, live.url, 2)  # this is Cy's phone
    other_phone(live.url, "/table/winner", who="2", won_by="wall")
    player.open(f"{live.url}/table/hand/2")
    player.tap("#all-hands summary")
    player.tap('form[action^="/table/whole/snap"] button')
    player.tap(".bottom-names .primary")
    player.reads(".mend p", "Most likely misread: Ann’s tile 1, perhaps 9 circles.")
    player.see(".mend .crop")
    player.tap(".mend button.primary")
    player.see(".looked")
    player.tap("#bar button")  # All 4 look right
    player.see("#settlement")
    player.reads(".adds-up", "All 55 tiles add up.")
    player.tap(".standings tr:nth-child(3) a")
    player.tap('form[action$="/undo"] button')
    player.open(f"{live.url}/table/settle")
    assert player.browser.execute_script(SEEN_SCRIPT), "one line leaves the arrows in sight"
    player.reads(".conflicts summary", "One tile doesn’t add up")
    player.tap(".conflicts summary")
    player.reads(".mend p", "Most likely misread: Ann’s tile 1, perhaps 9 circles.")
    assert player.complaints() == []
