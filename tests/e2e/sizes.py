"""The sizes of phones, and what does not fit a screen of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from device.web.preferences import CHOICES
from tests.e2e.engines import Browser
from tests.e2e.player import Wait
from tests.e2e.whole_words import SPLIT_WORDS

Size = tuple[int, int]
"""CSS pixels of a phone, across and down."""

SIZES: tuple[Size, ...] = ((320, 568), (360, 740), (375, 667), (390, 844), (430, 932))
"""From the smallest phone that there is to the largest."""

ON_ITS_SIDE: tuple[Size, ...] = ((844, 390), (740, 360))

SMALLEST = SIZES[0]

STEP = "main .primary"
"""The golden button of the first steps."""

SEATS, NOBODY_BUTTON, SHUTTER = ".felt .seat", ".question form .wide", ".camera .primary"
"""The players; the button that says that nobody went out; the one that takes a photo."""

TALLIES = ".felt .seat:has(.tally)"
"""The players with their totals."""

MIN_HEIGHTS = {
    STEP: {"big": 667},
    NOBODY_BUTTON: {"big": 740},
    SHUTTER: {"big": 740},
    TALLIES: {"usual": 667, "big": 740},
}
"""CSS pixels, by size of text: lower phones have to be scrolled to what these select."""

NARROWEST_FOR_WHOLE_WORDS = 360
"""CSS pixels: the phones that there are. On narrower ones a long word has no room in big text."""

AT_SIZE = """
const page = document.documentElement, [[width, height]] = arguments;
if (page.clientWidth !== width || innerHeight !== height) return null; // not turned yet
"""

FAULTS = (
    SPLIT_WORDS
    + """
const [, texts, narrowest] = arguments;
const inside = ({left, right, top, bottom, width: own}) =>
  !own || (left >= -.5 && right <= width + .5 && top >= -.5 && bottom <= height + .5);
const hidden = (each) => !inside(each.getBoundingClientRect());
return texts.map(([text, inSight]) => {
  page.dataset.text = text;
  const found = page.scrollWidth > width ? [`${page.scrollWidth} wide`] : [];
  for (const each of document.querySelectorAll(".felt > .done")) {
    if (each.scrollWidth > each.clientWidth + 1) found.push(`too wide: ${each.textContent.trim()}`);
  }
  const bar = document.getElementById("bar"), lowest = bar?.getBoundingClientRect().top ?? height;
  const seen = [...document.querySelectorAll("#bar, #bar :is(p, a, button)")];
  const sought = inSight.flatMap((selector) => {
    const those = [...document.querySelectorAll(selector)];
    if (!those.length) found.push(`not there: ${selector}`);
    return those;
  });
  const covered = sought.filter((each) => each.getBoundingClientRect().bottom > lowest + .5);
  for (const each of new Set([...[...seen, ...sought].filter(hidden), ...covered])) {
    found.push(`hidden: ${each.textContent.trim()}`);
  }
  for (const each of document.querySelectorAll(".one-screen .door")) {
    const [door, title] = [each, each.querySelector("b")].map((it) => it.getBoundingClientRect());
    if (title.top < door.top || title.bottom > door.bottom) found.push(`cut: ${each.textContent}`);
  }
  for (const each of document.querySelectorAll("textarea[maxlength]")) {
    if (each.scrollHeight > each.clientHeight + 1) found.push(`cut: ${each.value}`);
  }
  return width < narrowest ? found : [...found, ...splitWords(document.body)];
});
"""
)
"""What sticks out of the page at the side, or of its bar or the screen at any edge, and whose title
or sentence is cut, and which words are not whole, in each size of text."""


def find_at(phone: Browser, size: Size, script: str, *arguments: object) -> Any:  # noqa: ANN401
    """Return what a script finds on the page that is open, once the page has this size.

    The script knows `page`, `width` and `height`; its arguments are the size and these. It returns
    null to be asked again. The size is given each time: a page that is loaded anew has lost it.
    """

    def look(phone_at_size: Browser) -> tuple[Any] | None:
        phone_at_size.resize(*size)
        result = phone_at_size.execute_script(AT_SIZE + script, size, *arguments)
        return None if result is None else (result,)

    (result,) = Wait(phone).poll(look, f"{phone.current_url} at {size}")
    return result


def faults(
    phone: Browser, size: Size, *selectors: str, texts: Sequence[str] = CHOICES["text"]
) -> Iterator[tuple[str, list[str]]]:
    """Yield what is wrong with the page that is open, at this size, in these sizes of text.

    `selectors` selects what must be seen without scrolling.
    """
    selectors_by_text = {
        text: tuple(each for each in selectors if size[1] >= MIN_HEIGHTS.get(each, {}).get(text, 0))
        for text in texts
    }
    faults_found = find_at(
        phone, size, FAULTS, list(selectors_by_text.items()), NARROWEST_FOR_WHOLE_WORDS
    )
    yield from zip(selectors_by_text, faults_found, strict=True)
