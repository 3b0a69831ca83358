"""What is to be read is large enough for older eyes in a dim room, on every screen of the tour.

So are links to rules for a finger. Measured with all that can be unfolded unfolded: text in its
usual size, for who wants it larger has that besides, and links in each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from device.web.preferences import CHOICES
from tests.e2e.engines import Browser
from tests.e2e.tour import Stop

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

LINKS = "a.rule, .sums-of a, .rule-list a, .figures a"
"""Links that stand within a text."""

TILE = 12
"""CSS pixels that a drawn tile is wide at least, in the smallest list."""

FINGER = 47.5
"""CSS pixels that a link is high at least."""

MEASURE_SCRIPT = """
const [least, skip, totals, high, links, finger, sizes, tile] = arguments;
for (const each of document.querySelectorAll("details")) {
  each.removeAttribute("name"); // or one that opens closes another
  each.open = true;
}
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
let elements = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim();
  const element = walker.currentNode.parentElement;
  if (!text || element.closest(skip) || element.closest("script, style, noscript, title, desc"))
    continue;
  if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
  elements += 1;
  const px = size(element);
  if (px < least - 0.005) {
    const at = `${named(element.parentElement)} > ${named(element)}`;
    small[at] ??= `${px.toFixed(1)} px: ${text.slice(0, 40)}`;
  }
}
const figures = totals ? [...document.querySelectorAll(totals)] : [];
const low = figures.filter((each) => size(each) < high).map((each) => `${size(each)} px`);
const shrunken = [...document.querySelectorAll(".tile")].filter((each) => {
  const {width, height} = each.getBoundingClientRect();
  return each.checkVisibility() && (width < tile || height < tile);
}).length;
const usual = document.documentElement.dataset.text;
const thin = [];
for (const text of sizes) {
  document.documentElement.dataset.text = text;
  for (const link of document.querySelectorAll(links)) {
    const {width, height} = link.getBoundingClientRect();
    if (width && height < finger) thin.push(`${text}: ${link.textContent.trim().slice(0, 30)}`);
  }
}
document.documentElement.dataset.text = usual;
return {elements, small, figures: figures.length, low, thin, shrunken};
"""


class Measurement(TypedDict):
    """What the script finds on a page."""

    elements: int
    small: dict[str, str]
    """The texts that are too small, by where they stand."""
    figures: int
    low: list[str]
    thin: list[str]
    """Links that are too low, by size of text."""
    shrunken: int
    """How many drawn tiles are hardly there."""


@dataclass
class Legibility:
    """What was measured on the screens that a tour has come to."""

    small: dict[str, list[str]] = field(default_factory=dict)
    """The screens on which a text is too small."""
    low: dict[str, list[str]] = field(default_factory=dict)
    """Totals that are too small, by screen."""
    thin: dict[str, list[str]] = field(default_factory=dict)
    """Links that are too low for a finger, by screen."""
    figures: dict[str, int] = field(default_factory=dict)
    """How many totals a screen has that shows them."""

    def measure(self, phone: Browser, stop: Stop) -> None:
        """Measure the screen that is open."""
        totals = TOTALS.get(stop.name, "")
        measurement: Measurement = phone.execute_script(
            MEASURE_SCRIPT,
            TEXT,
            NOT_READ,
            totals,
            TOTAL,
            LINKS,
            FINGER,
            list(CHOICES["text"]),
            TILE,
        )
        assert measurement["elements"] > 3, stop.name
        assert not measurement["shrunken"], f"{stop.name}: tiles without a size"
        for where, said in measurement["small"].items():
            self.small.setdefault(f"{where}: {said}", []).append(stop.name)
        if totals:
            self.figures[stop.name] = measurement["figures"]
            self.low[stop.name] = measurement["low"]
        self.thin[stop.name] = measurement["thin"]

    def faults(self) -> list[str]:
        """Return what is too small."""
        assert min(self.figures.values()) >= 4, self.figures
        texts = [f"{text} ({', '.join(at)})" for text, at in self.small.items()]
        faults_by_kind = {"low": self.low, "thin": self.thin}
        return texts + [
            f"{name}, {what}: {found}"
            for what, by_stop in faults_by_kind.items()
            for name, found in by_stop.items()
            if found
        ]
