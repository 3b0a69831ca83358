"""Measures a full hall: tables with four phones each that listen, a deal a minute at each.

    .venv/bin/python -m tests.bench.phones [--tables 60] [--minutes 3] [--every 60]

A box is started on 127.0.0.1; each phone has an address of its own (127.x.y.z), listens as the page
tells it, by server-sent events or, where it is refused, by asking every other second, and gets the
page of its table again with each news. Printed is how long pages took, how long after a deal was
settled all four phones of its table had the page that shows it, the box's processor and memory.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.program import of_the_unit, running, say, spent

PLAYERS = ("Ann", "Bob", "Cy", "Di")

PATIENCE = 30.0


@dataclass
class Figures:
    """What was measured, in seconds."""

    pages: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    """From the tap that settles a deal until all four phones have the page that shows it."""
    missed: int = 0
    refused: int = 0
    """Phones that may not listen."""
    failed: int = 0


@dataclass
class Phone:
    """A phone at a table."""

    port: int
    address: str
    figures: Figures
    cookies: dict[str, str] = field(default_factory=dict)
    shows: int = 0
    """The settled deals that its page shows."""

    async def ask(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], str]:
        """Return status, headers and text of an answer."""
        reader, writer = await self._said(method, path, fields)
        try:
            status, headers = await self._begun(reader)
            text = (await reader.read()).decode()
        finally:
            writer.close()
        return status, headers, text

    async def _said(
        self, method: str, path: str, fields: dict[str, str] | None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0)
        )
        body = urlencode(fields or {}).encode()
        head = {
            "Host": f"127.0.0.1:{self.port}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": len(body),
        }
        lines = [f"{method} {path} HTTP/1.0", *(f"{key}: {said}" for key, said in head.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        return reader, writer

    async def _begun(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        status = int((await reader.readline()).split()[1])
        headers: dict[str, str] = {}
        while (line := (await reader.readline()).decode().strip()) != "":
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                key, _, said = value.partition(";")[0].partition("=")
                self.cookies[key] = said
            headers[name.lower()] = value
        return status, headers

    async def look(self) -> str:
        """Get the page of the table."""
        began = time.monotonic()
        status, _, text = await self.ask("GET", "/table/")
        self.figures.pages.append(time.monotonic() - began)
        self.figures.failed += status != 200
        if found := re.search(r"[Dd]eal (\d+)", text):
            self.shows = int(found[1]) - 1
        return text

    async def attend(self) -> None:
        """Listen as the page tells, for good, and look with each news."""
        text = await self.look()
        listen, ask = (
            unescape(re.findall(rf'data-{name}="([^"]*)"', text)[0]) for name in ("listen", "ask")
        )
        while True:
            reader, writer = await self._said("GET", listen, None)
            status, _ = await self._begun(reader)
            if status != 200:
                writer.close()
                self.figures.refused += 1
                await self._poll(ask)
            heard = None
            while line := (await reader.readline()).decode():
                if line.startswith("data:"):
                    if heard not in (None, line):
                        await self.look()
                    heard = line
            await asyncio.sleep(1)

    async def _poll(self, ask: str) -> None:
        heard = None
        while True:
            _, _, said = await self.ask("GET", ask)
            if heard not in (None, said):
                await self.look()
            heard = said
            await asyncio.sleep(2)


async def deals(phones: list[Phone], figures: Figures, every: float, ends: float) -> None:
    """Play a deal a minute at a table, as its phones do, and see when all have seen it."""
    first, number = phones[0], 0
    fields = {f"player{n}": name for n, name in enumerate(PLAYERS)}
    await first.ask("POST", "/match/new", {**fields, "ruleset": "bmja", "limit": "1000"})
    while time.monotonic() < ends:
        began = time.monotonic()
        number += 1
        await first.ask("POST", "/table/winner", {"who": str(number % 4), "won_by": "wall"})
        for player in range(4):
            await asyncio.sleep(every / 8)
            score = {"score": str(20 + 4 * player)}
            await first.ask("POST", f"/table/hand/{player}/score", score)
        await asyncio.sleep(every / 8)
        settled = time.monotonic()
        await first.ask("POST", "/table/settle")
        while min(each.shows for each in phones) < number and time.monotonic() - settled < PATIENCE:
            await asyncio.sleep(0.01)
        if min(each.shows for each in phones) < number:
            figures.missed += 1
            number = min(each.shows for each in phones)
        else:
            figures.seen.append(time.monotonic() - settled)
        await asyncio.sleep(max(0, every - (time.monotonic() - began)))


async def evening(port: int, pid: int, tables: int, minutes: float, every: float) -> None:
    """Play it and print what was measured."""
    figures = Figures()
    halls: list[list[Phone]] = []
    for number in range(tables):
        hall = [Phone(port, f"127.1.{number}.{n + 1}", figures) for n in range(4)]
        _, headers, _ = await hall[0].ask("POST", "/club/tables/", {"name": f"Table {number + 1}"})
        for phone in hall:
            await phone.ask("GET", f"/at/{headers['location'].split('/')[3]}/")
        halls.append(hall)
    ends = time.monotonic() + minutes * 60
    work = []
    for hall in halls:
        work.append(asyncio.create_task(deals(hall, figures, every, ends)))
        await asyncio.sleep(every / tables / 2)
    listening = [asyncio.create_task(each.attend()) for hall in halls for each in hall]
    say(f"{tables} tables, {len(listening)} phones, a deal every {every:.0f} s at each")
    figures.pages.clear()
    before, began = spent(pid), time.monotonic()
    while time.monotonic() < ends:
        await asyncio.sleep(min(30.0, max(ends - time.monotonic(), 0.1)))
        say(f"{memory(pid):5.0f} MB, {threads(pid)} threads, {shown(figures)}")
    used = (spent(pid) - before) / (time.monotonic() - began)
    say(f"the box took {100 * used:.0f} % of a processor")
    for each in (*listening, *work):
        each.cancel()
    await asyncio.gather(*listening, *work, return_exceptions=True)


def shown(figures: Figures) -> str:
    """Return the figures in words."""
    said = [f"{len(figures.pages)} pages {_spread(figures.pages)}"]
    said += [f"{len(figures.seen)} deals seen by all {_spread(figures.seen)}"]
    said += [f"{figures.missed} not within {PATIENCE:.0f} s", f"{figures.refused} phones refused"]
    return ", ".join([*said, f"{figures.failed} failed"])


def _spread(seconds: list[float]) -> str:
    if not seconds:
        return "–"
    sorted_ = sorted(seconds)
    half, most = (sorted_[int(share * (len(sorted_) - 1))] for share in (0.5, 0.99))
    return f"p50 {half * 1000:.0f} p99 {most * 1000:.0f} ms"


def _status(pid: int, name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("utf-8"))
    return int(found[1]) if found else 0


def memory(pid: int) -> float:
    """Return the megabytes that a process has in memory."""
    return _status(pid, "VmRSS") / 1024


def threads(pid: int) -> int:
    """Return how many threads a process has."""
    return _status(pid, "Threads")


def main() -> None:
    """Play an evening."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=60)
    asked.add_argument("--minutes", type=float, default=3.0)
    asked.add_argument("--every", type=float, default=60.0)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "device.cli", "serve", "--camera", "none", "--host", "127.0.0.1"]
        command += ["--port", "18550", "--data", folder]
        with running(command, of_the_unit()) as (pid, port):
            asyncio.run(evening(port, pid, given.tables, given.minutes, given.every))


if __name__ == "__main__":
    main()
