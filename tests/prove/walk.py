"""Send thousands of odd requests to boxes in every state, and list those that fail.

`python -m tests.prove.walk [--requests 50000] [--seed 1] [--batch 250]`
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from pathlib import Path

from tests.device.compiling import compile_once
from tests.device.walking.boxes import STATES, play_box
from tests.device.walking.walker import Answer, Walker, after


def main() -> int:
    """Walk, and print the faults; return 1 when the box failed, or kept something harmful."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--batch", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start, sent_count, stray, number = time.monotonic(), 0, 0, 0
    statuses: Counter[int] = Counter()
    reach_counts: Counter[str] = Counter()
    causes: dict[str, list[Answer]] = defaultdict(list)
    broken_routes: dict[str, list[str]] = defaultdict(list)
    compile_once()
    with tempfile.TemporaryDirectory() as folder:
        while stray < args.requests:
            state = list(STATES)[number % len(STATES)]
            chance = random.Random(f"{args.seed} {number}")
            with play_box(state, Path(folder) / str(number)) as box:
                walker = Walker(box, chance)
                walker.reached_counts = reach_counts
                walker.look_round()
                walker.straight()
                for _ in range(args.batch):
                    answer = walker.stray()
                    statuses[answer.status] += 1
                    stray += 1
                for page, fault in after(walker):
                    broken_routes[fault].append(f"{state} {number}: {page}")
                for answer in walker.failed_answers:
                    causes[find_cause(answer)].append(answer)
                sent_count += walker.sent_count
            number += 1
    write = sys.stdout.write
    failed_count = sum(n for status, n in statuses.items() if status >= 500)
    write(f"{failed_count} of {stray} odd requests answered 5xx; {sent_count} requests in all, ")
    write(f"{time.monotonic() - start:.0f} s, {dict(sorted(statuses.items()))}\n")
    for name, answers in sorted(causes.items(), key=lambda item: -len(item[1])):
        example = answers[0]
        write(f"\n{len(answers)} × {name}\n    {example.status} {example.request.method} ")
        write(f"{example.request.address[:120]}  {'; '.join(example.reasons)}\n")
    for fault, pages in broken_routes.items():
        write(f"\nafter the batch, {len(pages)} × {fault}\n    {pages[0]}\n")
    endpoints = {rule.endpoint for _, rule in walker.rules()}
    write(f"\nnever reached: {sorted(endpoints - reach_counts.keys())}\n")
    return 1 if failed_count or broken_routes else 0


def find_cause(answer: Answer) -> str:
    """Return where a fault was raised, or what the answer says."""
    if answer.fault is None:
        return f"{answer.status} {answer.request.rule.endpoint}"
    frames = traceback.extract_tb(answer.fault.__traceback__)
    own_frames = [
        each for each in frames if "/device/" in each.filename or "/scorer/" in each.filename
    ]
    last = own_frames[-1]
    return f"{type(answer.fault).__name__} {Path(last.filename).name}:{last.lineno} {last.line}"


if __name__ == "__main__":
    raise SystemExit(main())
