"""Every screen, looked at once: it fits the phone, can be read and tapped, and axe finds nothing.

No page is wider than the phone, none breaks a word or hides its bar, and what must be seen at once
is in sight, whatever the language, the size of text and the phone's fonts (`fonts.py`). What is to
be read and tapped is large enough (`legible.py`). Buttons of forms send with scripts what the plain
form sends (`taps.py`), and no script fails in either engine. The names are as long as may be. To
open a screen takes as long as to look at it, so one test looks at all of it. The quick one is two,
of every other screen each: they run beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest
from selenium.webdriver.common.by import By

from device.i18n.words import LANGUAGES
from device.web.preferences import CHOICES
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.axe import AXE, COLOURS, EVERY_RULE, PAGE, Rules, list_violations
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import Browser, Chromium, WebKit, browser
from tests.e2e.fonts import FONTS
from tests.e2e.legible import TOTALS, Legibility
from tests.e2e.player import Player
from tests.e2e.sizes import (
    NOBODY_BUTTON,
    SEATS,
    SHUTTER,
    SIZES,
    SMALLEST,
    STEP,
    TALLIES,
    Size,
    faults,
)
from tests.e2e.taps import Shapes, TapComparison, Taps
from tests.e2e.tour import FIRST_STEPS, Stop, sit_down, tour

NAMES = (
    "Alexandrina-Alexandrine",
    "Margarethafredericamaria",
    "Alexandrine Wilhelminajr",
    "Maximilianhumphreymorgan",
)
"""As long as a name may be, with and without a place to break it."""

IN_SIGHT = {
    "who": (SEATS, NOBODY_BUTTON),
    "capture": (SHUTTER,),
    "doubted": (".doubted form > .button:not(.scriptless)",),
    "table-after": (TALLIES, ".felt .done .button"),
    "end": ("#end .button",),
    "single": (SHUTTER,),
    "first-page": ("main a.door",),
    "first-page-in-a-match": ("main a.door",),
    "settings": ("main a.door",),
    **{f"first-{name}": (STEP,) for name in FIRST_STEPS},
    **dict.fromkeys(("hand", "open", "tile", "asked", "enter", "settlement"), ()),
}
"""What is seen without scrolling, by stop of the tour; the bar at the foot is on every page."""

Trials = dict[str, tuple[Size, ...]]
"""The sizes in which pages are looked at, by language."""

QUICK: Trials = {"fr": (SMALLEST, (360, 740))}
"""The longest words: the smallest phone, and a narrow one."""

QUICK_IN_SIGHT: Trials = {"fr": (*QUICK["fr"], (375, 667))}
"""And the shortest for its width, where something must be in sight."""

EVERY_SIZE: Trials = dict.fromkeys(LANGUAGES, SIZES)


@pytest.fixture
def turned_phone(phone: Chromium) -> Iterator[Chromium]:
    """Return the phone, which is the usual one again afterwards."""
    phone.renew()
    yield phone
    phone.prefer()
    phone.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    phone.forget()


class AxeCare(NamedTuple):
    """How closely axe looks at screens in one light."""

    rules: Rules
    min_parts: int
    """How many kinds of visible elements must be new in this light: it looks at one of each."""
    min_whole: int
    """How many must be new for a look at the whole screen instead."""


@dataclass(frozen=True, slots=True)
class Care:
    """How closely screens are looked at."""

    every_text: bool
    """Or the largest alone, but where something must be in sight."""
    axe: Mapping[str, AxeCare]
    """By light. Besides, its rules for whole pages hold on every screen."""
    every_button: bool
    """Or one of each shape, and in WebKit alone."""
    step: int
    """1: every screen; 2: every other one."""
    min_faults: int
    """How many looks at something there are at least."""
    min_buttons: int
    """How many buttons are tapped at least."""


KINDS = """
return [...document.body.querySelectorAll("*")]
  .filter((each) => !each.closest("svg *") && each.checkVisibility())
  .flatMap((each) => [...each.classList].map((name) => `${each.localName}.${CSS.escape(name)}`));
"""
"""The kinds of visible elements of a page: their tags with each class, as selectors."""


OWN_SCRIPTS = ("dispute", "board")
"""Stops with a script of the same name."""

QUICK_CARE = Care(
    every_text=False,
    axe={"light": AxeCare(EVERY_RULE, 1, 12), "dark": AxeCare(COLOURS, 6, 60)},
    every_button=False,
    step=2,
    min_faults=320,
    min_buttons=30,
)
"""Screens share macros and style sheets, and scripts see the same of buttons of one shape."""

FULL_CARE = Care(
    every_text=True,
    axe=dict.fromkeys(("light", "dark"), AxeCare(EVERY_RULE, 0, 0)),
    every_button=True,
    step=1,
    min_faults=440,
    min_buttons=580,
)


@pytest.mark.longest
@pytest.mark.parametrize(
    ("care", "first"),
    [
        pytest.param(QUICK_CARE, 0, id="quick-even"),
        pytest.param(QUICK_CARE, 1, id="quick-odd"),
        pytest.param(FULL_CARE, 0, id="full", marks=pytest.mark.prove),
    ],
)
def test_every_screen_fits_can_be_read_and_sends_what_is_tapped(
    turned_phone: Chromium, webkit: WebKit, serve_with: ServeWith, care: Care, first: int
) -> None:
    live = _serve(serve_with)
    faults: dict[str, list[str]] = {}
    is_looked_at_by_name: dict[str, bool] = {}
    legibility = Legibility()
    kinds_by_light: dict[str, set[str]] = {light: set() for light in care.axe}
    shapes = None if care.every_button else Shapes()
    buttons = TapComparison(turned_phone, webkit, Taps(live.app), shapes)
    webkit.renew()
    # axe is sent once: it is half a megabyte, and there are a hundred screens.
    with turned_phone.before_each_page(AXE):
        for number, stop in enumerate(_walk(live, turned_phone, webkit)):
            is_looked_at_by_name[stop.name] = number % care.step == first
            if not is_looked_at_by_name[stop.name]:
                continue
            is_in_sight = stop.name in IN_SIGHT
            texts = CHOICES["text"] if care.every_text or is_in_sight else CHOICES["text"][-1:]
            faults |= _fit(turned_phone, stop, QUICK_IN_SIGHT if is_in_sight else QUICK, texts)
            _open_usual(turned_phone)
            legibility.measure(turned_phone, stop)
            faults[f"{stop.name}, page"] = list_violations(turned_phone, PAGE)
            for light, violations in _look_by_axe(turned_phone, care.axe, kinds_by_light):
                faults[f"{stop.name}, {light}"] = violations
            faults[f"{stop.name}, Chromium"] = _complaints(turned_phone, stop)
            buttons.compare_at(stop)
    assert len(faults) > care.min_faults, "the tour itself works"
    assert len(buttons.named_taps) >= care.min_buttons, "the tour itself works"
    scripts = {"tongbox", *(name for name in OWN_SCRIPTS if is_looked_at_by_name[name])}
    assert set().union(*buttons.script_sets) >= scripts, "the tour itself works"
    assert is_looked_at_by_name.keys() >= {*TOTALS, *IN_SIGHT}, "each stop is in one of the halves"
    faults |= buttons.complaints
    assert {where: said for where, said in faults.items() if said} == {}
    assert legibility.faults() == []
    assert buttons.differences() == []


@pytest.mark.prove
@pytest.mark.parametrize("fonts", FONTS)
def test_every_page_holds_in_every_size_and_font(serve_with: ServeWith, fonts: str) -> None:
    faults: dict[str, list[str]] = {}
    with browser(*SIZES[0], fonts=fonts) as phone:
        for stop in _walk(_serve(serve_with), phone):
            faults |= _fit(phone, stop, EVERY_SIZE)
    assert len(faults) > 120 * len(EVERY_SIZE), "the tour itself works"
    assert {where: said for where, said in faults.items() if said} == {}


def _serve(serve_with: ServeWith) -> LiveServer:
    """Start a box with a camera and a reader that doubts one tile."""
    camera = FakeCamera(picture(lay()))
    camera.info = replace(camera.info, is_stored=True)  # the page says so, besides
    return serve_with(FakeReader(lay(doubtful=(7,))), camera, https_port=8443)


def _walk(live: LiveServer, *phones: Browser) -> Iterator[Stop]:
    """Walk the tour as the player at the first seat; the pages are not opened."""
    for phone in phones:
        phone.keep(live.url, player="0", look=f"language={next(iter(QUICK))}")
    for stop in tour(live, picture(lay()), NAMES):
        if stop.name == "table-after":  # else the page asks first whose phone it is
            for phone in phones:
                sit_down(phone, live)
        yield Stop(stop.name, live.url + stop.path)


def _fit(
    phone: Chromium, stop: Stop, trials: Trials, texts: Sequence[str] = CHOICES["text"]
) -> dict[str, list[str]]:
    """Open a stop; return what does not fit, by stop, language, size of phone and size of text."""
    texts_by_place = {}
    for language, sizes in trials.items():
        phone.keep(stop.path, look=f"language={language}")
        phone.get(stop.path)
        for size in sizes:
            for text, said in faults(phone, size, *IN_SIGHT.get(stop.name, ()), texts=texts):
                texts_by_place[f"{stop.name}, {language}, {size}, {text}"] = said
    return texts_by_place


def _open_usual(phone: Chromium) -> None:
    """Give the page that is open its usual size and text, and open all that is folded."""
    phone.resize()
    phone.execute_script(
        "document.documentElement.dataset.text = 'usual';"
        "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
    )


def _look_by_axe(
    phone: Chromium, care: Mapping[str, AxeCare], kinds_by_light: dict[str, set[str]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield what axe finds on the page that is open, by light; add the kinds that it looked at."""
    kinds = set(phone.execute_script(KINDS))
    for light, (rules, min_parts, min_whole) in care.items():
        new_kinds = sorted(kinds - kinds_by_light[light])
        if len(new_kinds) < min_parts:
            continue
        kinds_by_light[light] |= kinds
        _light(phone, light)
        yield light, list_violations(phone, rules, new_kinds if len(new_kinds) < min_whole else ())


def _light(phone: Browser, scheme: str) -> None:
    """Have the phone prefer this scheme, and no colours that are on their way to others."""
    phone.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")


def _complaints(phone: Browser, stop: Stop) -> list[str]:
    """Return what went wrong on a page, but for its own address, which may stand for none."""
    return [said for said in phone.complaints() if stop.path not in said]


def test_a_name_of_24_letters_is_kept_whole(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    player.open(f"{live.url}/match/new")
    for number, name in enumerate(NAMES):
        player.see(f"[name=player{number}]").send_keys(name)
    player.tap("form .primary")
    player.see(".seat .name")
    seats = player.browser.find_elements(By.CSS_SELECTOR, ".seat .name")
    assert [seat.get_attribute("textContent") for seat in seats] == list(NAMES)
