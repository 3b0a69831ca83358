"""Keep the log in a PostgreSQL server that any number of processes share.

Rows are added one transaction after another, so a row's number tells when it was committed: a
process that has seen row n has seen all rows below it.

Every wait for the server has a timeout on our side, whether for a row, a lock or a commit. The
server's own limits (`statement_timeout`) do not help if it is stopped or its machine hangs: its
connections then stay open, and its kernel goes on accepting data.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_attempts

SILENCE_S = 2.2
"""How long to wait for an answer. A page then still takes less than three seconds."""

LONG_SILENCE_S = 20.0
"""The same for slow work that no phone waits for, such as migrations."""

CONNECT_S = 2
"""How long a new connection may take. libpq accepts no smaller value."""

_Row = tuple[object, ...]


def _after_silence(silent_s: float) -> bool:
    return silent_s > SILENCE_S


class DatabaseConnection(psycopg.Connection[_Row]):
    """A connection that closes itself, with an OperationalError, when the server is silent.

    The server may still carry out the last statement, now or later.
    """

    is_lost: Callable[[float], bool] = staticmethod(_after_silence)
    """Whether to give up, by the seconds of silence."""

    @classmethod
    def open(cls, given: Mapping[str, Any]) -> DatabaseConnection:
        """Connect to the first address that answers, within `CONNECT_TIMEOUT_S` for all of them.

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
        """Wait for an answer. psycopg does all its waiting in this method."""
        return super().wait(self._while_heard(gen), *given, **named)

    def _while_heard(self, gen: PQGen[RV]) -> PQGen[RV]:
        """Wrap a generator of psycopg, which is resumed several times a second while it waits."""
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
