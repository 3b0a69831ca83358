"""Proof that no picture takes the page down: `python -m tests.prove.pictures [--count N]`.

A real box is sent damaged pictures of every kind, and now and then one that is as large as its kind
may be. Each must be answered with a page, never with a fault, and at the end the box must answer as
it did, in the same process, within the memory told.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.bench.program import ask, read_unit_environment, run_box, say
from tests.device.decoding.pictures import damaged, one_colour
from tests.device.web.test_large_pictures import most_held, send

EVERY = 50
"""So many damaged pictures to a large one."""

AT_ONCE = 4
"""Phones of a table."""

BUSY = 503


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "device.cli", "serve", "--host", "127.0.0.1", "--camera", "none"]
        command += ["--port", "18700", "--data", folder]
        with run_box(command, read_unit_environment()) as (pid, port):
            before = most_held(pid)
            counts = _send(port, args.count, args.seed)
            held, decoders = most_held(pid), _children(pid)
            well = '"ok"' in ask(port, "/health")
    for (kind, status), count in sorted(counts.items()):
        say(f"{count:>8} {kind} {status}")
    say(f"the page held {before} MB before and {held} MB at most; its decoder: {decoders}")
    faults = [status for _, status in counts if status >= 500]
    sys.exit(0 if well and not faults else "a fault, or a box that is not well")


def _send(port: int, count: int, seed: int) -> Counter[tuple[str, int]]:
    large = [("large " + kind, one_colour(kind, 8000, 4000)) for kind in ("JPEG", "PNG", "WEBP")]
    chance = random.Random(seed)
    pictures = list(damaged(count, seed))
    pictures += [chance.choice(large) for _ in range(count // EVERY)]
    chance.shuffle(pictures)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        statuses = threads.map(lambda n: _answer(port, pictures[n][1], n), range(len(pictures)))
        return Counter((kind, status) for (kind, _), status in zip(pictures, statuses, strict=True))


def _answer(port: int, data: bytes, number: int) -> int:
    """Send a picture as often as the box says that it is busy; return the status of its answer.

    Each comes from an address of its own, for no phone may send so many.
    """
    phone = f"127.1.{number // 250}.{number % 250 + 1}"
    while (status := send(port, data, phone)) == BUSY:
        time.sleep(0.1)
    return status


def _children(pid: int) -> str:
    """Return what the processes that a process has started hold."""
    numbers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    states = [Path(f"/proc/{number}/status").read_text() for number in numbers]
    held = [re.search(r"VmRSS:\s+(\d+) kB", state) for state in states]
    return ", ".join(f"{int(each[1]) // 1024} MB" for each in held if each)


if __name__ == "__main__":
    main()
