"""Measure a full hall: tables with four phones each that listen, a deal a minute at each.

    .venv/bin/python -m tests.bench.full_hall
        [--tables 60] [--minutes 3] [--every 60] [--port 18550]

A box runs on 127.0.0.1, and each phone has an address of its own (127.x.y.z). A phone listens by
server-sent events or, where it is refused, asks every other second. With each news it gets the page
of its table again. A match has sixteen deals, then another begins. The tables begin within a
minute; at the end all phones look at the same moment.

Each minute it prints how long after a settled deal all four phones of its table show it. With it
stand processor time and memory of the box, and the phones' own processor time. At the end it prints
how long each kind of request took, and by how much memory grew.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import linear_regression

from tests.bench.phone import Figures, Phone, sit_down
from tests.bench.program import measure_cpu_s, measure_memory_mb, run_server
from tests.reporting import percentile, say

PLAYERS = ("Ann", "Bob", "Cy", "Di")

PAGE_TIMEOUT_S = 30.0

DEALS_PER_MATCH = 16
"""Of a match."""

WARM_UP_DEALS = 30
"""Deals of each table after which memory is to be flat: as many matches as are remembered (96) have
been played by then, sixty of sixteen deals and part of the next."""


async def play_deals(
    phones: list[Phone], figures: Figures, deal_seconds: float, chance: Random
) -> None:
    """Play a deal a minute at a table for good, as its phones do, and see when all have seen it."""
    number = 0
    listening: list[asyncio.Task[None]] = []
    try:
        while True:
            start = time.monotonic()
            if number % DEALS_PER_MATCH == 0:
                await begin_match(phones)
                number = 0
            listening = listening or [asyncio.create_task(each.attend()) for each in phones]
            number += 1
            settled_time = await play_deal(phones[0], number, deal_seconds, chance)
            while (deal_shown := min(each.shows for each in phones)) < number:
                if time.monotonic() > settled_time + PAGE_TIMEOUT_S:
                    figures.missed_count += 1
                    number = deal_shown
                    break
                await asyncio.sleep(0.01)
            else:
                figures.seen_delays.append(time.monotonic() - settled_time)
            await asyncio.sleep(max(0, deal_seconds - (time.monotonic() - start)))
    finally:
        for each in listening:
            each.cancel()
        await asyncio.gather(*listening, return_exceptions=True)


async def begin_match(phones: list[Phone]) -> None:
    """Begin a match, ending the one that is on."""
    fields = {f"player{n}": name for n, name in enumerate(PLAYERS)}
    await phones[0].ask("POST", "/match/new", {**fields, "ruleset": "bmja", "limit": "1000"})
    for n, phone in enumerate(phones):
        phone.shows = 0
        await phone.ask("POST", "/table/join", {"number": str(n)})


async def play_deal(phone: Phone, number: int, deal_seconds: float, chance: Random) -> float:
    """Play a deal; return when the tap was made that settles it."""
    await phone.ask("POST", "/table/winner", {"who": str(number % 4), "won_by": "wall"})
    for player in range(4):
        await asyncio.sleep(deal_seconds / 8 * chance.uniform(0.5, 1.5))
        score = {"score": str(20 + 4 * player)}
        await phone.ask("POST", f"/table/hand/{player}/score", score)
    await asyncio.sleep(deal_seconds / 8 * chance.uniform(0.5, 1.5))
    settled_time = time.monotonic()
    await phone.ask("POST", "/table/settle")
    return settled_time


async def play_evening(
    port: int, pid: int, tables: int, minutes: float, deal_seconds: float
) -> Figures:
    """Play it and print what was measured; return it."""
    figures = Figures()
    halls = [await sit_down(port, number, figures) for number in range(tables)]
    say(f"{tables} tables, {4 * tables} phones, a deal every {deal_seconds:.0f} s at each")
    chance, work = Random(1), []
    for hall in halls:
        work.append(asyncio.create_task(play_deals(hall, figures, deal_seconds, chance)))
        await asyncio.sleep(deal_seconds / tables * chance.uniform(0.5, 1.5))
    await report_each_minute(pid, figures, minutes, WARM_UP_DEALS * deal_seconds / 60)
    for each in work:
        each.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    await asyncio.gather(*(each.look("all at the same moment") for hall in halls for each in hall))
    return figures


async def report_each_minute(pid: int, figures: Figures, minutes: float, warm_up: float) -> None:
    """Print each minute how it goes, and at the end by how much memory grew."""
    start, memory_by_minute = time.monotonic(), []
    ends = start + 60 * minutes
    while time.monotonic() < ends:
        before, own_cpu, start_of_minute = measure_cpu_s(pid), time.process_time(), time.monotonic()
        await asyncio.sleep(min(60.0, max(ends - time.monotonic(), 0.1)))
        seconds = time.monotonic() - start_of_minute
        box, own_cpu = (
            (measure_cpu_s(pid) - before) / seconds,
            (time.process_time() - own_cpu) / seconds,
        )
        minute = (time.monotonic() - start) / 60
        memory_by_minute.append((minute, measure_memory_mb(pid, "VmRSS")))
        load = Path("/proc/loadavg").read_text("utf-8").split()[0]
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
        line = f"{minute:4.0f} min, {memory_by_minute[-1][1]:6.1f} MB, {threads} threads"
        line += f", box {box:.0%}"
        say(f"{line}, phones {own_cpu:.0%} of a processor, load {load}; {progress_text(figures)}")
    later_values = [each for each in memory_by_minute if each[0] > warm_up]
    if len(later_values) > 5:
        minutes_and_mb = zip(*later_values, strict=True)
        slope = linear_regression(*minutes_and_mb).slope
        say(f"memory after {warm_up:.0f} minutes: {60 * slope:+.1f} MB an hour")


def progress_text(figures: Figures) -> str:
    """Return the figures in words."""
    pages = figures.wait_times["GET /table/, news"]
    parts = [f"{len(pages)} pages {_spread(pages)}"]
    parts += [f"{len(figures.seen_delays)} deals seen by all {_spread(figures.seen_delays)}"]
    parts += [
        f"{figures.missed_count} not within {PAGE_TIMEOUT_S:.0f} s",
        f"{figures.refused_count} phones refused",
    ]
    return ", ".join([*parts, f"{figures.failed_count} failed, {figures.cut_off} cut off"])


def _spread(seconds: list[float]) -> str:
    if not seconds:
        return "–"
    half, highest = (percentile(seconds, share) for share in (0.5, 0.99))
    return f"p50 {half * 1000:.1f} p99 {highest * 1000:.1f} ms"


def report_requests(figures: Figures) -> None:
    """Print, by kind of request, how long the phones waited."""
    for kind, seconds in sorted(
        figures.wait_times.items(), key=lambda times_of_kind: -sum(times_of_kind[1])
    ):
        say(f"  {len(seconds):6} {kind}: {_spread(seconds)}")


def main() -> None:
    """Play an evening."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--every", type=float, default=60.0)
    parser.add_argument("--port", type=int, default=18550)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(folder, "--camera", "none", port=options.port) as (pid, port),
    ):
        evening = play_evening(port, pid, options.tables, options.minutes, options.every)
        report_requests(asyncio.run(evening))


if __name__ == "__main__":
    main()
