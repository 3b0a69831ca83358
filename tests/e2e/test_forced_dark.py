"""Drawings stay legible where a browser makes the page dark by itself, measured by contrast.

Three such browsers are emulated, each with *Light* chosen on the phone:

- Chromium's own forced dark theme, which asks the page first;
- the same, deaf to what the page says, as other phones' browsers may be: it lightens dark text and
  darkens light grounds, each by itself;
- a phone that inverts all colours of the screen.

`python -m pytest tests/e2e/test_forced_dark.py -s` prints what was measured.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from device.matches.repository import MatchRepository
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.contrast import DRAWING, TEXT, contrast
from tests.e2e.engines import WIDTH, Chromium
from tests.e2e.test_score_sheet import play
from tests.e2e.tour import NAMES, post
from tests.reporting import say

TALL, SCALE = 2600, 2
"""CSS pixels of a window that shows a whole page, and the pixels of each."""

CODE = 7.0
"""Least contrast of a code that others scan."""

DARKEN = "Emulation.setAutoDarkModeOverride"

HEIGHT = "return document.documentElement.getBoundingClientRect().height"

Picture = npt.NDArray[np.uint8]

BE_DEAF = """
document.documentElement.style.colorScheme = "light";
document.querySelector("meta[name=color-scheme]").content = "light";
"""
"""Takes away the word by which the page keeps Chromium from darkening it."""

RECTANGLES = """
return [...document.querySelectorAll(arguments[0])].map((each) => {
  const {left, top, width, height} = each.getBoundingClientRect();
  return [left, top, width, height];
}).filter(([left, top, width]) => width > 0);
"""


@contextmanager
def force_dark(phone: Chromium) -> Iterator[None]:
    """Let Chromium darken pages, as "Dark theme for sites" does on a phone that is dark itself.

    On a phone that is light it would not ask the page.
    """
    phone.prefer(prefers_color_scheme="dark")
    phone.execute_cdp_cmd(DARKEN, {"enabled": True})
    try:
        yield
    finally:
        phone.execute_cdp_cmd(DARKEN, {})
        phone.prefer()


def look_in_each_way(phone: Chromium, url: str) -> Iterator[tuple[str, Picture]]:
    """Open a page; yield what is seen of it in each browser that darkens pages, with its name."""
    phone.get(url)
    light = look(phone)
    yield "inverted", 255 - light
    with force_dark(phone):
        yield "asking", look(phone)
        phone.execute_script(BE_DEAF)
        deaf = look(phone)
    assert deaf.mean() < light.mean(), "the page was darkened"
    yield "deaf", deaf


def look(phone: Chromium) -> Picture:
    """Return a picture of the whole page, `SCALE` pixels to a CSS pixel."""
    size = {"width": WIDTH, "height": TALL, "deviceScaleFactor": SCALE, "mobile": True}
    phone.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    height = phone.execute_script(HEIGHT)
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1}
    options = {"optimizeForSpeed": True, "clip": clip}
    answer = phone.execute_cdp_cmd("Page.captureScreenshot", options)
    screenshot = Image.open(io.BytesIO(base64.b64decode(answer["data"]))).convert("RGB")
    assert screenshot.width == WIDTH * SCALE
    return np.asarray(screenshot)


def measure(phone: Chromium, screenshot: Picture, selector: str, margin: float) -> list[float]:
    """Return the contrast of each element in sight, with this share of its sides around it."""
    contrasts = []
    for left, top, width, height in phone.execute_script(RECTANGLES, selector):
        columns = (left - margin * width, left + (1 + margin) * width)
        rows = (top - margin * height, top + (1 + margin) * height)
        spans = [slice(*(max(0, round(each * SCALE)) for each in pair)) for pair in (rows, columns)]
        contrasts.append(contrast(screenshot[*spans]))
    return contrasts


@pytest.fixture
def pages(serve_with: ServeWith, phone: Chromium) -> Iterator[dict[str, str]]:
    """Return the addresses of pages with drawings; the phone has chosen *Light*."""
    live = serve_with(FakeReader())
    matches = MatchRepository(live.hands.store)
    match_id = play(matches, NAMES)
    phone.renew()
    phone.keep(live.url, look="theme=light")
    post(live, "/table/winner", who="2", won_by="discard")
    for number, score in enumerate((24, 8, 64, 48)):
        post(live, f"/table/hand/{number}/score", score=str(score))
    pages = {
        "tiles": post(live, "/enter"),
        "graph": f"{live.url}/match/{match_id}/",
        "arrows": f"{live.url}/table/settle",
        "code": f"{live.url}/join",
        "dice": f"{live.url}/learn/wall/?step=which&first=3-5",
    }
    yield pages
    phone.resize()


INSIDE_MARGIN, AROUND_MARGIN = -0.1, 0.5
"""Margins: within a tile's round corners, which show what lies below; around a mark, its ground."""

DRAWINGS: dict[str, list[tuple[str, float, float, int]]] = {
    "tiles": [
        (".key .tile", INSIDE_MARGIN, DRAWING, 42),
        (".guess .tile", INSIDE_MARGIN, DRAWING, 3),
    ],
    "graph": [
        (".match-graph text", 0, TEXT, 8),
        (".match-graph .mark", AROUND_MARGIN, DRAWING, 20),
    ],
    "arrows": [
        (".payments .head", AROUND_MARGIN, DRAWING, 3),
        (".payments text", 0, TEXT, 8),
        (".button.primary > span", 0, TEXT, 1),
    ],
    "dice": [(".die", INSIDE_MARGIN, DRAWING, 2), (".square .turn", 0, DRAWING, 1)],
    "code": [("svg.code", 0, CODE, 1), (".button.primary", INSIDE_MARGIN, TEXT, 1)],
}
"""By page, what is drawn on it, the margin to measure with, the least contrast, and how many."""

AT_LENGTH = pytest.param(("graph", "dice", "code"), marks=pytest.mark.prove)
"""The pages whose drawings share their colours with the others', by `make prove` alone."""


@pytest.mark.parametrize("names", [("tiles", "arrows"), AT_LENGTH], ids=" and ".join)
def test_drawings_keep_their_contrast(
    phone: Chromium, pages: dict[str, str], names: tuple[str, ...]
) -> None:
    faults = {}
    for page, drawings in ((name, DRAWINGS[name]) for name in names):
        for way, screenshot in look_in_each_way(phone, pages[page]):
            for selector, margin, min_contrast, count in drawings:
                contrasts = measure(phone, screenshot, selector, margin)
                assert len(contrasts) >= count, selector
                say(f"{way:9} {selector:24} {len(contrasts):3}  least {min(contrasts):5.1f}")
                if min(contrasts) < min_contrast:
                    faults[way, selector] = round(min(contrasts), 1)
    assert faults == {}
