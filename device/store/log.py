"""The interface of the log's two engines, SQLite and PostgreSQL, and what they have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Insert,
    ScalarSelect,
    bindparam,
    func,
    insert,
    select,
)

from device.store.log_schema import EVENTS
from device.store.queries import Query, rows_after

Rows = list[tuple[Any, ...]]

_VALUE_NAMES = ("stream", "kind", "json", "at")
_COLUMN_NAMES = ("seq", *_VALUE_NAMES)

_MAX_QUERY_ROWS = 500
"""Rows in one query: some megabytes."""


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row to append: an event in the log's own form."""

    stream: str
    kind: str
    json: str
    at: str
    """Wall time, UTC, ISO 8601."""
    after: int | None = None
    """Expected number of the stream's last row; None if it does not matter."""
    newest: int | None = None
    """Expected number of the newest row of its kind; None if it does not matter."""


class Log(ABC):
    """The rows of the log; safe to share between threads. All methods raise StoreError."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection for reading. Each statement sees the newest rows."""

    def streaming(self) -> AbstractContextManager[Connection]:
        """Open a connection for reading rows in several steps."""
        return self.reading()

    @abstractmethod
    def writing(self) -> AbstractContextManager[Connection]:
        """Open a transaction that ends with the block."""

    @abstractmethod
    def add(self, row: NewRow, *, news: bool) -> int | None:
        """Append a row, safely on disk when this returns; return its number.

        Return None, and append nothing, if there are later rows than expected.
        """

    @abstractmethod
    def listen(self, tell: Callable[[int], None]) -> None:
        """Start to report the number of each new row that any process adds."""

    @property
    @abstractmethod
    def answers(self) -> bool:
        """Whether the engine was answering when last asked; this asks nothing."""

    @abstractmethod
    def hold_writers(self) -> AbstractContextManager[None]:
        """Keep others from adding rows during the block."""

    @abstractmethod
    def check_unused(self) -> None:
        """Raise StoreError while another process has the log open."""

    @abstractmethod
    def filling(self) -> AbstractContextManager[BulkInsert]:
        """Open a transaction for adding rows with their numbers from another log."""

    @abstractmethod
    def try_write(self) -> None:
        """Check that rows could be added, without adding one."""

    @abstractmethod
    def close(self) -> None:
        """Close the log."""

    def rows(self, query: Query, **values: object) -> Rows:
        """Return all rows of a query, with `values` for its named parameters."""
        with self.reading() as connection:
            return [tuple(row) for row in connection.execute(query, values)]

    def fetch_in_parts(self, query: Query, at_once: int) -> Generator[tuple[Any, ...]]:
        """Yield rows of a query lazily, fetching `at_once` at a time.

        The embedded log stays locked until the last row, or until this is closed.
        """
        with (
            self.streaming() as connection,
            connection.execute(query, execution_options={"yield_per": at_once}) as found,
        ):
            for row in found:
                yield tuple(row)


class BulkInsert:
    """Adds rows from another log in an open transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows as they are."""
        self._connection.execute(
            insert(EVENTS), [dict(zip(_COLUMN_NAMES, row, strict=True)) for row in rows]
        )

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield all rows of the log, oldest first."""
        looked = 0
        while rows := self._connection.execute(rows_after(looked, _MAX_QUERY_ROWS)).all():
            yield from map(tuple, rows)
            looked = rows[-1][0]


def insert_row(connection: Connection, row: NewRow) -> int | None:
    """Append a row; return its number, or None if there are later rows than expected.

    The check of the expected last rows is part of the same statement.
    """
    decided_on = {"stream": row.after, "kind": row.newest}
    checked = tuple(name for name, seq in decided_on.items() if seq is not None)
    values = {name: getattr(row, name) for name in _VALUE_NAMES}
    values |= {f"last_of_{name}": decided_on[name] for name in checked}
    return connection.execute(_insert_statement(checked), values).scalar_one_or_none()


@cache
def _insert_statement(checked: tuple[str, ...]) -> Insert:
    """Return the statement that appends a row if the last rows of these columns are as expected."""
    values = {name: bindparam(name, type_=EVENTS.c[name].type) for name in _VALUE_NAMES}
    if not checked:
        return insert(EVENTS).values(values).returning(EVENTS.c.seq)
    still = (
        bindparam(f"last_of_{name}", type_=EVENTS.c.seq.type)
        == _last_number_where(name, values[name])
        for name in checked
    )
    row_if = select(*values.values()).where(*still)
    return insert(EVENTS).from_select(list(values), row_if).returning(EVENTS.c.seq)


def _last_number_where(column: str, value: BindParameter[str]) -> ScalarSelect[int]:
    last = select(func.coalesce(func.max(EVENTS.c.seq), 0))
    return last.where(EVENTS.c[column] == value).scalar_subquery()
