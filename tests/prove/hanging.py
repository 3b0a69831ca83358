"""How long phones wait for a database that hangs, and whether all goes on when it is back.

    python -m tests.prove.hanging [--phones 400] [--seconds 25] [--stopped server]

Two boxes share a PostgreSQL server, which is stopped (SIGSTOP), or a part of it. Its connections
stay open and its kernel takes what is sent, but nobody answers. Each phone asks once meanwhile: for
a page, for a page that needs no store, or for a new match. Then the server goes on. Whatever was
confirmed must be there, and nothing twice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from device.store.events import MatchBegun
from device.store.store_url import open_store
from tests.device.outside import Outside, box_outside
from tests.postgresql import STOPPED, PostgresqlServer

WITHIN = 3.0
"""Seconds within which every phone is promised an answer."""

BACK = 5.0
"""Seconds after which all pages must be as they were."""

FORM = {"Content-Type": "application/x-www-form-urlencoded"}

PAGE, LESSON, CHANGE = "a page", "a page that needs no store", "a change"

KINDS = (PAGE, CHANGE, PAGE, LESSON)
"""What phones ask for, in turn."""

NO_ANSWER = 0
"""In place of a status, where the connection was closed or too slow."""


class Asked:
    """What phones asked for, and how that went; safe to share between threads."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self.took: dict[str, list[float]] = {}
        self.statuses = Counter[tuple[str, int]]()
        self.confirmed: set[str] = set()
        """The first player of each match whose beginning was confirmed."""

    def ask(self, box: Outside, number: int, kind: str) -> None:
        """Ask once, and note what came of it."""
        phone = f"127.0.{1 + number // 250}.{1 + number % 250}"
        name = f"{self._what.split()[0]} {number}"
        began, status = time.monotonic(), NO_ANSWER
        try:
            if kind == CHANGE:
                body = f"player0={name}&player1=Bob&ruleset=bmja".encode()
                status = box.ask(phone, "/match/new", body, FORM, timeout=120).status
            else:
                path = "/learn/" if kind == LESSON else "/table/"
                status = box.ask(phone, path, timeout=120).status
        except OSError:
            pass
        with self._lock:
            self.took.setdefault(kind, []).append(time.monotonic() - began)
            self.statuses[kind, status] += 1
            if kind == CHANGE and status == 303:
                self.confirmed.add(name)

    def tell(self) -> bool:
        """Print the distribution; return whether every phone had its answer in time."""
        say(f"{self._what}:")
        for kind, took in sorted(self.took.items()):
            late = sum(each > WITHIN for each in took)
            figures = " ".join(f"{share} {_of(took, share):.2f}" for share in (50, 95, 99, 100))
            says = {status: n for (of, status), n in sorted(self.statuses.items()) if of == kind}
            say(f"{kind}: {len(took)} phones, {says}, s at %: {figures}; {late} over {WITHIN:g} s")
        longest = max(each for took in self.took.values() for each in took)
        return longest <= WITHIN and not any(not status for _, status in self.statuses)


def _of(took: Sequence[float], share: int) -> float:
    return sorted(took)[(len(took) - 1) * share // 100]


@contextmanager
def asking(what: str, boxes: Sequence[Outside], phones: int, seconds: float) -> Iterator[Asked]:
    """Let phones ask, one after another in so many seconds, each in a thread of its own."""
    asked = Asked(what)
    threads = []

    def later(number: int) -> None:
        time.sleep(number * seconds / phones)
        asked.ask(boxes[number % len(boxes)], number, KINDS[number // len(boxes) % len(KINDS)])

    for number in range(phones):
        threads.append(threading.Thread(target=later, args=(number,)))
        threads[-1].start()
    yield asked
    for each in threads:
        each.join()


def seconds_until_back(boxes: Sequence[Outside]) -> float:
    """Return after how long all pages are shown again."""
    began = time.monotonic()
    good = 0
    while good < 5 * len(boxes):
        box = boxes[good % len(boxes)]
        good = good + 1 if box.ask("127.0.9.9", "/table/").status < 400 else 0
        if time.monotonic() - began > 60:
            break
        time.sleep(0.05)
    return time.monotonic() - began


def lost_and_doubled(url: str, folder: Path, confirmed: set[str]) -> tuple[set[str], set[str]]:
    """Return who began a match that is not there, and who began one that is there twice."""
    with closing(open_store(folder, url)) as store:
        found = Counter(each.event.players[0] for each in store.of_kinds(MatchBegun))
    return confirmed - set(found), {name for name, count in found.items() if count > 1}


def main() -> int:
    """Print what was found; return 1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=25.0)
    parser.add_argument("--stopped", choices=STOPPED, default="server")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tongbox-hang-") as name:
        folder = Path(name)
        server = PostgresqlServer(folder)
        try:
            return int(not _is_kept(server, folder, args))
        finally:
            server.stop()


def _is_kept(server: PostgresqlServer, folder: Path, args: argparse.Namespace) -> bool:
    url = server.database()
    options = ("--camera", "none", "--store", url)
    with box_outside(folder / "one", *options) as one, box_outside(folder / "two", *options) as two:
        boxes = (one, two)
        with asking("before", boxes, 40, 2.0) as before:
            pass
        before.tell()
        what = f"{args.stopped} stopped for {args.seconds:g} s"
        with asking(what, boxes, args.phones, args.seconds) as asked:
            server.freeze(args.stopped, urlsplit(url).path[1:])
            time.sleep(args.seconds)
            server.thaw()
            back = seconds_until_back(boxes)
        in_time = asked.tell()
        say(f"All pages were back after {back:.1f} s.")
        confirmed = before.confirmed | asked.confirmed
        lost, doubled = lost_and_doubled(url, folder / "look", confirmed)
    say(f"{len(confirmed)} changes confirmed, {len(lost)} lost, {len(doubled)} there twice")
    return in_time and back < BACK and not lost and not doubled


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
