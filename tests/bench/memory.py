"""Measure the memory and the threads of a fresh box, and of one that has read three photographs.

    .venv/bin/python -m tests.bench.memory

A box starts on an empty folder as its owner starts it, and three different samples are sent to it
as phones do. Printed is the median of three such runs, in megabytes. Exits with 1 where the server
holds more than it may. The process that decodes photographs is beside it and counts for itself.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from device.jobs import IDLE_BEFORE_TRIM_S
from tests.bench.program import (
    ask,
    list_children,
    measure_cpu_s,
    measure_memory_mb,
    run_server,
    send_photo,
)
from tests.reporting import say

RUN_COUNT = 3

MAX_MB = {"fresh": 150.0, "after three readings": 220.0}
"""Resident in the server's process. A Raspberry Pi 4 with 2 GB also has a desktop and a browser."""

SAMPLES = ("concealed-kong", "one-row", "pungs-and-a-kong")
"""Hands that all networks are needed for: one that reads print is loaded with the first flower."""

SETTLING_S = 6.0
"""From the first page until nothing is loaded any more."""

COLUMNS = ("server MB", "threads", "decoder MB", "CPU s")


def main() -> int:
    """Print the table; return 1 where the server holds too much."""
    runs = [dict(_measure_box()) for _ in range(RUN_COUNT)]
    say(f"{'':24}" + "".join(f"{column:>12}" for column in COLUMNS))
    for moment in runs[0]:
        medians = map(statistics.median, zip(*(run[moment] for run in runs), strict=True))
        say(f"{moment:24}" + "".join(f"{figure:12.1f}" for figure in medians))
    memory_mb = {moment: statistics.median(run[moment][0] for run in runs) for moment in MAX_MB}
    exceeding = [moment for moment, most in MAX_MB.items() if memory_mb[moment] > most]
    for moment in exceeding:
        say(f"{moment}: {memory_mb[moment]:.0f} MB are more than {MAX_MB[moment]:.0f}")
    return 1 if exceeding else 0


def _measure_box() -> Iterator[tuple[str, tuple[float, ...]]]:
    """Run a box; yield its figures at each moment, in the order of COLUMNS."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(folder, "--demo", env={}) as (pid, port),
    ):
        ask(port, "/")
        time.sleep(SETTLING_S)
        yield "fresh", _measure_process(pid)
        for name in SAMPLES:
            send_photo(port, Path(f"device/samples/{name}.jpg").read_bytes())
        yield "after three readings", _measure_process(pid)
        time.sleep(IDLE_BEFORE_TRIM_S + 2)
        yield "and at rest", _measure_process(pid)


def _measure_process(pid: int) -> tuple[float, ...]:
    threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    decoder = sum(measure_memory_mb(child, "VmRSS") for child in list_children(pid))
    return measure_memory_mb(pid, "VmRSS"), threads, decoder, measure_cpu_s(pid)


if __name__ == "__main__":
    sys.exit(main())
