"""Measure how long phones wait for a database that hangs, and prove that nothing is lost.

    python -m tests.prove.database_hang [--phones 400] [--seconds 25] [--stopped server]

Two boxes share a PostgreSQL server. The server, or a part of it, is stopped (SIGSTOP): connections
stay open, but nobody answers. Meanwhile each phone asks once for a page, for a page that needs no
store, or for a new tile set. Then the server goes on. Every confirmed set must be there, once.
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

from device.store.events import SetBegun
from device.store.store_url import open_store
from tests.device.outside import Outside, box_outside
from tests.form_data import encode_form
from tests.parallel import in_threads
from tests.postgresql import STOPPABLE, PostgresqlServer, running_server
from tests.reporting import percentile, say

MAX_ANSWER_S = 3.0
"""Every phone is promised an answer within this time."""

MAX_RECOVERY_S = 5.0
"""All pages must be back within this time."""

PAGE, LESSON, CHANGE = "a page", "a page that needs no store", "a change"

KINDS = (PAGE, CHANGE, PAGE, LESSON)
"""What phones ask for, in turn."""

NO_ANSWER = 0
"""In place of a status, where the connection was closed or too slow."""


class PhoneRequests:
    """What phones asked for, and how that went; safe to share between threads."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._lock = threading.Lock()
        self.durations: dict[str, list[float]] = {}
        self.statuses = Counter[tuple[str, int]]()
        self.confirmed_names: set[str] = set()
        """The name of each set whose beginning was confirmed."""

    def ask(self, box: Outside, number: int, kind: str) -> None:
        """Ask once, and note the answer and its time."""
        phone = f"127.0.{1 + number // 250}.{1 + number % 250}"
        name = f"{self._label.split()[0]} {number}"
        start, status = time.monotonic(), NO_ANSWER
        try:
            if kind == CHANGE:
                body, kind_of_body = encode_form({"name": name})
                headers = {"Content-Type": kind_of_body}
                status = box.ask(phone, "/sets/choose", body, headers, timeout=120).status
            else:
                path = "/learn/" if kind == LESSON else "/sets/"
                status = box.ask(phone, path, timeout=120).status
        except OSError:
            pass
        with self._lock:
            self.durations.setdefault(kind, []).append(time.monotonic() - start)
            self.statuses[kind, status] += 1
            if kind == CHANGE and status == 303:
                self.confirmed_names.add(name)

    def tell(self) -> bool:
        """Print the distribution; return whether every phone had its answer in time."""
        say(f"{self._label}:")
        for kind, durations in sorted(self.durations.items()):
            late_count = sum(each > MAX_ANSWER_S for each in durations)
            figures = " ".join(
                f"{share} {percentile(durations, share / 100):.2f}" for share in (50, 95, 99, 100)
            )
            says = {status: n for (of, status), n in sorted(self.statuses.items()) if of == kind}
            summary = f"{kind}: {len(durations)} phones, {says}, s at %: {figures}"
            say(f"{summary}; {late_count} over {MAX_ANSWER_S:g} s")
        longest = max(each for took in self.durations.values() for each in took)
        return longest <= MAX_ANSWER_S and not any(not status for _, status in self.statuses)


@contextmanager
def ask_meanwhile(
    label: str, boxes: Sequence[Outside], phones: int, seconds: float
) -> Iterator[PhoneRequests]:
    """Let phones ask, spread over some seconds, each in its own thread."""
    phone_requests = PhoneRequests(label)

    def ask_later(number: int) -> None:
        time.sleep(number * seconds / phones)
        phone_requests.ask(
            boxes[number % len(boxes)], number, KINDS[number // len(boxes) % len(KINDS)]
        )

    with in_threads(phones, ask_later):
        yield phone_requests


def seconds_until_back(boxes: Sequence[Outside]) -> float:
    """Return after how long all pages are shown again."""
    start = time.monotonic()
    good = 0
    while good < 5 * len(boxes):
        box = boxes[good % len(boxes)]
        good = good + 1 if box.ask("127.0.9.9", "/sets/").status < 400 else 0
        if time.monotonic() - start > 60:
            break
        time.sleep(0.05)
    return time.monotonic() - start


def lost_and_doubled(
    url: str, folder: Path, confirmed_names: set[str]
) -> tuple[set[str], set[str]]:
    """Return the sets that are not there, and those that are there twice."""
    with closing(open_store(folder, url)) as store:
        counts = Counter(each.event.name for each in store.of_kinds(SetBegun))
    return confirmed_names - set(counts), {name for name, count in counts.items() if count > 1}


def main() -> int:
    """Print what was found; return 1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=25.0)
    parser.add_argument("--stopped", choices=STOPPABLE, default="server")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_server() as server:
        return 0 if _is_kept(server, Path(folder), args) else 1


def _is_kept(server: PostgresqlServer, folder: Path, args: argparse.Namespace) -> bool:
    url = server.database()
    options = ("--camera", "none", "--store", url)
    with box_outside(folder / "one", *options) as box, box_outside(folder / "two", *options) as two:
        boxes = (box, two)
        with ask_meanwhile("before", boxes, 40, 2.0) as before:
            pass
        before.tell()
        label = f"{args.stopped} stopped for {args.seconds:g} s"
        with ask_meanwhile(label, boxes, args.phones, args.seconds) as phone_requests:
            server.freeze(args.stopped, urlsplit(url).path[1:])
            time.sleep(args.seconds)
            server.thaw()
            seconds_back = seconds_until_back(boxes)
        in_time = phone_requests.tell()
        say(f"All pages were back after {seconds_back:.1f} s.")
        confirmed_names = before.confirmed_names | phone_requests.confirmed_names
        lost_names, doubled_names = lost_and_doubled(url, folder / "look", confirmed_names)
    say(
        f"{len(confirmed_names)} changes confirmed, {len(lost_names)} lost, "
        f"{len(doubled_names)} there twice"
    )
    return in_time and seconds_back < MAX_RECOVERY_S and not lost_names and not doubled_names


if __name__ == "__main__":
    sys.exit(main())
