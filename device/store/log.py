"""What the two engines have in common in which the log lies: `sqlite.py` and `postgresql.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Insert, ScalarSelect, func, insert, literal, select

from device.store.schema import EVENTS
from device.store.selecting import Query, after

Rows = list[tuple[Any, ...]]

_COLUMNS = ("seq", "stream", "kind", "json", "at")

_AT_ONCE = 500
"""Rows that are read back at once: some megabytes."""


@dataclass(frozen=True, slots=True)
class NewRow:
    """An event that is to be added, as the log has it."""

    stream: str
    kind: str
    json: str
    at: str
    """Wall time, UTC, ISO 8601."""
    after: int | None = None
    """Number of the stream's last row when this was decided on; None where it does not matter."""
    newest: int | None = None
    """The same of the newest row of its kind."""


class Log(ABC):
    """The rows of the log; safe to share between threads. All of it raises StoreError."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """Have a connection to read with: each statement sees what is there by then."""

    def streaming(self) -> AbstractContextManager[Connection]:
        """Have a connection to read some rows with and then some more."""
        return self.reading()

    @abstractmethod
    def writing(self) -> AbstractContextManager[Connection]:
        """Have a connection in a transaction, which ends with the block."""

    @abstractmethod
    def add(self, row: NewRow, *, news: bool) -> int | None:
        """Add a row, safely on disk when this returns; return its number.

        None, and nothing is added, where there are later rows than those it was decided on.
        """

    @abstractmethod
    def listen(self, tell: Callable[[int], None]) -> None:
        """Begin to tell up to which number there are rows, where other processes may add some."""

    @property
    @abstractmethod
    def answers(self) -> bool:
        """Whether what has the log is known to answer; it is not asked."""

    @abstractmethod
    def alone(self) -> AbstractContextManager[None]:
        """See to it that nobody adds a row while the block lasts."""

    @abstractmethod
    def filling(self) -> AbstractContextManager[Filling]:
        """Have a transaction in which rows are added with the numbers that they had elsewhere."""

    @abstractmethod
    def try_write(self) -> None:
        """Find out whether rows could be added, without adding one."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""

    def rows(self, query: Query, **values: object) -> Rows:
        """Return all rows that a query finds, where it names what is looked for with `values`."""
        with self.reading() as connection:
            return [tuple(row) for row in connection.execute(query, values)]

    def some(self, query: Query, at_once: int) -> Generator[tuple[Any, ...]]:
        """Yield rows as they are asked for, some at once.

        The embedded log is nobody else's until the last, or until this is closed.
        """
        with (
            self.streaming() as connection,
            connection.execute(query, execution_options={"yield_per": at_once}) as found,
        ):
            for row in found:
                yield tuple(row)


class Filling:
    """Rows that come from elsewhere, in a transaction that has not ended."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows as they are."""
        self._connection.execute(
            insert(EVENTS), [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
        )

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield all rows that are there now, oldest first."""
        looked = 0
        while rows := self._connection.execute(after(looked, _AT_ONCE)).all():
            yield from map(tuple, rows)
            looked = rows[-1][0]


def adding(row: NewRow) -> Insert:
    """Return the statement that adds a row and returns its number.

    The look at what it was decided on and the writing are one statement.
    """
    values = {name: getattr(row, name) for name in ("stream", "kind", "json", "at")}
    decided_on = {"stream": row.after, "kind": row.newest}
    still = [
        literal(seq) == _last(name, values[name])
        for name, seq in decided_on.items()
        if seq is not None
    ]
    if not still:
        return insert(EVENTS).values(values).returning(EVENTS.c.seq)
    row_if = select(*map(literal, values.values())).where(*still)
    return insert(EVENTS).from_select(list(values), row_if).returning(EVENTS.c.seq)


def _last(column: str, value: str) -> ScalarSelect[int]:
    last = select(func.coalesce(func.max(EVENTS.c.seq), 0))
    return last.where(EVENTS.c[column] == value).scalar_subquery()
