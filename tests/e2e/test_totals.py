"""A deal that nobody photographs: all scores on one page, in half the taps."""

from __future__ import annotations

from functools import partial

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player

MOST = 8
"""The link 1, who 1, four fields 4, keep 1, confirm 1: seat by seat they were 16."""

NAMES = ("Ann", "Bob", "Cy", "Di")


def test_a_deal_is_typed_on_one_page(player: Player, serve_with: ServeWith, phone: Chrome) -> None:
    live = serve_with(FakeReader())
    player.open(f"{live.url}/match/new")
    phone.delete_all_cookies()
    player.open(f"{live.url}/match/new")
    for number, name in enumerate(NAMES):
        player.see(f"[name=player{number}]").send_keys(name)
    player.tap("form .primary")
    player.tap(".names button:nth-child(3)")  # this is Cy's phone
    taps = 0

    def tap(selector: str) -> None:
        nonlocal taps
        player.tap(selector)
        taps += 1

    tap('a[href="/table/totals/"]')
    tap(".segments label:nth-child(3)")
    for number, score in enumerate(("20", "8", "96", "0")):
        tap(f"#score{number}")
        player.until(partial(_types, player, f"#score{number}", score), f"{score} is not taken")
    assert player.see("#score0").get_attribute("inputmode") == "numeric"
    tap("form .primary")
    player.see("#settlement")
    shown = [cell.text for cell in phone.find_elements(By.CSS_SELECTOR, ".standings td a")]
    assert sorted(shown, key=int) == ["0", "8", "20", "96"]
    tap("#bar button")
    player.see("#table")
    assert taps <= MOST
    assert player.complaints() == []


def _types(player: Player, selector: str, text: str) -> bool:
    """Type a number, again where the driver was faster than the tap before it."""
    field = player.see(selector)
    if field.get_attribute("value") != text:
        field.clear()
        field.send_keys(text)
    return field.get_attribute("value") == text
