"""The whole of it: a sample photograph, the real networks, a score on the phone.

With TONGBOX_SCREENS=DIR the README's pictures are taken on the way: `make screens`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from device.samples import load_samples
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from vision.reader import Reader

READ_RIGHTLY = "pungs-and-a-kong"


@pytest.fixture
def picture(player: Player) -> Callable[[str], None]:
    """Take a picture of the phone, where pictures are wanted."""
    folder = os.environ.get("TONGBOX_SCREENS")

    def take(name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            player.browser.save_screenshot(str(Path(folder) / f"{name}.png"))

    return take


def test_a_sample_photograph_is_read_and_scored(
    player: Player, serve_with: ServeWith, picture: Callable[[str], None]
) -> None:
    sample = next(s for s in load_samples() if s.name == READ_RIGHTLY)
    player.open(f"{serve_with(Reader.load()).url}/single/")
    player.choose_photo(sample.path)
    player.see("#score")
    picture("hand")

    read = player.see("#hand-text").get_attribute("value") or ""
    assert read.partition(" seat=")[0] == sample.hand.partition(" seat=")[0]

    player.tap('#bar .answers [name="seat_wind"][value="E"]')
    player.tap('#bar .answers [name="prevailing_wind"][value="S"]')
    # The sideways tile in the far row told that it was claimed, so nothing else need be said.
    player.reads_total("416")
    player.tap("details.line summary")
    picture("score")

    player.tap(".strip-bonus .small-tile")
    player.see("#sheet .compare")
    picture("tile")

    assert player.complaints() == []
    assert player.hosts() == {"127.0.0.1"}
