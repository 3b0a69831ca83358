"""A whole table set on a phone: 8 and 12, which runs on past the end of a wall."""

from __future__ import annotations

from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Browser
from tests.e2e.player import to_another_page


def tap(phone: Browser, words: str) -> None:
    follow(phone, phone.find_element(By.LINK_TEXT, words))


def follow(phone: Browser, link: WebElement) -> None:
    """Tap a link and wait until its page is there."""
    with to_another_page(phone):
        link.click()


def heading(phone: Browser) -> str:
    return phone.find_element(By.TAG_NAME, "h1").text


def says(phone: Browser) -> str:
    return phone.find_element(By.CSS_SELECTOR, ".sayings").text


def fits(phone: Browser) -> bool:
    """Whether nothing is wider than the phone, and the picture's letters are not tiny."""
    wide = phone.execute_script("return document.documentElement.scrollWidth")
    letters = phone.execute_script(
        "return [...document.querySelectorAll('.square text')]"
        ".map(t => t.getBoundingClientRect()).filter(r => r.left < 0 || r.right > 390).length"
    )
    return bool(wide <= 390 and letters == 0)


def test_from_the_seats_to_the_next_deal(phone: Browser, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    phone.get(f"{live.url}/learn/")
    phone.delete_all_cookies()
    follow(phone, phone.find_element(By.CSS_SELECTOR, 'a[href="/learn/wall/"]'))
    assert heading(phone) == "Who sits where"
    phone.execute_script("window.scrollTo(0, document.body.scrollHeight)")
    follow(phone, phone.find_element(By.CSS_SELECTOR, '.i-sit [aria-label="See it from South"]'))
    tap(phone, "Next")
    assert heading(phone) == "Build the walls"
    assert "18 pairs" in says(phone)
    tap(phone, "Next")
    assert heading(phone) == "East throws: which wall?"
    tap(phone, "8")
    assert "this is North's wall" in says(phone)
    assert fits(phone)
    tap(phone, "Next")
    assert heading(phone) == "North throws: how far?"
    tap(phone, "12")
    assert "The wall breaks at pair 2 of West's wall" in says(phone)
    last = phone.find_element(By.CSS_SELECTOR, ".square .of-last")
    assert last.text == "20"
    assert last.location["x"] > 300, "West sits at South's right"
    assert fits(phone)
    tap(phone, "Next")
    assert len(phone.find_elements(By.CSS_SELECTOR, ".square .of-loose")) == 2
    assert fits(phone)
    tap(phone, "Next")
    assert "77 are left" in says(phone)
    assert len(phone.find_elements(By.CSS_SELECTOR, ".square .is-dealt")) == 53
    assert fits(phone)
    tap(phone, "Next")
    assert "East begins" in says(phone)
    tap(phone, "Next")
    assert "a goulash follows" in says(phone)
    tap(phone, "Back")
    assert heading(phone) == "Flowers, and who begins"
    phone.refresh()
    assert heading(phone) == "Flowers, and who begins", "everything is in the address"


def test_the_box_throws_for_the_table(phone: Browser, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    phone.get(f"{live.url}/learn/wall/?step=which")
    for _ in range(2):
        tap(phone, "Throw for us")
        assert len(phone.find_elements(By.CSS_SELECTOR, ".die")) == 2
        tap(phone, "Next")
    assert heading(phone) == "Loose tiles and kong box"
