"""A player with a phone: what he sees, taps and reads, with a player's patience."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait


def log(browser: Chrome, kind: str) -> list[dict[str, str]]:
    """Return what was logged since the last call."""
    entries: list[dict[str, str]] = browser.get_log(kind)  # type: ignore[no-untyped-call]
    return entries


def keep(browser: Chrome, url: str, **cookies: str) -> None:
    """Give a browser cookies of a box, of which no page need be open for that."""
    for name, value in cookies.items():
        told = {"name": name, "value": value, "url": url}
        assert browser.execute_cdp_cmd("Network.setCookie", told)["success"]


def forget(browser: Chrome) -> None:
    """Let a browser be another phone, or one that was never here."""
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})


REPLACED = "Node with given id does not belong to the document"
"""What chromedriver says now and then of an element that the page has just replaced, in place of
calling it stale."""

T = TypeVar("T")


class Wait:
    """Waits until something holds of a page whose elements may be replaced meanwhile."""

    def __init__(self, browser: Chrome) -> None:
        ignored = [StaleElementReferenceException]
        self._wait = WebDriverWait(browser, 10, 0.1, ignored_exceptions=ignored)

    def until(self, condition: Callable[[Chrome], T | None], message: str = "") -> T:
        """Return what the condition comes to when it holds."""

        def holds(browser: Chrome) -> T | None:
            try:
                return condition(browser)
            except WebDriverException as error:
                if REPLACED in str(error.msg):
                    return None
                raise

        found = self._wait.until(holds, message)
        assert found
        return found


class Player:
    """Does with the page what a player does, and waits as a player does."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    def open(self, url: str) -> None:
        self.browser.get(url)

    def see(self, selector: str) -> WebElement:
        def visible(browser: Chrome) -> WebElement | None:
            found = browser.find_elements(By.CSS_SELECTOR, selector)
            return next((element for element in found if element.is_displayed()), None)

        return self._wait().until(visible, f"no {selector} to be seen")

    def text(self, selector: str) -> str:
        """Return what an element says, also when it is being replaced at that moment."""
        return str(self._wait().until(lambda _: self.see(selector).text, f"{selector} is mute"))

    def reads(self, selector: str, text: str) -> None:
        """Wait until an element says this."""
        said = f"{selector} never said {text!r}"
        self._wait().until(lambda _: self.see(selector).text == text, said)

    def tap(self, selector: str) -> None:
        def tapped(_: Chrome) -> bool:
            element = self.see(selector)
            self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
            return True

        self._wait().until(tapped, f"{selector} could not be tapped")

    def choose_photo(self, path: Path) -> None:
        field = self.browser.find_element(By.CSS_SELECTOR, "input[type=file][capture]")
        field.send_keys(str(path))

    def until(self, condition: Callable[[], bool], what: str) -> None:
        self._wait().until(lambda _: condition(), what)

    def _wait(self) -> Wait:
        return Wait(self.browser)

    def total(self) -> str:
        return self.text("#score .total").split("\n")[0].split(" ")[0]

    def reads_total(self, total: str) -> None:
        self.until(lambda: self.total() == total, f"the total never became {total}")

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in log(self.browser, "browser")]

    def hosts(self) -> set[str | None]:
        messages = (json.loads(e["message"])["message"] for e in log(self.browser, "performance"))
        urls = [
            m["params"]["request"]["url"]
            for m in messages
            if m["method"] == "Network.requestWillBeSent"
        ]
        assert urls, "the record of requests itself works"
        return {urlsplit(url).hostname for url in urls if url.startswith("http")}
