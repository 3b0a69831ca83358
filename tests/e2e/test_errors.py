"""No screen's scripts fail in WebKit. What Chromium says of them is collected by `test_axe.py`."""

from __future__ import annotations

import pytest

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import WebKit
from tests.e2e.tour import tour
from vision.photo import open_photo


@pytest.mark.longest
def test_no_screen_complains_in_webkit(webkit: WebKit, serve_with: ServeWith) -> None:
    camera, photo = FakeCamera(), picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    webkit.renew()
    found: dict[str, list[str]] = {}
    for stop in tour(live, photo):
        webkit.get(live.url + stop.path)
        found[stop.name] = webkit.complaints()
    assert len(found) > 20, "the tour itself works"
    assert {name: said for name, said in found.items() if said} == {}
