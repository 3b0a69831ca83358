"""A player with a phone: what he sees, taps and reads, with a player's patience."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from device.web.whole_words import NON_BREAKING_HYPHEN
from tests.e2e.engines import MAX_WAIT_S, OPEN, Browser

REPLACED_MESSAGE = "Node with given id does not belong to the document"
"""What chromedriver says now and then of an element that the page has just replaced, in place of
calling it stale."""

FIRST_SEEN = """
const hasSize = (each) => {
  const {width, height} = each.getBoundingClientRect();
  return width * height > 0 || [...each.children].some(hasSize);
};
const all = {visibilityProperty: true, opacityProperty: true};
const isSeen = (each) => each.checkVisibility(all) && hasSize(each);
return [...document.querySelectorAll(arguments[0])].find(isSeen) ?? null;
"""
"""Selenium's own question whether an element is displayed sends 50 kB of script each time."""

OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"

LEFT = "window.isLeft = true"

T = TypeVar("T")


class Wait:
    """Waits until something holds of a page whose elements may be replaced meanwhile."""

    def __init__(self, browser: Browser) -> None:
        ignored_errors = [StaleElementReferenceException]
        self._wait = WebDriverWait(browser, MAX_WAIT_S, 0.1, ignored_exceptions=ignored_errors)

    def poll(self, condition: Callable[[Browser], T | None], message: str = "") -> T:
        """Return what the condition comes to when it holds."""

        def holds(browser: Browser) -> T | None:
            try:
                return condition(browser)
            except WebDriverException as error:
                if REPLACED_MESSAGE in str(error.msg):
                    return None
                raise

        result = self._wait.until(holds, message)
        assert result
        return result


@contextmanager
def to_another_page(browser: Browser) -> Iterator[None]:
    """Wait, after what is done in the block, until the page that it leads to is open."""
    browser.execute_script(LEFT)
    yield
    Wait(browser).poll(lambda _: browser.execute_script(OPEN), "no other page came")


class Player:
    """Does with the page what a player does, and waits as a player does."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def open(self, url: str) -> None:
        self.browser.get(url)

    def see(self, selector: str) -> WebElement:
        def visible(browser: Browser) -> WebElement | None:
            element: WebElement | None = browser.execute_script(FIRST_SEEN, selector)
            return element

        return self._wait().poll(visible, f"no {selector} to be seen")

    def text(self, selector: str) -> str:
        """Return what an element says, also when it is being replaced at that moment."""
        words = self._wait().poll(lambda _: self.see(selector).text, f"{selector} is mute")
        return words.replace(NON_BREAKING_HYPHEN, "-")

    def reads(self, selector: str, text: str) -> None:
        """Wait until an element says this."""
        failure = f"{selector} never said {text!r}"
        self._wait().poll(lambda _: self.text(selector) == text, failure)

    def tap(self, selector: str) -> None:
        def try_tap(_: Browser) -> bool:
            self.browser.press(self.see(selector))
            return True

        self._wait().poll(try_tap, f"{selector} could not be tapped")

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list; the list itself, which the system draws, stays closed."""
        script = """arguments[0].value = arguments[1];
        arguments[0].dispatchEvent(new Event("change", {bubbles: true}));"""
        chooser = self.see(selector)
        assert chooser.tag_name == "select", f"{selector} is no list"
        self.browser.execute_script(script, chooser, value)

    def choose_photo(self, path: Path) -> None:
        field = self.browser.find_element(By.CSS_SELECTOR, "input[type=file][capture]")
        field.send_keys(str(path))

    def wait_until(self, condition: Callable[[], bool], expectation: str) -> None:
        self._wait().poll(lambda _: condition(), expectation)

    def _wait(self) -> Wait:
        return Wait(self.browser)

    def total(self) -> str:
        return self.text("#score .total").split("\n")[0].split(" ")[0]

    def reads_total(self, total: str) -> None:
        self.wait_until(lambda: self.total() == total, f"the total never became {total}")

    def overflow(self) -> int:
        """Return by how many CSS pixels the page is wider than the phone."""
        return int(self.browser.execute_script(OVERFLOW))

    def complaints(self) -> list[str]:
        return self.browser.complaints()

    def hosts(self) -> set[str | None]:
        return self.browser.hosts()
