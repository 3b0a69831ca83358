"""No screen's scripts fail in WebKit; what Chromium says is in `test_every_screen.py`."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.page import Page
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import WebKit
from tests.e2e.tour import tour
from vision.photo import open_photo


@pytest.mark.parametrize(
    "every_screen",
    [
        pytest.param(False, id="one-screen-of-each-set-of-scripts"),
        pytest.param(True, id="every-screen", marks=pytest.mark.prove),
    ],
)
def test_no_screen_complains_in_webkit(
    webkit: WebKit, serve_with: ServeWith, *, every_screen: bool
) -> None:
    camera, photo = FakeCamera(), picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    webkit.renew()
    found: dict[str, list[str]] = {}
    seen: set[frozenset[str]] = set()
    for stop in tour(live, photo):
        scripts = _scripts(live, stop.path)
        if every_screen or scripts not in seen:
            seen.add(scripts)
            webkit.get(live.url + stop.path)
            found[stop.name] = webkit.complaints()
    assert set().union(*seen) >= {"tongbox", "dispute", "board"}, "the tour itself works"
    assert {name: said for name, said in found.items() if said} == {}


def _scripts(live: LiveServer, path: str) -> frozenset[str]:
    """Return the names of the scripts of a page, be it one that says what is wrong."""
    connection = HTTPConnection(urlsplit(live.url).netloc)
    connection.request("GET", path)
    page = Page(connection.getresponse().read().decode())
    connection.close()
    files = (each.rpartition("/")[2] for each in page.attributes("src", "script"))
    return frozenset(file.partition(".")[0] for file in files)  # before its hash
