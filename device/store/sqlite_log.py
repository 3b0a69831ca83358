"""Keep the log in SQLite, in a file of the data folder that only one process writes."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from sqlalchemy import URL, Connection, create_engine, event, text
from sqlalchemy.pool import StaticPool

from device.store import files
from device.store.data_folder import LOG_FILE, FolderLock, finish_restore
from device.store.errors import StoreError, translate_file_errors, translate_log_errors
from device.store.log import Log, NewRow, insert_row
from device.store.log_schema import prepare_file
from device.store.salvage import salvage_if_torn

UNUSABLE_FOLDER_TEXT = "The data folder cannot be used"


class SqliteLog(Log):
    """The log in a data folder. Opening it first finishes what was interrupted."""

    def __init__(self, folder: Path) -> None:
        """Open the folder's log, or create it; raise StoreError."""
        with translate_file_errors(UNUSABLE_FOLDER_TEXT):
            folder.mkdir(parents=True, exist_ok=True)
            self._in_use = FolderLock(folder)
        # One connection behind one lock makes one writer: no "database is locked", ever.
        self._lock = threading.Lock()
        try:
            with translate_file_errors(UNUSABLE_FOLDER_TEXT), translate_log_errors():
                if self._in_use.take_alone():
                    finish_restore(folder)
                    files.remove_unfinished(folder)
                    salvage_if_torn(folder)
                self._in_use.share()
                files.sync_folder(folder)
                prepare_file(folder / LOG_FILE)
                self._connection = _connect(folder / LOG_FILE)
        except StoreError:
            self._in_use.close()
            raise

    @property
    def driver(self) -> sqlite3.Connection:
        """The underlying connection of Python's own driver."""
        return cast(sqlite3.Connection, self._connection.connection.driver_connection)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lock the connection for the block."""
        with self._lock, translate_log_errors():
            yield self._connection

    def add(self, row: NewRow, *, news: bool) -> int | None:
        """Append a row. The single statement is a transaction of its own."""
        with self.reading() as connection:
            return insert_row(connection, row)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Lock the connection for the block, in a transaction."""
        with self.reading() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            finally:
                if self.driver.in_transaction:  # the block failed
                    connection.exec_driver_sql("ROLLBACK")

    def try_write(self) -> None:
        """Rewrite the log's format number, which needs the same access as an event."""
        with self.reading() as connection:
            version = connection.execute(text("PRAGMA user_version")).scalar_one()
            connection.execute(text(f"PRAGMA user_version = {int(version)}"))

    def close(self) -> None:
        """Close the file and release the folder."""
        with self._lock:
            self._connection.close()
            self._connection.engine.dispose()
            self._in_use.close()


def _connect(path: Path) -> Connection:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=StaticPool,
        isolation_level="AUTOCOMMIT",
        connect_args={"check_same_thread": False},
    )
    event.listen(engine, "connect", _make_durable)
    return engine.connect()


def _make_durable(connection: sqlite3.Connection, _: object) -> None:
    # A score must survive a power failure. With WAL, a commit needs one sync instead of several
    # on a slow SD card. FULL syncs with each commit; the usual NORMAL could lose the last few.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
