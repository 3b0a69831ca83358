"""Send thousands of forms with random well-formed values to boxes in every state, on both stores.

`python -m tests.prove.forms [--requests 6000] [--seed 1] [--batch 100] [--stores sqlite ...]`

Every route that changes something is asked in random order. The values are ones that its forms
could hold: ids, names, numbers and choices of the box, also stale ones, 0 and one beyond the last.
After each request the log is replayed, and pages of what has changed are looked at. It fails for an
event that the replay refuses, for an answer of 5xx, and for a route that was never asked.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import cycle, islice
from pathlib import Path

from tests.device.compiling import compile_once
from tests.device.walking.boxes import STATES, play_box
from tests.device.walking.random_forms import RandomForms
from tests.device.walking.walker import Walker
from tests.postgresql import PostgresqlServer, running_server
from tests.reporting import say

STORES = ("sqlite", "postgresql")


def main() -> int:
    """Send the forms, and print the faults; return 1 for any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=6000, help="of each store")
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    args = parser.parse_args()
    compile_once()
    wrong = 0
    for store in args.stores:
        start = time.monotonic()
        request_counts: Counter[str] = Counter()
        with running_server() if store == "postgresql" else nullcontext() as server:
            faults = list(_faults(args, server, request_counts))
        untried_routes = sorted(route for route, times in request_counts.items() if not times)
        wrong += len(faults) + len(untried_routes)
        say(
            f"{store}: {len(faults)} of {request_counts.total()} forms broke something, "
            f"{time.monotonic() - start:.0f} s; {len(request_counts)} routes, "
            f"never asked: {untried_routes}"
        )
        for each in faults[:20]:
            say(f"    {each[:600]}")
    return 1 if wrong else 0


def _faults(
    args: argparse.Namespace, server: PostgresqlServer | None, request_counts: Counter[str]
) -> Iterator[str]:
    """Send forms to a box in each state in turn; yield what broke."""
    with tempfile.TemporaryDirectory() as folder:
        for number, state in enumerate(islice(cycle(STATES), -(-args.requests // args.batch))):
            url = server.database() if server else ""
            with play_box(state, Path(folder) / str(number), url) as box:
                walker = Walker(box, random.Random(f"{args.seed} {number}"))
                walker.look_round()
                forms = RandomForms(walker)
                for each in forms.send(args.batch):
                    yield f"{state} {number}: {each}"
                request_counts.update(forms.request_counts)


if __name__ == "__main__":
    raise SystemExit(main())
