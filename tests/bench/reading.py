"""Measures reading: time beside a stand-in for YOLO11n, stage by stage, and what the networks cost.

    .venv/bin/python -m tests.bench.reading

All is run in turn, round after round, so that other programs slow all of it alike. Wall time is
what a player waits; the processor's time is what to trust where other programs run as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
import onnxruntime

from device.samples import load_samples
from tests.bench import cost, yolo11n
from tests.bench.scorer import write
from vision.arrange import arrange
from vision.classify import Classifier
from vision.locate import Locator, decode
from vision.model import Model
from vision.photo import Photo, open_photo
from vision.preprocess import shrink_for_locator, straighten, to_input
from vision.read import Reader
from vision.rows import find_rows

SAMPLE = "one-row"
"""A hand of fourteen tiles; a flower and a discard lie there as well."""

WARM_UP, ROUNDS, LOADS = 3, 20, 5

THREADS = (1, 2)

STAND_IN, READ = "YOLO11n at 640 × 640", "Reader.read"

PARTS = ("locate", "classify", "arrange")
"""What `Reader.read` does, and what the names of its stages begin with."""

Jobs = Mapping[str, Callable[[], object]]
"""What is timed, by name."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Medians, in milliseconds."""

    wall: float
    processor: float
    """Of all threads together; those that wait for work count for a while, too."""


def main() -> int:
    """Print the times with one thread and with two, then the figures that have an aim."""
    sample = next(sample for sample in load_samples() if sample.name == SAMPLE)
    data = sample.path.read_bytes()
    photo = open_photo(data, sample.name)
    tiles = len(Reader.load().read(photo).tiles)
    write(f"{sample.name}: {photo.width} × {photo.height}, {tiles} tiles; median of {ROUNDS}, ms\n")
    decoding = {"open the photo": lambda: open_photo(data, sample.name)}
    times = [timed({**jobs(photo, n), **decoding}, n) for n in THREADS]
    heads = (f"{n} thr. {clock}" for n in THREADS for clock in ("wall", "cpu"))
    write(f"{'':34}" + "".join(f"{head:>13}" for head in heads))
    for name in (STAND_IN, READ, *PARTS, *decoding):
        for row in [name] + [stage for stage in times[0] if stage.startswith(f"{name}: ")]:
            write(f"{row:34}" + "".join(_columns(table, row) for table in times))
    write(f"\n{'':34}{'measured':>13}{'aim':>13}")
    for figure, value, aim in figures(times):
        write(f"{figure:34}{value:13.3f}{f'≤ {aim}':>13}{'' if value <= aim else '  missed'}")
    return 0


def jobs(photo: Photo, threads: int) -> Jobs:
    """Return what is compared, and the stages of a reading, each on its own."""
    locator, classifier = (Model.load(name, threads) for name in ("locator", "classifier"))
    reader = Reader(Locator(locator), Classifier(classifier))
    return {
        STAND_IN: stand_in(threads),
        READ: lambda: reader.read(photo),
        **stages(photo, locator, classifier),
    }


def stand_in(threads: int) -> Callable[[], object]:
    """Return what runs the stand-in on one picture."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    data = yolo11n.build().SerializeToString()
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    shape = (1, 3, yolo11n.SIDE, yolo11n.SIDE)
    picture = np.random.default_rng(1).random(shape, dtype=np.float32)
    return lambda: session.run(None, {"images": picture})


def stages(photo: Photo, locator: Model, classifier: Model) -> Jobs:
    """Return what `Reader.read` does, stage by stage, each with what the one before gave."""
    picture, _ = shrink_for_locator(photo.rgb)
    view = to_input(picture[None])
    logits, offsets = locator.run(view)
    threshold = locator.card.settings["threshold"]
    located = Locator(locator).locate(photo)
    crops = [straighten(photo.rgb, tile.quad) for tile in located]
    tiles = to_input(np.stack(crops))
    codes = [named.code for named in Classifier(classifier).classify(crops)]
    quads = np.stack([tile.quad for tile in located])
    rows = find_rows(quads)
    return {
        "locate: shrink the photo": lambda: shrink_for_locator(photo.rgb),
        "locate: to input": lambda: to_input(picture[None]),
        "locate: network": lambda: locator.run(view),
        "locate: decode": lambda: decode(logits[0, 0], offsets[0], threshold),
        "classify: straighten": lambda: [straighten(photo.rgb, tile.quad) for tile in located],
        "classify: to input": lambda: to_input(np.stack(crops)),
        "classify: network": lambda: classifier.run(tiles),
        "arrange: rows": lambda: find_rows(quads),
        "arrange: sets": lambda: arrange(codes, rows, "bmja"),
    }


def timed(work: Jobs, threads: int) -> dict[str, Spent]:
    """Run all jobs in turn, ROUNDS times after warming up, and return their medians.

    What the stages of a part took together is told under the part's name.
    """
    cv2.setNumThreads(threads)
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in work}
    for _ in range(WARM_UP + ROUNDS):
        for name, job in work.items():
            wall, processor = time.perf_counter(), time.process_time()
            job()
            spent[name].append((time.perf_counter() - wall, time.process_time() - processor))
    medians = {
        name: Spent(*(1000 * median(clock) for clock in zip(*each[WARM_UP:], strict=True)))
        for name, each in spent.items()
    }
    return medians | {part: _together(medians, part) for part in PARTS}


def _together(medians: Mapping[str, Spent], part: str) -> Spent:
    of_part = [spent for name, spent in medians.items() if name.startswith(f"{part}: ")]
    return Spent(sum(s.wall for s in of_part), sum(s.processor for s in of_part))


def _columns(table: Mapping[str, Spent], row: str) -> str:
    return f"{table[row].wall:13.1f}{table[row].processor:13.1f}"


def figures(times: Sequence[Mapping[str, Spent]]) -> list[tuple[str, float, float]]:
    """Return what has an aim: its name, what was measured, and the most that it should be."""
    files = [cost.MODELS / f"{name}.onnx" for name in cost.OURS]
    one, two = times
    return [
        ("processor to YOLO11n's, 1 thread", one[READ].processor / one[STAND_IN].processor, 0.25),
        ("wait to YOLO11n's, 1 thread", one[READ].wall / one[STAND_IN].wall, 0.25),
        ("wait to YOLO11n's, 2 threads", two[READ].wall / two[STAND_IN].wall, 0.25),
        (f"GMAC, {cost.TILES} tiles", sum(of.gmac for of in cost.ours().values()), 0.8),
        ("MB, both networks", sum(file.stat().st_size for file in files) / 1e6, 8.0),
        ("seconds to load both", median(_seconds(Reader.load) for _ in range(LOADS)), 1.0),
    ]


def _seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


if __name__ == "__main__":
    raise SystemExit(main())
