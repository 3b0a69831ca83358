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
from tests.device.walking.boxes import STATES, played
from tests.device.walking.walker import Answer, Walker, after


def main() -> int:
    """Walk, and print the faults; return 1 when the box failed, or kept something harmful."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--batch", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    began, sent, stray, number = time.monotonic(), 0, 0, 0
    statuses: Counter[int] = Counter()
    reached: Counter[str] = Counter()
    causes: dict[str, list[Answer]] = defaultdict(list)
    broken: dict[str, list[str]] = defaultdict(list)
    compile_once()
    with tempfile.TemporaryDirectory() as folder:
        while stray < args.requests:
            state = list(STATES)[number % len(STATES)]
            chance = random.Random(f"{args.seed} {number}")
            with played(state, Path(folder) / str(number)) as box:
                walker = Walker(box, chance)
                walker.reached = reached
                walker.look_round()
                walker.straight()
                for _ in range(args.batch):
                    answer = walker.stray()
                    statuses[answer.status] += 1
                    stray += 1
                for page, fault in after(walker):
                    broken[fault].append(f"{state} {number}: {page}")
                for answer in walker.failed:
                    causes[find_cause(answer)].append(answer)
                sent += walker.sent
            number += 1
    out = sys.stdout.write
    failed = sum(n for status, n in statuses.items() if status >= 500)
    out(f"{failed} of {stray} odd requests answered 5xx; {sent} requests in all, ")
    out(f"{time.monotonic() - began:.0f} s, {dict(sorted(statuses.items()))}\n")
    for name, answers in sorted(causes.items(), key=lambda each: -len(each[1])):
        one = answers[0]
        out(f"\n{len(answers)} × {name}\n    {one.status} {one.asked.method} ")
        out(f"{one.asked.address[:120]}  {'; '.join(one.why)}\n")
    for fault, pages in broken.items():
        out(f"\nafter the batch, {len(pages)} × {fault}\n    {pages[0]}\n")
    endpoints = {rule.endpoint for _, rule in walker.rules()}
    out(f"\nnever reached: {sorted(endpoints - reached.keys())}\n")
    return 1 if failed or broken else 0


def find_cause(answer: Answer) -> str:
    """Return where a fault was raised, or what the answer says."""
    if answer.fault is None:
        return f"{answer.status} {answer.asked.rule.endpoint}"
    frames = traceback.extract_tb(answer.fault.__traceback__)
    own_frames = [
        each for each in frames if "/device/" in each.filename or "/scorer/" in each.filename
    ]
    last = own_frames[-1]
    return f"{type(answer.fault).__name__} {Path(last.filename).name}:{last.lineno} {last.line}"


if __name__ == "__main__":
    raise SystemExit(main())
