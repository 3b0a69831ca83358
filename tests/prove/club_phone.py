"""A phone at a table: it asks by HTTP from an address of its own, and keeps its cookies.

The box lets one phone change 120 things a minute. This program is faster than that, so each phone
changes its address from one deal to the next.
"""

from __future__ import annotations

import http.client
import itertools
import re
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from http.cookies import SimpleCookie

from device.i18n import words
from tests.device.page import Page
from tests.form_data import NO_BODY, Body, encode_form, encode_upload
from tests.prove.club_program import Program
from tests.prove.club_room import Room

MAX_OUTAGE_S = 60.0
"""A phone tries again for this time while the box is away."""

RETRY_S = 0.3

MAX_READING_S = 60.0

MAX_DYING_S = 1.0
"""A process that was killed is known to be gone within this time."""

_BUSY_SENTENCES = tuple(map(words.load().__getitem__, ("error.503", "photo.busy")))

MAX_STALE_S = 2.0
"""A phone may show what is old for this time."""

MAX_PAGE_BYTES = 16 << 20

ALERT = "[role=alert]:not([hidden])"
"""What a page says went wrong."""

BUSY = "#stages[data-busy]"
"""What a hand's page has while its photograph is read."""


class GoneError(Exception):
    """The box was killed before it answered, so nobody knows whether it did what was asked."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to one request."""

    status: int
    where: str
    """The Location header; empty without one."""
    text: str

    @property
    def seen(self) -> str:
        """The version that a form on the page names; 0 where it names none."""
        return self.hidden_field("seen") or "0"

    def hidden_field(self, name: str) -> str:
        """Return the value of a page's first field of this name; empty without one."""
        return next(iter(self.page.values(name)), "")

    @property
    def page(self) -> Page:
        """The answer as a page."""
        return Page(self.text)


def is_busy(page: str) -> bool:
    """Whether a page of status 503 says that too many photographs wait: try again."""
    return any(sentence in page for sentence in _BUSY_SENTENCES)


class Phone:
    """One phone."""

    def __init__(self, room: Room, table: int, number: int) -> None:
        self.room, self.number = room, number
        self.cookies: dict[str, str] = {}
        self._table, self._deal = table, 0
        self._door = table + number
        self._stays = False
        """Whether it always asks the same program, and does not wait for it."""

    def next_deal(self) -> None:
        """Take another address."""
        self._deal += 1

    @property
    def program(self) -> Program:
        """The process that it asks."""
        return self.room.serves[self._door % len(self.room.ports)]

    def next_door(self) -> None:
        """Ask another program of the room, where there is one."""
        self._door += 1

    def ear(self) -> Phone:
        """Return a copy of this phone that listens, always to the same program."""
        listener = Phone(self.room, self._table, self.number)
        listener.cookies, listener._stays = self.cookies, True
        return listener

    @property
    def address(self) -> str:
        """The address it asks from."""
        return self.room.phone_address(self._deal, self._table, self.number)

    def get(self, path: str) -> Answer:
        """Ask for a page until it is answered."""
        deadline = time.monotonic() + MAX_OUTAGE_S
        while True:
            try:
                return self._ask("GET", path)
            except GoneError:
                if time.monotonic() > deadline:
                    raise

    def look(self, path: str) -> Answer | None:
        """Ask for a page once; return None without an answer."""
        with suppress(GoneError):
            return self._ask("GET", path)
        return None

    def post(self, path: str, /, **fields: object) -> Answer:
        """Send a form once; raise GoneError if the box was killed meanwhile."""
        return self._ask("POST", path, encode_form(fields))

    def post_until_answered(self, path: str, /, **fields: object) -> Answer:
        """Send a form that does no harm when it is sent twice, until it is answered."""
        while True:
            try:
                return self.post(path, **fields)
            except GoneError:
                self.room.count("forms sent again after a kill")

    def send_photo(self, path: str, data: bytes, **fields: str) -> Answer:
        """Send a photograph once, with the fields of its form; raise GoneError as above."""
        return self._ask("POST", path, encode_upload(data, fields))

    def await_reading(self, page: str, is_read: Callable[[Answer], bool]) -> Answer:
        """Ask for a photograph's page until it is read; return the page. Being late is a fault."""
        room, start = self.room, time.monotonic()
        while not is_read(answer := self.get(page)):
            current_time = time.monotonic()
            if (
                current_time - start - room.seconds_away(self.program, start, current_time)
                > MAX_READING_S
            ):
                room.fault(f"{page} was not read within {MAX_READING_S:.0f} s")
                break
            time.sleep(RETRY_S / 3)
        return answer

    def connection(self, timeout: float = 30.0) -> http.client.HTTPConnection:
        """Return a connection to the program that it asks, not opened yet."""
        room = self.room
        port = room.ports[self._door % len(room.ports)]
        return http.client.HTTPConnection(
            room.host, port, timeout=timeout, source_address=(self.address, 0)
        )

    def headers(self) -> dict[str, str]:
        """Return the headers of every request."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": cookie} if cookie else {}

    def _ask(self, method: str, path: str, form: Body = NO_BODY) -> Answer:
        self.room.bounds.take()
        start, program = time.monotonic(), self.program
        try:
            with closing(self.connection()) as line:
                body, kind = form
                headers = {"Content-Type": kind} if kind else {}
                line.request(method, path, body or None, headers | self.headers())
                response = line.getresponse()
                data = response.read(MAX_PAGE_BYTES)
                if response.length:  # `read` with a limit does not say that the end is missing
                    raise http.client.IncompleteRead(data, response.length)
                text = data.decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            self._report_outage(f"{method} {path}: {error!r}", self._was_away(program, start))
        status = response.status
        if status >= 500 and not is_busy(text):
            self._report_outage(f"{method} {path}: {status}", self._was_away(program, start))
        self.room.time(_kind_of(method, path), time.monotonic() - start)
        self.room.count(f"answers {status}")
        for each in response.headers.get_all("Set-Cookie") or ():
            self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(each).items()}
        return Answer(status, response.headers.get("Location", ""), text)

    def _was_away(self, program: Program, start: float) -> bool:
        """Whether a program was killed; one that kills itself is noticed a moment later."""
        deadline = time.monotonic() + MAX_DYING_S
        while not (is_away := self.room.was_away(program, start)) and time.monotonic() < deadline:
            time.sleep(MAX_DYING_S / 20)
        return is_away

    def _report_outage(self, request_text: str, was_away: bool) -> None:
        """Raise GoneError; where nothing was killed, it is a fault."""
        if was_away:
            self.room.count("requests cut off by kills")
        else:
            self.room.fault(f"no answer though nothing was killed: {request_text}")
        if not self._stays:
            self.next_door()
            # Another program may show what is that old.
            time.sleep(MAX_STALE_S if self.room.url and was_away else RETRY_S)
        raise GoneError(request_text)


def _kind_of(method: str, path: str) -> str:
    """Return a path without ids and numbers."""
    return f"{method} " + re.sub(r"\b(?:[0-9a-f]{8,}|\d+)\b", "…", path.partition("?")[0])


_numbers = itertools.count()


def make_unique_photo(data: bytes) -> bytes:
    """Return the JPEG with a unique comment, so that no two photographs are the same."""
    words = f"photograph {next(_numbers)}".encode()
    return data[:2] + b"\xff\xfe" + (len(words) + 2).to_bytes(2, "big") + words + data[2:]
