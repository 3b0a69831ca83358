"""Run the programs of a club's evening: a store, `tongbox serve` and `tongbox worker`.

Each is a process of its own. Some are killed with SIGKILL and started again while phones ask.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from tests.device.outside import greeting_of, port_of
from tests.postgresql import running_server
from tests.prove.club_program import Database, Program, resident_bytes
from tests.real.page import free_port

SERVE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells' background jobs ignore it
from device import cli
from device.commands import serve
from tests.prove import club_faults
from tests.prove.club_whole import reader
serve.load_reader = reader
club_faults.put_in(sys.argv[1])
club_faults.pull_own_plug(sys.argv[2])
sys.exit(cli.main(sys.argv[3:]))
"""
"""The command with a reader that reads nothing, and what is put in if it is named: a fault, and a
plug that pulls itself."""

PAUSES_S = (1.0, 6.0)
"""Shortest and longest time between two kills, in seconds."""

MAX_DOWN_S = 0.5
"""A killed process is started again within this time."""

POLL_S = 0.05
"""Seconds after which it is seen that one has pulled its own plug."""

WORK = """
import sys
from tests.device import sharing_worker
from tests.prove import club_faults
from tests.prove.club_whole import lay_on
club_faults.put_in(sys.argv[1])
club_faults.pull_own_plug(sys.argv[2])
sharing_worker.main(sys.argv[3:], lay_on(sharing_worker.SlowReader()))
"""
"""A worker with a reader that takes a moment, and the same put in."""


def parse_local_address(address: str) -> str:
    """Return an address of this machine alone; raise ValueError for any other."""
    if not ip_address(address).is_loopback:
        raise ValueError(f"{address} is not this machine: nobody else's is put under load")
    return address


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played, and on what."""

    tables: int = 6
    deals: int = 8
    rounds: int = 3
    """Of the tournament that is played after the evening; 0 for none."""
    store: str = "embedded"
    serves: int = 1
    workers: int = 0
    kill: bool = False
    reader: str = "fake"
    """`fake`, or `networks` with the demo's photographs."""
    seed: int = 1
    host: str = "127.0.0.1"
    fault: str = ""
    """One of `club_faults.FAULTS`, put into the served program to see it found."""


class OutOfBoundsError(Exception):
    """More was asked, or it took longer or more memory, than was allowed."""


@dataclass
class Bounds:
    """What an evening may take: requests, seconds, and bytes of each process."""

    requests: int = 500_000
    seconds: float = 1800.0
    memory: int = 1 << 30
    end_time: float = 0.0
    asked: int = 0

    def begin(self) -> None:
        """Let the time run."""
        self.end_time = time.monotonic() + self.seconds

    def take(self) -> None:
        """Count a request; raise OutOfBoundsError where no more may be made."""
        self.asked += 1
        if self.asked > self.requests:
            raise OutOfBoundsError(f"more than {self.requests} requests")
        if time.monotonic() > self.end_time:
            raise OutOfBoundsError(f"longer than {self.seconds:.0f} s")
        if self.asked % 200 == 0 and resident_bytes(os.getpid()) > self.memory:
            raise OutOfBoundsError(f"more than {self.memory >> 20} MiB")


@dataclass
class Room:
    """The running programs, and what was found out about them."""

    plan: Plan
    folder: Path
    url: str
    """Of the database; empty for a box that has a folder of its own."""
    ports: tuple[int, ...]
    serves: Sequence[Program]
    workers: Sequence[Program]
    bounds: Bounds
    faults: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    durations: dict[str, list[float]] = field(default_factory=dict)
    database: Database | None = None
    due: list[tuple[int, float, int]] = field(default_factory=list)
    """News that phones must hear: at which table, since when, and its number."""
    stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fault(self, description: str) -> None:
        """Note something that must not be."""
        with self._lock:
            if len(self.faults) < 100:
                self.faults.append(description)

    def count(self, description: str, number: int = 1) -> None:
        """Count something that happened."""
        with self._lock:
            self.counts[description] += number

    def time(self, description: str, seconds: float) -> None:
        """Note how long something took."""
        with self._lock:
            self.durations.setdefault(description, []).append(seconds)

    def news(self, table: int, version: int) -> None:
        """Note what phones at a table must hear from now on."""
        with self._lock:
            self.due.append((table, time.monotonic(), version))

    @property
    def host(self) -> str:
        """The address that phones ask."""
        return parse_local_address(self.plan.host)

    def phone_address(self, deal: int, table: int, place: int) -> str:
        """Return the address that a phone asks from."""
        return parse_local_address(f"127.{1 + deal % 250}.{1 + table}.{1 + place}")

    @property
    def programs(self) -> tuple[Program, ...]:
        """All processes of the product."""
        return (*self.serves, *self.workers)

    def was_away(self, program: Program, start: float) -> bool:
        """Whether a process, or the database that it needs, was killed at some time since."""
        return program.was_away(start) or bool(self.database and self.database.was_away(start))

    def seconds_away(self, program: Program, start: float, end: float) -> float:
        """Return for how many seconds at the least one of them was, between two moments."""
        seconds = program.seconds_away(start, end)
        return max(seconds, self.database.seconds_away(start, end)) if self.database else seconds

    @contextmanager
    def killing(self) -> Iterator[None]:
        """Kill what runs, now one and now another, and start it again, as long as this lasts."""
        threads = [threading.Thread(target=self._kill_on)]
        threads += [threading.Thread(target=self._revive, args=(each,)) for each in self.programs]
        if self.plan.kill:
            for each in threads:
                each.start()
        try:
            yield
        finally:
            self.stop.set()
            for each in threads if self.plan.kill else ():
                each.join()

    def _kill_on(self) -> None:
        rng = random.Random(self.plan.seed)
        mortal = [*self.programs, *([self.database] if self.database else [])]
        while not self.stop.wait(rng.uniform(*PAUSES_S)):
            program = rng.choice(mortal)
            program.pull(rng.uniform(0, MAX_DOWN_S))
            self.count(f"kills of {program.name.split()[0]}")

    def _revive(self, program: Program) -> None:
        """Start what pulled its own plug; once more at the end, for nobody will do so later."""
        last = False
        while not last:
            last = self.stop.wait(POLL_S)
            if program.revive():
                self.count(f"kills of {program.name.split()[0]} right after something was kept")


@contextmanager
def room_of(plan: Plan, bounds: Bounds) -> Iterator[Room]:
    """Start everything, and end it after the block; the data folder goes last."""
    parse_local_address(plan.host)
    with ExitStack() as endings:
        folder = Path(
            endings.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        )
        database = None
        if plan.store == "postgresql":
            database = Database(endings.enter_context(running_server()))
        url = database.url if database else ""
        ports = tuple(free_port(plan.host) for _ in range(plan.serves))
        serves = [_serve(plan, folder, url, n, port) for n, port in enumerate(ports)]
        workers = [_worker(plan, folder, url, n) for n in range(plan.workers)]
        for each in (*serves, *workers):
            endings.callback(each.end)
            each.start()
        yield Room(plan, folder, url, ports, serves, workers, bounds, database=database)


def _serve(plan: Plan, folder: Path, url: str, number: int, port: int) -> Program:
    own_folder = folder / f"serve{number}"
    options = ["serve", "--host", plan.host, "--port", str(port), "--data", str(own_folder),
               "--camera", "none"]  # fmt: skip
    options += ["--store", url] if url else []
    options += ["--no-worker"] if plan.workers else []
    begin = [sys.executable, "-c", SERVE, plan.fault, "pulled" * plan.kill]
    if plan.reader == "networks":
        begin = [sys.executable, "-m", "device.cli"]

    def is_open(process: subprocess.Popen[str]) -> None:
        open_port = port_of(greeting_of(process))
        assert open_port == port, f"serve {number} has another port than {port}"

    return Program(f"serve {number}", [*begin, *options], folder / f"serve{number}.log", is_open)


def _worker(plan: Plan, folder: Path, url: str, number: int) -> Program:
    own_folder = str(folder / f"worker{number}")
    command = [sys.executable, "-c", WORK, plan.fault, "pulled" * plan.kill, url, own_folder]
    if plan.reader == "networks":
        command = [
            sys.executable,
            "-m",
            "device.cli",
            "worker",
            "--store",
            url,
            "--data",
            own_folder,
        ]

    def is_open(process: subprocess.Popen[str]) -> None:
        assert process.stdout
        assert process.stdout.readline(), f"worker {number} ended before it was ready"

    return Program(f"worker {number}", command, folder / f"worker{number}.log", is_open)
