"""Measure how soon phones hear of changes: each listens as the pages' own script does.

Where the program that it listens to is killed, a phone connects again. Within two seconds of the
start it must know what was done meanwhile.
"""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from tests.prove.club_phone import MAX_STALE_S, RETRY_S, GoneError, Phone
from tests.prove.club_play import TableEvening
from tests.prove.club_room import OutOfBoundsError, Room

RECONNECT_S = 1.0
"""A browser connects again after this time (`device.web.news` says so)."""

MAX_SILENCE_S, CROWDED_LOAD = 30.0, 2.0
"""Seconds after which a phone hears nothing any more; and the load of each core from which on
nothing that takes less counts."""

LATE_NEWS = "news that phones heard more than 2 s late"


class Listener(threading.Thread):
    """Listens to the news as a page of its phone does, and looks at the table when some come."""

    def __init__(self, table: TableEvening, phone: Phone) -> None:
        super().__init__(daemon=True)
        self.table = table
        self.last_version = -1
        """Number of the newest change that it heard of."""
        self.receipts: list[tuple[float, int]] = []
        """Moments at which it heard of each number."""
        self.phone, self._looked = phone.ear(), 0.0
        self.log: list[tuple[float, str]] = []
        """What happened to its connection, for the report of a fault."""
        self._stop = threading.Event()

    def run(self) -> None:
        """Listen until `stop` is called."""
        while not self._stop.is_set():
            try:
                self._listen()
                self._note("ended")
            except (OSError, http.client.HTTPException, GoneError) as error:
                self._note(repr(error))
            except OutOfBoundsError:  # of which the evening ends
                return
            self._stop.wait(RECONNECT_S)

    def _note(self, kind: str) -> None:
        self.log.append((time.monotonic(), kind))

    def stop(self) -> None:
        """Listen no more."""
        self._stop.set()

    def delay(self, start: float, version: int) -> float | None:
        """Return how many seconds after it could it heard of something; None where it never did.

        What is killed tells nobody.
        """
        heard_at = next((at for at, told in self.receipts if told >= version), None)
        if heard_at is None:
            return None
        seconds_away = self.phone.room.seconds_away(self.phone.program, start, heard_at)
        return max(0.0, heard_at - start - seconds_away)

    def after_kills(self) -> list[tuple[float, float]]:
        """Return for each restart of its program: when it was, and seconds until news came."""
        program, restarts = self.phone.program, []
        for _, end in program.outages:
            heard_at = next((at for at, _ in self.receipts if at >= end), None)
            if heard_at is not None:
                restarts.append(
                    (end, heard_at - end - self.phone.room.seconds_away(program, end, heard_at))
                )
        return restarts

    def _concerns(self) -> str:
        """Return the table that the phone wants news of; every other phone wants all news."""
        return (self.phone.number % 2 and self.table.notes.table) or "*"

    def _listen(self) -> None:
        room, concerns = self.phone.room, self._concerns()
        with closing(self.phone.connection(timeout=15)) as line:
            line.request("GET", f"/news/?at={concerns}", headers=self.phone.headers())
            self._note("connected")
            response = line.getresponse()
            self._note(f"answered {response.status}")
            if response.status != 200:  # 204 where so many listen already, else the store is away
                self._poll(for_good=response.status == 204)
                return
            room.count("phones that listened")
            while not self._stop.is_set() and concerns == self._concerns():
                text = response.fp.readline().decode()
                if not text:
                    return
                if text.startswith("data: ") and text[6:].strip().isdigit():
                    self._record_version(int(text[6:]))

    def _poll(self, *, for_good: bool) -> None:
        """Ask now and then; where it may listen again, until the first answer."""
        self.phone.room.count("phones that asked for news")
        is_told = False
        while (for_good or not is_told) and not self._stop.wait(
            MAX_STALE_S if is_told else RECONNECT_S
        ):
            answer = self.phone.look(f"/news/now?at={self._concerns()}")
            if answer and answer.status == 200 and json.loads(answer.text)["state"] != "lost":
                self._record_version(int(json.loads(answer.text)["version"]))
                is_told = True

    def _record_version(self, version: int) -> None:
        self.receipts.append((time.monotonic(), version))
        if version == self.last_version:
            return
        self.last_version = version
        self.phone.room.count("news heard")
        if (
            time.monotonic() - self._looked > MAX_STALE_S
        ):  # every phone of a room would look at once
            self._looked = time.monotonic()
            self.phone.look("/table/")


@contextmanager
def listen_meanwhile(tables: Sequence[TableEvening]) -> Iterator[list[Listener]]:
    """Let four phones of each table listen until the block ends."""
    listeners = [Listener(table, phone) for table in tables for phone in table.phones[:4]]
    for each in listeners:
        each.start()
    try:
        yield listeners
    finally:
        for each in listeners:
            each.stop()


def newest_version(phone: Phone, concerns: str = "*") -> int:
    """Return the number of the newest that concerns a table."""
    return int(json.loads(phone.get(f"/news/now?at={concerns}").text)["version"])


def check_news(room: Room, phone: Phone, listeners: Sequence[Listener]) -> None:
    """See that all phones have heard of everything, at the latest when they must have."""
    last = newest_version(phone)
    page_listeners = [each for each in listeners if each.phone.number % 2 == 0]
    deadline = time.monotonic() + 2 * MAX_STALE_S
    while time.monotonic() < deadline and min(each.last_version for each in page_listeners) < last:
        time.sleep(RETRY_S / 3)
    late_versions = [each.last_version for each in page_listeners if each.last_version < last]
    if late_versions:
        room.fault(
            f"{len(late_versions)} of {len(page_listeners)} phones have not heard of {last}: "
            f"{late_versions[:5]}"
        )
    room.count("phones that heard of the last thing done", len(page_listeners) - len(late_versions))
    for listener in listeners:
        for end, seconds in listener.after_kills():
            room.time("news after a kill until heard", seconds)
            room.count(
                "phones that heard nothing for more than 2 s after a kill", seconds > MAX_STALE_S
            )
            if seconds > _max_stale_s():
                room.fault(
                    f"a phone heard nothing for {seconds:.1f} s: {_describe_line(listener, end)}"
                )
    for table, start, version in room.due:
        for listener in listeners:
            if listener.table.number == table:
                _check_heard(room, listener, start, version)


def _check_heard(room: Room, listener: Listener, start: float, version: int) -> None:
    delay = listener.delay(start, version)
    if delay is not None:
        room.time("news until heard", delay)
        room.count(LATE_NEWS, delay > MAX_STALE_S)
    if delay is None or delay > _max_stale_s():
        room.fault(f"table {listener.table.number}: a phone heard of {version} after {delay} s")


def _max_stale_s() -> float:
    """Return how long a phone may be stale: twice as long as it should, a program's own time too.

    Where others use the machine much it says nothing of the product how long anything took, but
    that a phone hears something at all.
    """
    is_crowded = os.getloadavg()[0] > CROWDED_LOAD * (os.cpu_count() or 1)
    return MAX_SILENCE_S if is_crowded else 2 * MAX_STALE_S


def _describe_line(listener: Listener, start: float) -> str:
    """Return what became of a phone's line from shortly before a moment on."""
    room, program = listener.phone.room, listener.phone.program
    lines = [(at, what) for at, what in listener.log if start - 10 < at < start + 30]
    for one in (program, *([room.database] if room.database else [])):
        for killed, opened in one.outages:
            lines += [(killed, f"{one.name} killed"), (opened, f"{one.name} open")]
    lines_nearby = [(at - start, what) for at, what in sorted(lines) if abs(at - start) < 30]
    return "; ".join(f"{after:.1f} {what}" for after, what in lines_nearby)
