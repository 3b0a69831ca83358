"""Every screen as axe reads it: names, roles, contrast, the size of what is tapped.

The same walk measures the size of what is to be read (`legible.py`): to open every screen takes as
long as to measure it.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Browser
from tests.e2e.legible import Legibility
from tests.e2e.tour import Stop, tour
from vision.photo import open_photo

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")

RUN = """
const [options, done] = arguments;
axe.run({...options, resultTypes: ["violations"]}).then((found) => done(found.violations));
"""

EVERY_RULE: dict[str, object] = {}
COLOURS: dict[str, object] = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that look at colours. Nothing else is another by lamplight (`test_style.py`)."""


@pytest.mark.longest
@pytest.mark.parametrize(
    "in_the_dark",
    [
        pytest.param((COLOURS, 4), id="colours-in-the-dark-of-every-fourth-screen"),
        pytest.param((EVERY_RULE, 1), id="every-rule-in-the-dark", marks=pytest.mark.prove),
    ],
)
def test_axe_finds_nothing_on_any_screen_and_all_is_large_enough(
    phone: Browser, serve_with: ServeWith, in_the_dark: tuple[dict[str, object], int]
) -> None:
    """In the dark by these rules, on every screen or every fourth: they share style sheets."""
    rules, step = in_the_dark
    camera = FakeCamera()
    photo = picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    phone.renew()
    found: dict[str, list[str]] = {}
    legibility = Legibility()
    # axe is sent once: it is half a megabyte, and there are a hundred screens.
    with phone.before_each_page(AXE):
        for number, stop in enumerate(tour(live, photo)):
            _light(phone, "light")
            phone.get(live.url + stop.path)
            phone.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
            legibility.measure(phone, stop)
            found[f"{stop.name}, light"] = _violations(phone, EVERY_RULE)
            found[f"{stop.name}, complaints"] = _complaints(phone, stop)
            if number % step == 0:
                _light(phone, "dark")
                found[f"{stop.name}, dark"] = _violations(phone, rules)
    phone.prefer()
    assert len(found) > 20, "the tour itself works"
    assert {name: said for name, said in found.items() if said} == {}
    assert legibility.faults() == []


def _complaints(phone: Browser, stop: Stop) -> list[str]:
    """Return what went wrong on a page, but for its own address, which may stand for none."""
    return [said for said in phone.complaints() if stop.path not in said]


def run_axe(phone: Browser) -> list[str]:
    """Return what axe finds on the page that is open."""
    phone.execute_script(AXE)
    return _violations(phone, EVERY_RULE)


def _light(phone: Browser, scheme: str) -> None:
    """Have the phone prefer this scheme, and no colours that are on their way to others."""
    phone.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")


def _violations(phone: Browser, rules: dict[str, object]) -> list[str]:
    return [_said(each) for each in phone.execute_async_script(RUN, rules)]


def _said(violation: dict[str, Any]) -> str:
    where = [node["html"][:120] for node in violation["nodes"][:3]]
    return f"{violation['id']}: {violation['help']} {where}"
