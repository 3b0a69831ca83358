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

    def __init__(self, log: Log, own_clock: Callable[[], ClockTime], most: int) -> None:
        """Keep `most` rows beside a log. An embedded log uses the computer's own clock."""
        self._log, self._own_clock, self._most = log, own_clock, most

    def change(self, who: str, decide: Callable[[PinTry, ClockTime], PinTry | None]) -> None:
        """Replace a row with the result of `decide`; None keeps the current row.

        Tries at the same moment, even in several processes, see each other's result.
        """
        with self._log.writing() as connection:
            now = self._now(connection)
            connection.execute(
                _INSERT_IF_NEW, {"who": who, "until": now.seconds, "since": now.since}
            )
            own = select(_T.wrong, _T.until, _T.since).where(_T.who == who).with_for_update()
            wrong, until, since = connection.execute(own).one()
            after = decide(PinTry(wrong, ClockTime(since, until)), now)
            if after is not None:
                values = {"wrong": after.wrong, "until": after.until.seconds}
                row = TRIES.update().where(_T.who == who)
                connection.execute(row.values(**values, since=after.until.since))
            self._let_go(connection)

    def forget(self, who: str) -> None:
        """Delete somebody's row."""
        with self._log.writing() as connection:
            connection.execute(delete(TRIES).where(_T.who == who))

    def count(self) -> int:
        """Return the number of rows."""
        return int(self._log.rows(select(func.count()).select_from(TRIES))[0][0])

    def _now(self, connection: Connection) -> ClockTime:
        if connection.dialect.name == "sqlite":
            return self._own_clock()
        return ClockTime("", float(connection.execute(_DATABASE_TIME).scalar_one()))

    def _let_go(self, connection: Connection) -> None:
        """Delete the oldest rows if there are too many."""
        newest = select(_T.who).order_by(_T.until.desc()).offset(self._most)
        if old := connection.execute(newest).scalars().all():
            connection.execute(delete(TRIES).where(_T.who.in_(old)))
