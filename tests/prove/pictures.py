"""Prove that no picture takes the page down: `python -m tests.prove.pictures [--count N]`.

A real box gets damaged pictures of every kind, and now and then one of the largest size allowed.
Each must be answered with a page, never with a fault. At the end the same process must still
answer.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.bench.program import ask, list_children, measure_memory_mb, run_server
from tests.device.decoding.pictures import damaged_pictures, one_colour
from tests.device.web.test_large_pictures import peak_megabytes, send
from tests.reporting import say

DAMAGED_PER_LARGE = 50
"""Damaged pictures for each large one."""

PHONE_COUNT = 4

BUSY_STATUS = 503


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(folder, "--camera", "none", port=18700) as (pid, port),
    ):
        before = peak_megabytes(pid)
        counts = _send(port, args.count, args.seed)
        peak_bytes = peak_megabytes(pid)
        decoders = [measure_memory_mb(child, "VmRSS") for child in list_children(pid)]
        is_healthy = '"ok"' in ask(port, "/health")
    for (kind, status), count in sorted(counts.items()):
        say(f"{count:>8} {kind} {status}")
    say(f"the page held {before} MB before and {peak_bytes} MB at most; its decoders {decoders} MB")
    faults = [status for _, status in counts if status >= 500]
    sys.exit(0 if is_healthy and not faults else "a fault, or a box that is not well")


def _send(port: int, count: int, seed: int) -> Counter[tuple[str, int]]:
    large = [("large " + kind, one_colour(kind, 8000, 4000)) for kind in ("JPEG", "PNG", "WEBP")]
    chance = random.Random(seed)
    pictures = list(damaged_pictures(count, seed))
    pictures += [chance.choice(large) for _ in range(count // DAMAGED_PER_LARGE)]
    chance.shuffle(pictures)
    with ThreadPoolExecutor(PHONE_COUNT) as threads:
        statuses = threads.map(lambda n: _answer(port, pictures[n][1], n), range(len(pictures)))
        return Counter((kind, status) for (kind, _), status in zip(pictures, statuses, strict=True))


def _answer(port: int, data: bytes, number: int) -> int:
    """Send a picture until the box is not busy; return the status of the answer.

    Each picture has its own address, because one phone may send only a few.
    """
    phone = f"127.1.{number // 250}.{number % 250 + 1}"
    while (status := send(port, data, phone)) == BUSY_STATUS:
        time.sleep(0.1)
    return status


if __name__ == "__main__":
    main()
