"""A newcomer looks something up, on a phone."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.keys import Keys

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import in_chromium_at_length
from tests.e2e.player import Player


@pytest.fixture
def url(serve_with: ServeWith) -> str:
    """Start a box; return its address."""
    return serve_with(FakeReader()).url


def is_open(player: Player, section: str) -> bool:
    """Whether the page that is open is this section's."""
    return urlsplit(player.browser.current_url).path.endswith(section)


def open_details(player: Player) -> list[str]:
    """Return the answers that are open."""
    script = "return [...document.querySelectorAll('details[open] .answer')].map(e => e.id)"
    return list(player.browser.execute_script(script))


@in_chromium_at_length
def test_a_word_is_looked_up_and_leads_to_its_answer(player: Player, url: str) -> None:
    player.open(f"{url}/learn/")
    field = player.see("#q")
    field.send_keys("robbing kongs")
    field.send_keys(Keys.ENTER)
    player.tap(".found a")
    answer = player.text("#robbing")
    assert "BMJA-K08" in answer
    assert open_details(player) == ["robbing"]
    top = player.browser.execute_script(
        "return document.getElementById('robbing').getBoundingClientRect().top"
    )
    assert 0 < top < 400, "the question is in view above its answer"
    assert player.complaints() == []


def test_an_address_with_a_place_opens_it(player: Player, url: str) -> None:
    player.open(f"{url}/learn/lessons/playing#goulash")
    player.see("#goulash")
    assert open_details(player) == ["goulash"]


def test_sections_are_read_one_after_the_other(player: Player, url: str) -> None:
    player.open(f"{url}/learn/lessons/")
    player.tap(".sections a")
    for section in ("equipment", "preparing", "playing"):
        player.wait_until(partial(is_open, player, section), section)
        if section != "playing":
            player.tap(".onward .primary")
    player.tap("details:has(#one-chow) summary")
    assert open_details(player) == ["one-chow"]
