"""No page is wider than the phone, breaks a word or hides its bar; what matters is in sight.

Whatever the language, the size of text and the phone's fonts (`fonts.py`). The names are as long as
may be. The tour is walked once: each page is opened once a language, and the sizes are tried on the
page that is open.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.by import By

from device.i18n.words import LANGUAGES
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Chromium, browser
from tests.e2e.fonts import FONTS
from tests.e2e.player import Player, forget, keep
from tests.e2e.sizes import SIZES, SMALLEST, STEP, Size, faults
from tests.e2e.tour import FIRST_STEPS, sit_down, tour
from vision.photo import open_photo

NAMES = (
    "Wilhelminajacquelineanna",
    "Margarethafredericamaria",
    "Maximilianhumphreymorgan",
    "Jacqueline Mary Margaret",
)
"""As long as a name may be, with and without a place to break it."""

IN_SIGHT = {
    "table-after": ".felt .done .button",
    "first-page": "main a.door",
    "first-page-in-a-match": "main a.door",
    "settings": "main a.door",
    **{f"first-{name}": STEP for name in FIRST_STEPS},
}
"""What is seen without scrolling, by stop of the tour."""

Tried = dict[str, tuple[Size, ...]]
"""The sizes in which pages are looked at, by language."""

QUICK: Tried = {"fr": (SMALLEST, (360, 740), (375, 667))}
"""The longest words: the smallest phone, a narrow one, and the shortest for its width."""

EVERY: Tried = dict.fromkeys(LANGUAGES, SIZES)


@pytest.fixture
def turned(phone: Chromium) -> Iterator[Chromium]:
    """Return the phone, which is the usual one again afterwards."""
    yield phone
    phone.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    forget(phone)


@pytest.mark.longest
def test_no_page_is_wider_than_the_phone_breaks_a_word_or_hides_its_bar(
    turned: Chromium, serve_with: ServeWith
) -> None:
    assert _wrong(turned, serve_with, QUICK) == []


@pytest.mark.prove
@pytest.mark.parametrize("fonts", FONTS)
def test_every_page_holds_in_every_size_and_font(serve_with: ServeWith, fonts: str) -> None:
    with browser(*SIZES[0], fonts=fonts) as phone:
        assert _wrong(phone, serve_with, EVERY) == []


def _wrong(phone: Chromium, serve_with: ServeWith, tried: Tried) -> list[str]:
    """Walk the tour; return what is wrong on which screen."""
    camera, photo = FakeCamera(), picture(lay())
    camera.picture = open_photo(photo, "hand.jpg").rgb
    live = serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)
    forget(phone)
    keep(phone, live.url, player="0")
    found: dict[str, list[str]] = {}
    for stop in tour(live, photo, NAMES):
        if stop.name == "table-after":  # else the page asks first whose phone it is
            sit_down(phone, live)
        for language, sizes in tried.items():
            keep(phone, live.url, look=f"language={language}")
            phone.get(live.url + stop.path)
            for size in sizes:
                for text, said in faults(phone, size, IN_SIGHT.get(stop.name)):
                    found[f"{stop.name}, {language}, {size}, {text}"] = said
    assert len(found) > 120 * len(tried), "the tour itself works"
    return [f"{where}: {', '.join(said)}" for where, said in found.items() if said]


def test_a_name_of_24_letters_is_kept_whole(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    player.open(f"{live.url}/match/new")
    for number, name in enumerate(NAMES):
        player.see(f"[name=player{number}]").send_keys(name)
    player.tap("form .primary")
    player.see(".seat .name")
    seats = player.browser.find_elements(By.CSS_SELECTOR, ".seat .name")
    assert [seat.get_attribute("textContent") for seat in seats] == list(NAMES)
