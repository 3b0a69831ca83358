"""The interface of the log's two engines, SQLite and PostgreSQL, and what they have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Insert, bindparam, exists, func, insert, select

from device.store.log_schema import EVENTS
from device.store.queries import Query, rows_after

Rows = list[tuple[Any, ...]]

_VALUE_NAMES = ("stream", "kind", "json", "at")
_COLUMN_NAMES = ("seq", *_VALUE_NAMES)
_E = EVENTS.c

_MAX_QUERY_ROWS = 500
"""Rows in one query: some megabytes."""


class KindsSeen(NamedTuple):
    """What a decision has read in the streams of some kinds of events."""

    kinds: tuple[str, ...]
    last: int
    """Number of the newest row that it can have read, of any kind."""


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
    kinds_seen: KindsSeen | None = None
    """Kinds of which no newer row may exist; None if none matters."""


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

    def listen(self, tell: Callable[[int], None]) -> None:  # noqa: B027 - none need to be
        """Start to report the number of each new row that another process adds, if any can."""

    @property
    def answers(self) -> bool:
        """Whether the engine was answering when last asked; this asks nothing."""
        return True

    def hold_writers(self) -> AbstractContextManager[None]:
        """Keep other processes from adding rows during the block, if any can."""
        return nullcontext()

    def check_unused(self) -> None:  # noqa: B027 - who has a folder has the right to move it
        """Raise StoreError while another process has the log open."""

    @contextmanager
    def bulk_insert(self) -> Iterator[BulkInsert]:
        """Open a transaction for adding rows with their numbers from another log."""
        with self.writing() as connection:
            yield BulkInsert(connection)

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

    def fetch_in_parts(self, query: Query, batch_size: int) -> Generator[tuple[Any, ...]]:
        """Yield rows of a query lazily, fetching `batch_size` at a time.

        The embedded log stays locked until the last row, or until this is closed.
        """
        with (
            self.streaming() as connection,
            connection.execute(query, execution_options={"yield_per": batch_size}) as result,
        ):
            for row in result:
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
        last_number = 0
        while rows := self._connection.execute(rows_after(last_number, _MAX_QUERY_ROWS)).all():
            yield from map(tuple, rows)
            last_number = rows[-1][0]


def insert_row(connection: Connection, row: NewRow) -> int | None:
    """Append a row; return its number, or None if there are later rows than expected.

    The check of the expected last rows is part of the same statement.
    """
    values = {name: getattr(row, name) for name in _VALUE_NAMES}
    kinds_seen = row.kinds_seen or KindsSeen((), 0)
    values |= {f"kind{k}": kind for k, kind in enumerate(kinds_seen.kinds)}
    values |= {"last": kinds_seen.last, "after": row.after}
    statement = _insert_statement(len(kinds_seen.kinds), is_after=row.after is not None)
    return connection.execute(statement, values).scalar_one_or_none()


@cache
def _insert_statement(kinds: int, *, is_after: bool) -> Insert:
    """Return the statement that appends a row if nothing that matters to it was added since.

    `kinds` is the number of kinds that may have no newer row. With `is_after`, the stream's last
    row must be the expected one.
    """
    values = {name: bindparam(name, type_=_E[name].type) for name in _VALUE_NAMES}
    after, last = (bindparam(name, type_=_E.seq.type) for name in ("after", "last"))
    of_kinds = (bindparam(f"kind{k}", type_=_E.kind.type) for k in range(kinds))
    unchanged_kinds = [~exists().where(_E.kind == kind, _E.seq > last) for kind in of_kinds]
    if is_after:
        latest_number = select(func.coalesce(func.max(_E.seq), 0)).where(
            _E.stream == values["stream"]
        )
        unchanged_kinds.append(after == latest_number.scalar_subquery())
    if not unchanged_kinds:
        return insert(EVENTS).values(values).returning(_E.seq)
    row_if = select(*values.values()).where(*unchanged_kinds)
    return insert(EVENTS).from_select(list(values), row_if).returning(_E.seq)
