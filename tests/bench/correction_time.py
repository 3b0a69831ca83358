"""Measures a correction: from the tap that names a tile to the page with the new score.

    .venv/bin/python -m tests.bench.correction_time

The whole way on the box is timed: the change is checked and kept on the disk, the hand derived
again, scored, explained and written out as a page. What Wi-Fi and the phone add is not. Wall time
is what a player waits; the processor's time is what to trust where other programs run as well.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from device.hands.readings import reading_event
from device.services import open_services
from device.store import Store
from device.web import Box, create_app
from tests.device.fake_reader import FakeReader, picture
from tests.device.shared_decoder import DECODER
from tests.reporting import say
from vision.photo import open_photo

CORRECTION_COUNT = 60
"""Corrections of one hand, one after the other: more than any hand needs."""

PROMISED_MS = 200.0
"""Milliseconds (shared/research/ux.md, C3)."""


Clocks = tuple[float, float]
"""Milliseconds of wall time, and of the processor."""


def measure_corrections(folder: Path) -> list[Clocks]:
    """Return what each of the corrections took."""
    reader = FakeReader()
    services = open_services(Store(folder), reader, DECODER)
    hands, client = services.hands, create_app(Box(services)).test_client()
    data = picture(reader.reading)
    hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    hands.change(hand, reading_event(reader.reading))
    client.get(f"/hand/{hand}/")  # nobody corrects a hand before he has seen it
    clocks = []
    for number in range(CORRECTION_COUNT):
        start = time.perf_counter(), time.process_time()
        answer = client.post(f"/hand/{hand}/tile/7", data={"code": ("C6", "C3")[number % 2]})
        page = client.get(answer.headers["Location"])
        end = time.perf_counter(), time.process_time()
        clocks.append(((end[0] - start[0]) * 1000, (end[1] - start[1]) * 1000))
        assert page.status_code == 200
    services.close()
    hands.store.close()
    return clocks


def main() -> None:
    """Print the median, the slowest, and what was promised."""
    with tempfile.TemporaryDirectory() as folder:
        clocks = measure_corrections(Path(folder))
    for name, clock in zip(("wall", "processor"), zip(*clocks, strict=True), strict=True):
        say(f"{name:<10}{median(clock):6.0f} ms in the median {max(clock):6.0f} ms at most")
    say(f"promised  {PROMISED_MS:6.0f} ms")


if __name__ == "__main__":
    main()
