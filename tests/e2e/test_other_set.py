"""The box knows two sets; a hand looks like the other one, and one tap reads it again by that."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.page import Page
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player


def post(box: LiveServer, path: str, **fields: str) -> str:
    with urlopen(f"{box.url}{path}", urlencode(fields).encode()) as answer:  # noqa: S310 - its own box
        return str(answer.read().decode())


def teach(player: Player, box: LiveServer, photo: Path, *, is_first: bool = False) -> None:
    """Read a hand, say that its tiles are right, and have the box learn from it.

    It may by the answer to its last question, which it asks of the first hand.
    """
    player.open(f"{box.url}/single/")
    player.choose_photo(photo)
    player.see("#score")
    player.tap("#tiles form[action$='/right'] button")
    if is_first:
        for name, value in FIRST_ANSWERS.items():
            player.tap(f"#bar button[name={name}][value={value}]")
    player.wait_until(lambda: bool(box.hands.recent()[0].crops), "nothing is cut out")


FIRST_ANSWERS = {"seat_wind": "E", "prevailing_wind": "E", "won_by": "wall", "learn": "yes"}

OFFER = "#bar .offer"
"""What the box offers stands in the bar: nobody has to scroll to it."""


def test_another_set_is_offered_and_taken(
    player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    photos = [tmp_path / "ours.jpg", tmp_path / "anns.jpg"]
    for photo, cloth in zip(photos, ("#20573f", "#603010"), strict=True):
        photo.write_bytes(picture(lay(), cloth))
    reader = FakeReader()
    box = serve_with(reader)
    teach(player, box, photos[0], is_first=True)
    post(box, "/sets/choose", name="Ann's")
    teach(player, box, photos[1])
    first = Page(post(box, "/sets/learning", learn="yes")).button("Put this")["value"]
    other = Page(post(box, "/sets/choose", set=first))
    reader.says_whose = other.button("Put this")["value"]

    player.open(f"{box.url}/single/")
    player.choose_photo(photos[1])
    player.see(OFFER)
    assert "“Ann's”" in player.text(OFFER)
    assert player.overflow() == 0, "nothing sticks out at the side"
    player.tap(f"{OFFER} button")
    player.wait_until(lambda: not player.browser.find_elements("css selector", OFFER), "stays")
    player.see("#score")
    player.open(f"{box.url}/sets/")
    assert "Ann's on the table" in player.text(".sets").replace("\n", " ")
    assert player.complaints() == []
