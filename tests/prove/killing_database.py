"""Proof that killed processes and a killed server lose nothing that was kept in a database.

    python -m tests.prove.killing_database [--kills N]

Processes that keep photographs and events in PostgreSQL are killed (SIGKILL) at random moments,
and the server at every fourth one (SIGQUIT: no goodbye, as a pulled plug but for what the system
holds).
Whatever `append` had returned of must be there afterwards, whole, and each writer's in order.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

from device.store.store_url import open_store
from tests.postgresql import PostgresqlServer
from tests.prove.killing import check_events, run_and_kill
from tests.prove.store_writer import WRITERS

SERVER_EVERY = 4
"""Of so many kills one takes the server, too."""


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tongbox-pg-") as folder:
        server = PostgresqlServer(Path(folder))
        counts = kill_often(Path(folder), server, args.kills, random.Random(args.seed))
        server.stop()
    for what, count in counts.items():
        sys.stdout.write(f"{count:>8} {what}\n")


def kill_often(
    folder: Path, server: PostgresqlServer, kills: int, rng: random.Random
) -> Counter[str]:
    """Kill a writer so often; return how often what was found. Raises LostError."""
    counts: Counter[str] = Counter()
    url = server.database()
    with closing(open_store(folder / "check", url)):
        pass  # the tables
    for kill in range(kills):
        takes_server = kill % SERVER_EVERY == SERVER_EVERY - 1
        plug = partial(server.stop, signal.SIGQUIT) if takes_server else None
        reported = run_and_kill(folder / "box", f"w{kill}", rng, opening=False, url=url, plug=plug)
        if takes_server:
            server.start()
        counts["kills"] += 1
        counts["kills of the server, too"] += takes_server
        with closing(open_store(folder / "check", url)) as store:
            own = {f"w{kill}-{number}" for number in range(WRITERS)}
            check_events(store, own, reported or [], counts)
            store.try_write()
    return counts


if __name__ == "__main__":
    main()
