"""Measures what a year at the club costs: each page, the start, a correction, against the log.

    .venv/bin/python -m tests.bench.club [--most 2000] [--draw docs/club-cost.svg] [--store sqlite]

Logs of 50 to 2,000 settled deals are made, in one long match and in matches of 16 deals, each deal
with four hands that were entered tile by tile. A line is printed for each page: milliseconds of
the box's processor, in brackets those of the clock. `once` is the first time after a start, when
nothing is remembered yet; all else the median of several. With `--store postgresql` the log lies
in a server of this program's own. The drawing has both scales logarithmic.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from flask.testing import FlaskClient

from device.doctor import Machine
from device.server.server import collect_less_often, freeze_objects
from device.services import open_services
from device.store import Store
from device.store.sqlite_log import SqliteLog
from device.store.store_url import open_store
from device.store.transfer import move_store
from device.web import Box, create_app
from device.web.app import warm_up
from tests.bench.log_chart import draw_chart
from tests.bench.program import ask, measure_cpu_s, read_unit_environment, run_box, say
from tests.device.fake_reader import FakeReader
from tests.device.long_matches import Played
from tests.device.shared_decoder import DECODER
from tests.postgresql import PostgresqlServer

DEAL_COUNTS = (50, 200, 500, 1000, 2000)

DEALS_PER_MATCH = 16
"""Deals of an evening."""

ROUND_COUNT = 5

CORRECTION_COUNT = 30


class Cost(NamedTuple):
    """What something took."""

    cpu: float
    """Milliseconds of the box's processor."""
    wall: float
    """Milliseconds by the clock, with whatever else this machine does."""


Costs = Mapping[str, Cost]


def play(folder: Path, deals: int, of_each: int) -> None:
    """Write a log of so many deals; its last match goes on."""
    with closing(Store(folder)) as store:
        assert isinstance(store.log, SqliteLog)
        store.log.driver.execute("PRAGMA synchronous = OFF")
        played = Played(store)
        for number in range(-(-deals // of_each)):
            left = deals - number * of_each
            played.match(f"m{number}", min(left, of_each), ended=left > of_each)


def copy(folder: Path, url: str) -> None:
    """Copy a folder's log into a database that has nothing in it."""
    with closing(Store(folder)) as store, closing(open_store(folder / "copied", url)) as target:
        move_store(store, target)


@contextmanager
def open_box(folder: Path, url: str) -> Iterator[FlaskClient]:
    """Open a box in this process, with its templates compiled."""
    collect_less_often()
    services = open_services(open_store(folder, url), FakeReader(), DECODER)
    app = create_app(Box(services, machine=Machine(folder)))
    warm_up(app)
    freeze_objects()
    yield app.test_client()
    services.close()
    services.store.close()


def measure_cost(work: Callable[[], object]) -> Cost:
    """Return what something takes."""
    began = time.process_time(), time.perf_counter()
    work()
    ended = time.process_time(), time.perf_counter()
    return Cost(*((after - before) * 1000 for before, after in zip(began, ended, strict=True)))


def measure_start(folder: Path, url: str) -> Cost:
    """Return what `tongbox serve` takes from its start to its first answer."""
    command = ["-m", "device.cli", "serve", "--camera", "none", "--host", "127.0.0.1"]
    command += ["--port", "18540", "--data", str(folder), *(["--store", url] if url else [])]
    began = time.perf_counter()
    with run_box(command, read_unit_environment()) as (pid, port):
        ask(port, "/table/")
        return Cost(measure_cpu_s(pid) * 1000, (time.perf_counter() - began) * 1000)


def measure_pages(client: FlaskClient, deals: int, of_each: int) -> Costs:
    """Return what each page takes."""
    first, on = "m0", f"m{(deals - 1) // of_each}"
    every = {
        "first page": "/table/",
        "list of matches": "/matches",
        "oldest part of the list": f"/matches?skip={max((deals // of_each) // 30 * 30, 0)}",
        "newest page of a match": f"/match/{on}/",
        "oldest page of a match": f"/match/{first}/?until=16",
        "a deal's page": "/table/deal/1/correct",
        "what a correction changes": "/table/deal/1/changes?score1=2",
    }
    found: dict[str, Cost] = {}
    for name, address in every.items():

        def get(address: str = address) -> None:
            assert client.get(address).status_code == 200, address

        found[f"{name}, once"] = measure_cost(get)
        found[name] = _median_cost([measure_cost(get) for _ in range(ROUND_COUNT)])
    corrections = [
        measure_cost(_correction(client, score)) for score in range(4, 4 + 2 * CORRECTION_COUNT, 2)
    ]
    found["correction of the first deal"] = _median_cost(corrections)
    found["correction, of ten the slowest"] = sorted(corrections)[CORRECTION_COUNT * 9 // 10]
    return found


def _correction(client: FlaskClient, score: int) -> Callable[[], None]:
    page = client.get(f"/table/deal/1/changes?score1={score}").get_data(as_text=True)
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen

    def correct() -> None:
        said = {"seen": seen[1], "score1": str(score)}
        answer = client.post("/table/deal/1/correct", data=said)
        assert answer.status_code == 303
        assert client.get(answer.headers["Location"]).status_code == 200

    return correct


def _median_cost(costs: list[Cost]) -> Cost:
    return Cost(median(each.cpu for each in costs), median(each.wall for each in costs))


def measure_log(deals: int, of_each: int, url: str) -> Costs:
    """Make a log and return what all costs with it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        play(folder, deals, of_each)
        if url:
            copy(folder, url)
        begun = measure_start(folder, url)
        again = measure_start(folder, url)
        with open_box(folder, url) as client:
            return {"start, once": begun, "start": again, **measure_pages(client, deals, of_each)}


def print_costs(title: str, found: Mapping[int, Costs]) -> None:
    """Print what was measured, a line for each page."""
    say(f"\n{title:36}" + "".join(f"{deals:>16}" for deals in found))
    for name in next(iter(found.values())):
        figures = (f"{each[name].cpu:.0f} ({each[name].wall:.0f})" for each in found.values())
        say(f"{name:36}" + "".join(f"{figure:>16}" for figure in figures))


@contextmanager
def create_databases(engine: str) -> Iterator[Callable[[], str]]:
    """Give what returns the URL of an empty store."""
    if engine == "sqlite":
        yield lambda: ""
        return
    folder = Path(tempfile.mkdtemp(prefix="tongbox-pg-"))
    server = PostgresqlServer(folder)
    try:
        yield server.database
    finally:
        server.stop()
        shutil.rmtree(folder)


def main() -> None:
    """Measure what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--most", type=int, default=max(DEAL_COUNTS))
    asked.add_argument("--least", type=int, default=min(DEAL_COUNTS))
    asked.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    asked.add_argument("--draw", type=Path)
    given = asked.parse_args()
    sizes = [size for size in DEAL_COUNTS if given.least <= size <= given.most]
    with create_databases(given.store) as new:
        long = {size: measure_log(size, size, new()) for size in sizes}
        print_costs(f"deals in one match, {given.store}", long)
        many = {size: measure_log(size, DEALS_PER_MATCH, new()) for size in sizes}
        print_costs(f"deals in matches of {DEALS_PER_MATCH}, {given.store}", many)
    if given.draw:
        lines = {
            name: {size: each[name].cpu for size, each in long.items()}
            for name in next(iter(long.values()))
            if not name.endswith(", once")
        }
        given.draw.write_text(draw_chart("Deals in one match", "ms of processor", lines), "utf-8")


if __name__ == "__main__":
    main()
