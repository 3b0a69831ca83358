"""A special hand that is made by tapping, to the end, and a match that is scored by it."""

from __future__ import annotations

import pytest

from device.rulesets.repository import CustomRulesets
from scorer.notation import parse_hand
from scorer.score import score
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Browser, in_webkit_at_length
from tests.e2e.tap_counter import CountingPlayer
from tests.e2e.tour import post

TILES = ("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "O8", "O8", "O8", "C7", "C7")


@pytest.fixture
def player(engine: Browser) -> CountingPlayer:
    return CountingPlayer(engine)


def answer(player: CountingPlayer, name: str, value: str, pattern: str) -> None:
    """Answer a question; the pattern follows by itself."""
    player.tap(f'#questions label:has([name="{name}"][value="{value}"])')
    player.wait_until(lambda: player.text("#shown code") == pattern, f"{pattern} did not follow")


@in_webkit_at_length
def test_a_hand_is_tapped_to_the_end_and_scored_by(
    player: CountingPlayer, serve_with: ServeWith
) -> None:
    box = serve_with(FakeReader())
    address = post(box, "/settings/rules/copy", of="bmja", title="Our rules", author="Ann")
    player.open(address)
    player.tap("details:has(a[href$='/tap/']) summary")
    player.tap("a[href$='/tap/']")
    player.see("#keys")
    player.open(f"{player.browser.current_url}?tiles={'+'.join(TILES[:10])}")
    for code in TILES[10:]:
        player.tap(f'#keys .key[value="{code}"]')  # without waiting for the answer to the last
    player.wait_until(lambda: "14 of 14" in player.text("#laid"), "not all taps arrived")
    player.tap('#laid .laid[value="O8"]')
    player.wait_until(lambda: "13 of 14" in player.text("#laid"), "the tile stayed")
    player.tap('#keys .key[value="O8"]')
    player.wait_until(lambda: "14 of 14" in player.text("#laid"), "the tile did not come back")
    player.browser.refresh()
    assert "14 of 14" in player.text("#laid"), "the address holds what was tapped"
    player.tap("#bar a.primary")
    assert player.text("#shown code") == "B1-9, pung O8, pair C7"
    answer(player, "suits", "same", "x1-9, pung y8, pair z7")
    answer(player, "ranks", "any", "x1-9, pung y, pair z")
    answer(player, "sets", "kongs", "x1-9, pung/kong y, pair z")
    assert "1 to 9 of one suit" in player.text("#shown .sentence")
    assert player.overflow() == 0, "nothing sticks out at the side"
    player.tap("#bar a.primary")
    player.see('[name="name"]').send_keys("Long run")
    player.see('[name="value"]').send_keys("500")
    player.tap("form button.primary")
    player.wait_until(lambda: "Saved as version 2." in player.text("main"), "it was not kept")
    assert player.complaints() == []
    (ruleset,) = CustomRulesets(box.hands.store).list_all()
    hand = parse_hand("O6666 | C123456789 B11 | won=wall with=B1")
    assert score(hand, ruleset.rules).total == 500
