"""From a line of the score to its rule and back to the hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player


@pytest.fixture
def hand(player: Player, serve_with: ServeWith, tmp_path: Path) -> str:
    """Have a hand photographed and read; return its address, where the phone is."""
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(picture(lay()))
    player.open(f"{serve_with(FakeReader()).url}/single/")
    player.choose_photo(photo)
    player.reads_total("224")
    return player.browser.current_url


def test_a_line_leads_to_its_rule_and_the_rule_back_to_the_hand(player: Player, hand: str) -> None:
    player.tap('details.line[data-tiles="3 4 5 6"] summary')
    player.tap("details.line[open] a.rule")
    player.reads("main h1", "Kong of a major tile")
    player.see(".sums-of .lit")
    player.tap(".top a.button")
    player.wait_until(lambda: player.browser.current_url == hand, "the way back led elsewhere")
    player.reads_total("224")
    assert player.complaints() == []
