"""Run the installer and what it installs on arm64: `python -m tests.real.arm64 trixie`.

qemu-user emulates a bare Debian, in which the project's install.sh runs as on a Raspberry Pi. Then
the installed command reads photographs on each Pi's processor; an unknown instruction ends it.
Every reading must be the same as on this computer. The service starts as its unit starts it, and
reads a photograph that is sent to its page.

How long things take is due to the emulation and says nothing of a Pi.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from tests.real.compare import Reading, confidence_gap, find_differences
from tests.real.needs import EMULATED_ARM64, need
from tests.real.page import Page, SignsOfLife, free_port, tiles_of
from tests.real.roots import CPUS, REPO, Root, copy_root, let_arm64_run
from tests.reporting import say

SUITES = ("bookworm", "trixie")

CPU_OF_INSTALLATION = CPUS[1]

PACKAGES = ("ca-certificates", "python3-minimal")
"""What Raspberry Pi OS has beyond debootstrap's least, as far as the installer counts on it."""

UNIT_ENVIRONMENT = {
    "ORT_DISABLE_TELEMETRY": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""The unit's environment."""

SAMPLES = ("concealed-kong", "one-row", "pungs-and-a-kong")
"""Tiles face down in two rows, one row with a tile on its side, an exposed kong."""

DATA = "/var/lib/tongbox"

MAX_WAIT_S = 900.0
"""Seconds within which the service must be ready, or a photograph read: under emulation a free
computer needs some 20 and 60."""


def main() -> int:
    """Install, read, compare and serve; return 1 when anything is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    suite = parser.parse_args().suite
    need(*EMULATED_ARM64)
    let_arm64_run()
    root = copy_root(f"trial-arm64-{suite}", suite, "arm64", PACKAGES, CPU_OF_INSTALLATION)
    root.take_source()
    with Stopwatch(f"{suite}: installed"):
        root.run("sh", "/src/deploy/install.sh")
    say(root.run("/opt/tongbox/current/venv/bin/python", "-c", VERSIONS).strip())
    photos = take_photos(root)
    expected = read_here(photos)
    faults = [
        fault for cpu in CPUS for fault in read_there(replace(root, cpu=cpu), photos, expected)
    ]
    faults += examine(root)
    faults += serve(root, photos[0], expected[0])
    say(f"{len(faults)} things are not as they should be")
    return 1 if faults else 0


VERSIONS = """
import platform, sys, numpy, cv2, onnxruntime
print(platform.machine(), "Python", platform.python_version(), "numpy", numpy.__version__,
      "OpenCV", cv2.__version__, "onnxruntime", onnxruntime.__version__)
"""


def take_photos(root: Root) -> list[Path]:
    """Put some samples, and two real photographs where there are any, into the root."""
    photos = [REPO / f"device/samples/{name}.jpg" for name in SAMPLES] + _real_photos()
    folder = root.path / "photos"
    folder.mkdir()
    for photo in photos:
        shutil.copy(photo, folder)
    return [folder / photo.name for photo in photos]


def _real_photos() -> list[Path]:
    """Return the first photograph of each of two real tables; none without the shared data."""
    tiles = Path(os.environ.get("TONGBOX_DATA", REPO.parent / "shared")) / "data/tiles"
    if not (tiles / "labels.jsonl").exists():
        return []
    labels = [json.loads(line) for line in (tiles / "labels.jsonl").read_text().splitlines()]
    return [
        tiles / next(label["file"] for label in labels if label["group"] == group)
        for group in ("hand", "messenger")
    ]


def read_here(photos: list[Path]) -> list[Reading]:
    """Return how this computer reads the photographs."""
    command = [sys.executable, "-m", "device.cli", "read", "--json", *map(str, photos)]
    result = subprocess.run(command, cwd=REPO, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def read_there(root: Root, photos: list[Path], expected: list[Reading]) -> list[str]:
    """Read the photographs with the installed command; return the differences."""
    assert root.cpu
    cpu = root.cpu.name
    paths = [f"/photos/{photo.name}" for photo in photos]
    with Stopwatch(f"{cpu} ({root.cpu.of}): read {len(photos)} photographs"):
        try:
            output = root.run(
                "tongbox", "read", "--json", *paths, user="tongbox",
                environment=UNIT_ENVIRONMENT,
            )  # fmt: skip
        except subprocess.CalledProcessError as error:
            return [f"{cpu}: tongbox read ended with {error.returncode}"]
    readings = [json.loads(line) for line in output.splitlines()]
    pairs = list(zip(expected, readings, strict=True))
    say(
        f"    {sum(len(r['tiles']) for r in readings)} tiles, "
        f"{sum(t['doubtful'] for r in readings for t in r['tiles'])} asked about; "
        f"confidence differs by {max(confidence_gap(*pair) for pair in pairs):.4f} at most"
    )
    faults = [
        f"{cpu}, {photo.name}: {difference}"
        for photo, pair in zip(photos, pairs, strict=True)
        for difference in find_differences(*pair)
    ]
    for fault in faults:
        say(f"    {fault}")
    return faults


def examine(root: Root) -> list[str]:
    """Return the problems that `tongbox doctor` finds."""
    command = root.command("tongbox", "doctor", "--json", "--data", DATA, user="tongbox")
    environment = root.environment(UNIT_ENVIRONMENT)
    with Stopwatch("tongbox doctor"):
        result = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=False
        )
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    for finding in findings:
        say(f"    {finding['level']:<8}{finding['title']}: {finding['says']}")
    problems = [f"doctor: {f['says']}" for f in findings if f["level"] == "problem"]
    return problems if findings else [f"tongbox doctor ended with {result.returncode}"]


def serve(root: Root, photo: Path, expected: Reading) -> list[str]:
    """Run the service as its unit would, send it a photograph; return what went wrong."""
    port = free_port()
    with SignsOfLife(root.path / "run/tongbox-signs") as signs:
        environment = {
            **UNIT_ENVIRONMENT, "NOTIFY_SOCKET": "/run/tongbox-signs",
            "WATCHDOG_USEC": "3000000",
        }  # fmt: skip
        command = root.command(
            "tongbox", "serve", "--port", str(port), "--data", DATA, user="tongbox"
        )
        with subprocess.Popen(
            command, env=root.environment(environment), stdout=subprocess.DEVNULL
        ) as service:
            try:
                with Stopwatch("service: ready, by its own sign"):
                    signs.wait_for("READY=1", MAX_WAIT_S)
                page = Page("127.0.0.1", port)
                with Stopwatch("service: a photograph read through the page"):
                    read = page.hand_text(page.send(photo), MAX_WAIT_S)
                signs.wait_for("WATCHDOG=1", 30)
            finally:
                service.send_signal(signal.SIGINT)  # as the unit stops it
    faults = [] if service.returncode == 0 else [f"the service ended with {service.returncode}"]
    if tiles_of(read) != tiles_of(expected["hand_text"]):
        faults.append(f"the page read {read}, not {expected['hand_text']}")
    for fault in faults:
        say(f"    {fault}")
    return faults


class Stopwatch:
    """Says how long something took."""

    def __init__(self, label: str) -> None:
        self._label = label

    def __enter__(self) -> None:
        self._began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        say(f"{self._label}: {time.monotonic() - self._began:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
