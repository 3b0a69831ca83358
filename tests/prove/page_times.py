"""Measure how soon a phone sees a page on a slow network, and how soon it sees another's change.

    python -m tests.prove.page_times

For the first paint Chromium throttles the network to the 3G of its developer tools: 750 kbit/s
down, 250 up, 100 ms to the box. Every page is opened by a browser with an empty cache. A change is
timed from the moment that one phone sends it until another's table shows it, without Wi-Fi.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith, serving
from tests.e2e.engines import Chromium, browser
from tests.e2e.tour import tour
from tests.form_data import encode_form
from tests.reporting import say

NETWORK = {"offline": False, "latency": 100, "downloadThroughput": 750_000 / 8,
           "uploadThroughput": 250_000 / 8}  # fmt: skip

CHANGE_COUNT = 20
PROMISED_MS = 300

PAINT = """
const done = arguments[0];
const seen = () => performance.getEntriesByName("first-contentful-paint")[0];
const wait = () => (seen() ? done(seen().startTime) : setTimeout(wait, 20));
wait();
"""

READ_FETCHES = """
const fetched = performance.getEntries().filter(({name}) => !/[.]m?jpg$/.test(name));
return fetched.reduce((sum, {transferSize}) => sum + (transferSize ?? 0), 0);
"""
"""The bytes that the page and all that it shows took, without photographs."""

WATCH = """
window.shown = null;
new MutationObserver(() => { window.shown ??= Date.now(); })
  .observe(document.getElementById("main"), {childList: true, subtree: true});
"""


def main() -> None:
    """Print a line for every screen, and one for the changes."""
    with _phone_and_box() as (phone, serve):
        time_paint(phone, serve)
    with _phone_and_box() as (phone, serve):
        time_changes(phone, serve)


@contextmanager
def _phone_and_box() -> Iterator[tuple[Chromium, ServeWith]]:
    with (
        browser(390, 844) as phone,
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as serve,
    ):
        yield phone, serve


def time_paint(phone: Chromium, serve: ServeWith) -> None:
    """Print when each screen is first painted, and how much it fetches."""
    photo = picture(lay())
    camera = FakeCamera(photo)
    live = serve(FakeReader(), lambda: camera, https_port=8443)
    phone.execute_cdp_cmd("Network.enable", {})
    phone.execute_cdp_cmd("Network.emulateNetworkConditions", NETWORK)
    for stop in tour(live, photo):
        with suppress(HTTPError), urlopen(live.url + stop.path) as answer:  # noqa: S310
            answer.read()  # compiles the template, as a box does at its start
        phone.execute_cdp_cmd("Network.clearBrowserCache", {})
        phone.get(live.url + stop.path)
        paint = phone.execute_async_script(PAINT)
        say(f"{stop.name:<14}{paint:>6.0f} ms {phone.execute_script(READ_FETCHES) / 1000:>6.1f} kB")


def time_changes(phone: Chromium, serve: ServeWith) -> None:
    """Print how soon a phone shows who won, said on another phone."""
    live = serve(FakeReader())
    _post(live.url + "/match/new", player0="Ann", player1="Bob", ruleset="bmja")
    phone.get(f"{live.url}/table/")
    time.sleep(1)  # until it listens
    delays = []
    for turn in range(CHANGE_COUNT):
        phone.execute_script(WATCH)
        send_time = time.time()
        _post(live.url + "/table/winner", who=str(turn % 2), won_by="wall")
        while not (shown_at := phone.execute_script("return window.shown")):
            assert time.time() - send_time < 10, "it was never shown"
            time.sleep(0.05)
        delays.append(shown_at - 1000 * send_time)
    middle, maximum = statistics.median(delays), max(delays)
    say(
        f"a change: {middle:.0f} ms in the median, {maximum:.0f} at most; "
        f"{PROMISED_MS} are promised"
    )


def _post(url: str, **fields: str) -> None:
    urlopen(url, encode_form(fields)[0], timeout=10).close()  # noqa: S310


if __name__ == "__main__":
    main()
