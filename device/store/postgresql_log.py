"""Keep the log in a PostgreSQL server that any number of processes share.

Rows are added one transaction after another, so a row's number tells when it was committed: a
process that has seen row n has seen all rows below it.

Every wait for the server has a timeout on our side, whether for a row, a lock or a commit. The
server's own limits (`statement_timeout`) do not help if it is stopped or its machine hangs: its
connections then stay open, and its kernel goes on accepting data.
"""

from __future__ import annotations

import logging
import math
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from select import select as select_ready
from typing import Any, cast

import psycopg
from psycopg import sql
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_attempts
from sqlalchemy import URL, Connection, create_engine, func, select, text
from sqlalchemy.event import listen

from device.store import queries
from device.store.errors import StoreError, UnreachableError, UnwritableError, translate_log_errors
from device.store.log import BulkInsert, Log, NewRow, insert_row
from device.store.log_schema import prepare_tables

MAX_SILENCE_S = 2.2
"""How long to wait for an answer. A page then still takes less than three seconds."""

MAX_LONG_SILENCE_S = 20.0
"""The same for slow work that no phone waits for, such as a move."""

CONNECT_TIMEOUT_S = 2
"""How long a new connection may take. libpq accepts no smaller value."""

_Row = tuple[object, ...]


def _is_silent_too_long(silent_s: float) -> bool:
    return silent_s > MAX_SILENCE_S


class DatabaseConnection(psycopg.Connection[_Row]):
    """A connection that closes itself, with an OperationalError, when the server is silent.

    The server may still carry out the last statement, now or later.
    """

    is_lost: Callable[[float], bool] = staticmethod(_is_silent_too_long)
    """Whether to give up, by the seconds of silence."""

    @classmethod
    def open(cls, arguments: Mapping[str, Any]) -> DatabaseConnection:
        """Connect to the first address that answers, within `CONNECT_TIMEOUT_S` for all of them.

        Raises psycopg.Error.
        """
        deadline = time.monotonic() + CONNECT_TIMEOUT_S
        address, *other_addresses = conninfo_attempts(arguments)
        while True:
            try:
                return cls.connect(**{**address, "connect_timeout": CONNECT_TIMEOUT_S})  # type: ignore[arg-type]
            except psycopg.OperationalError:
                if not other_addresses or time.monotonic() > deadline:
                    raise
            address, *other_addresses = other_addresses

    def wait(self, gen: PQGen[RV], *arguments: Any, **keywords: Any) -> RV:  # noqa: ANN401
        """Wait for an answer. psycopg does all its waiting in this method."""
        return super().wait(self._watch_answers(gen), *arguments, **keywords)

    def _watch_answers(self, gen: PQGen[RV]) -> PQGen[RV]:
        """Wrap a generator of psycopg, which is resumed several times a second while it waits."""
        last_heard = time.monotonic()
        try:
            wait_for = next(gen)
            while True:
                if ready := (yield wait_for):
                    last_heard = time.monotonic()
                elif self.is_lost(silent := time.monotonic() - last_heard):
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"it has said nothing for {silent:.1f} s")
                wait_for = gen.send(ready)
        except StopIteration as end:
            answer: RV = end.value
            return answer


EVENTS_CHANNEL = "tongbox_events"
"""Announces the number of each new row."""

OTHER_CHANNELS = ("tongbox_jobs", "tongbox_stages")
"""Other channels, for jobs (`device.store.shared_database`)."""

_APPEND_LOCK_ID, _SCHEMA_LOCK_ID = 7_466_001, 7_466_002
"""Numbers of the advisory locks: one process at a time appends a row, one creates tables."""

_RESET_SEQUENCE = """SELECT setval(pg_get_serial_sequence('events', 'seq'), MAX(seq)) FROM events
HAVING MAX(seq) IS NOT NULL"""

_OTHERS_QUERY = """SELECT application_name FROM pg_stat_activity WHERE datname = current_database()
AND application_name LIKE 'tongbox %' AND application_name <> :own"""
"""Finds the connections of other processes by the name that each gives itself."""

MAX_HOST_CHARACTERS = 32
"""Length to which a computer's name is cut in that name, which has 63 characters at most."""

CONNECTION_OPTIONS = {
    "client_encoding": "utf8",
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": 1500,
    "options": "-c lock_timeout=2s -c statement_timeout=15s -c synchronous_commit=on",
}
"""A dead server is noticed before players wonder what is wrong. A server that hangs is noticed by
`DatabaseConnection`, a little later than the server itself gives up waiting for a lock."""

HEARTBEAT_INTERVAL_S, HEARTBEAT_TIMEOUT_S = 0.5, 1.2
"""Seconds between two heartbeats, and until a heartbeat without answer means that the server is
down. With a tick of the news (`device.web.news`) the sum is below three."""

POOL_CONNECTIONS = 8
"""Connections that a process keeps. As many again are opened when many phones ask at once."""

_log = logging.getLogger(__name__)


class PostgresqlLog(Log):
    """The log in a database."""

    def __init__(self, url: URL) -> None:
        """Connect, and create the tables if they are missing; raise StoreError."""
        self._engine = create_engine(
            url.set(drivername="postgresql+psycopg"),
            pool_size=POOL_CONNECTIONS,
            max_overflow=POOL_CONNECTIONS,
            pool_timeout=CONNECT_TIMEOUT_S,
            pool_pre_ping=True,
            creator=self._connect,
        )
        listen(self._engine, "checkin", self._close_late)
        self._name = (
            f"tongbox {socket.gethostname()[:MAX_HOST_CHARACTERS]} {os.getpid()} {id(self):x}"
        )
        self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._closing = threading.Event()
        self._asked_time = math.inf
        """When the open heartbeat was sent, by the monotonic clock; infinite without one."""
        self.handlers: dict[str, Callable[[str], None]] = {}
        """Handlers of notifications, by channel."""
        self._listener: threading.Thread | None = None
        try:
            with translate_log_errors(), self._engine.begin() as connection:
                _check_encoding(connection)
                _allow_long_waits(connection)
                connection.execute(select(func.pg_advisory_xact_lock(_SCHEMA_LOCK_ID)))
                prepare_tables(connection)
        except StoreError:
            self._engine.dispose()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Take a connection from the pool."""
        self._check_answers()
        with translate_log_errors(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def streaming(self) -> Iterator[Connection]:
        """Take a connection in a transaction, which PostgreSQL's cursors need."""
        self._check_answers()
        with translate_log_errors(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Take a connection in a transaction that ends with the block."""
        self._check_answers()
        with translate_log_errors(), self._engine.begin() as connection:
            yield connection

    def add(self, row: NewRow, *, news: bool) -> int | None:
        """Append a row, and notify all processes in the same commit."""
        with self.writing() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(_APPEND_LOCK_ID)))
            seq = insert_row(connection, row)
            if seq is not None and news:
                connection.execute(select(func.pg_notify(EVENTS_CHANNEL, str(seq))))
        return seq

    def listen(self, tell: Callable[[int], None]) -> None:
        """Start to listen for rows that any process adds, in a thread of its own.

        The connection is open when this returns: by it others see that the database is in use.
        """
        with translate_log_errors():
            connection = self._open_connection()
        self._listener = threading.Thread(
            target=self._hear, args=(tell, connection), name="listener", daemon=True
        )
        self._listener.start()

    @property
    def answers(self) -> bool:
        """Whether the last heartbeat was answered in time."""
        return time.monotonic() - self._asked_time < HEARTBEAT_TIMEOUT_S

    @contextmanager
    def hold_writers(self) -> Iterator[None]:
        """Make all who append wait, until a timeout of their own."""
        with self.writing() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(_APPEND_LOCK_ID)))
            yield

    def check_unused(self) -> None:
        """Look for connections of other processes, pages or workers; raise StoreError."""
        deadline = (
            time.monotonic() + CONNECT_TIMEOUT_S
        )  # who has just ended is listed a little longer
        while other_processes := self._other_processes():
            if time.monotonic() > deadline:
                raise StoreError(
                    f"Tongbox is running with the database {self._engine.url.database} (computer "
                    f"and process: {', '.join(other_processes)}). "
                    "Please stop all pages and workers first. "
                    "Nothing was moved."
                )
            time.sleep(0.1)

    def _other_processes(self) -> list[str]:
        with self.reading() as connection:
            names = connection.execute(text(_OTHERS_QUERY), {"own": self._name}).scalars().all()
        return sorted({" ".join(name.split()[1:3]) for name in names})

    @contextmanager
    def bulk_insert(self) -> Iterator[BulkInsert]:
        """Open a transaction. At its end, numbering continues after the last added row."""
        with self.writing() as connection:
            _allow_long_waits(connection)
            connection.execute(select(func.pg_advisory_xact_lock(_APPEND_LOCK_ID)))
            yield BulkInsert(connection)
            connection.execute(text(_RESET_SEQUENCE))
            last = connection.execute(queries.LAST_NUMBER).scalar_one()
            connection.execute(select(func.pg_notify(EVENTS_CHANNEL, str(last))))

    def try_write(self) -> None:
        """Ask whether the server accepts writes; raise UnwritableError."""
        with self.reading() as connection:
            read_only = connection.execute(text("SHOW transaction_read_only")).scalar_one()
        if read_only == "on":
            raise UnwritableError("The database is read-only.")

    def close(self) -> None:
        """Close all connections."""
        self._closing.set()
        if self._listener:
            self._listener.join(
                2 * (HEARTBEAT_INTERVAL_S + HEARTBEAT_TIMEOUT_S)
            )  # the server may hang
        self._engine.dispose()

    def _check_answers(self) -> None:
        """Raise UnreachableError at once if the server hangs, so that nobody waits for it."""
        if not self.answers:
            raise UnreachableError("nothing was heard of it")

    def _hear(self, tell: Callable[[int], None], first_connection: DatabaseConnection) -> None:
        connection: DatabaseConnection | None = first_connection
        with closing(first_connection):
            while not self._closing.is_set():
                try:
                    self._hear_until_cut(tell, connection or self._open_connection())
                except (psycopg.Error, StoreError) as error:
                    self._asked_time, connection = -math.inf, None
                    _log.error("Cannot listen to the database: %s", error)
                    self._closing.wait(HEARTBEAT_INTERVAL_S)

    def _hear_until_cut(
        self, tell: Callable[[int], None], new_connection: DatabaseConnection
    ) -> None:
        with new_connection as connection:
            connection.autocommit = True
            self.handlers[EVENTS_CHANNEL] = lambda notification: tell(int(notification))
            connection.add_notify_handler(
                lambda notification: self._hear_of(notification.channel, notification.payload)
            )
            for channel in (EVENTS_CHANNEL, *OTHER_CHANNELS):
                connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self._asked_time = math.inf
            tell(int(self.rows(queries.LAST_NUMBER)[0][0]))  # rows added before listening began
            while not self._closing.is_set():
                select_ready([connection], [], [], HEARTBEAT_INTERVAL_S)
                self._asked_time = time.monotonic()
                # While this is answered nothing is missed: it delivers waiting notifications.
                connection.execute("SELECT 1")
                self._asked_time = math.inf

    def _hear_of(self, channel: str, payload: str) -> None:
        if handle := self.handlers.get(channel):
            handle(payload)

    def _connect(self) -> DatabaseConnection:
        """Open a connection for the pool; raise UnreachableError at once if the server is down."""
        self._check_answers()
        driver = self._open_connection()
        driver.is_lost = self._is_lost
        return driver

    def _open_connection(self) -> DatabaseConnection:
        _, arguments = self._engine.dialect.create_connect_args(self._engine.url)
        name = {"application_name": self._name}
        return DatabaseConnection.open({**arguments, **CONNECTION_OPTIONS, **name})

    def _close_late(self, driver: DatabaseConnection | None, *_: object) -> None:
        """Close a connection that comes back to the pool after the log was closed."""
        if driver and self._closing.is_set():
            driver.close()

    def _is_lost(self, silent_s: float) -> bool:
        """Whether to give up: after too much silence, or if the heartbeat has no answer either."""
        return _is_silent_too_long(silent_s) or (
            silent_s > HEARTBEAT_INTERVAL_S and not self.answers
        )


def _allow_long_waits(connection: Connection) -> None:
    """Give a connection a longer timeout, and close it after use."""
    driver = cast("DatabaseConnection", connection.connection.driver_connection)
    connection.detach()
    driver.is_lost = lambda silent_s: silent_s > MAX_LONG_SILENCE_S
    connection.execute(text("SET lock_timeout = '5s'"))


def _check_encoding(connection: Connection) -> None:
    """Raise StoreError for a database that cannot store all characters of players' names."""
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise StoreError(
            f"The database writes in {encoding}, which lacks many players' names. Please make one "
            "with: createdb --encoding UTF8 --template template0 NAME."
        )
