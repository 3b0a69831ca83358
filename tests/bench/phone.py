"""A phone at a table, by HTTP: it listens as its page tells, and looks again with each news."""

from __future__ import annotations

import asyncio
import gzip
import re
import time
from collections import defaultdict
from dataclasses import dataclass, field
from html import unescape

from tests.form_data import Body, encode_form, encode_upload

_NUMBER = re.compile(r"(?<=/)[0-9a-f]{8,}(?=/|$)|(?<=/)\d+(?=/|$)")


@dataclass
class Figures:
    """What was measured, in seconds."""

    wait_times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By the kind of request, until the last byte of the answer."""
    seen_delays: list[float] = field(default_factory=list)
    """From the tap that settles a deal until all four phones have the page that shows it."""
    missed_count: int = 0
    refused_count: int = 0
    """Phones that may not listen."""
    failed_count: int = 0
    cut_off: int = 0


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
        self, method: str, path: str, fields: dict[str, str] | None = None, kind: str = ""
    ) -> tuple[int, dict[str, str], str]:
        """Return status, headers and text of an answer."""
        return await self._request_timed(method, path, encode_form(fields or {}), kind)

    async def send_photo(self, path: str, photo: bytes) -> tuple[int, dict[str, str], str]:
        """Upload a photograph; return the same."""
        return await self._request_timed("POST", path, encode_upload(photo), "")

    async def _request_timed(
        self, method: str, path: str, body: Body, kind: str
    ) -> tuple[int, dict[str, str], str]:
        start = time.monotonic()
        reader, writer = await self._request(method, path, body)
        try:
            status, headers = await self._read_head(reader)
            data = await reader.read()
        finally:
            writer.close()
        kind = kind or f"{method} {_NUMBER.sub('n', path.partition('?')[0])}"
        self.figures.wait_times[kind].append(time.monotonic() - start)
        is_compressed = headers.get("content-encoding") == "gzip"
        return status, headers, (gzip.decompress(data) if is_compressed else data).decode()

    async def _request(
        self, method: str, path: str, body: Body
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0)
        )
        head = {
            "Host": f"127.0.0.1:{self.port}",
            "Accept-Encoding": "gzip",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Type": body[1],
            "Content-Length": len(body[0]),
        }
        lines = [f"{method} {path} HTTP/1.0", *(f"{key}: {said}" for key, said in head.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body[0])
        await writer.drain()
        return reader, writer

    async def _read_head(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        status = int((await reader.readline()).split()[1])
        headers: dict[str, str] = {}
        while (line := (await reader.readline()).decode().strip()) != "":
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                key, _, cookie_value = value.partition(";")[0].partition("=")
                self.cookies[key] = cookie_value
            headers[name.lower()] = value
        return status, headers

    async def look(self, reason: str) -> str:
        """Get the page of the table."""
        status, _, text = await self.ask("GET", "/table/", kind=f"GET /table/, {reason}")
        self.figures.failed_count += status != 200
        if deal_match := re.search(r"[Dd]eal (\d+)", text):
            self.shows = int(deal_match[1]) - 1
        return text

    async def attend(self) -> None:
        """Listen as the page tells, for good, and look with each news; come again if cut off."""
        reason = "first"
        while True:
            try:
                await self._attend(reason)
            except (OSError, IndexError):  # it closed, before an answer or within one
                self.figures.cut_off += 1
                reason = "news"
                await asyncio.sleep(1)

    async def _attend(self, reason: str) -> None:
        text = await self.look(reason)
        listen, ask = (
            unescape(re.findall(rf'data-{name}="([^"]*)"', text)[0]) for name in ("listen", "ask")
        )
        while True:
            reader, writer = await self._request("GET", listen, encode_form({}))
            status, _ = await self._read_head(reader)
            if status != 200:
                writer.close()
                self.figures.refused_count += 1
                await self._poll(ask)
            last_line = None
            while line := (await reader.readline()).decode():
                if line.startswith("data:"):
                    if last_line not in (None, line):
                        await self.look("news")
                    last_line = line
            await asyncio.sleep(1)

    async def _poll(self, ask: str) -> None:
        last_answer = None
        while True:
            _, _, answer = await self.ask("GET", ask)
            if last_answer not in (None, answer):
                await self.look("news")
            last_answer = answer
            await asyncio.sleep(2)


async def sit_down(port: int, number: int, figures: Figures) -> list[Phone]:
    """Set up a table and let four phones sit down at it; return them."""
    phones = [Phone(port, f"127.1.{number}.{n + 1}", figures) for n in range(4)]
    _, headers, _ = await phones[0].ask("POST", "/club/tables/", {"name": f"Table {number + 1}"})
    for phone in phones:
        await phone.ask("GET", f"/at/{headers['location'].split('/')[3]}/")
    return phones
