"""How soon a phone on a slow network sees a page, and how much it fetches for it.

    python -m tests.prove.paint

The network is throttled by Chromium to the 3G of its developer tools: 750 kbit/s down, 250 up,
100 ms to the box. Every page is opened by a browser that has kept nothing; the box has compiled its
templates, as it does at its start.
"""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import serving
from tests.e2e.engines import Chromium, browser
from tests.e2e.tour import tour
from vision.photo import open_photo

NETWORK = {"offline": False, "latency": 100, "downloadThroughput": 750_000 / 8,
           "uploadThroughput": 250_000 / 8}  # fmt: skip

PAINT = """
const done = arguments[0];
const seen = () => performance.getEntriesByName("first-contentful-paint")[0];
const wait = () => (seen() ? done(seen().startTime) : setTimeout(wait, 20));
wait();
"""


def main() -> None:
    """Print a line for every screen."""
    photo = picture(lay())
    camera = FakeCamera()
    camera.picture = open_photo(photo, "hand.jpg").rgb
    with (
        browser(390, 844) as phone,
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as serve,
    ):
        live = serve(FakeReader(), lambda: camera, https_port=8443)
        phone.execute_cdp_cmd("Network.enable", {})
        phone.execute_cdp_cmd("Network.emulateNetworkConditions", NETWORK)
        for stop in tour(live, photo):
            with suppress(HTTPError), urlopen(live.url + stop.path) as answer:  # noqa: S310
                answer.read()
            phone.execute_cdp_cmd("Network.clearBrowserCache", {})
            phone.log("performance")
            phone.get(live.url + stop.path)
            paint = phone.execute_async_script(PAINT)
            kilobytes = _fetched(phone) / 1000
            sys.stdout.write(f"{stop.name:<14}{paint:>6.0f} ms {kilobytes:>6.1f} kB\n")


def _fetched(phone: Chromium) -> float:
    """Return the bytes that came since the last look, photographs apart."""
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = {}
    for entry in phone.log("performance"):
        message = json.loads(entry["message"])["message"]
        of = message["params"]
        if message["method"] == "Network.responseReceived":
            kinds[of["requestId"]] = of["response"]["mimeType"]
        elif message["method"] == "Network.loadingFinished":
            sizes[of["requestId"]] = of["encodedDataLength"]
    return sum(size for each, size in sizes.items() if kinds.get(each) != "image/jpeg")


if __name__ == "__main__":
    main()
