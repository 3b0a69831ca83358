"""Thousands of forms with random well-formed values, to boxes in every state, on both stores.

`python -m tests.prove.forms [--requests 6000] [--seed 1] [--batch 100] [--stores sqlite ...]`

Every route that changes something is asked, in random order, with values that its forms could hold:
ids, names, numbers and choices of the box, stale ones among them, 0 and one beyond the last. After
each request the log is replayed from nothing, and pages of what has changed are looked at. Fails
where the replay refuses an event, where an answer is 5xx, and for a route that was never asked.
"""

from __future__ import annotations

import argparse
import itertools
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from tests.device.compiling import compile_once
from tests.device.walking.boxes import STATES, played
from tests.device.walking.walker import Walker
from tests.device.walking.well_formed import RandomForms
from tests.postgresql import PostgresqlServer

STORES = ("sqlite", "postgresql")


def main() -> int:
    """Send the forms, and print what was found; return 1 where anything was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=6000, help="of each store")
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    args = parser.parse_args()
    compile_once()
    wrong = 0
    for store in args.stores:
        began = time.monotonic()
        asked: Counter[str] = Counter()
        with ExitStack() as stack:
            found = list(_found(store, args, asked, stack))
        never = sorted(route for route, times in asked.items() if not times)
        wrong += len(found) + len(never)
        sys.stdout.write(
            f"{store}: {len(found)} of {asked.total()} forms broke something, "
            f"{time.monotonic() - began:.0f} s; {len(asked)} routes, never asked: {never}\n"
        )
        for each in found[:20]:
            sys.stdout.write(f"    {each[:600]}\n")
        sys.stdout.flush()
    return 1 if wrong else 0


def _found(
    store: str, args: argparse.Namespace, asked: Counter[str], stack: ExitStack
) -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="tongbox-forms-"))  # a socket's name is short
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    server = None
    if store == "postgresql":
        folder.chmod(0o755)  # the server is another user
        (folder / "server").mkdir()
        server = PostgresqlServer(folder / "server")
        stack.callback(server.stop)
    for number, state in zip(
        range(-(-args.requests // args.batch)), itertools.cycle(STATES), strict=False
    ):
        where = server.database() if server else ""
        chance = random.Random(f"{args.seed} {number}")
        with played(state, folder / str(number), where) as box:
            walker = Walker(box, chance)
            walker.look_round()
            forms = RandomForms(walker)
            for each in forms.send(args.batch):
                yield f"{state} {number}: {each}"
            asked.update(forms.asked)


if __name__ == "__main__":
    raise SystemExit(main())
