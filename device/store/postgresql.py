"""Keep the log in a PostgreSQL server that any number of processes share.

Rows are added one transaction after another, so a row's number tells when it was committed: a
process that has seen row n has seen all rows below it.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from select import select as select_ready
from typing import cast

import psycopg
from psycopg import sql
from sqlalchemy import URL, Connection, create_engine, func, select, text
from sqlalchemy.event import listen

from device.store import selecting
from device.store.database_connection import (
    CONNECT_S,
    LONG_SILENCE_S,
    SILENCE_S,
    DatabaseConnection,
)
from device.store.errors import StoreError, UnreachableError, UnwritableError, telling_log
from device.store.log import Filling, Log, NewRow, adding
from device.store.migrating import bring_up_to_date

CHANNEL = "tongbox_events"
"""Announces the number of each new row."""

OTHERS = ("tongbox_jobs", "tongbox_stages")
"""Other channels, for jobs (`device.store.job_rows`)."""

_ADDING, _MIGRATING = 7_466_001, 7_466_002
"""Numbers of the advisory locks: one process at a time appends a row, one migrates."""

_NEXT_NUMBER = """SELECT setval(pg_get_serial_sequence('events', 'seq'), MAX(seq)) FROM events
HAVING MAX(seq) IS NOT NULL"""

PROMPT = {
    "client_encoding": "utf8",
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": 1500,
    "options": "-c lock_timeout=2s -c statement_timeout=15s -c synchronous_commit=on",
}
"""A dead server is noticed before players wonder what is wrong. A server that hangs is noticed by
`DatabaseConnection`, a little later than the server itself gives up waiting for a lock."""

BEAT, PATIENCE = 0.5, 1.2
"""Seconds between two heartbeats, and until a heartbeat without answer means that the server is
down. With a tick of the news (`device.web.news`) the sum is below three."""

PING_S = BEAT + PATIENCE + 0.1
"""How long a pooled connection may take to answer a ping. By then the listener knows whether the
server is up, and no other connection is tried in vain."""

POOL = 8
"""Connections that a process keeps. As many again are opened when many phones ask at once."""

_log = logging.getLogger(__name__)


class PostgresqlLog(Log):
    """The log in a database."""

    def __init__(self, url: URL) -> None:
        """Connect, and create or migrate the tables; raise StoreError."""
        self._engine = create_engine(
            url.set(drivername="postgresql+psycopg"),
            pool_size=POOL,
            max_overflow=POOL,
            pool_timeout=CONNECT_S,
            pool_pre_ping=True,
            creator=self._connect,
        )
        listen(self._engine, "checkout", self._use)
        listen(self._engine, "checkin", self._put_by)
        self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._closing = threading.Event()
        self._asked = math.inf
        """When the open heartbeat was sent, by the monotonic clock; infinite without one."""
        self.handlers: dict[str, Callable[[str], None]] = {}
        """Handlers of notifications, by channel."""
        self._listener: threading.Thread | None = None
        try:
            with telling_log(), self._engine.begin() as connection:
                _check(connection)
                _be_patient(connection)
                connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
                bring_up_to_date(connection)
        except StoreError:
            self._engine.dispose()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Take a connection from the pool."""
        self._check_answers()
        with telling_log(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def streaming(self) -> Iterator[Connection]:
        """Take a connection in a transaction, which PostgreSQL's cursors need."""
        self._check_answers()
        with telling_log(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Take a connection in a transaction that ends with the block."""
        self._check_answers()
        with telling_log(), self._engine.begin() as connection:
            yield connection

    def add(self, row: NewRow, *, news: bool) -> int | None:
        """Append a row, and notify all processes in the same commit."""
        with self.writing() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(_ADDING)))
            seq = connection.execute(adding(row)).scalar_one_or_none()
            if seq is not None and news:
                connection.execute(select(func.pg_notify(CHANNEL, str(seq))))
        return seq

    def listen(self, tell: Callable[[int], None]) -> None:
        """Start to listen for rows that any process adds, in a thread of its own."""
        self._listener = threading.Thread(
            target=self._hear, args=(tell,), name="listener", daemon=True
        )
        self._listener.start()

    @property
    def answers(self) -> bool:
        """Whether the last heartbeat was answered in time."""
        return time.monotonic() - self._asked < PATIENCE

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Make all who append wait, until a timeout of their own."""
        with self.writing() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(_ADDING)))
            yield

    @contextmanager
    def filling(self) -> Iterator[Filling]:
        """Open a transaction. At its end, numbering continues after the last added row."""
        with self.writing() as connection:
            _be_patient(connection)
            connection.execute(select(func.pg_advisory_xact_lock(_ADDING)))
            yield Filling(connection)
            connection.execute(text(_NEXT_NUMBER))
            last = connection.execute(selecting.LAST).scalar_one()
            connection.execute(select(func.pg_notify(CHANNEL, str(last))))

    def try_write(self) -> None:
        """Ask whether the server accepts writes; raise UnwritableError."""
        with self.reading() as connection:
            read_only = connection.execute(text("SHOW transaction_read_only")).scalar_one()
        if read_only == "on":
            raise UnwritableError("The database takes nothing: it is open to be read only.")

    def close(self) -> None:
        """Close all connections."""
        self._closing.set()
        if self._listener:
            self._listener.join(2 * (BEAT + PATIENCE))  # the server may hang
        self._engine.dispose()

    def _check_answers(self) -> None:
        """Raise UnreachableError at once if the server hangs, so that nobody waits for it."""
        if not self.answers:
            raise UnreachableError("nothing was heard of it")

    def _hear(self, tell: Callable[[int], None]) -> None:
        while not self._closing.is_set():
            try:
                self._hear_until_cut(tell)
            except (psycopg.Error, StoreError) as error:
                self._asked = -math.inf
                _log.error("The database cannot be heard: %s", error)
                self._closing.wait(BEAT)

    def _hear_until_cut(self, tell: Callable[[int], None]) -> None:
        with self._opened() as connection:
            connection.autocommit = True
            self.handlers[CHANNEL] = lambda told: tell(int(told))
            connection.add_notify_handler(lambda told: self._hear_of(told.channel, told.payload))
            for channel in (CHANNEL, *OTHERS):
                connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self._asked = math.inf
            tell(int(self.rows(selecting.LAST)[0][0]))  # rows added before listening began
            while not self._closing.is_set():
                select_ready([connection], [], [], BEAT)
                self._asked = time.monotonic()
                # While this is answered nothing is missed: it delivers waiting notifications.
                connection.execute("SELECT 1")
                self._asked = math.inf

    def _hear_of(self, channel: str, told: str) -> None:
        if handle := self.handlers.get(channel):
            handle(told)

    def _connect(self) -> DatabaseConnection:
        """Open a connection for the pool; raise UnreachableError at once if the server is down."""
        self._check_answers()
        return self._opened()

    def _opened(self) -> DatabaseConnection:
        _, given = self._engine.dialect.create_connect_args(self._engine.url)
        return DatabaseConnection.open({**given, **PROMPT})

    def _use(self, driver: DatabaseConnection, *_: object) -> None:
        """Give a connection that leaves the pool the usual timeout."""
        driver.is_lost = self._is_lost

    def _put_by(self, driver: DatabaseConnection | None, *_: object) -> None:
        """Give a connection that returns to the pool the shorter timeout of a ping.

        If the log has been closed meanwhile, close the connection.
        """
        if driver and self._closing.is_set():
            driver.close()
        elif driver:
            driver.is_lost = partial(self._is_lost, longest_s=PING_S)

    def _is_lost(self, silent_s: float, longest_s: float = SILENCE_S) -> bool:
        """Whether to give up: after too much silence, or if the heartbeat has no answer either."""
        return silent_s > longest_s or (silent_s > BEAT and not self.answers)


def _be_patient(connection: Connection) -> None:
    """Give a connection a longer timeout, and close it after use."""
    driver = cast("DatabaseConnection", connection.connection.driver_connection)
    connection.detach()
    driver.is_lost = lambda silent_s: silent_s > LONG_SILENCE_S
    connection.execute(text("SET lock_timeout = '5s'"))


def _check(connection: Connection) -> None:
    """Raise StoreError for a database that cannot store all characters of players' names."""
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise StoreError(
            f"The database writes in {encoding}, which lacks many players' names. Please make one "
            "with: createdb --encoding UTF8 --template template0 NAME."
        )
