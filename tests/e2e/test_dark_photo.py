"""A player's photograph is too dark: the page says so, he takes it again, and the hand is there."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from scorer.message import message
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from vision.reading import make_problem

DARK = structs.replace(lay(), problems=(make_problem("too-dark", message("seen.too-dark")),))

SCROLLED_SCRIPT = (
    "return document.querySelector('.doubted form + form button').getBoundingClientRect()"
)


def test_too_dark_then_taken_again(
    player: Player, serve_with: ServeWith, photo: Path, tmp_path: Path
) -> None:
    reader = FakeReader(DARK)
    box = serve_with(reader, https_port=8443)
    player.open(f"{box.url}/single/")
    player.choose_photo(photo)
    player.reads("h1", "Take this photo again?")
    assert "too dark" in player.text(".problem")
    assert "“Aim with this phone” has a button for this phone's torch" in player.text(".doubted")
    assert player.see(".doubted img").get_property("naturalWidth") == 1200
    lowest = player.browser.execute_script(SCROLLED_SCRIPT)["bottom"]
    assert lowest < player.browser.execute_script("return innerHeight"), "both buttons are in sight"
    address = player.browser.current_url
    reader.reading = lay()
    second_photo = tmp_path / "again.jpg"
    second_photo.write_bytes(picture(lay(), "#404040"))
    player.choose_photo(second_photo)
    player.reads_total("224")
    assert player.browser.current_url == address
    (hand,) = box.hands.recent()
    assert [each.name for each in hand.retaken] == ["hand.jpg"]
    assert player.complaints() == []
