"""A tap on a form's button sends with our scripts what the browser sends without them.

What is compared: method, address, and the fields with their values. No difference is wanted; what
scripts do besides sending (a sheet, a swapped part, waiting for the box) has tests of its own. Nor
do they fail in WebKit: what Chromium complains of is in `test_every_screen.py`.
"""

from __future__ import annotations

import pytest

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.page import Page
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import Browser, Chromium, WebKit
from tests.e2e.taps import Shapes, Tap, Taps, compare
from tests.e2e.tour import Stop, sit_down, tour
from tests.reporting import say
from vision.photo import open_photo


@pytest.mark.longest
@pytest.mark.parametrize(
    ("every", "least"),
    [
        pytest.param(False, 90, id="one-button-of-each-shape-and-set-of-scripts"),
        pytest.param(True, 580, id="every-button-and-screen", marks=pytest.mark.prove),
    ],
)
def test_a_button_sends_what_the_plain_form_sends_and_no_script_fails(
    phone: Chromium, webkit: WebKit, serve_with: ServeWith, every: bool, least: int
) -> None:
    """In both engines; the tour is walked once for them."""
    camera, photo = FakeCamera(), picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    taps, shapes, browsers = Taps(live.app), Shapes(), (phone, webkit)
    for browser in browsers:
        browser.renew()
        browser.keep(live.url, player="0")
    compared: list[tuple[str, Tap]] = []
    complaints: dict[str, list[str]] = {}
    loaded: set[frozenset[str]] = set()
    for stop in tour(live, photo):
        if stop.name == "table-after":
            for browser in browsers:
                sit_down(browser, live)
        page = _fetch(phone, live, stop)
        scripts, has_buttons = _scripts(page), every or shapes.has_new(page)
        if has_buttons or every or scripts not in loaded:
            loaded.add(scripts)
            webkit.get(live.url + stop.path)
            complaints[stop.name] = webkit.complaints()
        if has_buttons:
            phone.get(live.url + stop.path)
            found = compare(browsers, taps, None if every else shapes)
            compared += [(stop.name, tap) for tap in found]
            webkit.complaints()  # of taps that were not carried out
    wrong = [(name, tap) for name, tap in compared if tap.is_wrong]
    say(f"{len(compared)} buttons compared, {len(wrong)} differences")
    assert wrong == []
    assert {name: texts for name, texts in complaints.items() if texts} == {}
    assert len(compared) >= least, "the tour itself works"
    assert set().union(*loaded) >= {"tongbox", "dispute", "board"}, "the tour itself works"


def _fetch(engine: Browser, live: LiveServer, stop: Stop) -> Page:
    """Return a page as the browser would be sent it."""
    phone = live.app.test_client()
    for cookie in engine.get_cookies() if engine.current_url.startswith("http") else ():
        phone.set_cookie(cookie["name"], cookie["value"])
    return Page(phone.get(stop.path, follow_redirects=True).text)


def _scripts(page: Page) -> frozenset[str]:
    """Return the names of a page's scripts."""
    files = (each.rpartition("/")[2] for each in page.attributes("src", "script"))
    return frozenset(file.partition(".")[0] for file in files)  # before its hash
