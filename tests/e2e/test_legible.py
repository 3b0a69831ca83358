"""What is to be read is large enough for older eyes in a dim room, on every screen of the tour.

Measured in the usual size of text, with all that can be unfolded unfolded. Who wants larger text
has that besides.
"""

from __future__ import annotations

from typing import TypedDict

from selenium.webdriver import Chrome

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.tour import tour
from vision.photo import open_photo

TEXT, TOTAL = 17, 24
"""CSS pixels of any text, and of a figure that a table plays for."""

TOTALS = {
    "table": ".tally",
    "table-after": ".tally",
    "settlement": ".standings b",
    "end": ".standings b",
    "final": ".standings b",
}
"""Where the totals stand, by stop."""

NOT_READ = ".unseen, .badge, option, .overlay, .of-single"
"""What is no text to be read: what is said aloud alone, a sign on a tile, a number on a box of the
photo (the list below has it, too), and the letter on one drawn tile of the wall, which fills it."""

MEASURED = """
const [least, skip, totals, high] = arguments;
document.querySelectorAll("details").forEach((each) => (each.open = true));
const size = (element) => {
  const own = parseFloat(getComputedStyle(element).fontSize);
  const drawn = element.closest("svg");
  return drawn ? own * (element.getScreenCTM?.()?.a ?? 1) : own;
};
const named = (element) => {
  const classes = element.getAttribute("class");
  return element.localName + (classes ? "." + classes.trim().replaceAll(/\\s+/g, ".") : "");
};
const small = {};
let seen = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim();
  const element = walker.currentNode.parentElement;
  if (!text || element.closest(skip) || element.closest("script, style, noscript, title, desc"))
    continue;
  if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
  seen += 1;
  const px = size(element);
  if (px < least - 0.005) {
    const at = `${named(element.parentElement)} > ${named(element)}`;
    small[at] ??= `${px.toFixed(1)} px: ${text.slice(0, 40)}`;
  }
}
const figures = totals ? [...document.querySelectorAll(totals)] : [];
const low = figures.filter((each) => size(each) < high).map((each) => `${size(each)} px`);
return {seen, small, figures: figures.length, low};
"""


class Measured(TypedDict):
    """What the script finds on a page."""

    seen: int
    small: dict[str, str]
    """The texts that are too small, by where they stand."""
    figures: int
    low: list[str]


def test_all_that_is_to_be_read_is_large_enough(phone: Chrome, serve_with: ServeWith) -> None:
    camera, photo = FakeCamera(), picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    phone.get(f"{live.url}/nowhere")
    phone.delete_all_cookies()
    small: dict[str, list[str]] = {}
    low: dict[str, list[str]] = {}
    figures = dict.fromkeys(TOTALS, 0)
    for stop in tour(live, photo):
        phone.get(live.url + stop.path)
        totals = TOTALS.get(stop.name, "")
        found: Measured = phone.execute_script(MEASURED, TEXT, NOT_READ, totals, TOTAL)
        assert found["seen"] > 3, stop.name
        for where, said in found["small"].items():
            small.setdefault(f"{where}: {said}", []).append(stop.name)
        if totals:
            figures[stop.name] = found["figures"]
            low[stop.name] = found["low"]
    assert min(figures.values()) >= 4, figures
    assert small == {}, "\n".join(f"{text} ({', '.join(at)})" for text, at in small.items())
    assert {name: found for name, found in low.items() if found} == {}
