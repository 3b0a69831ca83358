"""No page is wider than the phone, and none hides its bar, whatever its language and size of text.

The names are as long as may be. The tour is walked once: each page is opened once a language, and
its sizes are tried on the page that is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from selenium.webdriver.common.by import By

from device.i18n.languages import LANGUAGES
from device.web.preferences import CHOICES
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Chromium
from tests.e2e.player import Player, Wait, forget, keep
from tests.e2e.tour import tour
from vision.photo import open_photo

NAMES = (
    "Wilhelminajacquelineanna",
    "Margarethafredericamaria",
    "Maximilianhumphreymorgan",
    "Jacqueline Mary Margaret",
)
"""As long as a name may be, with and without a place to break it."""

NARROW, WIDE = 320, 430
"""CSS pixels: the narrowest phones that there are, and the widest."""

Tried = dict[str, tuple[int, ...]]
"""The widths in which pages are looked at, by language."""

QUICK: Tried = {"fr": (NARROW,)}
"""The longest words on the narrowest phone; all others are proved."""

EVERY: Tried = dict.fromkeys(LANGUAGES, (NARROW, 360, 375, 390, 412, WIDE))

HEIGHT = 740

FAULTS = """
const [width, height, sizes] = arguments;
const page = document.documentElement;
if (page.clientWidth !== width) return null; // not turned yet
const inside = ({left, right, top, bottom, width: own}) =>
  !own || (left >= -.5 && right <= width + .5 && top >= -.5 && bottom <= height + .5);
return sizes.map((size) => {
  page.dataset.text = size;
  const found = page.scrollWidth > width ? [`${page.scrollWidth} wide`] : [];
  for (const each of document.querySelectorAll("#bar, #bar :is(p, a, button)")) {
    if (!inside(each.getBoundingClientRect())) found.push(`hidden: ${each.textContent.trim()}`);
  }
  return found;
});
"""
"""What sticks out of the page at the side, or of its bar at any edge, in each size of text."""


@pytest.fixture
def turned(phone: Chromium) -> Iterator[Chromium]:
    """Return the phone, which is the usual one again afterwards."""
    yield phone
    phone.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    forget(phone)


@pytest.mark.parametrize(
    "tried", [QUICK, pytest.param(EVERY, marks=pytest.mark.prove)], ids=["quick", "every-width"]
)
def test_no_page_is_wider_than_the_phone_or_hides_its_bar(
    turned: Chromium, serve_with: ServeWith, tried: Tried
) -> None:
    camera, photo = FakeCamera(), picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    forget(turned)
    keep(turned, live.url, player="0")
    found: dict[str, list[str]] = {}
    for stop in tour(live, photo, NAMES):
        for language, widths in tried.items():
            keep(turned, live.url, look=f"language={language}")
            found.update(_faults(turned, live.url + stop.path, f"{stop.name}, {language}", widths))
    assert len(found) > 60 * len(tried), "the tour itself works"
    wrong = [f"{where}: {', '.join(said)}" for where, said in found.items() if said]
    assert not wrong, "\n".join(wrong)


def _faults(
    phone: Chromium, url: str, name: str, widths: tuple[int, ...]
) -> Iterator[tuple[str, list[str]]]:
    """Open a page; yield what is wrong with it in each size of the phone and of its text."""
    phone.get(url)
    for width in widths:
        size = {"width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": True}
        phone.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        said = Wait(phone).until(partial(_look, width=width))
        for text, each in zip(CHOICES["text"], said, strict=True):
            yield f"{name}, {width}, {text}", each


def _look(phone: Chromium, width: int) -> list[list[str]] | None:
    """Return what is wrong with a page in each size of text; None while it has another width."""
    found: list[list[str]] | None = phone.execute_script(FAULTS, width, HEIGHT, CHOICES["text"])
    return found


def test_a_name_of_24_letters_is_kept_whole(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    player.open(f"{live.url}/match/new")
    for number, name in enumerate(NAMES):
        player.see(f"[name=player{number}]").send_keys(name)
    player.tap("form .primary")
    player.see(".seat .name")
    seats = player.browser.find_elements(By.CSS_SELECTOR, ".seat .name")
    assert [seat.get_attribute("textContent") for seat in seats] == list(NAMES)
