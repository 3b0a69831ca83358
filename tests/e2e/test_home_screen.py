"""A phone whose box does not answer says so in words, and goes on by itself when it does again."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith, serving
from tests.e2e.engines import Chromium
from tests.e2e.icons import ICONS, STATIC, Icon, draw_icon
from tests.e2e.player import Player

READY = "const [done] = arguments; navigator.serviceWorker.ready.then(() => done(true));"
CONTROLLED_SCRIPT = "return navigator.serviceWorker.controller !== null"
CACHED_SCRIPT = """
const [done] = arguments;
caches.keys().then(async (names) => {
  const found = [];
  for (const name of names) found.push(...(await (await caches.open(name)).keys()));
  done(found.map((request) => new URL(request.url).pathname));
});
"""


def test_a_box_that_does_not_answer_is_told_and_comes_back(player: Player, tmp_path: Path) -> None:
    phone = player.browser
    with serving(tmp_path / "box") as serve:
        box = serve(FakeReader())
        player.open(f"{box.url}/learn/")
        assert phone.execute_async_script(READY)
        player.wait_until(
            lambda: is_controlled(player, f"{box.url}/first/"), "the script never took over"
        )
        cached_addresses = phone.execute_async_script(CACHED_SCRIPT)
        assert "/no-answer" in cached_addresses
        assert all(each.startswith("/assets/") for each in cached_addresses if each != "/no-answer")
    player.open(f"{box.url}/match/new?player=Ann")
    assert player.text("h1") == "The box does not answer"
    assert "Is this phone on its Wi-Fi?" in player.text("[role=alert]")
    assert phone.current_url == f"{box.url}/match/new?player=Ann", "to be asked for again"
    ground = phone.execute_script("return getComputedStyle(document.body).backgroundImage")
    assert "gradient" in ground, "as the box's pages look"
    player.tap("a.primary")
    assert player.text("h1") == "The box does not answer"
    with serving(tmp_path / "box", urlsplit(box.url).port or 0) as serve:
        serve(FakeReader())
        player.wait_until(lambda: player.text("h1") == "Play a match", "it did not try by itself")
        assert phone.current_url == f"{box.url}/match/new?player=Ann"


def is_controlled(player: Player, url: str) -> bool:
    """Whether the script is in charge of a page that is opened now."""
    player.open(url)
    return bool(player.browser.execute_script(CONTROLLED_SCRIPT))


def test_where_the_browser_allows_no_such_script_nothing_breaks(
    player: Player, serve_with: ServeWith
) -> None:
    phone = player.browser
    hide = "delete Navigator.prototype.serviceWorker"
    with phone.before_each_page(hide):
        player.open(serve_with(FakeReader()).url)
        assert phone.execute_script("return navigator.serviceWorker === undefined")
        player.tap("a.let-in")
        player.see("#sheet .code")
        assert player.complaints() == []


@pytest.mark.parametrize("icon", ICONS, ids=lambda icon: icon.name)
def test_the_pictures_are_of_the_sign_as_it_is_now(phone: Chromium, icon: Icon) -> None:
    stored_icon = np.asarray(Image.open(STATIC / icon.name).convert("RGBA"), float)
    drawn_icon = np.asarray(draw_icon(phone, icon), float)
    assert stored_icon.shape == drawn_icon.shape
    assert np.abs(stored_icon - drawn_icon).mean() < 3, "python -m tests.e2e.icons"
