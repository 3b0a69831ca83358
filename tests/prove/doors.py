"""Measure how soon a phone is answered while others would take the box for themselves.

    python -m tests.prove.doors [--https] [--only idle]

A box is asked through sockets. Each phone has an address of its own in 127.0.0.0/8, so that all is
without Wi-Fi, and the phones take part of the processor. Every bound is a promise: the program
fails where one is broken.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from http.client import HTTPConnection
from itertools import cycle
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from pathlib import Path

from tests.device.outside import NO_PHOTO, UPLOAD, Outside, box_outside, upload
from tests.device.page import Page
from tests.form_data import FORM_TYPE
from tests.parallel import in_threads
from tests.reporting import percentile, say

GREEDY_PHONE, OTHER_PHONE = "127.0.0.2", "127.0.0.3"

FORM = {"Content-Type": FORM_TYPE}

PAGE = "/match/new"


def main() -> int:
    """Run all trials; return how many promises were broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--https", action="store_true")
    parser.add_argument("--only", choices=TRIALS, nargs="*", default=list(TRIALS))
    args = parser.parse_args()
    options = ("--https", "28400") if args.https else ()
    promises = Promises()
    for trial in map(TRIALS.__getitem__, args.only):
        with tempfile.TemporaryDirectory() as folder, box_outside(Path(folder), *options) as plain:
            box = replace(plain, by_https=args.https)
            box.ask(OTHER_PHONE, "/")
            time.sleep(3)  # it warms up
            trial(box, promises)
    return len(promises.violations)


@dataclass
class Promises:
    """Bounds that the box must keep, and those that it has broken."""

    violations: list[str] = field(default_factory=list)

    def check(self, label: str, value: float, maximum: float, unit: str) -> None:
        """Print a figure, and whether it is within its bound."""
        say(f"{label}: {value:.1f} {unit}")
        if value > maximum:
            self.violations.append(label)
            say(f"    BROKEN: {maximum:.0f} {unit} were promised")

    def check_answers(self, figures: Figures, max_seconds: float) -> None:
        """Print how long answers took; `max_seconds` seconds are promised for 99 of 100."""
        durations = figures.seconds
        p50, p99, longest = (1000 * percentile(durations, share) for share in (0.5, 0.99, 1.0))
        suffix = f", {figures.reopen_count} reopened" if figures.reopen_count else ""
        spread = f"p50 {p50:.0f} ms, longest {longest:.0f} ms"
        say(f"{figures.title}: {len(durations)} answers, {spread}{suffix}")
        self.check("    p99", p99, 1000 * max_seconds, "ms")


@dataclass
class Figures:
    """How long answers took."""

    title: str
    seconds: list[float] = field(default_factory=list)
    reopen_count: int = 0
    """Connections that the box had closed."""

    def time(self, ask: Callable[[], object]) -> None:
        """Ask, and add how long that took."""
        start = time.monotonic()
        ask()
        self.seconds.append(time.monotonic() - start)


def hold_idle_connections(box: Outside, promises: Promises) -> None:
    """Hold connections on which nothing, or next to nothing, is said."""
    for count, addresses, says, label in (
        (100, 1, b"", "idle connections"),
        (500, 1, b"", "idle connections"),
        (500, 1, b"GET / HTTP/1.1\r\nX-", "unfinished requests"),
        (1000, 16, b"", "idle connections"),
        (1000, 16, b"GET / HTTP/1.1\r\nX-", "unfinished requests"),
    ):
        with ExitStack() as connections:
            for number in range(count):
                address = f"127.0.0.{10 + number % addresses}"
                with suppress(OSError):
                    connection = box.line(address) if says else box.idle(address)
                    connections.enter_context(closing(connection)).sendall(says)
            figures = Figures(f"{count} {label} of {addresses} addresses")
            for _ in range(50):
                figures.time(lambda: box.ask(OTHER_PHONE, PAGE))
            promises.check_answers(figures, 1.0)


def measure_crowd(box: Outside, promises: Promises) -> None:
    """Let sixty phones look at pages, alone and beside one that asks without end."""
    with phones(box, 60, "alone") as figures:
        time.sleep(30)
    promises.check_answers(figures, 1.0)
    spawn = multiprocessing.get_context("spawn")
    stop, answers = spawn.Event(), spawn.SimpleQueue()
    greedy = spawn.Process(target=ask_greedily, args=(box, stop, answers))
    greedy.start()
    try:
        with phones(box, 60, "beside one with 200 requests at a time") as figures:
            time.sleep(30)
    finally:
        stop.set()
        greedy.join()
    promises.check_answers(figures, 3.0)
    say(f"    the greedy one was answered {answers.get()} times meanwhile")


def ask_greedily(box: Outside, stop: Event, answer_queue: SimpleQueue[int]) -> None:
    """Ask 200 at a time until `stop`, with 200 idle connections besides; put how often it was told.

    This is for a process of its own: threads beside the phones would keep these waiting themselves.
    """
    answers = []

    def ask(_: int) -> None:
        while not stop.is_set():
            with suppress(OSError):
                answers.append(box.ask(GREEDY_PHONE, "/learn/rules/", timeout=60).status)

    with ExitStack() as connections, in_threads(200, ask):
        for _ in range(200):
            connections.enter_context(closing(box.idle(GREEDY_PHONE)))
        stop.wait()
    answer_queue.put(len(answers))


@contextmanager
def phones(box: Outside, count: int, label: str) -> Iterator[Figures]:
    """Let phones look at a page every two seconds, each with six connections that it keeps."""
    figures = Figures(f"{count} phones with six connections each, {label}")
    stop = threading.Event()

    def look(number: int) -> None:
        lines = [box.phone(f"127.0.1.{number + 1}", timeout=60) for _ in range(6)]
        time.sleep(2 * number / count)
        for line in cycle(lines):
            try:
                figures.time(partial(_ask_on, line))
            except OSError:  # closed as idle in the same moment: a browser asks again
                line.close()
                figures.reopen_count += 1
                figures.time(partial(_ask_on, line))
            if stop.wait(2):
                break
        for line in lines:
            line.close()

    with in_threads(count, look, stop):
        yield figures


def _ask_on(line: HTTPConnection) -> None:
    line.request("GET", PAGE)
    answer = line.getresponse()
    assert answer.status == 200
    answer.read()


def print_sheets(box: Outside, promises: Promises) -> None:
    """Ask thirty times for one sheet, and for thirty sheets."""
    for label, path in (("one sheet", "?seed=5"), ("a sheet of its own", "?seed={}")):
        statuses: list[int] = []

        def ask(number: int, path: str = path, statuses: list[int] = statuses) -> None:
            page = "/print/exercises.pdf" + path.format(number)
            statuses.append(box.ask(GREEDY_PHONE, page, timeout=120).status)

        figures = Figures(f"a page while 30 requests ask for {label}")
        with in_threads(30, ask) as threads:
            _time_pages_meanwhile(box, figures, threads)
        promises.check_answers(figures, 1.0)
        say(f"    the sheets were answered with {dict(Counter(statuses))}")


def _time_pages_meanwhile(box: Outside, figures: Figures, threads: list[threading.Thread]) -> None:
    """Ask for a page again and again until all threads have ended."""
    while any(each.is_alive() for each in threads):
        figures.time(lambda: box.ask(OTHER_PHONE, PAGE, timeout=120))


def guess_pins(box: Outside, promises: Promises) -> None:
    """Guess at the PIN from one address, while another gives the right one."""
    answer = box.ask(OTHER_PHONE, "/setup/pin", b"pin=new", FORM)
    cookie = {"Cookie": (answer.headers["Set-Cookie"] or "").partition(";")[0]}
    pin = Page(box.ask(OTHER_PHONE, "/settings/pin/", headers=cookie).text).single(".pin").text
    stop, guesses = threading.Event(), []

    def guess(_: int) -> None:
        while not stop.is_set():
            with suppress(OSError):
                guesses.append(box.ask("127.0.0.9", "/pin", b"pin=x", FORM).status)

    def enter() -> None:
        assert box.ask(OTHER_PHONE, "/pin", f"pin={pin}".encode(), FORM).status == 200

    figures = Figures("the right PIN while another address guesses")
    with in_threads(8, guess, stop):
        time.sleep(5)
        for _ in range(50):
            figures.time(enter)
    promises.check_answers(figures, 1.0)
    say(f"    {len(guesses)} guesses were answered meanwhile")


def send_much(box: Outside, promises: Promises) -> None:
    """Send much without the PIN, and from many addresses while no PIN is asked for."""
    figures, statuses = Figures("a page while 40 phones send 24 MB each"), list[int]()

    def send(number: int) -> None:
        with suppress(OSError):
            phone, body = f"127.0.2.{number + 1}", upload(24 * 2**20)
            statuses.append(box.ask(phone, "/hands", body, UPLOAD, timeout=120).status)

    with watch_parked_bytes(box) as peak, in_threads(40, send) as threads:
        _time_pages_meanwhile(box, figures, threads)
    promises.check_answers(figures, 3.0)
    promises.check("in the temporary folder at most", peak[0] / 2**20, 200, "MB")
    say(f"    the phones were answered with {dict(Counter(statuses))}")
    box.ask(OTHER_PHONE, "/setup/pin", b"pin=new", FORM)
    with watch_parked_bytes(box) as peak:
        answer = box.ask(GREEDY_PHONE, "/hands", upload(60 * 2**20), UPLOAD)
    promises.check("of 60 MB without the PIN, in the temporary folder", peak[0] / 2**10, 8, "KB")
    say(f"    which was answered with {answer.status}")


@contextmanager
def watch_parked_bytes(box: Outside) -> Iterator[list[int]]:
    """Give the most bytes that parked bodies take, looked at every 5 ms."""
    peak, stop = [0], threading.Event()

    def watch(_: int) -> None:
        while not stop.wait(0.005):
            peak[0] = max(peak[0], box.nameless_bytes())

    with in_threads(1, watch, stop):
        yield peak


def send_slowly(box: Outside, promises: Promises) -> None:
    """Send a photograph of 12 MB in a minute, with pauses of ten seconds, as over weak Wi-Fi."""
    body = upload(12 * 2**20)
    head = f"POST /hands HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in UPLOAD.items()) + "\r\n"
    with closing(box.line("127.0.0.1", timeout=60)) as line:
        line.sendall(head.encode())
        for part in range(6):
            line.sendall(body[part * len(body) // 6 : (part + 1) * len(body) // 6])
            time.sleep(10)
        status = int(line.recv(100).split()[1])
    promises.check("12 MB in a minute, not taken in", status != NO_PHOTO, 0, "times")


def hear_news(box: Outside, promises: Promises) -> None:
    """Let sixty phones listen for news, and fifty ask every other second."""
    times_by_phone: dict[str, float] = {}
    stop = threading.Event()
    poll_figures = Figures("50 that ask for news every other second")
    send_time = [0.0]

    def hear(phone: str, news: str, version: str) -> str:
        if send_time[0] and version not in ("", news):
            times_by_phone.setdefault(phone, time.monotonic() - send_time[0])
        return news

    def listen(phone: str) -> None:
        with closing(box.phone(phone, timeout=60)) as line:
            line.request("GET", "/news/")
            answer, version = line.getresponse(), ""
            while not stop.is_set() and (text := answer.fp.readline().decode()):
                if text.startswith("data:"):
                    version = hear(phone, text, version)

    def poll(phone: str) -> None:
        versions = [""]

        def ask() -> None:
            line.request("GET", "/news/now")
            versions[0] = hear(phone, line.getresponse().read().decode(), versions[0])

        with closing(box.phone(phone, timeout=60)) as line:
            while not stop.wait(2):
                with suppress(OSError):
                    poll_figures.time(ask)

    phones = [(listen, f"127.0.3.{n + 1}") for n in range(60)]
    phones += [(poll, f"127.0.4.{n + 1}") for n in range(50)]
    for each, phone in phones:
        threading.Thread(target=each, args=(phone,), daemon=True).start()
    time.sleep(5)
    box.ask(OTHER_PHONE, "/match/new", b"player0=Ann&player1=Bob&ruleset=bmja", FORM)
    time.sleep(5)
    send_time[0] = time.monotonic()
    box.ask(OTHER_PHONE, "/table/winner", b"who=1&won_by=wall", FORM)
    time.sleep(20)
    stop.set()
    promises.check_answers(poll_figures, 1.0)
    silent = len(phones) - len(times_by_phone)
    promises.check("phones that never heard of it", silent, 0, f"of {len(phones)}")
    latest = max(times_by_phone.values(), default=99)
    promises.check("the last of the others heard of it after", latest, 4, "s")


TRIALS: dict[str, Callable[[Outside, Promises], None]] = {
    "idle": hold_idle_connections,
    "crowd": measure_crowd,
    "printing": print_sheets,
    "guessing": guess_pins,
    "parking": send_much,
    "weak_wi_fi": send_slowly,
    "news": hear_news,
}
"""By name; what each does stands in its function."""


if __name__ == "__main__":
    sys.exit(main())
