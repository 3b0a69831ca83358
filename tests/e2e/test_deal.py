"""A whole deal at the table: twelve taps, two phones, and a box that is unplugged in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from device.cameras.folder import FolderCamera
from device.host.machine import LOOPBACK_ADDRESS, open_port
from tests.device.fake_reader import FakeReader
from tests.device.shared_decoder import DECODER
from tests.e2e.conftest import ServeWith
from tests.e2e.deal import FOLDER as DEAL
from tests.e2e.engines import Chromium, WebKit, in_chromium_at_length, in_webkit_at_length
from tests.e2e.outage import outage
from tests.e2e.player import Player
from tests.e2e.sizes import Size
from tests.e2e.tour import NAMES, other_phone
from vision.reader import Reader

MOST_TAPS = 12
"""Start 1, who 1, how 1, four hands at two taps each, confirm 1."""


PHONE: Size = (390, 844)
TABLET: Size = (768, 1024)

IN_SIGHT = """
const [selector, width] = arguments;
const page = document.documentElement;
const whole = ({left, right, width, height}) =>
  width > 0 && height > 0 && left >= 0 && right <= page.clientWidth;
return page.clientWidth === width && page.scrollWidth <= width
  && [...document.querySelectorAll(selector)].some((each) => whole(each.getBoundingClientRect()));
"""
"""Whether something to tap is between the page's edges, and nothing sticks out beyond them."""


class Taps:
    """Counts a player's taps; before each, the screen is looked at in both sizes."""

    def __init__(self, player: Player, played_size: Size) -> None:
        self.player = player
        self.played = played_size
        self.count = 0

    def __call__(self, selector: str) -> None:
        for size in (PHONE, TABLET, self.played):
            self.player.browser.resize(*size)
            find_in_sight = partial(self.player.browser.execute_script, IN_SIGHT, selector, size[0])
            self.player.wait_until(
                find_in_sight, f"{selector} cannot be seen, or the page is too wide: {size}"
            )
        self.player.tap(selector)
        self.count += 1


def _begin(player: Player, url: str, seat: int = 0) -> None:
    player.open(f"{url}/match/new")
    player.browser.delete_all_cookies()  # those of an earlier match's player
    player.open(f"{url}/match/new")
    for number, name in enumerate(NAMES):
        player.see(f"[name=player{number}]").send_keys(name)
    player.tap("form .primary")
    player.tap(f"button[name=number][value='{seat}']")
    player.see(".seat.mine.at-bottom")


@pytest.mark.parametrize(
    "played_size", [PHONE, pytest.param(TABLET, marks=pytest.mark.prove)], ids=["phone", "tablet"]
)
def test_a_whole_deal_takes_twelve_taps(
    player: Player, serve_with: ServeWith, played_size: Size
) -> None:
    """The real camera thread, reader and store: played on a phone, looked at on a tablet too."""
    live = serve_with(Reader.load(), lambda: FolderCamera(DEAL, DECODER))
    player.browser.resize(*played_size)
    try:
        _begin(player, live.url, seat=1)
        taps = _play(player, played_size)
    finally:
        player.browser.resize()
    assert taps <= MOST_TAPS
    assert player.complaints() == []


def _play(player: Player, played_size: Size) -> int:
    """Play a deal that South wins on a discard; return how many taps it took."""
    tap = Taps(player, played_size)
    tap("#bar .primary")
    tap(".seat.at-bottom")
    tap("button[value=discard]")
    for name in ("Bob", "Cy", "Di", "Ann"):
        player.reads("h1", f"{name}'s hand")
        player.see('.camera[data-state="ready"]')
        tap(".camera .primary")
        player.reads(".whose h1", name)
        tap("#bar form .primary")
    assert "Bob pays" not in player.text(".payments-list").split(".")[0]
    assert "East pays" in player.text(".payments-list")
    tap("#bar .primary")
    player.wait_until(lambda: "Deal 2" in player.text(".middle"), "the next deal did not come")
    return tap.count


@in_chromium_at_length
def test_what_one_phone_does_the_other_sees(player: Player, serve_with: ServeWith) -> None:
    url = serve_with(FakeReader()).url
    _begin(player, url)
    player.see("#bar .primary")
    for number in (1, 2, 3):
        other_phone(url, "/table/join", number=str(number))
    other_phone(url, "/table/winner", who="2", won_by="wall")
    player.reads("#bar", "My hand")
    for number, missing in enumerate(("Cy, Di, Bob", "Cy, Di", "Di")):
        other_phone(url, f"/table/hand/{number}/score", score=str(30 + 2 * number))
        player.reads("#bar p", f"Still missing: {missing}")
    other_phone(url, "/table/hand/3/score", score="36")
    player.reads("#bar", "Who pays whom")
    player.tap("#bar .primary")
    player.see("#settlement .payments")
    other_phone(url, "/table/settle")
    player.wait_until(lambda: "Deal 2" in player.text(".middle"), "no news of the settlement")
    assert player.browser.current_url.endswith("/table/")
    assert player.complaints() == []


@in_webkit_at_length
def test_two_phones_that_act_at_once_are_told_what_happened(
    player: Player, serve_with: ServeWith
) -> None:
    url = serve_with(FakeReader()).url
    _begin(player, url)
    player.tap("#bar .primary")
    player.tap(".seat.at-right")
    player.see("button[value=discard]")
    other_phone(url, "/table/winner", who="3", won_by="wall")
    player.tap("button[value=discard]")
    assert "Somebody entered the winner at" in player.text("[role=alert].sentence")
    player.open(f"{url}/table/")
    assert player.text("#bar") == "My hand"
    assert player.text(".ending b").startswith("Di")  # the first word counted


@contextmanager
def running_box(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run the real program on a folder; give its process once the page answers."""
    command = [
        sys.executable,
        "-m",
        "device.cli",
        "serve",
        "--camera",
        "none",
        "--host",
        LOOPBACK_ADDRESS,
    ]
    options = ["--port", str(port), "--data", str(folder)]
    box = subprocess.Popen([*command, *options], stdout=subprocess.PIPE)
    try:
        assert box.stdout
        for line in box.stdout:
            if str(port) in line.decode():
                break
        yield box
    finally:
        box.kill()
        box.communicate()


@pytest.fixture
def port() -> int:
    listener = open_port(LOOPBACK_ADDRESS, 28500 + os.getpid() % 400)
    number = int(listener.getsockname()[1])
    listener.close()
    return number


CUT_OFF = """
window.kept = window.fetch;
window.fetch = () => { window.asked = true; return Promise.reject(new TypeError("cut off")); };
"""
"""The page hears that there is news, and the box is gone before it can fetch it."""


def test_news_that_could_not_be_fetched_comes_when_the_box_is_back(
    player: Player, serve_with: ServeWith
) -> None:
    with outage(serve_with(FakeReader()).url) as network:
        _begin(player, network.url)
        other_phone(network.url, "/table/winner", who="2", won_by="wall")
        player.reads("#bar", "My hand")
        player.browser.execute_script(CUT_OFF)
        other_phone(network.url, "/table/hand/2/score", score="64")
        player.wait_until(
            lambda: player.browser.execute_script("return window.asked"), "no news came"
        )
        network.fail()
        player.wait_until(lambda: "does not answer" in player.text("#away"), "nothing is said")
        player.browser.execute_script("window.fetch = window.kept")
        network.is_away = False
        player.wait_until(
            lambda: not player.browser.find_element("id", "away").is_displayed(), "away"
        )
        player.wait_until(lambda: "64" in player.text(".seat.at-top"), "the score did not come")
        player.tap("#bar .primary")
        player.wait_until(lambda: "Ann" in player.text("h1"), "the deal did not go on")


UNSEEN_SCRIPT = """
window.isUnseen = true;
Object.defineProperty(document, "hidden", { get: () => window.isUnseen });
"""
"""As a page that is opened in the background: nobody has looked at it yet."""


def test_a_page_that_was_opened_in_the_background_hears_the_news(
    player: Player, serve_with: ServeWith
) -> None:
    url = serve_with(FakeReader()).url
    with player.browser.before_each_page(UNSEEN_SCRIPT):
        _begin(player, url)
        other_phone(url, "/table/winner", who="2", won_by="wall")
        player.browser.execute_script(
            "window.isUnseen = false; document.dispatchEvent(new Event('visibilitychange'));"
        )
        player.reads("#bar", "My hand")
        other_phone(url, "/table/hand/2/score", score="64")
        player.wait_until(lambda: "64" in player.text(".seat.at-top"), "it listens to nothing")


@pytest.fixture
def two_phones(phone: Chromium, webkit: WebKit) -> tuple[Player, Player]:
    """Return a phone of each engine."""
    phone.renew()
    webkit.renew()
    return Player(phone), Player(webkit)


@pytest.mark.prove
def test_a_deal_of_two_phones_goes_on_after_the_plug_was_pulled(
    two_phones: tuple[Player, Player], tmp_path: Path, port: int
) -> None:
    """Ann's is a Chromium, Cy's a WebKit, and the box is the real program."""
    anns, cys = two_phones
    url = f"http://{LOOPBACK_ADDRESS}:{port}"
    with running_box(tmp_path / "box", port) as box:
        _begin(anns, url)
        cys.open(f"{url}/table/")
        cys.tap("#who button[name=number][value='2']")
        cys.tap("#bar .both a:last-child")  # I went out
        cys.tap("button[value=discard]")
        cys.reads("h1", "Cy's hand")
        anns.reads(".ending b", "Cy went out: on a discard")
        anns.tap("#table form.done button")
        anns.see("#bar .both")
        cys.open(f"{url}/table/")
        cys.tap("#bar .both a:last-child")
        cys.tap("button[value=wall]")
        cys.reads("h1", "Cy's hand")
        other_phone(url, "/table/hand/2/score", score="64")
        box.send_signal(signal.SIGKILL)
        for player in two_phones:
            player.wait_until(lambda: "does not answer" in player.text("#away"), "nothing is said")  # noqa: B023
    with running_box(tmp_path / "box", port):
        anns.wait_until(lambda: not anns.browser.find_element("id", "away").is_displayed(), "away")
        anns.wait_until(lambda: "64" in anns.text(".seat.at-top"), "Cy's score is lost")
        assert anns.text("#bar") == "My hand"
        for number in (0, 1, 3):
            other_phone(url, f"/table/hand/{number}/score", score="8")
        cys.open(f"{url}/table/")
        for player in two_phones:
            player.reads("#bar", "Who pays whom")
            player.tap("#bar .primary")
            player.see("#settlement .payments")
        cys.tap("#bar .primary")
        for player in two_phones:
            player.wait_until(lambda: "Deal 2" in player.text(".middle"), "not settled")  # noqa: B023
