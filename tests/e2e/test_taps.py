"""A tap on a form's button sends with our scripts what the browser sends without them.

What is compared: method, address, and the fields with their values. No difference is wanted; what
scripts do besides sending (a sheet, a swapped part, waiting for the box) has tests of its own.
"""

from __future__ import annotations

import pytest

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.page import Page
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import Browser, in_both_engines
from tests.e2e.taps import Shapes, Tap, Taps, compare
from tests.e2e.tour import Stop, sit_down, tour
from tests.reporting import say
from vision.photo import open_photo


@in_both_engines
@pytest.mark.parametrize(
    ("every", "least"),
    [
        pytest.param(False, 45, id="one-button-of-each-shape"),
        pytest.param(True, 290, id="every-button", marks=pytest.mark.prove),
    ],
)
def test_a_button_sends_what_the_plain_form_sends(
    engine: Browser, serve_with: ServeWith, every: bool, least: int
) -> None:
    camera, photo = FakeCamera(), picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    taps, shapes = Taps(live.app), None if every else Shapes()
    engine.keep(live.url, player="0")
    compared: list[tuple[str, Tap]] = []
    for stop in tour(live, photo):
        if stop.name == "table-after":
            sit_down(engine, live)
        if shapes is None or shapes.has_new(_fetch(engine, live, stop)):
            engine.get(live.url + stop.path)
            compared += [(stop.name, tap) for tap in compare(engine, taps, shapes)]
    wrong = [
        (name, tap) for name, tap in compared if tap.plain is None or tap.plain != tap.scripted
    ]
    say(f"{len(compared)} buttons compared, {len(wrong)} differences")
    assert wrong == []
    assert len(compared) >= least, "the tour itself works"


def _fetch(engine: Browser, live: LiveServer, stop: Stop) -> Page:
    """Return a page as the browser would be sent it."""
    phone = live.app.test_client()
    for cookie in engine.get_cookies() if engine.current_url.startswith("http") else ():
        phone.set_cookie(cookie["name"], cookie["value"])
    return Page(phone.get(stop.path, follow_redirects=True).text)
