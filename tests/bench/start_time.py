"""Measures how long commands take to start, beside Python itself, and the service to answer.

    .venv/bin/python -m tests.bench.start_time

Times are seconds of processor, the least of several runs; the first one is not counted, for it may
compile. A start may take a quarter of a second; the service's is printed to be compared with the
one before a change.
"""

from __future__ import annotations

import sys
import tempfile
import time

from tests.bench.program import TONGBOX_COMMAND, ask, measure_cpu_s, run_program, run_server
from tests.reporting import say

RUN_COUNT = 7

SAMPLE_HAND = "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E won=wall"

STARTS = {
    "--help": ("--help",),
    "score": ("score", SAMPLE_HAND),
    "explain": ("explain", SAMPLE_HAND),
    "settle": ("settle", "80", "84", "208", "416", "--winner", "S"),
    "wall": ("wall", "5", "8"),
    "rules": ("rules",),
    "practise --help": ("practise", "--help"),
    "read --help": ("read", "--help"),
    "serve --help": ("serve", "--help"),
}


def main() -> None:
    """Print the table."""
    python = measure_seconds((sys.executable, "-c", "pass"))
    say(f"{'python -c pass':24}{python:7.3f}")
    for name, words in STARTS.items():
        seconds = measure_seconds((*TONGBOX_COMMAND, *words))
        say(f"{'tongbox ' + name:24}{seconds:7.3f}  ×{seconds / python:.0f}")
    seconds, cpu = measure_service()
    say(f"{'the service':24}{cpu:7.3f}  ×{cpu / python:.0f}, first answer after {seconds:.1f} s")


def measure_seconds(command: tuple[str, ...]) -> float:
    """Return the processor time that a command takes."""
    return min(run_program(command).cpu for _ in range(RUN_COUNT + 1))


def measure_service() -> tuple[float, float]:
    """Return the seconds until the service answers, by the clock and of processor."""
    with tempfile.TemporaryDirectory() as folder:
        clock, cpu = [], []
        for _ in range(RUN_COUNT):
            start = time.monotonic()
            with run_server(folder, "--demo") as (pid, port):
                ask(port, "/health")
                clock.append(time.monotonic() - start)
                cpu.append(measure_cpu_s(pid))
    return min(clock), min(cpu)


if __name__ == "__main__":
    main()
