"""Count wrong tries of PINs, in rows that all processes of a store share and that survive restarts.

They are not events: a wrong PIN did not happen at the table, and is forgotten in days.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select, text

from device.store.log import Log
from device.store.log_schema import TRIES

_T = TRIES.c

_INSERT_IF_NEW = text("""INSERT INTO tries (who, wrong, until, since)
VALUES (:who, 0, :until, :since)
ON CONFLICT (who) DO NOTHING""")

_DATABASE_TIME = select(func.extract("epoch", func.clock_timestamp()))
"""The clock of the database: the clocks of those who share it may differ."""


class ClockTime(NamedTuple):
    """A time by a clock that nobody sets."""

    since: str
    """Id of the start that it counts from; empty for the database's clock."""
    seconds: float


class PinTry(NamedTuple):
    """The tries of one phone or address."""

    wrong: int
    """Number of wrong tries."""
    until: ClockTime
    """When the next try is accepted."""


class PinTries:
    """All tries; safe to share between threads and processes. All methods raise StoreError."""

    def __init__(self, log: Log, own_clock: Callable[[], ClockTime], limit: int) -> None:
        """Keep `limit` rows beside a log. An embedded log uses the computer's own clock."""
        self._log, self._own_clock, self._limit = log, own_clock, limit

    def change(self, person: str, decide: Callable[[PinTry, ClockTime], PinTry | None]) -> None:
        """Replace a row with the result of `decide`; None keeps the current row.

        Tries at the same moment, even in several processes, see each other's result.
        """
        with self._log.writing() as connection:
            current_time = self._current_time(connection)
            connection.execute(
                _INSERT_IF_NEW,
                {"who": person, "until": current_time.seconds, "since": current_time.since},
            )
            row_query = (
                select(_T.wrong, _T.until, _T.since).where(_T.who == person).with_for_update()
            )
            wrong, blocked_until, started_at = connection.execute(row_query).one()
            after = decide(PinTry(wrong, ClockTime(started_at, blocked_until)), current_time)
            if after is not None:
                values = {"wrong": after.wrong, "until": after.until.seconds}
                row = TRIES.update().where(_T.who == person)
                connection.execute(row.values(**values, since=after.until.since))
            self._let_go(connection)

    def forget(self, person: str) -> None:
        """Delete somebody's row."""
        with self._log.writing() as connection:
            connection.execute(delete(TRIES).where(_T.who == person))

    def count(self) -> int:
        """Return the number of rows."""
        return int(self._log.rows(select(func.count()).select_from(TRIES))[0][0])

    def _current_time(self, connection: Connection) -> ClockTime:
        if connection.dialect.name == "sqlite":
            return self._own_clock()
        return ClockTime("", float(connection.execute(_DATABASE_TIME).scalar_one()))

    def _let_go(self, connection: Connection) -> None:
        """Delete the oldest rows if there are too many."""
        latest_persons = select(_T.who).order_by(_T.until.desc()).offset(self._limit)
        if old := connection.execute(latest_persons).scalars().all():
            connection.execute(delete(TRIES).where(_T.who.in_(old)))
