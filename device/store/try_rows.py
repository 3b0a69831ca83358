"""Who has tried PINs, as rows that all processes of a store share and that outlast each of them.

They are no events: a wrong PIN is nothing that happened at the table, and is forgotten in days.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select, text

from device.store.log import Log
from device.store.schema import TRIES

_T = TRIES.c

_BEGIN = text("""INSERT INTO tries (who, wrong, until, since) VALUES (:who, 0, :until, :since)
ON CONFLICT (who) DO NOTHING""")

_CLOCK = select(func.extract("epoch", func.clock_timestamp()))
"""Of the database: those who share it may have clocks that differ."""


class ClockTime(NamedTuple):
    """A time by a clock that is not set back and forth."""

    since: str
    """Since which of its starts it counts; empty for the database's."""
    seconds: float


class TryRow(NamedTuple):
    """What is remembered of somebody."""

    wrong: int
    """Wrong tries that count."""
    until: ClockTime
    """From when on the next try counts."""


class TryRows:
    """The rows; safe to share between threads and processes. All of it raises StoreError."""

    def __init__(self, log: Log, own_clock: Callable[[], ClockTime], most: int) -> None:
        """Keep `most` of them beside a log; an embedded one has no clock but the computer's."""
        self._log, self._own_clock, self._most = log, own_clock, most

    def change(self, who: str, decide: Callable[[TryRow, ClockTime], TryRow | None]) -> None:
        """Let what is remembered of somebody be what is decided on it; None lets it be as it is.

        Of tries at the same moment, be it at several processes, each sees what came of the other.
        """
        with self._log.writing() as connection:
            now = self._now(connection)
            connection.execute(_BEGIN, {"who": who, "until": now.seconds, "since": now.since})
            own = select(_T.wrong, _T.until, _T.since).where(_T.who == who).with_for_update()
            wrong, until, since = connection.execute(own).one()
            after = decide(TryRow(wrong, ClockTime(since, until)), now)
            if after is not None:
                values = {"wrong": after.wrong, "until": after.until.seconds}
                row = TRIES.update().where(_T.who == who)
                connection.execute(row.values(**values, since=after.until.since))
            self._let_go(connection)

    def forget(self, who: str) -> None:
        """Remember nothing of somebody."""
        with self._log.writing() as connection:
            connection.execute(delete(TRIES).where(_T.who == who))

    def count(self) -> int:
        """Return of how many something is remembered."""
        return int(self._log.rows(select(func.count()).select_from(TRIES))[0][0])

    def _now(self, connection: Connection) -> ClockTime:
        if connection.dialect.name == "sqlite":
            return self._own_clock()
        return ClockTime("", float(connection.execute(_CLOCK).scalar_one()))

    def _let_go(self, connection: Connection) -> None:
        """Forget those who have waited longest ago, where there are too many."""
        newest = select(_T.who).order_by(_T.until.desc()).offset(self._most)
        if old := connection.execute(newest).scalars().all():
            connection.execute(delete(TRIES).where(_T.who.in_(old)))
