"""Measures what grows with what is kept: every page, the start and a settling, for longer evenings.

    .venv/bin/python -m tests.bench.growth [--most 500] [--how entered]

Boxes are made whose match on the table has 1 to 500 settled deals, with hands that were entered and
with hands that were photographed; and boxes with 1 to 500 matches that are over. Of each, every
page is drawn that a phone can ask for: those of the address book of the app, with the newest hand
and the oldest, in the middle of a deal's settling. A line is printed for the pages that take
longest, and for each that takes more than twice as long in the largest box as in the smallest.

Times are milliseconds of processor, the least of several. The start is that of a process until its
first page has come; the first page by itself has to replay the match on the table once, the first
list of matches those that it shows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

from flask.testing import FlaskClient
from werkzeug.routing import Rule

from device.doctor import Machine
from device.hands.repository import HandRepository
from device.services import open_services
from device.store import Store
from device.store.events import HandPhoto, TablePhotographed, TableRead
from device.web import Box, create_app
from device.web.app import warm_up
from tests.bench.program import ask, measure_cpu_s, read_unit_environment, run_box, say
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.long_matches import PLAYERS, How, Played
from tests.device.shared_decoder import DECODER
from vision.photo import open_photo

DEAL_COUNTS = (1, 8, 32, 64, 128, 500)
"""Settled deals of one match."""

MATCH_COUNTS = (1, 8, 32, 64, 128, 500)
"""Matches that are over, of eight deals each."""

DEALS_PER_MATCH = 8

FILES_PER_PHOTOGRAPH = 3
"""Files of a photograph."""

ROUND_COUNT = 3

MAX_PAGES_LISTED = 8
"""The slowest pages of a kind of box, besides all that grow."""

MAX_PAGE_S = 10.0
"""Seconds after which a page is not drawn again in a larger box."""

STATELESS_VIEWS = frozenset(
    {"asset", "capture.live", "live.listen", "print.mat", "home.sample_picture"}
)
"""Views that read nothing of what is kept, or that do not end."""

ADDRESS_VALUES: Mapping[str, str] = {
    "section": "scoring",
    "rule": "BMJA-D10",
    "exercise": "tile",
    "k": "0",
}
"""What stands in an address; 1 for all else. Of what this measurement has none, pages say so."""


class Made(NamedTuple):
    """A box that was made."""

    hands: tuple[str, ...]
    """Ids of the hands of which pages are drawn."""
    photo: str
    """Id of a photograph of the whole table."""
    match: str


def play_one_match(store: Store, deals: int, how: How) -> Made:
    """Play one match, up to the settling of a further deal."""
    of_hand = _kept(store)
    played = Played(store, how, of_hand)
    played.match("m", deals)
    given = played.give("m", "Bob")
    hands = ("m-1", given[0]) if given else ()
    if how == "photographed":
        for number in range(deals * len(PLAYERS) * FILES_PER_PHOTOGRAPH):
            store.keep_photo(str(number).encode())
    store.append("table", TablePhotographed(match="m", deal=deals + 1, source="", photo=of_hand))
    store.append("table", TableRead(dict(zip(("bottom", "right"), given, strict=False))))
    return Made(hands, "table", "m")


def play_many_matches(store: Store, matches: int, how: How) -> Made:
    """Play matches that are over; none is on the table."""
    played = Played(store, how)
    for number in range(matches):
        played.match(f"m{number}", DEALS_PER_MATCH, ended=True)
    return Made(("m0-1",), "", "m0")


def _kept(store: Store) -> HandPhoto:
    data = picture(lay())
    return HandRepository(store).keep(open_photo(data, "hand.jpg"), data)


@contextmanager
def open_box(folder: Path) -> Iterator[FlaskClient]:
    """Open a box in this process, with its templates compiled."""
    services = open_services(Store(folder), FakeReader(), DECODER)
    app = create_app(Box(services, machine=Machine(folder)))
    warm_up(app)
    yield app.test_client()
    services.close()
    services.store.close()


def addresses(client: FlaskClient, made: Made) -> Iterator[tuple[str, str]]:
    """Yield every page to draw, by the name that its line has."""
    for rule in sorted(client.application.url_map.iter_rules(), key=str):
        if "GET" in (rule.methods or ()) and rule.endpoint not in STATELESS_VIEWS:
            yield from _filled_in(rule, made)


def _filled_in(rule: Rule, made: Made) -> Iterator[tuple[str, str]]:
    if "kind" in rule.arguments:
        hands = [("." + kind, {"kind": kind}) for kind in ("csv", "jsonl", "pdf")]
    elif "hand" in rule.arguments:
        ages = (" (oldest)", " (newest)")
        hands = [(age, {"hand": hand}) for age, hand in zip(ages, made.hands, strict=False)]
    else:
        hands = [("", {})]
    for note, said in hands:
        values = {**ADDRESS_VALUES, "match": made.match, "stream": made.match, "photo": made.photo}
        values |= said
        built = rule.build({name: values.get(name, "1") for name in rule.arguments})
        assert built is not None
        yield f"{rule.rule}{note}", built[1]


def measure_page(client: FlaskClient, address: str) -> float:
    """Return what a page takes at the best, but for the first time."""
    rounds = ROUND_COUNT if _took(lambda: client.get(address)) < 1000 else 1
    return min(_took(lambda: client.get(address)) for _ in range(rounds))


def settled(client: FlaskClient) -> float:
    """Return what it takes to settle the deal, and to show the table after it."""
    page = client.get("/table/settle").get_data(as_text=True)
    seen = page.split('name="seen" value="')[1].split('"')[0]

    def settle() -> None:
        answer = client.post("/table/settle", data={"seen": seen})
        assert answer.status_code == 303
        assert client.get("/table/").status_code == 200

    return _took(settle)


def started(folder: Path) -> float:
    """Return what a process takes from its start to its first page."""
    command = ["-m", "device.cli", "serve", "--camera", "none", "--host", "127.0.0.1"]
    command += ["--port", "18520", "--data", str(folder)]
    with run_box(command, read_unit_environment()) as (pid, port):
        ask(port, "/table/")
        return measure_cpu_s(pid) * 1000


def _took(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


class Measured:
    """What was measured of boxes that grow, line by line."""

    def __init__(self) -> None:
        self._lines: dict[str, list[float | None]] = {}
        self._sizes = 0

    def next_size(self) -> None:
        """Begin with the next larger box."""
        self._sizes += 1

    def is_too_long(self, name: str) -> bool:
        """Say whether it took so long the last time that it is not done any more."""
        last = (self._lines.get(name) or [None])[-1]
        return self._sizes > 1 and (last or 0) > MAX_PAGE_S * 1000

    def add(self, name: str, ms: float) -> None:
        """Keep a figure of the box of this size."""
        line = self._lines.setdefault(name, [])
        line += [None] * (self._sizes - 1 - len(line))
        line.append(ms)

    def print(self, sizes: tuple[int, ...], what: str) -> None:
        """Print the lines that say something."""
        say(f"\n{what:58}" + "".join(f"{size:>9}" for size in sizes))
        at_most = {name: max(filter(None, line), default=0) for name, line in self._lines.items()}
        slowest = sorted(at_most, key=lambda name: -at_most[name])[:MAX_PAGES_LISTED]
        for name, line in self._lines.items():
            padded = [*line, *[None] * (len(sizes) - len(line))]
            grows = (padded[0] or 0) * 2 < at_most[name] > 5
            if grows or name in slowest or not name.startswith("/"):
                figures = "".join("        –" if ms is None else f"{ms:9.1f}" for ms in padded)
                say(f"{name:58}{figures}{'  grows' if grows else ''}")


def measured(
    sizes: tuple[int, ...], make: Callable[[Store, int, How], Made], how: How, what: str
) -> None:
    """Make the boxes, measure each, print the table."""
    found = Measured()
    for size in sizes:
        found.next_size()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            store = Store(folder)
            made = make(store, size, how)
            store.close()
            if not found.is_too_long("start"):
                found.add("start", started(folder))
            with open_box(folder) as client:
                found.add("first page", _took(partial(client.get, "/table/")))
                found.add("first list of matches", _took(partial(client.get, "/matches")))
                _draw_all(client, made, found)
                if client.get("/table/settle").status_code == 200:
                    found.add("settling", settled(client))
    found.print(sizes, what)


def _draw_all(client: FlaskClient, made: Made, found: Measured) -> None:
    for name, address in addresses(client, made):
        if not found.is_too_long(name):
            found.add(name, measure_page(client, address))


def main() -> None:
    """Measure what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--most", type=int, default=max(DEAL_COUNTS))
    asked.add_argument(
        "--how", choices=get_args(How), nargs="*", default=["entered", "photographed"]
    )
    asked.add_argument("--only", choices=("deals", "matches"))
    given = asked.parse_args()

    def up_to(sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(size for size in sizes if size <= given.most)

    if given.only != "matches":
        for how in given.how:
            measured(
                up_to(DEAL_COUNTS), play_one_match, how, f"settled deals in one match, hands {how}"
            )
    if given.only != "deals":
        measured(up_to(MATCH_COUNTS), play_many_matches, "entered", "matches that are over")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
