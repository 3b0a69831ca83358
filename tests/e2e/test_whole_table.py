"""A whole deal by one photograph of the table: at most eight taps, seven without a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader
from tests.device.fake_table import lay_round
from tests.device.matches.test_table_photo import HANDS
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Browser
from tests.e2e.tap_counter import CountingPlayer
from tests.e2e.tour import begin_at_seat

MAX_TAPS = {True: 8, False: 7}
"""By whether the box asks who sits at the bottom of the picture, as it does once a match."""


@pytest.fixture
def player(engine: Browser) -> CountingPlayer:
    return CountingPlayer(engine)


def test_a_deal_is_eight_taps_at_most(
    player: CountingPlayer, serve_with: ServeWith, tmp_path: Path
) -> None:
    reader = FakeReader()
    reader.table, data = lay_round(HANDS)
    begin_at_seat(player, serve_with(reader, FakeCamera(data)).url, 2)  # this is Cy's phone
    for is_asked, max_taps in MAX_TAPS.items():
        before = player.taps
        player.tap("#bar a")  # Score this deal
        player.tap(".felt .seat.at-bottom")  # Cy went out
        player.tap('button[value="wall"]')
        player.tap("#all-hands summary")
        player.tap('form[action^="/table/whole/snap"] button')
        if is_asked:
            player.tap(".bottom-names .primary")
        player.see(".looked")
        assert "All 4 look right" in player.text("#bar")
        player.tap("#bar button")
        player.see("#settlement")
        player.tap("#bar button")  # Confirm
        player.see("#table")
        assert player.count_since(before) <= max_taps
    assert player.complaints() == []
