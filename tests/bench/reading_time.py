"""Measures reading: time beside a stand-in for YOLO11n, part by part, and what the networks cost.

    .venv/bin/python -m tests.bench.reading_time

All is run in turn, round after round, so that other programs slow all of it alike. Wall time is
what a player waits; the processor's time is what to trust where other programs run as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime

from device.samples import load_samples
from tests.bench import network_cost, yolo11n
from tests.reporting import say
from vision.networks.classifier import Classifier
from vision.networks.locator import Locator
from vision.networks.model import Model
from vision.photo import Photo, open_photo
from vision.preprocess import Float32s
from vision.reader import Reader

SAMPLE_NAME = "one-row"
"""A hand of fourteen tiles; a flower and a discard lie there as well."""

TABLE_GREY = 120
"""What a flower is painted over with, to measure a hand without one."""

WARM_UP_ROUNDS, ROUND_COUNT, LOAD_COUNT = 3, 20, 5

THREADS = (1, 2)

STAND_IN_NAME, OPENING_NAME = "YOLO11n at 640 × 640", "open the photo"
WITH_NAME, WITHOUT_NAME = "read a hand with a flower", "read it without the flower"

AIMS = {WITH_NAME: 0.35, WITHOUT_NAME: 0.3}
"""Most of the stand-in's time that opening and reading a photograph should take."""

Clocks = npt.NDArray[np.float64]
"""(2,): milliseconds of wall time, and of the processor, all threads together.

Threads that wait for work keep the processor busy for a while, which counts, too.
"""

Job = Callable[[], Mapping[str, Clocks]]
"""Does something once; returns its times, and those of its parts."""


class MeteredModel(Model):
    """A network that notes the shapes of its input and the time of its runs."""

    def __init__(self, model: Model) -> None:
        super().__init__(model.card, model.session)
        self.shapes: list[network_cost.Shape] = []
        self.clocks_spent: Clocks = np.zeros(2)

    def run(self, pictures: Float32s) -> list[Float32s]:
        """Run the network."""
        start = read_clocks()
        outputs = super().run(pictures)
        self.clocks_spent += read_clocks() - start
        self.shapes.append(pictures.shape)
        return outputs


def main() -> int:
    """Print the times with one thread and with two, then the figures that have an aim."""
    sample = next(sample for sample in load_samples() if sample.name == SAMPLE_NAME)
    data = sample.path.read_bytes()
    photo = open_photo(data, sample.name)
    tiles = len(Reader.load().read(photo).tiles)
    say(
        f"{sample.name}: {photo.width} × {photo.height}, {tiles} tiles; "
        f"median of {ROUND_COUNT}, ms\n"
    )
    opening = to_job(OPENING_NAME, lambda: open_photo(data, sample.name))
    times = [time_jobs([*jobs(photo, threads), opening], threads) for threads in THREADS]
    heads = (f"{n} thr. {clock}" for n in THREADS for clock in ("wall", "cpu"))
    say(f"{'':34}" + "".join(f"{head:>13}" for head in heads))
    for name in times[0]:
        say(f"{name:34}" + "".join(f"{ms:13.1f}" for table in times for ms in table[name]))
    say(f"\n{'':34}{'measured':>13}{'aim':>13}")
    for figure, value, aim in figures(times, photo):
        say(f"{figure:34}{value:13.3f}{f'≤ {aim}':>13}{'' if value <= aim else '  missed'}")
    return 0


def jobs(photo: Photo, threads: int) -> list[Job]:
    """Return the jobs that are compared: the stand-in, and a reading."""
    run = stand_in(threads)
    bare = without_flowers(photo)
    return [
        to_job(STAND_IN_NAME, run),
        reading(photo, threads, WITH_NAME),
        reading(bare, threads, WITHOUT_NAME),
    ]


def without_flowers(photo: Photo) -> Photo:
    """Return the photo with its flowers and seasons painted over."""
    rgb = photo.rgb.copy()
    for tile in Reader.load().read(photo).tiles:
        if tile.code[0] in "FS":
            cv2.fillConvexPoly(rgb, np.array(tile.quad, np.int32), (TABLE_GREY,) * 3)
    return Photo(photo.name, rgb)


def stand_in(threads: int) -> Callable[[], object]:
    """Return what runs the stand-in on one picture."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    data = yolo11n.build().SerializeToString()
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    shape = (1, 3, yolo11n.INPUT_SIDE_PX, yolo11n.INPUT_SIDE_PX)
    picture = np.random.default_rng(1).random(shape, dtype=np.float32)
    return lambda: session.run(None, {"images": picture})


def networks(threads: int) -> dict[str, MeteredModel]:
    """Load both networks, by the part of the reading that runs them."""
    names_by_part = {"locate": "locator", "classify": "classifier"}
    return {
        part: MeteredModel(Model.load(name, threads=threads))
        for part, name in names_by_part.items()
    }


def reading(photo: Photo, threads: int, name: str) -> Job:
    """Return what reads the photo and tells how long each part took, and the networks in it."""
    nets = networks(threads)
    reader = Reader(Locator(nets["locate"]), Classifier(nets["classify"]))

    def read() -> dict[str, Clocks]:
        for net in nets.values():
            net.clocks_spent = np.zeros(2)
        read_start = read_clocks()
        starts: dict[str, Clocks] = {}
        fresh = Photo(photo.name, photo.rgb)  # one that nothing is known of yet
        reader.read(fresh, progress=lambda part: starts.update({part: read_clocks()}))
        ends = [*list(starts.values())[1:], read_clocks()]
        clocks = {name: ends[-1] - read_start}
        label = "  " if name == WITH_NAME else "  without: "
        for (part, start), end in zip(starts.items(), ends, strict=True):
            clocks[f"{label}{part}"] = end - start
            if part in nets:
                clocks[f"{label}{part}: network"] = nets[part].clocks_spent
        return clocks

    return read


def read_clocks() -> Clocks:
    """Read the clocks."""
    return np.array([time.perf_counter(), time.process_time()]) * 1000


def to_job(name: str, work: Callable[[], object]) -> Job:
    """Return what does the work and tells how long it took, under this name."""

    def job() -> dict[str, Clocks]:
        start = read_clocks()
        work()
        return {name: read_clocks() - start}

    return job


def time_jobs(work: Sequence[Job], threads: int) -> dict[str, Clocks]:
    """Do all jobs in turn, ROUNDS times after warming up; return the medians by name."""
    cv2.setNumThreads(threads)
    clocks_by_name: dict[str, list[Clocks]] = {}
    for _ in range(WARM_UP_ROUNDS + ROUND_COUNT):
        for job in work:
            for name, clocks in job().items():
                clocks_by_name.setdefault(name, []).append(clocks)
    return {name: np.median(each[WARM_UP_ROUNDS:], axis=0) for name, each in clocks_by_name.items()}


def figures(times: Sequence[Mapping[str, Clocks]], photo: Photo) -> list[tuple[str, float, float]]:
    """Return the figures with an aim: name, measured value, and the most that is wanted."""
    files = [network_cost.MODELS_FOLDER / f"{name}.onnx" for name in network_cost.OUR_INPUTS]
    shares = [
        (
            f"{clock}, of YOLO11n's, {threads} thr., {'a' if name == WITH_NAME else 'no'} flower",
            float(((table[name] + table[OPENING_NAME]) / table[STAND_IN_NAME])[place]),
            aim,
        )
        for threads, table in zip(THREADS, times, strict=True)
        for place, clock in enumerate(("wall", "cpu"))
        for name, aim in AIMS.items()
    ]
    return [
        *shares,
        (
            f"GMAC, one look and {network_cost.TILES_PER_HAND} crops",
            sum(c.gmac for c in network_cost.measure_our_costs().values()),
            0.8,
        ),
        ("GMAC, this photo", measure_gmac(photo), 0.8),
        ("MB, both networks", sum(file.stat().st_size for file in files) / 1e6, 8.0),
        ("seconds to load both", median(_load() for _ in range(LOAD_COUNT)), 1.0),
    ]


def measure_gmac(photo: Photo) -> float:
    """Return what all runs of the networks in a reading of this photo cost together."""
    nets = networks(1)
    Reader(Locator(nets["locate"]), Classifier(nets["classify"])).read(photo)
    return sum(
        network_cost.measure_cost(
            onnx.load(network_cost.MODELS_FOLDER / f"{net.card.name}.onnx"), shape
        ).gmac
        for net in nets.values()
        for shape in net.shapes
    )


def _load() -> float:
    start = read_clocks()
    Reader.load()
    return float(read_clocks()[0] - start[0]) / 1000


if __name__ == "__main__":
    raise SystemExit(main())
