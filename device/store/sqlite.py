"""The embedded log: SQLite, in a file of the data folder, written by one process alone."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from sqlalchemy import URL, Connection, create_engine, event, text
from sqlalchemy.pool import StaticPool

from device.store import files
from device.store.errors import StoreError, telling_files, telling_log
from device.store.lock import FolderLock
from device.store.log import Filling, Log, NewRow, adding
from device.store.migrating import bring_file_up_to_date
from device.store.restoring import LOG, finish
from device.store.salvage import mend

UNUSABLE = "The data folder cannot be used"


class SqliteLog(Log):
    """The log in a folder, which is mended first where it was left half done."""

    def __init__(self, folder: Path) -> None:
        """Open the folder's log, or begin it; raise StoreError when it is no use."""
        with telling_files(UNUSABLE):
            folder.mkdir(parents=True, exist_ok=True)
            self._in_use = FolderLock(folder)
        # One connection behind one lock makes one writer: no "database is locked", ever.
        self._lock = threading.Lock()
        try:
            with telling_files(UNUSABLE), telling_log():
                if self._in_use.take_alone():
                    finish(folder)
                    files.sweep(folder)
                    mend(folder)
                self._in_use.share()
                files.sync_folder(folder)
                bring_file_up_to_date(folder / LOG)
                self._connection = _opened(folder / LOG)
        except StoreError:
            self._in_use.close()
            raise

    @property
    def driver(self) -> sqlite3.Connection:
        """The connection of Python's own driver beneath."""
        return cast(sqlite3.Connection, self._connection.connection.driver_connection)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Have the connection, alone."""
        with self._lock, telling_log():
            yield self._connection

    def add(self, row: NewRow, *, news: bool) -> int | None:
        """Add a row: a statement of its own is a transaction of its own."""
        with self.reading() as connection:
            return connection.execute(adding(row)).scalar_one_or_none()

    def listen(self, tell: Callable[[int], None]) -> None:
        """Nobody else adds rows."""

    @property
    def answers(self) -> bool:
        """It is in this very process."""
        return True

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else adds rows but whoever serves the folder (`device.store.lock`)."""
        yield

    @contextmanager
    def filling(self) -> Iterator[Filling]:
        """Have a transaction on the one connection."""
        with self.writing() as connection:
            yield Filling(connection)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Have the connection, alone, in a transaction."""
        with self.reading() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            finally:
                if self.driver.in_transaction:  # it did not come so far
                    connection.exec_driver_sql("ROLLBACK")

    def try_write(self) -> None:
        """Write the log's own number of its format anew, as an event would be."""
        with self.reading() as connection:
            version = connection.execute(text("PRAGMA user_version")).scalar_one()
            connection.execute(text(f"PRAGMA user_version = {int(version)}"))

    def close(self) -> None:
        """Close the file; the folder may be another's then."""
        with self._lock:
            self._connection.close()
            self._connection.engine.dispose()
            self._in_use.close()


def _opened(path: Path) -> Connection:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=StaticPool,
        isolation_level="AUTOCOMMIT",
        connect_args={"check_same_thread": False},
    )
    event.listen(engine, "connect", _made_safe)
    return engine.connect()


def _made_safe(connection: sqlite3.Connection, _: object) -> None:
    # A score must survive a pulled plug. WAL appends, so a commit is one sync instead of
    # several on a slow SD card; FULL makes that sync part of each commit, where WAL's
    # usual NORMAL could lose the last few.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
