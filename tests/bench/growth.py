"""Measure what grows with what is kept: every page, the start and a settling, for longer evenings.

    .venv/bin/python -m tests.bench.growth [--sizes 1 500] [--how entered] [--store postgresql]

One sort of box has a match on the table with many settled deals, entered or photographed. The other
sort has many finished matches. Every page of the app's address book is drawn in each, in the middle
of a deal's settling. A line is printed for the slowest pages, and for those that grow: they
take more than twice as long in the largest box.

Times are milliseconds of processor, the best of several. A start lasts until the first page has
come. `start, once` is the first start after an update, when no summaries are kept yet.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple, get_args

from flask.testing import FlaskClient
from werkzeug.routing import Rule

from device.doctor import Machine
from device.hands.repository import HandRepository
from device.server.server import collect_less_often, freeze_objects
from device.services import open_services
from device.store import Store
from device.store.events import HandPhoto, TablePhotographed, TableRead
from device.store.sqlite_log import SqliteLog
from device.store.store_url import open_store
from device.store.transfer import move_store
from device.web import Box, create_app
from device.web.app import warm_up
from device.web.contexts import Upkeep
from tests.bench.program import ask, measure_cpu_s, run_server
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.long_matches import PLAYERS, EntryMethod, MatchWriter
from tests.device.page import Page
from tests.device.shared_decoder import DECODER
from tests.postgresql import running_server
from tests.reporting import say
from vision.photo import open_photo

SIZES = (1, 8, 32, 64, 128, 500)
"""Settled deals of one match, or finished matches of eight deals each."""

DEALS_PER_MATCH = 8

FILES_PER_PHOTOGRAPH = 3

CORRECTION_COUNT = 10

ROUND_COUNT = 3

MAX_PAGES_LISTED = 8
"""The slowest pages of a sort of box; those that grow are always listed."""

MAX_PAGE_S = 10.0
"""A page that takes longer is not drawn in a larger box."""

STATELESS_VIEWS = frozenset(
    {"asset", "capture.live", "live.listen", "print.mat", "home.sample_picture"}
)
"""Views that read nothing from the log, or that do not end."""

ADDRESS_VALUES: Mapping[str, str] = {
    "section": "scoring",
    "rule": "BMJA-D10",
    "exercise": "tile",
    "k": "0",
}
"""What stands in an address; every other part is 1."""


NewUrl = Callable[[], str]
"""Returns the URL of an empty store; an empty one for a log in the folder."""


class MadeBox(NamedTuple):
    """What was played on a box."""

    hands: tuple[str, ...]
    """Ids of the hands whose pages are drawn."""
    photo: str
    """Id of a photograph of the whole table."""
    match: str


def play_one_match(store: Store, size: int, way_played: EntryMethod) -> MadeBox:
    """Play one match, up to the settling of a further deal."""
    of_hand = _stored_photo(store)
    player = MatchWriter(store, way_played, of_hand)
    player.match("m", size)
    dealt_hand = player.give("m", "Bob")
    hands = ("m-1", dealt_hand[0]) if dealt_hand else ()
    if way_played == "photographed":
        for number in range(size * len(PLAYERS) * FILES_PER_PHOTOGRAPH):
            store.keep_photo(str(number).encode())
    store.append("table", TablePhotographed(match="m", deal=size + 1, source="", photo=of_hand))
    store.append("table", TableRead(dict(zip(("bottom", "right"), dealt_hand, strict=False))))
    return MadeBox(hands, "table", "m")


def play_many_matches(store: Store, size: int, way_played: EntryMethod) -> MadeBox:
    """Play matches to their end; none is on the table."""
    player = MatchWriter(store, way_played)
    for number in range(size):
        player.match(f"m{number}", DEALS_PER_MATCH, is_over=True)
    return MadeBox(("m0-1",), "", "m0")


def _stored_photo(store: Store) -> HandPhoto:
    data = picture(lay())
    return HandRepository(store).keep(open_photo(data, "hand.jpg"), data)


@contextmanager
def open_box(folder: Path, url: str) -> Iterator[FlaskClient]:
    """Open a box in this process, with its templates compiled."""
    collect_less_often()
    with closing(open_store(folder, url)) as store:
        services = open_services(store, FakeReader(), DECODER)
        app = create_app(Box(services, upkeep=Upkeep(Machine(folder))))
        warm_up(app)
        freeze_objects()
        yield app.test_client()
        services.close()


def addresses(client: FlaskClient, box: MadeBox) -> Iterator[tuple[str, str]]:
    """Yield every page to draw, by the name that its line has."""
    for rule in sorted(client.application.url_map.iter_rules(), key=str):
        if "GET" in (rule.methods or ()) and rule.endpoint not in STATELESS_VIEWS:
            yield from _fill_rule(rule, box)


def _fill_rule(rule: Rule, box: MadeBox) -> Iterator[tuple[str, str]]:
    if "kind" in rule.arguments:
        hands = [("." + kind, {"kind": kind}) for kind in ("csv", "jsonl", "pdf")]
    elif "hand" in rule.arguments:
        ages = (" (oldest)", " (newest)")
        hands = [(age, {"hand": hand}) for age, hand in zip(ages, box.hands, strict=False)]
    else:
        hands = [("", {})]
    for note, hand in hands:
        values = {**ADDRESS_VALUES, "match": box.match, "stream": box.match, "photo": box.photo}
        values |= hand
        url = rule.build({name: values.get(name, "1") for name in rule.arguments})
        assert url is not None
        yield f"{rule.rule}{note}", url[1]


def measure_page(client: FlaskClient, address: str) -> float:
    """Return the shortest time of a page, without the first."""
    rounds = ROUND_COUNT if _seconds_of(lambda: client.get(address)) < 1000 else 1
    return min(_seconds_of(lambda: client.get(address)) for _ in range(rounds))


def measure_settling(client: FlaskClient) -> float:
    """Return what it takes to settle the deal, and to show the table after it."""
    return _seconds_of(
        partial(_send, client, "/table/settle", _form_state(client, "/table/settle"), {})
    )


def measure_corrections(client: FlaskClient) -> float:
    """Return what it takes to correct the first deal, and to show the page after it."""
    seconds = []
    for score in range(4, 4 + 2 * CORRECTION_COUNT, 2):
        form_state = _form_state(client, f"/table/deal/1/changes?score1={score}")
        fields = {"score1": str(score)}
        seconds.append(
            _seconds_of(partial(_send, client, "/table/deal/1/correct", form_state, fields))
        )
    return median(seconds)


def _form_state(client: FlaskClient, page: str) -> str:
    """Return the version that a page's form was made of."""
    return Page(client.get(page).text).values("seen")[0]


def _send(client: FlaskClient, path: str, form_state: str, fields: Mapping[str, str]) -> None:
    answer = client.post(path, data={"seen": form_state, **fields})
    assert answer.status_code == 303
    assert client.get(answer.headers["Location"]).status_code == 200


def measure_start(folder: Path, url: str) -> float:
    """Return what a process takes from its start to its first page."""
    store = ("--store", url) if url else ()
    with run_server(folder, "--camera", "none", *store) as (pid, port):
        ask(port, "/table/")
        return measure_cpu_s(pid) * 1000


def _seconds_of(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


class GrowthTable:
    """What was measured of boxes that grow, line by line."""

    def __init__(self) -> None:
        self._lines: dict[str, list[float | None]] = {}
        self._sizes = 0

    def next_size(self) -> None:
        """Begin with the next larger box."""
        self._sizes += 1

    def is_too_long(self, name: str) -> bool:
        """Whether it took so long in the last box that it is left out from now on."""
        last = (self._lines.get(name) or [None])[-1]
        return self._sizes > 1 and (last or 0) > MAX_PAGE_S * 1000

    def add(self, name: str, ms: float) -> None:
        """Add a figure of the box of this size."""
        line = self._lines.setdefault(name, [])
        line += [None] * (self._sizes - 1 - len(line))
        line.append(ms)

    def print(self, sizes: Sequence[int], title: str) -> None:
        """Print the slowest lines, and those that grow."""
        say(f"\n{title:58}" + "".join(f"{size:>9}" for size in sizes))
        longest = {name: max(filter(None, line), default=0) for name, line in self._lines.items()}
        slowest = sorted(longest, key=lambda name: -longest[name])[:MAX_PAGES_LISTED]
        for name, line in self._lines.items():
            padded_line = [*line, *[None] * (len(sizes) - len(line))]
            grows = (padded_line[0] or 0) * 2 < longest[name] > 5
            if grows or name in slowest or not name.startswith("/"):
                figures = "".join("        –" if ms is None else f"{ms:9.1f}" for ms in padded_line)
                say(f"{name:58}{figures}{'  grows' if grows else ''}")


def measure_sizes(
    sizes: Sequence[int],
    make: Callable[[Store, int, EntryMethod], MadeBox],
    way_played: EntryMethod,
    new_url: NewUrl,
) -> GrowthTable:
    """Make a box of each size and measure it."""
    table = GrowthTable()
    for size in sizes:
        table.next_size()
        with tempfile.TemporaryDirectory() as name:
            folder, url = Path(name), new_url()
            box = _make_box(folder, url, partial(_play_box, make, size, way_played))
            for start in ("start, once", "start"):
                if not table.is_too_long(start):
                    table.add(start, measure_start(folder, url))
            with open_box(folder, url) as client:
                _measure_box(client, box, table)
    return table


def _play_box(
    make: Callable[[Store, int, EntryMethod], MadeBox],
    size: int,
    way_played: EntryMethod,
    store: Store,
) -> MadeBox:
    return make(store, size, way_played)


def _make_box(folder: Path, url: str, make: Callable[[Store], MadeBox]) -> MadeBox:
    """Write a box's log, without waiting for the disk; move it into a database if there is one."""
    with closing(Store(folder)) as store:
        assert isinstance(store.log, SqliteLog)
        store.log.driver.execute("PRAGMA synchronous = OFF")
        box = make(store)
        if url:
            with closing(open_store(folder / "copied", url)) as target:
                move_store(store, target)
        return box


def _measure_box(client: FlaskClient, box: MadeBox, table: GrowthTable) -> None:
    table.add("first page", _seconds_of(partial(client.get, "/table/")))
    table.add("first list of matches", _seconds_of(partial(client.get, "/matches")))
    for name, address in addresses(client, box):
        if not table.is_too_long(name):
            table.add(name, measure_page(client, address))
    if client.get("/table/settle").status_code == 200:
        table.add("correction of the first deal", measure_corrections(client))
        table.add("settling", measure_settling(client))


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument(
        "--how", choices=get_args(EntryMethod), nargs="*", default=["entered", "photographed"]
    )
    parser.add_argument("--only", choices=("deals", "matches"))
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    args = parser.parse_args()
    with ExitStack() as stack:
        new_url: NewUrl = str
        if args.store == "postgresql":
            new_url = stack.enter_context(running_server()).database
        for how in args.how if args.only != "matches" else ():
            table = measure_sizes(args.sizes, play_one_match, how, new_url)
            table.print(args.sizes, f"settled deals in one match, hands {how}, {args.store}")
        if args.only != "deals":
            table = measure_sizes(args.sizes, play_many_matches, "entered", new_url)
            table.print(args.sizes, f"finished matches, {args.store}")


if __name__ == "__main__":
    main()
