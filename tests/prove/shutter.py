"""From the shutter to the tiles with four phones at once, and whether a shrunk photo reads as well.

    python -m tests.prove.shutter [--photos 24] [--rounds 3]

A phone's 12 megapixels, shrunk by the page's own script in Chromium, are read beside the same as
they came: real labelled photographs of scenes that no training saw, enlarged to 12 megapixels (we
have no hand that was photographed so large), and the one real table in play, which says why a
photograph of the whole table is not shrunk. Then four phones send theirs to the real program at the
same moment; it is timed until the last one's tiles are there. The pictures are the samples that our
own generator made, enlarged. The phones' own work is timed by itself: four phones have four
processors.
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
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image
from selenium.webdriver import Chrome

from device.samples import load_samples
from models.train.data.photos import photos_by_scene
from tests.bench.program import ask, run_server
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import serving
from tests.e2e.engines import browser
from tests.e2e.tour import begin
from tests.form_data import Body, encode_form, encode_upload
from tests.parallel import in_threads
from tests.prove.table_in_play import PHOTO, compared, marked
from tests.reporting import say
from vision.labels import LabelledPhoto
from vision.measure.compare import compare
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import TileReading

LONG = 4000
"""Pixels of the longer side: with three quarters of it, 12 megapixels."""

PHONES = 4

PROMISED = 1.5
"""Seconds from the shutter to the tiles."""

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

    def shrunk(self, data: bytes) -> tuple[bytes, float]:
        """Return what the page would send in place of a file, and the seconds that it takes."""
        text = base64.b64encode(data).decode()
        sent, took = self.phone.execute_async_script(SHRINK, text)
        return base64.b64decode(sent), took / 1000


@contextmanager
def page() -> Iterator[Page]:
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
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    samples = [enlarged(sample.path)[0] for sample in load_samples()[:PHONES]]
    with page() as shrinking:
        _read_both(shrinking, chosen.photos)
        small, took = zip(*(shrinking.shrunk(data) for data in samples), strict=True)
    say(f"a phone's own work (Chromium here): {_spread(took)}")
    _timed("12 MP JPEG as they are", samples, chosen.rounds)
    _timed("12 MP HEIC as they are", [_heic(data) for data in samples], chosen.rounds)
    _timed("12 MP JPEG shrunk by the phone", small, chosen.rounds)
    say(f"promised: {PROMISED} s; load of this machine {os.getloadavg()[0]:.1f} on its 2 cores")


# --- is it read as well? -------------------------------------------------------------------------


def _read_both(shrinking: Page, count: int) -> None:
    reader, tallies = Reader.load(), (Counter[str](), Counter[str]())
    same = tiles = 0
    for photo in _spread_over_scenes(count):
        data, factor = enlarged(photo.path)
        small, _ = shrinking.shrunk(data)
        found = [_read(reader, each) for each in (data, small)]
        smaller = factor * max(Image.open(io.BytesIO(small)).size) / LONG
        for tally, read, scale in zip(tallies, found, (factor, smaller), strict=True):
            result = compare(photo, [_scaled(tile, scale) for tile in read], 0.0)
            tally.update(tile.outcome for tile in result.tiles)
            tally["wrong, not in doubt"] += result.unflagged_errors
        codes = [Counter(tile.code for tile in read) for read in found]
        same += (codes[0] & codes[1]).total()
        tiles += max(each.total() for each in codes)
    say(f"{count} real photographs enlarged to 12 MP: the same in both {same} of {tiles} tiles")
    say(f"  as they are: {dict(tallies[0])}")
    say(f"  shrunk:      {dict(tallies[1])}")
    path = Path(os.environ.get("TONGBOX_DATA", "../shared")) / PHOTO
    whole = path.read_bytes()
    small, _ = shrinking.shrunk(whole)
    scale = max(Image.open(io.BytesIO(small)).size) / max(Image.open(path).size)
    for name, data, factor in (("as it is", whole, 1.0), ("shrunk", small, scale)):
        read = tuple(_scaled(tile, factor) for tile in _read(reader, data))
        say(f"  the table in play, {name}: {dict(compared(marked(), read)[0])}")


def _spread_over_scenes(count: int) -> list[LabelledPhoto]:
    """Return photographs of many tiles that no training saw, of as many scenes as there are."""
    scenes = photos_by_scene(held_out=True).values()
    several = [[p for p in scene if p.kind == "photo" and len(p.tiles) > 3] for scene in scenes]
    in_turn = [photos[k] for k in range(count) for photos in several if k < len(photos)]
    return in_turn[:count]


def enlarged(path: Path) -> tuple[bytes, float]:
    """Return a picture as a phone's 12 megapixels, and by how much it was enlarged."""
    with Image.open(path) as image:
        factor = LONG / max(image.size)
        size = round(image.width * factor), round(image.height * factor)
        large = image.convert("RGB").resize(size, Image.Resampling.BICUBIC)
    out = io.BytesIO()
    large.save(out, "JPEG", quality=92)
    return out.getvalue(), factor


def _read(reader: Reader, data: bytes) -> tuple[TileReading, ...]:
    return reader.read_set(open_photo(data, "hand.jpg")).tiles


def _scaled(tile: TileReading, factor: float) -> TileReading:
    a, b, c, d = ((x / factor, y / factor) for x, y in tile.quad)
    return replace(tile, quad=(a, b, c, d))


# --- how soon? -----------------------------------------------------------------------------------


def _timed(name: str, photos: Sequence[bytes], rounds: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(folder, "--camera", "none", port=8461, env={}) as (_, port),
    ):
        begin(f"http://127.0.0.1:{port}")
        _all_at_once(port, photos[:1])  # the networks are loaded with the first
        took = [each for _ in range(rounds) for each in _all_at_once(port, photos)]
    size = statistics.mean(map(len, photos)) / 1e6
    say(f"{name} ({size:.1f} MB): sent to tiles {_spread(took)}")


def _all_at_once(port: int, photos: Sequence[bytes]) -> list[float]:
    """Let each phone send its photograph at the same moment; return the seconds of each."""
    _post(port, "/table/winner", encode_form({"who": 2, "won_by": "wall"}))
    took: list[float] = []
    ready = threading.Barrier(len(photos))

    def phone(number: int) -> None:
        body = encode_upload(photos[number])
        ready.wait()
        began = time.monotonic()
        where = _post(port, f"/table/hand/{number}", body)
        while 'data-page="waiting"' in ask(port, where):
            time.sleep(0.1)
        took.append(time.monotonic() - began)

    with in_threads(len(photos), phone):
        pass
    assert len(took) == len(photos), "each has its tiles"
    return took


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
    out = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        image.save(out, "HEIF", quality=80)
    return out.getvalue()


def _spread(took: Sequence[float]) -> str:
    return f"{statistics.median(took):.2f} s in the median, {max(took):.2f} s at most"


if __name__ == "__main__":
    main()
