"""The first page: what people came for is the first thing on it, and nothing is to be searched."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By

from device.i18n.words import LANGUAGES
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Browser, in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.sizes import ON_ITS_SIDE, SMALLEST, faults
from tests.e2e.tour import NAMES, begin
from tests.pdf_pages import text_of

WAYS = ["/match/new", "/single/", "/learn/", "/matches", "/settings/"]


@pytest.fixture
def turned_player(player: Player) -> Iterator[Player]:
    """Return a player whose phone is the usual one again afterwards."""
    yield player
    player.browser.resize()


def ways(phone: Browser) -> list[str]:
    """Return where the page's ways lead, in their order."""
    links = phone.find_elements(By.CSS_SELECTOR, "main a.button")
    return [urlsplit(str(each.get_attribute("href"))).path for each in links]


@in_webkit_at_length
def test_playing_is_the_first_thing_and_gold(player: Player, serve_with: ServeWith) -> None:
    box = serve_with(FakeReader())
    player.open(box.url)
    assert ways(player.browser) == WAYS
    assert player.text("main .primary").startswith("Play a match")
    begin(box.url)
    player.open(f"{box.url}/first/")
    assert ways(player.browser) == ["/table/", *WAYS[1:]]
    assert player.text("main .primary").startswith("Go to the table")
    assert player.text("main .primary small") == " · ".join(NAMES)
    assert len(player.browser.find_elements(By.CSS_SELECTOR, "main .primary")) == 1
    player.tap("main .primary")
    player.see(".felt")
    player.tap(".brand")
    player.wait_until(
        lambda: player.browser.current_url.endswith("/first/"), "the sign leads nowhere"
    )
    player.tap('main a[href="/single/"]')
    player.tap(".brand")
    player.see(".felt")


def test_a_page_on_paper_is_black_on_white_without_its_grounds(
    player: Player, serve_with: ServeWith
) -> None:
    phone = player.browser
    box = serve_with(FakeReader())
    phone.keep(box.url, look="theme=dark")
    player.open(f"{box.url}/matches")
    phone.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        inks = phone.execute_script(
            "return [...document.querySelectorAll('main :is(h1, li, a)')]"
            ".map((each) => getComputedStyle(each).color)"
        )
        assert set(inks) <= {"rgb(0, 0, 0)", "rgb(51, 51, 51)"}, "paper-ink and its softer one"
        assert not phone.find_element(By.CSS_SELECTOR, "header.top").is_displayed()
    finally:
        phone.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_each_way_of_a_menu_is_on_paper(player: Player, serve_with: ServeWith) -> None:
    url = serve_with(FakeReader()).url
    for path in ("/", "/settings/"):
        player.open(url + path)
        titles = player.browser.find_elements(By.CSS_SELECTOR, "main .door b")
        due = [str(each.get_attribute("textContent")) for each in titles]
        assert len(due) >= 4, path
        printed_text = " ".join(" ".join(text_of(player.browser.print_to_paper())).split())
        assert [title for title in due if title not in printed_text] == []


def test_every_way_is_seen_without_scrolling(turned_player: Player, serve_with: ServeWith) -> None:
    """On the other sizes, see `IN_SIGHT` in `test_every_screen.py`."""
    box, phone = serve_with(FakeReader()), turned_player.browser
    for path, language in product(("/", "/settings/", "/first/"), LANGUAGES):
        if path == "/first/" and language == LANGUAGES[0]:
            begin(box.url)
        phone.keep(box.url, look=f"language={language}")
        turned_player.open(box.url + path)
        assert len(ways(phone)) >= 4
        for size in (SMALLEST, *ON_ITS_SIDE):
            for text, said in faults(phone, size, "main a.door"):
                assert said == [], (path, size, text, language)
