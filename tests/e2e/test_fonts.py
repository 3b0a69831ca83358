"""Pages are measured with the fonts that are asked for: a font that is missing proves nothing."""

from __future__ import annotations

import pytest

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Chromium, browser
from tests.e2e.fonts import CHINESE, FONTS, USUAL


@pytest.mark.parametrize(
    "name",
    [USUAL, *(pytest.param(each, marks=pytest.mark.prove) for each in FONTS if each != USUAL)],
)
def test_a_page_is_drawn_with_these_fonts_alone(serve_with: ServeWith, name: str) -> None:
    live = serve_with(FakeReader())
    drawn_families: set[str] = set()
    with browser(390, 844, fonts=name) as phone:
        for language in ("en-GB", "zh-Hant"):
            phone.keep(live.url, look=f"language={language}")
            phone.get(f"{live.url}/settings/")
            drawn_families |= _families(phone)
    wanted_families = (FONTS[name].sans, FONTS[name].serif, CHINESE)
    missing = [
        family
        for family in wanted_families
        if not any(each.startswith(family) for each in drawn_families)
    ]
    assert missing == [], "tests/install-packages installs them"
    assert [each for each in drawn_families if not each.startswith(wanted_families)] == []


def _families(phone: Chromium) -> set[str]:
    """Return the families of the fonts that the page's text is drawn with."""
    for domain in ("DOM", "CSS"):
        phone.execute_cdp_cmd(f"{domain}.enable", {})
    root = phone.execute_cdp_cmd("DOM.getDocument", {})["root"]["nodeId"]
    families: set[str] = set()
    for selector in ("h1", "main a small"):
        query = {"nodeId": root, "selector": selector}
        node = phone.execute_cdp_cmd("DOM.querySelector", query)
        font_usage = phone.execute_cdp_cmd("CSS.getPlatformFontsForNode", node)
        families |= {each["familyName"] for each in font_usage["fonts"]}
    return families


LAST_LINES = """
const text = document.querySelector("h1").firstChild, range = document.createRange();
const {length} = text.data.trimEnd();
return [length - 2, length - 1].map((start) => {
  range.setStart(text, start);
  range.setEnd(text, start + 1);
  return range.getBoundingClientRect().top;
});
"""


def test_the_mark_of_a_chinese_heading_does_not_stand_alone(
    phone: Chromium, serve_with: ServeWith
) -> None:
    """The heading is one letter longer than a line."""
    live = serve_with(FakeReader())
    phone.renew()
    phone.keep(live.url, look="language=zh-Hant&text=big")
    phone.get(f"{live.url}/learn/first-evening/score/3")
    phone.resize(360, 740)
    last_letter, mark = phone.execute_script(LAST_LINES)
    phone.resize()
    assert last_letter == mark
