"""A phone at a table: asks by HTTP from an address of its own, and keeps its cookies.

The box lets one phone change 120 things a minute, which is faster than fingers and slower than this
program: so each phone has another of this machine's addresses from one deal to the next.
"""

from __future__ import annotations

import http.client
import itertools
import re
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from html import unescape
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from tests.prove.club_program import Program
from tests.prove.club_room import Room

PATIENCE = 60.0
"""Seconds for which a phone tries again while the box is away."""

AGAIN = 0.3
"""Seconds after which it does."""

DYING = 1.0
"""Seconds within which a process that was killed is known to be gone."""

BUSY = "opening other photos"
"""What a phone is told, with 503, whose photograph stands behind too many: to try again."""

STALE = 2.0
"""Seconds that a phone may show what is old, at the most."""

MOST_SHOWN = 16 << 20
"""Bytes of a page, at the most."""

_BOUNDARY = "club-evening"


class GoneError(Exception):
    """The box was killed before it answered: nobody knows whether it did what it was asked."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    where: str
    """Where it leads; empty where it leads nowhere."""
    text: str

    @property
    def seen(self) -> str:
        """The version that a form on the page was made of; 0 where there is none."""
        return self.hidden("seen") or "0"

    def hidden(self, name: str) -> str:
        """Return what a hidden field of the page holds; nothing where there is none."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        return unescape(found[1]) if found else ""


class Phone:
    """One phone."""

    def __init__(self, room: Room, table: int, number: int) -> None:
        self.room, self.number = room, number
        self.cookies: dict[str, str] = {}
        self._table, self._deal = table, 0
        self._door = table + number
        self._stays = False
        """Whether it asks the same program whatever becomes of that, and waits for nothing."""

    def next_deal(self) -> None:
        """Have another address from now on."""
        self._deal += 1

    @property
    def program(self) -> Program:
        """The process that it asks."""
        return self.room.serves[self._door % len(self.room.ports)]

    def next_door(self) -> None:
        """Ask another program of the room from now on, where there is one."""
        self._door += 1

    def ear(self) -> Phone:
        """Return the same phone as it listens: always to the same program."""
        heard = Phone(self.room, self._table, self.number)
        heard.cookies, heard._stays = self.cookies, True
        return heard

    @property
    def address(self) -> str:
        """The address it asks from."""
        return self.room.phone_address(self._deal, self._table, self.number)

    def get(self, path: str) -> Answer:
        """Ask for a page until it comes."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self._ask("GET", path, None, {})
            except GoneError:
                if time.monotonic() > until:
                    raise

    def look(self, path: str) -> Answer | None:
        """Ask for a page once; None where nobody answers."""
        with suppress(GoneError):
            return self._ask("GET", path, None, {})
        return None

    def post(self, path: str, /, **fields: object) -> Answer:
        """Send a form once; raise GoneError where nobody knows what came of it."""
        body = urlencode(fields, doseq=True).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, body, kind)

    def send_photo(self, path: str, data: bytes, **fields: str) -> Answer:
        """Send a photograph once, with the fields of its form; raise GoneError as above."""
        parts = [
            f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        head = (
            f"--{_BOUNDARY}\r\n"
            'Content-Disposition: form-data; name="photo"; filename="hand.jpg"\r\n'
            "Content-Type: image/jpeg\r\n\r\n"
        )
        body = "".join([*parts, head]).encode() + data + f"\r\n--{_BOUNDARY}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
        return self._ask("POST", path, body, kind)

    def connection(self, timeout: float = 30.0) -> http.client.HTTPConnection:
        """Return a connection to the program that it asks, not opened yet."""
        room = self.room
        port = room.ports[self._door % len(room.ports)]
        return http.client.HTTPConnection(
            room.host, port, timeout=timeout, source_address=(self.address, 0)
        )

    def headers(self) -> dict[str, str]:
        """Return what it sends with everything."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookie} if cookie else {}

    def _ask(self, method: str, path: str, body: bytes | None, kind: Mapping[str, str]) -> Answer:
        self.room.bounds.take()
        began, asked = time.monotonic(), self.program
        try:
            with closing(self.connection()) as line:
                line.request(method, path, body, {**kind, **self.headers()})
                response = line.getresponse()
                text = response.read(MOST_SHOWN).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            self._gone(f"{method} {path}: {error!r}", self._was_away(asked, began))
        status = response.status
        if status >= 500 and BUSY not in text:
            self._gone(f"{method} {path}: {status}", self._was_away(asked, began))
        self.room.time(_kind_of(method, path), time.monotonic() - began)
        self.room.count(f"answers {status}")
        for each in response.headers.get_all("Set-Cookie") or ():
            self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(each).items()}
        return Answer(status, response.headers.get("Location", ""), text)

    def _was_away(self, asked: Program, began: float) -> bool:
        """Whether it was killed; of one that pulled its own plug it shows a moment later."""
        until = time.monotonic() + DYING
        while not (found := self.room.was_away(asked, began)) and time.monotonic() < until:
            time.sleep(DYING / 20)
        return found

    def _gone(self, what: str, was_away: bool) -> None:
        """Raise GoneError; where nothing was killed, it is a fault."""
        if was_away:
            self.room.count("requests cut off by kills")
        else:
            self.room.fault(f"no answer though nothing was killed: {what}")
        if not self._stays:
            self.next_door()
            # What another program shows may be as old as that: who looks sooner is misled.
            time.sleep(STALE if self.room.url and was_away else AGAIN)
        raise GoneError(what)


def _kind_of(method: str, path: str) -> str:
    """Return a path without what differs from one page to the next."""
    return f"{method} " + re.sub(r"\b(?:[0-9a-f]{8,}|\d+)\b", "…", path.partition("?")[0])


_numbers = itertools.count()


def unlike(data: bytes) -> bytes:
    """Return a JPEG with a comment of its own: no two phones take the same photograph."""
    words = f"photograph {next(_numbers)}".encode()
    return data[:2] + b"\xff\xfe" + (len(words) + 2).to_bytes(2, "big") + words + data[2:]
