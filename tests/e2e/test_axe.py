"""Every screen as axe reads it: names, roles, contrast, the size of what is tapped."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from selenium.webdriver import Chrome

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.tour import tour
from vision.photo import open_photo

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")

RUN = "axe.run().then(r => arguments[arguments.length - 1](r.violations))"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_screen(phone: Chrome, serve_with: ServeWith, theme: str) -> None:
    camera = FakeCamera()
    photo = picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(), camera)
    phone.get(f"{live.url}/nowhere")
    phone.delete_all_cookies()
    phone.add_cookie({"name": "look", "value": f"theme={theme}"})
    found: dict[str, list[str]] = {}
    for stop in tour(live, photo):
        phone.get(live.url + stop.path)
        phone.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
        phone.execute_script(AXE)
        found[stop.name] = [_said(each) for each in phone.execute_async_script(RUN)]
    phone.delete_all_cookies()
    assert len(found) > 10, "the tour itself works"
    assert {name: said for name, said in found.items() if said} == {}


def _said(violation: dict[str, Any]) -> str:
    where = [node["html"][:120] for node in violation["nodes"][:3]]
    return f"{violation['id']}: {violation['help']} {where}"
