"""Play a club's evening on containers that are killed from outside.

Phones, notes and checks are those of `tests.prove.club_evening`. The containers of compose.yaml
must come back by themselves.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from pathlib import Path

from tests.prove.club_check import check_log, check_pages
from tests.prove.club_news import check_news, listen_meanwhile
from tests.prove.club_phone import Phone
from tests.prove.club_play import TableEvening
from tests.prove.club_program import Program
from tests.prove.club_room import Bounds, Plan, Room
from tests.real.compose_project import (
    MACHINE_ADDRESS,
    NETWORK,
    address_of,
    logs_of,
    memory_of,
    pid_of,
    run_inside,
)
from tests.real.page import Page, wait_until

PORTS = (8080, 8081)
PAGES = ("tongbox-page-1", "tongbox-second-page-1")
WORKERS = ("tongbox-worker-1", "tongbox-worker-2")
DATABASE = "tongbox-database-1"

READY_LINE = "Tongbox reads what phones send."
"""What a worker says when it has begun."""

MAX_RECOVERY_S = 120.0
"""Seconds for anything to be back."""


def parse_own_address(address: str) -> str:
    """Return an address of this trial's own network; raise ValueError for any other."""
    if ip_address(address) not in ip_network(NETWORK):
        raise ValueError(f"{address} is not of this trial's network")
    if Path("/proc/self/ns/net").readlink() == Path("/proc/1/ns/net").readlink():
        raise ValueError("this is not a network of the trial's own")
    return address


@dataclass
class Service(Program):
    """A container that is killed from outside, and started again by nobody but its engine."""

    is_well: Callable[[], bool] = bool
    needs: tuple[Service, ...] = ()
    """Without which it does not answer either."""
    durations: list[float] = field(default_factory=list)
    """Seconds from each kill until all was well again."""
    _pid: int = 0

    def kill(self) -> None:
        """End its first process, and all others with it."""
        self.look()
        self._pid = pid_of(self.name)
        self.killed_at = time.monotonic()
        self.kills += 1
        os.kill(self._pid, signal.SIGKILL)

    def start(self) -> None:
        """Wait until it is back."""
        wait_until(
            lambda: pid_of(self.name) not in {0, self._pid},
            MAX_RECOVERY_S,
            f"no {self.name}",
            interval=0.05,
        )
        wait_until(self.is_well, MAX_RECOVERY_S, f"{self.name} is not well", interval=0.1)
        self.opened_at = time.monotonic()
        self.durations.append(self.opened_at - self.killed_at)

    def was_away(self, start: float) -> bool:
        """Whether it, or what it needs, was killed or not well at some time since."""
        return super().was_away(start) or any(each.was_away(start) for each in self.needs)

    def look(self) -> int:
        """Note how much memory it has; return that."""
        memory = memory_of(self.name)
        self.peak = max(self.peak, memory)
        return memory


@dataclass
class Hall(Room):
    """What runs in the containers."""

    @property
    def host(self) -> str:
        """Where phones find the machine."""
        return parse_own_address(MACHINE_ADDRESS)

    def phone_address(self, deal: int, table: int, place: int) -> str:
        """Return the address that a phone asks from."""
        return parse_own_address(f"10.7.{1 + (7 * table + place) % 250}.{1 + deal % 250}")


def make_hall(folder: Path, seed: int, deals: int) -> Hall:
    """Return the containers that run as what an evening is played on."""

    def service(name: str, is_well: Callable[[], bool], *needs: Service) -> Service:
        return Service(name, [], folder / name, lambda _: None, is_well=is_well, needs=needs)

    pages_well = [Page(MACHINE_ADDRESS, port).is_well for port in PORTS]
    database = service(DATABASE, lambda: _serves(DATABASE) and all(well() for well in pages_well))
    pages = [service(name, well, database) for name, well in zip(PAGES, pages_well, strict=True)]
    workers = [service(name, _reads_again(name)) for name in WORKERS]
    plan = Plan(
        tables=2, deals=deals, rounds=0, store="postgresql", serves=len(pages),
        workers=len(workers), kill=True, reader="networks", seed=seed,
    )  # fmt: skip
    url = f"postgresql://tongbox@{address_of(DATABASE)}/tongbox"
    return Hall(plan, folder, url, PORTS, pages, [*workers, database], Bounds())


def _serves(database: str) -> bool:
    return run_inside(database, "pg_isready", "-q", "-U", "tongbox").returncode == 0


def _reads_again(worker: str) -> Callable[[], bool]:
    """Return whether a worker has begun once more than when that was true the last time."""
    ready_count = logs_of(worker).count(READY_LINE)

    def is_well() -> bool:
        nonlocal ready_count
        count = logs_of(worker).count(READY_LINE)
        if count <= ready_count:
            return False
        ready_count = count
        return True

    return is_well


def play(room: Hall) -> list[TableEvening]:
    """Play at all tables while containers are killed, and compare; the faults are the room's."""
    room.bounds.begin()
    tables = [TableEvening(room, number) for number in range(room.plan.tables)]
    with listen_meanwhile(tables) as listeners:
        with room.killing(), ThreadPoolExecutor(len(tables)) as pool:
            evenings = [pool.submit(table.play) for table in tables]
        for evening in evenings:
            evening.result()
        check_pages(room, tables)
        check_news(room, Phone(room, 201, 0), listeners)
    check_log(room, tables, "")
    return tables
