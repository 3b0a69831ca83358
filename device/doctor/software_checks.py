"""Check the installed software: Python, packages, models, and the reading of a photograph.

On a running box, its own worker reads the photograph.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace

from device.doctor.finding import Finding, ok, problem, warning
from device.hands.readings import PhotoReader
from device.host.machine import Machine
from device.jobs import PhotoQueue
from device.samples import load_samples
from vision.errors import ModelError, PhotoError
from vision.photo import open_photo
from vision.preprocess import RGB
from vision.reading import Problem

MIN_PYTHON_VERSION = (3, 11)

MODEL_NAMES = ("locator", "classifier", "printed")

SLOW_READING_S = 30.0
"""Seconds for one photograph after which players get impatient; 0.5 on a desktop machine."""


def check_python(machine: Machine) -> Finding:
    """Check that Python is new enough."""
    version = ".".join(map(str, machine.python))
    if machine.python[:2] < MIN_PYTHON_VERSION:
        return problem("python", "old", version=version)
    return ok("python", version=version)


def check_packages(machine: Machine) -> Finding:
    """Check that every required package is installed, and new enough."""
    needed = [re.match(r"([\w-]+)>=([\d.]+)", each) for each in machine.needed()]
    asked = {each[1]: each[2] for each in needed if each}
    if not asked:
        return problem("packages", "unknown")
    installed = {name: machine.version_of(name) for name in asked}
    missing = [name for name, version in installed.items() if version is None]
    if missing:
        return problem("packages", "missing", names=", ".join(missing))
    old = [name for name, at_least in asked.items() if _older(installed[name] or "", at_least)]
    if old:
        return problem("packages", "old", names=", ".join(f"{n} {installed[n]}" for n in old))
    shown = ("tongbox", "onnxruntime", "opencv-python-headless", "numpy")
    versions = [f"{name} {machine.version_of(name)}" for name in shown]
    return ok("packages", count=len(asked), versions=", ".join(versions))


def check_models(machine: Machine) -> Finding:
    """Check that the networks' files are those that their cards describe."""
    try:
        found = model_hashes()
    except ModelError as error:
        return problem("models", "altered", reason=error)
    return ok("models", hashes=", ".join(f"{name} {start}" for name, start in found.items()))


def model_hashes() -> dict[str, str]:
    """Return the beginning of each network's SHA-256, by name; raise ModelError."""
    from vision.networks.model import verify_model  # loads onnxruntime, which no other check needs

    return {name: verify_model(name)[0].sha256[:12] for name in MODEL_NAMES}


def check_reading(machine: Machine) -> Finding:
    """Check that a photograph of a known hand is read correctly."""
    sample = load_samples()[0]
    try:
        reader = machine.reader()
        began = time.perf_counter()
        read = reader.read(open_photo(sample.path.read_bytes(), sample.path.name))
    except PhotoError as error:
        return problem("reading", "failed", reason=error.message)
    except (ModelError, OSError) as error:
        return problem("reading", "failed", reason=error)
    seconds = time.perf_counter() - began
    if _tiles(read.hand_text) != _tiles(sample.hand):
        return problem("reading", "wrong", read=_tiles(read.hand_text), hand=_tiles(sample.hand))
    if seconds > SLOW_READING_S:
        return warning("reading", "slow", seconds=f"{seconds:.0f}")
    return ok("reading", count=len(read.tiles), seconds=f"{seconds:.1f}")


def _older(version: str, than: str) -> bool:
    """Whether one version comes before another, by their numbers."""
    numbers = [[int(part) for part in re.findall(r"\d+", each)] for each in (version, than)]
    return numbers[0] < numbers[1]


def _tiles(hand_text: str) -> str:
    """Return a hand text without the parts that no photograph shows."""
    return " ".join(word for word in hand_text.split() if "=" not in word)


JOB_ID = "test-photo"
"""Id of the job, among the ids of hands."""


class SampleReading:
    """The last reading of the test photograph since the box was started."""

    def __init__(self) -> None:
        self.found: Finding | None = None

    def begin(self, jobs: PhotoQueue, machine: Machine) -> None:
        """Queue the photograph for the worker."""

        def read(reader: PhotoReader) -> None:
            reader.know({}, _no_crop)  # the sample shows another tile set
            self.found = check_reading(replace(machine, reader=lambda: reader))

        def fail(fault: Problem) -> None:
            self.found = problem("reading", "failed", reason=fault.message)

        jobs.use_reader(JOB_ID, read, fail)

    def under_way(self, jobs: PhotoQueue) -> bool:
        """Whether the photograph is queued or being read."""
        return jobs.stage(JOB_ID) is not None


def _no_crop(name: str) -> RGB:
    raise KeyError(name)
