"""A second photograph of a hand, from the phone: what the first left in doubt is settled."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.by import By

from tests.device.fake_reader import FakeReader, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.vision.laid_hand import SIDE_VIEW, read_rows

ROWS = ("B2 B2 B2 | O9 O9 O9 O9", "C3 C4 C5 | DR DR DR | WE WE | F1")
"""The tile numbered 8 is the chow's middle one."""


def add_photo(player: Player, path: Path) -> None:
    """Choose a further photo, without waiting for what comes of it."""
    field = player.browser.find_element(By.CSS_SELECTOR, ".more-photo input[type=file]")
    field.send_keys(str(path))


def label(player: Player) -> str:
    """Return what the tile in doubt is called."""
    return player.see('.small-tile[data-tile="8"]').get_attribute("aria-label") or ""


def test_what_a_second_photo_shows_is_put_to_the_hand(
    player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    first, second = read_rows(ROWS, {8: ("C5", 0.5)}), read_rows(ROWS, view=SIDE_VIEW)
    files = [tmp_path / "first.jpg", tmp_path / "second.jpg"]
    for path, reading in zip(files, (first, second), strict=True):
        path.write_bytes(picture(reading))
    reader = FakeReader(first)
    box = serve_with(reader)
    player.open(f"{box.url}/single/")
    player.choose_photo(files[0])
    assert "Is this the" in player.text("#bar")
    assert "5 characters, doubtful" in label(player)

    # A photograph of something else changes nothing, and the page says so.
    reader.reading = read_rows(("B9 B9 B9 | C1 C2 C3", "O4 O5 O6 | WN WN WN | DW DW"))
    add_photo(player, files[1])
    player.wait_until(
        lambda: "another hand" in player.text(".photo-card"), "another hand passed for this one"
    )
    assert "Is this the" in player.text("#bar")

    # One that shows the tile clearly names it, and nothing is left to ask.
    reader.reading = second
    add_photo(player, files[1])
    player.wait_until(lambda: "4 characters" in label(player), "the second photo did not name it")
    assert "Is this the" not in player.text("#bar")
    player.reads_total("224")

    # Its sheet shows the tile in both photographs.
    player.tap('.small-tile[data-tile="8"]')
    assert "In photo 3: 4 characters" in player.text("#sheet .compare")
    assert len(player.browser.find_elements(By.CSS_SELECTOR, "#sheet .compare .crop")) == 2

    # And like any other change it can be taken back.
    player.tap("#sheet [data-close]")
    (record,) = box.hands.recent()
    box.hands.undo(record.id, record.changes[-1].seq)
    player.browser.refresh()
    assert "Is this the" in player.text("#bar")
    assert player.complaints() == []
