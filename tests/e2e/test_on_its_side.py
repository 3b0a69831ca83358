"""A phone on its side: the whole table, and the button that takes a photo, without scrolling."""

from __future__ import annotations

from itertools import product

from device.i18n.words import LANGUAGES
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.sizes import ON_ITS_SIDE, SHUTTER, find_at
from tests.e2e.test_one_screen import LONG
from tests.e2e.tour import begin, other_phone, sit_down

BELOW_SCRIPT = """
const [, sought] = arguments;
const lowest = document.getElementById("bar")?.getBoundingClientRect().top ?? height;
const found = [...document.querySelectorAll(sought)];
return {
  found: found.length,
  below: found.filter((each) => each.getBoundingClientRect().bottom > lowest + 1).length,
};
"""
"""How many of the parts that a selector finds lie below the bar or the screen."""


NEEDED_PARTS = (
    ("/table/", ".seat", 4),
    ("/table/winner?who=2", ".question > .button, .question form > :is(.button, .card)", 4),
    ("/table/end", "#end .button", 2),
    ("/table/hand/2", SHUTTER, 1),
)
"""Pages of a table, the last one once somebody went out; what is in sight, and how many of it."""


def test_what_a_player_needs_is_in_sight(player: Player, serve_with: ServeWith) -> None:
    camera = FakeCamera(picture(lay()))
    live = serve_with(FakeReader(), camera)
    begin(live.url, LONG)
    try:
        player.open(f"{live.url}/nowhere")
        sit_down(player.browser, live)
        for (path, selector, number), language in product(NEEDED_PARTS, LANGUAGES):
            if "hand" in path and language == LANGUAGES[0]:
                other_phone(live.url, "/table/winner", who="2", won_by="wall")
            player.browser.keep(live.url, look=f"language={language}")
            player.open(live.url + path)
            player.see(selector)
            for size in ON_ITS_SIDE:
                shown_part = find_at(player.browser, size, BELOW_SCRIPT, selector)
                assert shown_part == {"found": number, "below": 0}, (path, size, language)
    finally:
        player.browser.resize()
