"""How soon a phone is answered while others would take the box for themselves.

    python -m tests.prove.doors [--https] [--only idle]

A box of its own is asked through sockets, by HTTPS where that is said, each phone from an address
of its own in 127.0.0.0/8; all on one machine, so without the Wi-Fi, and the phones take part of the
processor. Every bound is a promise: the program fails where one is broken.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from tests.device.outside import NO_PHOTO, UPLOAD, Outside, box_outside, upload

GREEDY, OTHER = "127.0.0.2", "127.0.0.3"

FORM = {"Content-Type": "application/x-www-form-urlencoded"}

PAGE = "/match/new"

_broken: list[str] = []


def main() -> int:
    """Run all trials; return how many promises were broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--https", action="store_true")
    parser.add_argument("--only", choices=TRIALS, nargs="*", default=list(TRIALS))
    args = parser.parse_args()
    options = ("--https", "28400") if args.https else ()
    for trial in map(TRIALS.__getitem__, args.only):
        with tempfile.TemporaryDirectory() as folder, box_outside(Path(folder), *options) as plain:
            box = replace(plain, by_https=args.https)
            box.ask(OTHER, "/")
            time.sleep(3)  # it warms up
            trial(box)
    return len(_broken)


def idle(box: Outside) -> None:
    """Hold connections on which nothing, or next to nothing, is said."""
    for count, addresses, says, what in (
        (100, 1, b"", "idle connections"),
        (500, 1, b"", "idle connections"),
        (500, 1, b"GET / HTTP/1.1\r\nX-", "unfinished requests"),
        (1000, 16, b"", "idle connections"),
        (1000, 16, b"GET / HTTP/1.1\r\nX-", "unfinished requests"),
    ):
        with ExitStack() as held:
            for number in range(count):
                address = f"127.0.0.{10 + number % addresses}"
                with suppress(OSError):
                    opened = box.line(address) if says else box.idle(address)
                    held.enter_context(closing(opened)).sendall(says)
            figures = Figures(f"{count} {what} of {addresses} addresses")
            for _ in range(50):
                figures.time(lambda: box.ask(OTHER, PAGE))
            figures.say(most=1.0)


def crowd(box: Outside) -> None:
    """Let sixty phones look at pages, alone and beside one that asks without end."""
    with phones(box, 60) as figures:
        time.sleep(30)
    figures.say(most=1.0)
    stop = threading.Event()
    asked = [0]

    def greedy() -> None:
        while not stop.is_set():
            with suppress(OSError):
                box.ask(GREEDY, "/learn/rules/", timeout=60)
                asked[0] += 1

    threads = [threading.Thread(target=greedy, daemon=True) for _ in range(200)]
    with ExitStack() as held:
        for _ in range(200):
            held.enter_context(closing(box.idle(GREEDY)))
        for each in threads:
            each.start()
        with phones(box, 60, "beside one with 200 requests at a time") as figures:
            time.sleep(30)
        stop.set()
    figures.say(most=3.0)
    say(f"    the greedy one was answered {asked[0]} times meanwhile")


@contextmanager
def phones(box: Outside, count: int, beside: str = "alone") -> Iterator[Figures]:
    """Let phones look at a page every two seconds, each with six connections that it keeps."""
    figures, stop = (
        Figures(f"{count} phones with six connections each, {beside}"),
        threading.Event(),
    )

    def phone(number: int) -> None:
        lines = [box.phone(f"127.0.1.{number + 1}", timeout=60) for _ in range(6)]
        turn = 0
        time.sleep(2 * number / count)
        while not stop.is_set():
            line = lines[turn % 6]
            turn += 1

            def ask(line: object = line) -> None:
                line.request("GET", PAGE)  # type: ignore[attr-defined]
                answer = line.getresponse()  # type: ignore[attr-defined]
                assert answer.status == 200
                answer.read()

            try:
                figures.time(ask)
            except OSError:  # closed as idle in the same moment: a browser asks anew
                line.close()
                figures.anew += 1
                figures.time(ask)
            stop.wait(2)
        for line in lines:
            line.close()

    threads = [threading.Thread(target=phone, args=(n,)) for n in range(count)]
    for each in threads:
        each.start()
    yield figures
    stop.set()
    for each in threads:
        each.join()


def printing(box: Outside) -> None:
    """Ask thirty times for one sheet, and for thirty sheets."""
    for what, path in (("one sheet", "?seed=5"), ("a sheet of its own", "?seed={}")):
        statuses: list[int] = []

        def ask(path: str, statuses: list[int] = statuses) -> None:
            statuses.append(box.ask(GREEDY, "/print/exercises.pdf" + path, timeout=120).status)

        threads = [threading.Thread(target=ask, args=(path.format(n),)) for n in range(30)]
        figures, begun = Figures(f"30 requests, each for {what}"), time.monotonic()
        for each in threads:
            each.start()
        while any(each.is_alive() for each in threads):
            figures.time(lambda: box.ask(OTHER, PAGE, timeout=120))
        took = time.monotonic() - begun
        figures.say(most=1.0)
        counts = {status: statuses.count(status) for status in sorted(set(statuses))}
        say(f"    all were answered within {took:.1f} s: {counts}")


def guessing(box: Outside) -> None:
    """Guess at the PIN from one address, while others give the right one and scan the code."""
    changed = box.ask(OTHER, "/setup/pin", b"pin=new", FORM)
    cookie = {"Cookie": (changed.headers["Set-Cookie"] or "").partition(";")[0]}
    found = re.search(r'class="pin">(\d{4})<', box.ask(OTHER, "/setup/", headers=cookie).text)
    assert found
    stop = threading.Event()
    guesses = [0]

    def guess() -> None:
        while not stop.is_set():
            with suppress(OSError):
                box.ask("127.0.0.9", "/pin", b"pin=x", FORM)
                guesses[0] += 1

    threads = [threading.Thread(target=guess) for _ in range(8)]
    for each in threads:
        each.start()
    time.sleep(5)
    figures = Figures("the right PIN while another address guesses")

    def right() -> None:
        assert box.ask(OTHER, "/pin", f"pin={found[1]}".encode(), FORM).status == 200

    for _ in range(50):
        figures.time(right)
    stop.set()
    for each in threads:
        each.join()
    figures.say(most=1.0)
    say(f"    {guesses[0]} guesses were answered meanwhile")


def parking(box: Outside) -> None:
    """Send much without the PIN, and from all sides with none asked for."""
    figures = Figures("a page while 40 phones send 24 MB each")
    with watching(box) as peak:
        statuses: list[int] = []

        def send(number: int) -> None:
            with suppress(OSError):
                phone = f"127.0.2.{number + 1}"
                answer = box.ask(phone, "/hands", upload(24 * 2**20), UPLOAD, timeout=120)
                statuses.append(answer.status)

        threads = [threading.Thread(target=send, args=(n,)) for n in range(40)]
        for each in threads:
            each.start()
        while any(each.is_alive() for each in threads):
            figures.time(lambda: box.ask(OTHER, PAGE, timeout=120))
    figures.say(most=3.0)
    promise("in the temporary folder at most", peak[0] / 2**20, 200, "MB")
    say(f"    {len(statuses)} were answered: { ({s: statuses.count(s) for s in set(statuses)}) }")
    box.ask(OTHER, "/setup/pin", b"pin=new", FORM)
    with watching(box) as peak:
        answer = box.ask(GREEDY, "/hands", upload(60 * 2**20), UPLOAD)
    promise("of 60 MB without the PIN, in the temporary folder", peak[0] / 2**10, 8, "KB")
    say(f"    which was answered with {answer.status}")


@contextmanager
def watching(box: Outside) -> Iterator[list[int]]:
    """Give the most bytes that bodies take up in files, looked at every 5 ms."""
    peak, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.005):
            peak[0] = max(peak[0], box.parked())

    thread = threading.Thread(target=watch)
    thread.start()
    yield peak
    stop.set()
    thread.join()


def weak_wi_fi(box: Outside) -> None:
    """Send a photograph of 12 MB in a minute, with pauses of ten seconds."""
    body = upload(12 * 2**20)
    head = f"POST /hands HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in UPLOAD.items()) + "\r\n"
    with closing(box.line("127.0.0.1", timeout=60)) as line:
        line.sendall(head.encode())
        for part in range(6):
            line.sendall(body[part * len(body) // 6 : (part + 1) * len(body) // 6])
            time.sleep(10)
        status = line.recv(100).split()[1].decode()
    say(f"12 MB in a minute were answered with {status}: the page has seen it")
    if status != str(NO_PHOTO):
        _broken.append("a slow photograph")


def news(box: Outside) -> None:
    """Let sixty phones listen for news, and fifty ask every other second, as those refused do."""
    heard: dict[str, float] = {}
    stop = threading.Event()
    polled = Figures("50 that ask for news every other second")
    sent = [0.0]

    def hear(phone: str, news: str, known: str) -> str:
        if sent[0] and known not in ("", news):
            heard.setdefault(phone, time.monotonic() - sent[0])
        return news

    def listen(phone: str) -> None:
        with closing(box.phone(phone, timeout=60)) as line:
            line.request("GET", "/news/")
            answer, known = line.getresponse(), ""
            while not stop.is_set() and (text := answer.fp.readline().decode()):
                if text.startswith("data:"):
                    known = hear(phone, text, known)

    def poll(phone: str) -> None:
        known = [""]

        def ask() -> None:
            line.request("GET", "/news/now")
            known[0] = hear(phone, line.getresponse().read().decode(), known[0])

        with closing(box.phone(phone, timeout=60)) as line:
            while not stop.wait(2):
                with suppress(OSError):
                    polled.time(ask)

    phones = [(listen, f"127.0.3.{n + 1}") for n in range(60)]
    phones += [(poll, f"127.0.4.{n + 1}") for n in range(50)]
    for each, phone in phones:
        threading.Thread(target=each, args=(phone,), daemon=True).start()
    time.sleep(5)
    box.ask(OTHER, "/match/new", b"player0=Ann&player1=Bob&ruleset=bmja", FORM)
    time.sleep(5)
    sent[0] = time.monotonic()
    box.ask(OTHER, "/table/winner", b"who=1&won_by=wall", FORM)
    time.sleep(20)
    stop.set()
    polled.say(most=1.0)
    promise("phones that never heard of it", len(phones) - len(heard), 0, f"of {len(phones)}")
    promise("the last of the others heard of it after", max(heard.values(), default=99), 4, "s")


class Figures:
    """How long answers took."""

    def __init__(self, what: str) -> None:
        self._what, self._took = what, list[float]()
        self.anew = 0
        """Connections that had been closed and were opened anew."""

    def time(self, ask: Callable[[], object]) -> None:
        """Do it and note how long that took."""
        begun = time.monotonic()
        ask()
        self._took.append(time.monotonic() - begun)

    def say(self, most: float) -> None:
        """Print the figures; `most` seconds are promised for all but one in a hundred."""
        took = sorted(self._took)
        p50, p99 = (1000 * took[int(share * (len(took) - 1))] for share in (0.5, 0.99))
        anew = f", {self.anew} anew" if self.anew else ""
        figures = f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, longest {1000 * took[-1]:.0f} ms"
        say(f"{self._what}: of {len(took)} answers {figures}{anew}")
        if p99 > 1000 * most:
            _broken.append(self._what)
            say(f"    BROKEN: {most:.0f} s were promised")


def promise(what: str, found: float, most: float, unit: str) -> None:
    """Print a figure and whether it is as promised."""
    say(f"{what}: {found:.1f} {unit}")
    if found > most:
        _broken.append(what)
        say(f"    BROKEN: {most:.0f} {unit} were promised")


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


TRIALS: dict[str, Callable[[Outside], None]] = {
    "idle": idle,
    "crowd": crowd,
    "printing": printing,
    "guessing": guessing,
    "parking": parking,
    "weak_wi_fi": weak_wi_fi,
    "news": news,
}
"""By name; what each does stands in its function."""


if __name__ == "__main__":
    sys.exit(main())
