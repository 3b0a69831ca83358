"""Prove that a killed box loses nothing: `python -m tests.prove.killing [--kills N] [--database]`.

A process that keeps photographs and events is killed (SIGKILL) at random moments, also while it
opens its folder. Afterwards the folder must open. Every event whose `append`
had returned must be there, in order and whole, and so must every picture.

With `--database` the events go to PostgreSQL. At every fourth kill its server is killed, too
(SIGQUIT, which is like a pulled plug but for what the system has not written yet).

A kill shows that nothing waits in the process. A pulled plug could also lose what waits in the
system; `synchronous = FULL` and the fsyncs in `device.store.files` stand against that.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from device.store import Envelope, Store
from device.store.events import PhotosRemoved
from device.store.store_url import open_store
from tests.postgresql import PostgresqlServer, running_server
from tests.prove.store_writer import WRITER_COUNT
from tests.reporting import say

SERVER_EVERY = 4
"""Kills of a writer for each kill of its database server."""

KILLS_PER_FOLDER = 25
"""The first kill comes while the folder is new."""

MAX_OPENING_S, MAX_WRITING_S = 0.25, 0.06
"""Latest moment of the kill, after the start of the process or after the last awaited line."""

MAX_AWAITED_EVENTS = 4
"""Events that are awaited before a kill, so that a slow disk has some, too."""


class LostError(AssertionError):
    """Something that was confirmed is gone, or torn."""


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--database", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, rng = Path(name), random.Random(args.seed)
        if args.database:
            with running_server() as server:
                counts = kill_often_with_database(folder, server, args.kills, rng)
        else:
            counts = kill_often(folder, args.kills, rng)
    for what, count in counts.items():
        say(f"{count:>8} {what}")


def kill_often(folder: Path, kills: int, rng: random.Random) -> Counter[str]:
    """Kill a writer several times; count what was found. Raises LostError."""
    counts: Counter[str] = Counter()
    for kill in range(kills):
        box, place = folder / f"box-{kill // KILLS_PER_FOLDER}", kill % KILLS_PER_FOLDER
        if place == 0 and kill:
            shutil.rmtree(folder / f"box-{kill // KILLS_PER_FOLDER - 1}")
        reports = run_and_kill(box, f"w{kill}", rng, opening=place == 0)
        counts["kills"] += 1
        counts["kills before the folder was open"] += reports is None
        counts["halves left behind by kills"] += len(list(box.rglob(".half-*")))
        check(box, f"w{kill}", reports or [], counts)
    return counts


def kill_often_with_database(
    folder: Path, server: PostgresqlServer, kills: int, rng: random.Random
) -> Counter[str]:
    """Kill a writer several times, and its server at every fourth. Raises LostError."""
    counts: Counter[str] = Counter()
    url = server.database()
    open_store(folder / "check", url).close()  # makes the tables
    for kill in range(kills):
        takes_server = kill % SERVER_EVERY == SERVER_EVERY - 1
        plug = partial(server.stop, signal.SIGQUIT) if takes_server else None
        reports = run_and_kill(folder / "box", f"w{kill}", rng, opening=False, url=url, plug=plug)
        if takes_server:
            server.start()
        counts["kills"] += 1
        counts["kills of the server, too"] += takes_server
        with closing(open_store(folder / "check", url)) as store:
            check_events(store, _writers(f"w{kill}"), reports or [], counts)
            store.try_write()
    return counts


def run_and_kill(
    box: Path,
    name: str,
    rng: random.Random,
    *,
    opening: bool,
    url: str = "",
    plug: Callable[[], None] | None = None,
) -> list[tuple[int, str, int]] | None:
    """Run a writer and kill it; return the events that it reported, None if it never opened.

    `plug` kills the database just before; the writer may end because of that.
    """
    command = [sys.executable, "-m", "tests.prove.store_writer", str(box), name]
    command += [url] if url else []
    # Unbuffered, so that what is not read here is there for communicate.
    quiet = subprocess.DEVNULL if plug else None
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, bufsize=0) as writer:
        assert writer.stdout is not None
        lines = 0 if opening else 1 + rng.randrange(MAX_AWAITED_EVENTS)
        output = b"".join(writer.stdout.readline() for _ in range(lines))
        try:
            rest, _ = writer.communicate(
                timeout=rng.uniform(0, MAX_OPENING_S if opening else MAX_WRITING_S)
            )
        except subprocess.TimeoutExpired:
            if plug:
                plug()
            writer.kill()
            rest, _ = writer.communicate()
    if writer.returncode != -9 and not plug:
        raise LostError(f"{name} ended by itself, with status {writer.returncode}")
    reports = (output + rest).decode().splitlines()
    if not reports:
        return None
    words = (line.split() for line in reports[1:])
    return [(int(seq), writer_, int(count)) for seq, writer_, count in words]


def check(box: Path, name: str, reports: list[tuple[int, str, int]], counts: Counter[str]) -> None:
    """Open the folder as the box does; raise LostError for anything lost or torn."""
    with closing(Store(box)) as store:
        if halves := list(box.rglob(".half-*")):
            raise LostError(f"{halves} are still there")
        check_events(store, _writers(name), reports, counts)
    whole_files(box)


def check_events(
    store: Store, own_streams: set[str], reports: list[tuple[int, str, int]], counts: Counter[str]
) -> None:
    """Raise LostError where the events of some writers are not what they reported."""
    removals = {
        each.seq: each for each in store.of_kinds(PhotosRemoved) if each.stream in own_streams
    }
    for seq, writer, count in reports:
        removal = removals.get(seq)
        if removal is None or (removal.stream, removal.event.names[0]) != (writer, str(count)):
            raise LostError(f"event {seq} of {writer} was kept and is not there: {removal}")
    for writer in {each.stream for each in removals.values()}:
        whole_and_in_order([each for each in removals.values() if each.stream == writer])
    if len(removals) != sum(len(store.events(writer)) for writer in own_streams):
        raise LostError(f"one of {sorted(own_streams)} has events that it never wrote")
    pictures = {each.event.names[1:3] for each in removals.values()}
    for photo, crop in pictures:
        if hashlib.sha256(store.photo(photo)).hexdigest() != photo:
            raise LostError(f"picture {photo} is torn")
        store.crop("first", crop)
    counts["photographs named by events, all whole"] += len(pictures)
    counts["events reported as kept, all there"] += len(reports)
    counts["events kept of which the kill cut off the report"] += len(removals) - len(reports)


def whole_and_in_order(events: Sequence[Envelope[PhotosRemoved]]) -> None:
    """Raise LostError when one of a writer's events is missing before another."""
    if [each.event.names[0] for each in events] != list(map(str, range(len(events)))):
        raise LostError(f"{events[0].stream} lacks an event before a later one")


def whole_files(box: Path) -> None:
    """Raise LostError for a picture or a log that is torn."""
    for folder in ("photos", "crops/first"):
        for path in (box / folder).glob("*"):
            if hashlib.sha256(path.read_bytes()).hexdigest() != path.stem:
                raise LostError(f"picture {path} is torn")
    with closing(sqlite3.connect(box / "events.sqlite3")) as db:
        if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise LostError("the log is torn")


def _writers(name: str) -> set[str]:
    """Return the streams that the threads of a writer write to."""
    return {f"{name}-{number}" for number in range(WRITER_COUNT)}


if __name__ == "__main__":
    main()
