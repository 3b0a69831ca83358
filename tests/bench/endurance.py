"""Play at two tables for an hour, every hand photographed, and see whether memory grows.

    nice -n 10 .venv/bin/python -m tests.bench.endurance [--minutes 60] [--seconds 6] [--log FILE]

Eight phones, four at each of two tables, play whole deals. They say who won, photograph their hands
and look at their pages with each news. Then they confirm or type a score, and settle. `--seconds`
is the time from one photograph to the next. The photographs are those of TONGBOX_DATA, or the
demo's.

The log gets a line every five seconds with the memory of the server and of its processes. Printed
is the memory each minute, and at the end by how much it grew after the first tenth. Exits with 1
above MAX_GROWTH_MB.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import cv2
import numpy as np

from tests.bench.full_hall import DEALS_PER_MATCH, begin_match
from tests.bench.phone import Figures, Phone, sit_down
from tests.bench.program import list_children, measure_cpu_s, measure_memory_mb, run_server
from tests.reporting import say

TABLE_COUNT = 2

MAX_GROWTH_MB = 20.0

LOOK_INTERVAL_S = 5.0
"""Seconds between two looks at the memory."""

READING_TIMEOUT_S = 60.0

MAX_PHOTOGRAPHS = 120
"""Photographs that are sent, again and again."""

CAMERA_PIXELS = 12_000_000

REPORTED_MINUTES = (1, 5, 10, 20, 30, 45, 60)
"""Minutes whose memory is printed at the end."""


@dataclass
class Evening:
    """An evening: what is played, and its counts."""

    port: int
    photos: list[bytes]
    seconds: float
    """From one photograph to the next."""
    chance: Random = field(default_factory=lambda: Random(1))
    figures: Figures = field(default_factory=Figures)
    photo_count: int = 0
    agreed_count: int = 0
    typed_count: int = 0
    settled_count: int = 0
    odd: list[str] = field(default_factory=list)
    """Answers that were not as expected."""

    async def table(self, number: int) -> None:
        """Play at a table for good."""
        phones = await sit_down(self.port, number, self.figures)
        listening: list[asyncio.Task[None]] = []
        try:
            for deal in count():
                if deal % DEALS_PER_MATCH == 0:
                    await begin_match(phones)
                listening = listening or [asyncio.create_task(each.attend()) for each in phones]
                await self._deal(phones, deal)
        finally:
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)

    async def _deal(self, phones: list[Phone], deal: int) -> None:
        """Play a deal, its photographs spread over the time that it has."""
        deal_seconds = self.seconds * TABLE_COUNT
        start = time.monotonic()
        await self._tap(phones[0], "/table/winner", {"who": str(deal % 4), "won_by": "wall"})
        hands = []
        for n, phone in enumerate(phones):
            due = start + deal_seconds * (n + self.chance.random())
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            hands.append(asyncio.create_task(self._hand(phone, n)))
        await asyncio.gather(*hands)
        await self._tap(phones[0], "/table/settle", {})
        self.settled_count += 1
        await asyncio.sleep(max(0.0, start + 4 * deal_seconds - time.monotonic()))

    async def _hand(self, phone: Phone, number: int) -> None:
        """Photograph a hand, look at it until it is read, and take it as it is or type a score."""
        path = f"/table/hand/{number}"
        status, headers, _ = await phone.send_photo(path, self.chance.choice(self.photos))
        hand = headers.get("location", "").split("/")
        if status == 303 and len(hand) > 2:
            self.photo_count += 1
            await self._read(phone, hand[2])
            right = {"hand": hand[2]}
            status, _, _ = await phone.ask("POST", f"{path}/right", right)
            if status == 303:
                self.agreed_count += 1
                return
        else:
            self.odd.append(f"{status} to a photograph")
        self.typed_count += 1
        await self._tap(phone, f"{path}/score", {"score": str(20 + 4 * number)})

    async def _read(self, phone: Phone, hand: str) -> None:
        """Wait until a photograph is read."""
        deadline = time.monotonic() + READING_TIMEOUT_S
        while True:
            _, _, page = await phone.ask("GET", f"/hand/{hand}/")
            if "data-busy" not in page:
                break
            if time.monotonic() > deadline:
                self.odd.append("a photograph was not read in time")
                break
            await asyncio.sleep(0.3)

    async def _tap(self, phone: Phone, path: str, fields: dict[str, str]) -> None:
        status, _, _ = await phone.ask("POST", path, fields)
        if status != 303:
            self.odd.append(f"{status} to {path}")


def photographs() -> list[bytes]:
    """Return photographs of hands, every fourth as large as a phone's camera takes it."""
    pictures = _load_photographs()
    sample = Random(1).sample(pictures, min(len(pictures), MAX_PHOTOGRAPHS))
    return [enlarge_to_camera(each) if n % 4 == 0 else each for n, each in enumerate(sample)]


def enlarge_to_camera(photo: bytes) -> bytes:
    """Return a photograph enlarged to 12 megapixels: those at hand were shrunk."""
    pixels = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    height, width = pixels.shape[:2]
    scale = (CAMERA_PIXELS / (height * width)) ** 0.5
    large = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    return bytes(cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])


def _load_photographs() -> list[bytes]:
    """Return real photographs where there are any, else the demo's."""
    shared_folder = Path(os.environ.get("TONGBOX_DATA", "../shared"), "data/tiles")
    with (
        suppress(FileNotFoundError),
        (shared_folder / "labels.jsonl").open(encoding="utf-8") as file,
    ):
        labels = map(json.loads, file)
        return [
            (shared_folder / each["file"]).read_bytes()
            for each in labels
            if each["kind"] == "photo"
        ]
    return [each.read_bytes() for each in sorted(Path("device/samples").glob("*.jpg"))]


class Look(NamedTuple):
    """What the box had in memory at a moment, in megabytes, and what had been played by then."""

    s: float
    """Seconds since the beginning."""
    rss: float
    open: float
    """Of these, the pixels of photographs that are open at the moment: 36 for one of a phone's."""
    pss: float
    children: float
    """Of the processes that it has started, their share where several have it."""
    cpu: float
    photographs: int
    deals: int

    @property
    def total_mb(self) -> float:
        """What is held from one photograph to the next."""
        return self.rss - self.open

    @property
    def minute(self) -> float:
        """The same time in minutes."""
        return self.s / 60


def measure_resident_mb(pid: int) -> tuple[float, float]:
    """Return the megabytes that a process has in memory, and its share where several have them."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8")
    sizes = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", lines, re.MULTILINE))
    return int(sizes["Rss"]) / 1024, int(sizes["Pss"]) / 1024


def measure_memory(pid: int, start: float, evening: Evening) -> Look:
    """Return what the box has in memory now."""
    besides = 0.0
    for child in list_children(pid):
        with suppress(OSError, KeyError):  # a fork that has just ended
            besides += measure_resident_mb(child)[1]
    rss, pss = measure_resident_mb(pid)
    seconds = time.monotonic() - start
    pixels = measure_memory_mb(pid, "RssShmem")
    return Look(
        seconds,
        rss,
        pixels,
        pss,
        besides,
        measure_cpu_s(pid),
        evening.photo_count,
        evening.settled_count,
    )


async def play(evening: Evening, pid: int, minutes: float, log: Path) -> list[Look]:
    """Play for some minutes; return the memory every five seconds."""
    start, looks, reported_count = time.monotonic(), list[Look](), 0
    tables = [asyncio.create_task(evening.table(number)) for number in range(TABLE_COUNT)]
    while (current_time := time.monotonic()) < start + 60 * minutes:
        for each in tables:
            if each.done():
                each.result()
        looks.append(measure_memory(pid, start, evening))
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(looks[-1]._asdict()) + "\n")
        if current_time - start > 60 * reported_count:
            reported_count += 1
            say(_progress_line(looks[-1], evening))
        await asyncio.sleep(LOOK_INTERVAL_S)
    for each in tables:
        each.cancel()
    await asyncio.gather(*tables, return_exceptions=True)
    return looks


def _progress_line(look: Look, evening: Evening) -> str:
    line = f"{look.minute:5.1f} min: {look.total_mb:6.1f} MB and {look.open:.1f} of pixels, "
    line += f"decoder {look.children:.1f} MB, {look.photographs} photographs, {look.deals} deals, "
    line += f"{evening.agreed_count} hands agreed, {evening.typed_count} typed, "
    return line + f"{len(evening.odd)} odd, {evening.figures.failed_count} failed"


def report_growth(looks: list[Look], minutes: float) -> bool:
    """Print the memory at some minutes, and by how much it differs; return whether it is flat."""
    for minute in REPORTED_MINUTES:
        if values_near := [at.total_mb for at in looks if abs(at.minute - minute) < 0.5]:
            say(f"minute {minute:3}: {statistics.median(values_near):.1f} MB")
    tenths = list(_tenth_medians(looks, minutes))
    growth = max(tenths) - tenths[0]
    say(f"medians of each tenth after the first: {', '.join(f'{each:.1f}' for each in tenths)}")
    say(f"at most {growth:.1f} MB above the first of these; {MAX_GROWTH_MB:.0f} are allowed")
    return growth <= MAX_GROWTH_MB


def _tenth_medians(looks: list[Look], minutes: float) -> Iterator[float]:
    for tenth in range(1, 10):
        if values_of_tenth := [
            at.total_mb for at in looks if int(10 * at.minute / minutes) == tenth
        ]:
            yield statistics.median(values_of_tenth)


def main() -> int:
    """Play; return 1 where memory grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--port", type=int, default=18560)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = options.log or Path(folder, "log.jsonl")
        with run_server(folder, "--camera", "none", port=options.port) as (pid, port):
            evening = Evening(port, photographs(), options.seconds)
            looks = asyncio.run(play(evening, pid, options.minutes, log))
    say(f"{len(evening.odd)} odd answers: {', '.join(sorted(set(evening.odd)))}")
    return 0 if report_growth(looks, options.minutes) else 1


if __name__ == "__main__":
    sys.exit(main())
