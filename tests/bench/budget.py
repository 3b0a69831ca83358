"""What one snap costs, stage by stage, and what the whole box takes: memory, idling, starting.

`python -m tests.bench.budget` prints it, in two minutes or so. Time is that of the processor, all
threads together, so in milliseconds of one core. The figures, and what they come to on a
Raspberry Pi, are in tests/README.md.
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

from device.cameras.frames import STILL_JPEG_QUALITY, encode_jpeg, rotate_half_turn, to_rgb
from device.hands.readings import STAGES, load_reader, reading_event
from device.hands.repository import HandRepository
from device.hands.scoring import score_hand
from device.jobs import PhotoQueue
from device.samples import load_samples
from device.services import open_services
from device.store import Store
from device.web import Box, create_app
from device.web.uploads import read_upload
from tests.bench.program import (
    ask,
    measure_cpu_s,
    measure_memory_mb,
    read_unit_environment,
    run_box,
    say,
    send_photo,
)
from tests.device.shared_decoder import DECODER
from vision.photo import MAX_READING_PIXELS, Photo, open_photo
from vision.preprocess import RGB
from vision.reader import Reader

RUNS_PER_STAGE = 5
"""Of each stage; the median is told."""

SIZES = {"3 MP": (2304, 1296), "12 MP": (4000, 3000), "48 MP": (8000, 6000)}
"""The first is what a Pi's Camera Module 3 gives here."""

PHOTOS = ("3 MP",) * 18 + ("12 MP", "48 MP")

IDLE_S = 30.0
"""Seconds; and so long before it that the box has noticed that nobody looks."""

SETTLING_S = 6.0


def main() -> None:
    """Print the tables."""
    for name, size in SIZES.items():
        _measure_stages(name, encode_photograph(size))
    _measure_server()


def encode_photograph(size: tuple[int, int]) -> bytes:
    """Return a sample photograph in another size, as a camera would send it."""
    sample = next(s for s in load_samples() if s.path.stem == "one-row")
    image = Image.open(sample.path).convert("RGB").resize(size, Image.Resampling.BICUBIC)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


# --- one snap -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Cost:
    """Of one stage: milliseconds of a core, and megabytes above what was held before."""

    ms: list[float]
    peak: float = 0.0


Costs = dict[str, Cost]


@contextmanager
def costing(costs: Costs, stage: str) -> Iterator[None]:
    """Add what the block costs."""
    Path("/proc/self/clear_refs").write_text("5")  # forgets the highest mark of memory
    held, began = measure_memory_mb("self", "VmRSS"), time.process_time()
    yield
    cost = costs.setdefault(stage, Cost([]))
    cost.ms.append((time.process_time() - began) * 1000)
    cost.peak = max(cost.peak, measure_memory_mb("self", "VmHWM") - held)


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
        done = threading.Event()
        jobs.use_reader("bench", lambda _: done.set(), lambda _: None)
        done.wait()


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
    kept = hands.get(hand).photo
    assert kept is not None
    with costing(costs, "decode for reading"):
        photo = hands.open(kept, DECODER)
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
    held = measure_memory_mb("self", "VmRSS")
    reading = reader.read(photo, progress=lambda _: marks.append(time.process_time()))
    marks.append(time.process_time())
    peak = measure_memory_mb("self", "VmHWM") - held
    for stage, (began, ended) in zip(STAGES, pairwise(marks), strict=True):
        cost = costs.setdefault(stage, Cost([]))
        cost.ms.append((ended - began) * 1000)
        cost.peak = max(cost.peak, peak)
    hands.change(hand, reading_event(reading))


# --- the box ------------------------------------------------------------------------------------


def _measure_server() -> None:
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        command = ["-m", "device.cli", "serve", "--demo", "--host", "127.0.0.1"]
        command += ["--port", "18500", "--data", folder]
        with run_box(command, read_unit_environment()) as (pid, port):
            ask(port, "/health")
            took = time.monotonic() - began
            say(f"\nstart to first answer: {took:.1f} s, {measure_cpu_s(pid):.1f} s of a core")
            _measure_serving(pid, port)


def _measure_serving(pid: int, port: int) -> None:
    time.sleep(SETTLING_S)
    say(f"resident, models loaded: {measure_memory_mb(pid, 'VmRSS'):.0f} MB")
    before = measure_cpu_s(pid)
    time.sleep(IDLE_S)
    say(f"idle, nobody looks: {(measure_cpu_s(pid) - before) / IDLE_S:.2%} of a core")
    photos = {name: encode_photograph(size) for name, size in SIZES.items()}
    for name in PHOTOS:
        send_photo(port, photos[name])
        if name != "3 MP":
            say(f"  after one of {name}: {measure_memory_mb(pid, 'VmRSS'):.0f} MB")
    say(f"resident after {len(PHOTOS)} photographs: {measure_memory_mb(pid, 'VmRSS'):.0f} MB")
    say(f"highest mark: {measure_memory_mb(pid, 'VmHWM'):.0f} MB")


if __name__ == "__main__":
    cv2.setNumThreads(1)  # a second thread would only wait for the first, and be counted
    main()
