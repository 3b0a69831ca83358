"""Measure what one photograph costs, stage by stage: milliseconds of a core, and memory.

`python -m tests.bench.budget` takes a minute. tests/README.md says what the figures come to on a
Raspberry Pi. What a whole box holds is measured by `tests.bench.memory`.
"""

from __future__ import annotations

import io
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from flask import Flask
from PIL import Image

from device.cameras.base import STILL_JPEG_QUALITY, encode_jpeg, rotate_half_turn, to_rgb
from device.hands.readings import STAGES, load_reader, reading_event
from device.hands.repository import HandRepository
from device.hands.scoring import score_hand
from device.jobs import PhotoQueue
from device.samples import load_samples
from device.services import open_services
from device.store import Store
from device.web import Box, create_app
from device.web.uploads import read_upload
from tests.bench.program import measure_memory_mb
from tests.device.shared_decoder import DECODER
from tests.reporting import say
from vision.photo import MAX_READING_PIXELS, Photo, open_photo
from vision.preprocess import RGB
from vision.reader import Reader

RUNS_PER_STAGE = 5
"""The median is printed."""

SIZES = {"3 MP": (2304, 1296), "12 MP": (4000, 3000), "48 MP": (8000, 6000)}
"""The first is the size of a still of a Pi's Camera Module 3."""


def main() -> None:
    """Print a table for each size of photograph."""
    for name, size in SIZES.items():
        _measure_stages(name, encode_photograph(size))


def encode_photograph(size: tuple[int, int]) -> bytes:
    """Return a sample photograph in another size, as a camera would send it."""
    sample = next(s for s in load_samples() if s.path.stem == "one-row")
    image = Image.open(sample.path).convert("RGB").resize(size, Image.Resampling.BICUBIC)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


@dataclass(slots=True)
class Cost:
    """Cost of one stage: milliseconds of a core, and megabytes above what was held before."""

    ms: list[float]
    peak: float = 0.0


Costs = dict[str, Cost]


@contextmanager
def costing(costs: Costs, stage: str) -> Iterator[None]:
    """Add what the block costs."""
    Path("/proc/self/clear_refs").write_text("5")  # forgets the highest mark of memory
    memory_mb, start = measure_memory_mb("self", "VmRSS"), time.process_time()
    yield
    cost = costs.setdefault(stage, Cost([]))
    cost.ms.append((time.process_time() - start) * 1000)
    cost.peak = max(cost.peak, measure_memory_mb("self", "VmHWM") - memory_mb)


def _measure_stages(name: str, data: bytes) -> None:
    costs: Costs = {}
    reader = load_reader()
    assert isinstance(reader, Reader)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        services = open_services(store, reader, DECODER)
        app = create_app(Box(services))
        for _ in range(RUNS_PER_STAGE):
            _measure_arrival(costs, app, services.jobs, data)
            _measure_snap(costs, reader, services.hands, app.test_client().get, data)
        services.close()
        store.close()
    say(f"\n{name}, {len(data) / 1e6:.1f} MB: ms of one core, peak MB above before")
    for stage, cost in costs.items():
        say(f"  {stage:34}{statistics.median(cost.ms):8.1f}{cost.peak:8.0f}")
    total = sum(statistics.median(cost.ms) for cost in costs.values())
    say(f"  {'together':34}{total:8.0f}{max(cost.peak for cost in costs.values()):8.0f}")


def _measure_arrival(costs: Costs, app: Flask, jobs: PhotoQueue, data: bytes) -> None:
    form = {"photo": (io.BytesIO(data), "hand.jpg")}
    request = app.test_request_context("/hands", method="POST", data=form)
    with request, costing(costs, "parse the upload"):
        read_upload()
    with costing(costs, "queue"):
        finished_event = threading.Event()
        jobs.use_reader("bench", lambda _: finished_event.set(), lambda _: None)
        finished_event.wait()


def _measure_camera(costs: Costs, rgb: RGB) -> None:
    height, width = rgb.shape[:2]
    bgr = np.ascontiguousarray(rgb[..., ::-1])
    with costing(costs, "camera: colours"):
        to_rgb(bgr, "RGB888", (width, height))
    with costing(costs, "camera: half a turn"):
        rotate_half_turn(rgb)
    with costing(costs, "camera: JPEG"):
        encode_jpeg(rgb, STILL_JPEG_QUALITY)


def _measure_snap(
    costs: Costs, reader: Reader, hands: HandRepository, get: Callable[[str], object], data: bytes
) -> None:
    """Take one photograph all the way, as the box does."""
    _measure_camera(costs, open_photo(data, "hand.jpg").rgb)
    with costing(costs, "decode what a phone sent"):
        photo = open_photo(data, "hand.jpg", MAX_READING_PIXELS)
    with costing(costs, "keep in three sizes"):
        hand = hands.begin(photo, data, "bmja")
    stored_photo = hands.get(hand).photo
    assert stored_photo is not None
    with costing(costs, "decode for reading"):
        photo = hands.open(stored_photo, DECODER)
    _measure_reading(costs, reader, hands, hand, photo)
    with costing(costs, "score"):
        score_hand(hands.get(hand))
    with costing(costs, "page"):
        get(f"/hand/{hand}/")


def _measure_reading(
    costs: Costs, reader: Reader, hands: HandRepository, hand: str, photo: Photo
) -> None:
    marks: list[float] = []
    Path("/proc/self/clear_refs").write_text("5")
    memory_mb = measure_memory_mb("self", "VmRSS")
    reading = reader.read(photo, progress=lambda _: marks.append(time.process_time()))
    marks.append(time.process_time())
    peak = measure_memory_mb("self", "VmHWM") - memory_mb
    for stage, (start_clocks, end_clocks) in zip(STAGES, pairwise(marks), strict=True):
        cost = costs.setdefault(stage, Cost([]))
        cost.ms.append((end_clocks - start_clocks) * 1000)
        cost.peak = max(cost.peak, peak)
    hands.change(hand, reading_event(reading))


if __name__ == "__main__":
    cv2.setNumThreads(1)  # a second thread would only wait for the first, and be counted
    main()
