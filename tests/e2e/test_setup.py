"""A player looks whether the box is well, and lets it read its test photograph.

With TONGBOX_SCREENS=DIR pictures of the phone are taken on the way.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from device.samples import load_samples
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player

OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_box_is_looked_over(player: Player, serve_with: ServeWith, theme: str) -> None:
    reader = FakeReader()
    reader.reading = replace(reader.reading, hand_text=load_samples()[0].hand)
    scheme = {"name": "prefers-color-scheme", "value": theme}
    player.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    try:
        player.open(serve_with(reader).url)
        player.tap('a[href="/setup/"]')
        player.tap('form[action="/setup/reading"] button')
        player.until(lambda: "A test photo" in player.text("#setup"), "it never read the photo")
        player.see('form[action="/setup/reading"] button')
        assert player.browser.execute_script(OVERFLOW) == 0, "nothing runs out of the screen"
        if shots := os.environ.get("TONGBOX_SCREENS"):
            player.browser.save_screenshot(str(Path(shots) / f"setup-{theme}.png"))
    finally:
        player.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
