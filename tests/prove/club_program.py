"""Start, kill and restart the processes of a club's evening."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.postgresql import PostgresqlServer

MAX_STARTS, PAUSE_S = 20, 0.5
"""How often one is started that ends at once, and seconds between two of them."""

MAX_RECONNECT_S = 2.0
"""Seconds after which all processes use a database again that was killed, at the latest."""

HANG_S = 3.0
"""Seconds for which it hangs, at the least: long enough for all who wait for it to give it up."""


def resident_bytes(pid: int) -> int:
    """Return the bytes of memory that a process has; 0 for one that is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    except OSError:
        return 0
    match = re.search(r"VmRSS:\s+(\d+)", status)
    return int(match[1]) << 10 if match else 0


@dataclass
class Program:
    """One process that can be killed and started again."""

    name: str
    command: list[str]
    log_path: Path
    """File for its output on stderr."""
    is_open: Callable[[subprocess.Popen[str]], object]
    process: subprocess.Popen[str] | None = None
    killed_at: float = 0.0
    opened_at: float = 0.0
    outages: list[tuple[float, float]] = field(default_factory=list)
    """From when to when it was killed."""
    kills: int = 0
    peak: int = 0
    """The most bytes of memory that were seen."""
    _plug: threading.Lock = field(default_factory=threading.Lock)

    def pull(self, seconds: float) -> None:
        """Kill it, and start it again after some seconds; one caller after the other."""
        with self._plug:
            self.kill()
            time.sleep(seconds)
            self._start_again()

    def revive(self) -> bool:
        """Start it again if it was killed by itself; return whether it was."""
        with self._plug:
            if not self.is_dead():
                return False
            self.kill()
            self._start_again()
            return True

    def _start_again(self) -> None:
        """Start it as whoever watches over it does: again, where it ends before it is open.

        It may pull its own plug by then, or find no database.
        """
        killed_at = self.killed_at
        for tries_left in reversed(range(MAX_STARTS)):
            try:
                self.start()
            except AssertionError:
                if not tries_left:
                    raise
                self.kills += 1
                time.sleep(PAUSE_S)
            else:
                break
        self.outages.append((killed_at, self.opened_at))

    def is_dead(self) -> bool:
        """Whether it was started, and runs no more."""
        return self.process is not None and self.process.poll() is not None

    def start(self) -> None:
        """Start it, and wait until it is open."""
        if self.process and self.process.stdout:
            self.process.stdout.close()  # open still, where the last one ended by itself
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=log, text=True
            )
        self.is_open(self.process)
        self.opened_at = time.monotonic()

    def kill(self) -> None:
        """End it as a pulled plug does."""
        assert self.process
        self.killed_at = time.monotonic()
        self.kills += 1
        self.process.kill()
        self.process.communicate()

    def end(self) -> None:
        """End it for good."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def was_away(self, start: float) -> bool:
        """Whether it was killed, or was not open yet, at some time since."""
        is_away = self.is_dead() or self.killed_at > self.opened_at
        return is_away or self.opened_at >= start

    def seconds_away(self, start: float, until: float) -> float:
        """Return for how many seconds it was killed between two moments."""
        return sum(max(0.0, min(until, end) - max(start, at)) for at, end in tuple(self.outages))

    def look(self) -> int:
        """Note how much memory it has; return that."""
        size = resident_bytes(self.process.pid) if self.process else 0
        self.peak = max(self.peak, size)
        return size


class Database(Program):
    """The server that has the database: in turn it is stopped for a while, and its plug pulled."""

    def __init__(self, server: PostgresqlServer) -> None:
        super().__init__("database", [], server.folder / "log", lambda _: None)
        self._server = server
        self._hangs = False
        self.url = server.database()

    def start(self) -> None:
        """Start it, or let it go on; its clients reconnect a little later."""
        if self._hangs:
            time.sleep(HANG_S)
            self._server.thaw()
        else:
            self._server.start()
        self.opened_at = time.monotonic() + MAX_RECONNECT_S

    def kill(self) -> None:
        """Kill the server; every other time, let it hang."""
        self.killed_at = time.monotonic()
        self.kills += 1
        self._hangs = not self._hangs
        if self._hangs:
            self._server.freeze()
        else:
            self._server.stop(signal.SIGQUIT)

    def end(self) -> None:
        """Let it be: it goes with its folder."""

    def was_away(self, start: float) -> bool:
        """Whether it was killed, or not used again yet, at some time since."""
        return self.kills > 0 and super().was_away(start)
