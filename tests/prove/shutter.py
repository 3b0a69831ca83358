"""Measure the time from the shutter to the tiles with four phones at once.

    python -m tests.prove.shutter [--rounds 3]

Four phones send photographs of 12 megapixels to the real program at the same moment: as they are,
as HEIC, and shrunk by the page's own script in Chromium. It is timed until the last one's tiles are
there. The pictures are the samples, enlarged. The phones' own work is timed by itself, because four
phones have four processors.
"""

from __future__ import annotations

import argparse
import base64
import http.client
import io
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from pillow_heif import register_heif_opener
from selenium.webdriver import Chrome

from device.samples import load_samples
from tests.bench.program import ask, run_server
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import serving
from tests.e2e.engines import browser
from tests.e2e.tour import begin
from tests.form_data import Body, encode_form, encode_upload
from tests.parallel import in_threads
from tests.reporting import say

LONG_SIDE_PX = 4000
"""With three quarters of it, 12 megapixels."""

PHONE_COUNT = 4

PROMISED_S = 1.5

SHRINK = """
const [data, done] = arguments;
const form = document.querySelector("form[data-shrink]");
const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
const file = new File([bytes], "hand.jpg", {type: "image/jpeg"});
import(form.dataset.shrink).then(async ({shrunk}) => {
  const began = performance.now();
  const sent = await shrunk(file);
  const took = performance.now() - began;
  const reader = new FileReader();
  reader.onload = () => done([reader.result.split(",")[1], took]);
  reader.readAsDataURL(sent);
});
"""


@dataclass
class Page:
    """The page of a hand, open in a browser."""

    phone: Chrome

    def shrink(self, data: bytes) -> tuple[bytes, float]:
        """Return what the page would send in place of a file, and the seconds that it takes."""
        text = base64.b64encode(data).decode()
        shrunk_data, seconds = self.phone.execute_async_script(SHRINK, text)
        return base64.b64decode(shrunk_data), seconds / 1000


@contextmanager
def open_page() -> Iterator[Page]:
    """Open a player's page."""
    with (
        browser(390, 844) as phone,
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as serve,
    ):
        url = serve(FakeReader()).url
        begin(url)
        phone.set_script_timeout(60)
        phone.get(f"{url}/table/hand/0")
        yield Page(phone)


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    samples = [enlarge_photo(sample.path) for sample in load_samples()[:PHONE_COUNT]]
    with open_page() as shrinking:
        small, durations = zip(*(shrinking.shrink(data) for data in samples), strict=True)
    say(f"a phone's own work (Chromium here): {_spread(durations)}")
    _time_rounds("12 MP JPEG as they are", samples, args.rounds)
    _time_rounds("12 MP HEIC as they are", [_heic(data) for data in samples], args.rounds)
    _time_rounds("12 MP JPEG shrunk by the phone", small, args.rounds)
    say(f"promised: {PROMISED_S} s; load of this machine {os.getloadavg()[0]:.1f} on its 2 cores")


def enlarge_photo(path: Path) -> bytes:
    """Return a picture as a phone's 12 megapixels."""
    with Image.open(path) as image:
        factor = LONG_SIDE_PX / max(image.size)
        size = round(image.width * factor), round(image.height * factor)
        large = image.convert("RGB").resize(size, Image.Resampling.BICUBIC)
    output = io.BytesIO()
    large.save(output, "JPEG", quality=92)
    return output.getvalue()


def _time_rounds(name: str, photos: Sequence[bytes], rounds: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(folder, "--camera", "none", port=8461, env={}) as (_, port),
    ):
        begin(f"http://127.0.0.1:{port}")
        _all_at_once(port, photos[:1])  # the networks are loaded with the first
        durations = [each for _ in range(rounds) for each in _all_at_once(port, photos)]
    size = statistics.mean(map(len, photos)) / 1e6
    say(f"{name} ({size:.1f} MB): sent to tiles {_spread(durations)}")


def _all_at_once(port: int, photos: Sequence[bytes]) -> list[float]:
    """Let each phone send its photograph at the same moment; return the seconds of each."""
    _post(port, "/table/winner", encode_form({"who": 2, "won_by": "wall"}))
    durations: list[float] = []
    ready = threading.Barrier(len(photos))

    def phone(number: int) -> None:
        body = encode_upload(photos[number])
        ready.wait()
        start = time.monotonic()
        location = _post(port, f"/table/hand/{number}", body)
        while 'data-page="waiting"' in ask(port, location):
            time.sleep(0.1)
        durations.append(time.monotonic() - start)

    with in_threads(len(photos), phone):
        pass
    assert len(durations) == len(photos), "each has its tiles"
    return durations


def _post(port: int, path: str, body: Body) -> str:
    """Send a form; return where it leads."""
    data, kind = body
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, data, {"Content-Type": kind})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 303, answer.status
    return answer.headers["Location"]


def _heic(data: bytes) -> bytes:
    register_heif_opener()
    output = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        image.save(output, "HEIF", quality=80)
    return output.getvalue()


def _spread(durations: Sequence[float]) -> str:
    return f"{statistics.median(durations):.2f} s in the median, {max(durations):.2f} s at most"


if __name__ == "__main__":
    main()
