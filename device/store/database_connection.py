"""A connection to PostgreSQL that gives up a server which says nothing.

The server's own limits (`statement_timeout`) need a server that runs. One that is stopped, or whose
machine hangs, leaves its connections open, and its kernel goes on taking what is sent. So the wait
for an answer has an end here, on our side, whatever is awaited: a row, a lock, a commit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_attempts

SILENCE_S = 2.2
"""Seconds for which an answer is awaited: with what else a page takes, that is below three."""

LONG_SILENCE_S = 20.0
"""The same of what may take long and for which no phone waits, such as new tables."""

CONNECT_S = 2
"""Seconds for a new connection. libpq takes no less."""

_Row = tuple[object, ...]


def _after_silence(silent_s: float) -> bool:
    return silent_s > SILENCE_S


class DatabaseConnection(psycopg.Connection[_Row]):
    """A connection that is closed, with an OperationalError, where nothing is heard for too long.

    What was sent last may be done all the same, now or when the server goes on.
    """

    is_lost: Callable[[float], bool] = staticmethod(_after_silence)
    """Whether an answer is awaited no longer, by the seconds since anything was heard."""

    @classmethod
    def open(cls, given: Mapping[str, Any]) -> DatabaseConnection:
        """Connect to the first address that lets us in, within `CONNECT_S` for all together.

        Raises psycopg.Error.
        """
        until = time.monotonic() + CONNECT_S
        address, *others = conninfo_attempts(given)
        while True:
            try:
                return cls.connect(**{**address, "connect_timeout": CONNECT_S})  # type: ignore[arg-type]
            except psycopg.OperationalError:
                if not others or time.monotonic() > until:
                    raise
            address, *others = others

    def wait(self, gen: PQGen[RV], *given: Any, **named: Any) -> RV:  # noqa: ANN401
        """Wait for an answer; psycopg waits by this method alone."""
        return super().wait(self._while_heard(gen), *given, **named)

    def _while_heard(self, gen: PQGen[RV]) -> PQGen[RV]:
        """Return the same generator; it is told several times a second that nothing is ready."""
        heard = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                if ready := (yield wanted):
                    heard = time.monotonic()
                elif self.is_lost(silent := time.monotonic() - heard):
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"it has said nothing for {silent:.1f} s")
                wanted = gen.send(ready)
        except StopIteration as end:
            answer: RV = end.value
            return answer
