"""Measures reading on real photographs: this version, the last one and a stand-in for YOLO11n.

    .venv/bin/python -m tests.bench.real_reading

Milliseconds of processor time, opening included, of held-out photographs from the shared data,
evenly chosen: the least of several rounds each. The tidy sample of `tests.bench.reading_time` has
no walls, discards or paper, so it flatters. The versions run in turn, photograph by photograph.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

import numpy as np

from tests.bench.last_version import LAST_VERSION
from tests.bench.reading_time import THREADS, read_clocks, stand_in
from tests.bench.versions import PACKAGES, check_out
from tests.prove.real_photos import load_photos
from tests.reporting import say
from vision.labels import LabelledPhoto

PHOTO_COUNT, ROUND_COUNT = 24, 3

MIN_PHOTO_COUNT = 18
"""Fewer photographs say little."""

CLUB_TABLE = "dark-felt"
"""The group whose photographs were taken in clubs."""

WORKER = """
import sys, time
import cv2
from pathlib import Path
from vision.photo import open_photo
from vision.reader import Reader
cv2.setNumThreads(1)
reader = Reader.load()
for line in sys.stdin:
    data = Path(line.strip()).read_bytes()
    start = time.process_time()
    reader.read(open_photo(data, "photo"))
    print((time.process_time() - start) * 1000, flush=True)
"""
"""Reads each photograph that is named on standard input; both versions can run it."""


def main() -> int:
    """Print a row for all photographs and one for those of clubs."""
    try:
        photos = choose_photos()
    except FileNotFoundError as error:
        say(f"reading real photographs is not measured: there is no {error.filename}")
        return 0
    with check_out(LAST_VERSION, (*PACKAGES, "models")) as last, ExitStack() as programs:
        folders = {"this version": Path.cwd(), **({"last version": last} if last else {})}
        if not last:
            say(f"no last version: git does not have {LAST_VERSION} here")
        readers = {
            name: programs.enter_context(run_worker(folder)) for name, folder in folders.items()
        }
        times = {name: np.full(len(photos), np.inf) for name in (*readers, "YOLO11n")}
        run = stand_in(THREADS[0])
        for _ in range(ROUND_COUNT):
            for k, photo in enumerate(photos):
                for name, reader in readers.items():
                    times[name][k] = min(times[name][k], read_with(reader, photo.path))
                start = read_clocks()
                run()
                times["YOLO11n"][k] = min(times["YOLO11n"][k], float((read_clocks() - start)[1]))
    say(f"{len(photos)} real photographs, ms of processor each, one thread for the stand-in")
    is_club = np.array([photo.group == CLUB_TABLE for photo in photos])
    for title, chosen in (("all", is_club | True), (f"{CLUB_TABLE} alone", is_club)):
        for line in figures({name: each[chosen] for name, each in times.items()}):
            say(f"{title} ({chosen.sum()}): {line}")
    return 0


def choose_photos() -> list[LabelledPhoto]:
    """Return the photographs; raise FileNotFoundError without the shared data."""
    photos = [photo for photo in load_photos("held-out") if photo.kind == "photo"]
    photos = photos[:: max(1, len(photos) // PHOTO_COUNT)]
    if len(photos) < MIN_PHOTO_COUNT:
        sys.exit(f"Only {len(photos)} photographs: too few to measure by.")
    return photos


@contextmanager
def run_worker(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the version in a folder until the end."""
    command = (sys.executable, "-c", WORKER)
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        yield program
        cast("IO[str]", program.stdin).close()


def read_with(program: subprocess.Popen[str], photo: Path) -> float:
    """Return the milliseconds of processor that a version takes for a photograph."""
    file, answers = cast("IO[str]", program.stdin), cast("IO[str]", program.stdout)
    file.write(f"{photo.resolve()}\n")
    file.flush()
    return float(json.loads(answers.readline()))


def figures(times: dict[str, np.typing.NDArray[np.float64]]) -> Iterator[str]:
    """Yield each version's times, and this one's as a share of the others'."""
    for name, each in times.items():
        yield f"{name:13} median {np.median(each):6.0f}   mean {each.mean():6.0f}"
    own_times = times["this version"]
    for name, each in times.items():
        if name != "this version":
            yield (
                f"this version by {name}: mean ×{own_times.mean() / each.mean():.2f}, "
                f"median of ratios ×{np.median(own_times / each):.2f}"
            )


if __name__ == "__main__":
    raise SystemExit(main())
