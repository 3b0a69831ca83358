"""The tables of the log, the same in SQLite and PostgreSQL.

Every log that can be read has these tables. A change of them brings a step that changes older logs.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    column,
    inspect,
    select,
    table,
)

from device.store.errors import StoreError

LOG_FORMAT_NUMBER = 3
"""Format of the events table, which SQLite keeps as `user_version`. A Tongbox refuses a log of a
higher format. It uses a log of its own format, whatever tables a newer Tongbox has added."""

REVISION = "r6"
"""The revision of all tables, that of Tongbox 0.4.0. Older logs are refused."""

LAST_MIGRATING_RELEASE = "0.5.0"
"""The last release that brings older logs to `REVISION`."""

METADATA = MetaData()

EVENTS = Table(
    "events",
    METADATA,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("stream", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("json", Text, nullable=False),
    Column("at", Text, nullable=False),
)
"""The events. Triggers forbid changing and removing rows."""

PICTURES = Table(
    "pictures",
    METADATA,
    Column("folder", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Photographs and pictures of tiles, if they are kept in the database instead of folders."""

JOBS = Table(
    "jobs",
    METADATA,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("of", Text, nullable=False),
    UniqueConstraint("kind", "of"),
)
"""The queue of photographs to read. A job is taken with `FOR UPDATE SKIP LOCKED` and removed when
it is done. The queue can be made again from the log."""

PROJECTIONS = Table(
    "projections",
    METADATA,
    Column("sort", Text, primary_key=True),
    Column("stream", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("events", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Column("form", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
)
"""Cached records of streams (`device.store.projection_cache`). Each has number and time of the
last event, the number of events, and the version of the program that wrote it."""

TRIES = Table(
    "tries",
    METADATA,
    Column("who", Text, primary_key=True),
    Column("wrong", BigInteger, nullable=False),
    Column("until", Double, nullable=False),
    Column("since", Text, nullable=False),
)
"""Wrong tries of PINs (`device.store.pin_tries`): how many, and until when the next is
refused, in seconds since the start of a clock."""


_SCHEMA_FILES = {
    engine: Path(__file__).parent / f"schema-{engine}.sql" for engine in ("sqlite", "postgresql")
}

_VERSIONS = table("alembic_version", column("version_num"))
"""The revision of the tables. The name is that of the tool which brought older logs to it."""


def schema_statements(engine: str = "sqlite") -> list[str]:
    """Return the statements that create a new log."""
    return _SCHEMA_FILES[engine].read_text("utf-8").split("\n\n")[1:]  # the first is a comment


def prepare_file(file: Path) -> None:
    """Create the SQLite log in a file, unless it is there.

    Raises StoreError for a log of a newer or too old format, and sqlite3.Error.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        if not _is_new(db):
            return
        db.execute("BEGIN IMMEDIATE")  # another process waits with its own
        if _is_new(db):
            for statement in schema_statements():
                db.execute(statement)
        db.execute("COMMIT")


def _is_new(db: sqlite3.Connection) -> bool:
    """Whether a SQLite file has no log yet; raise StoreError for other formats."""
    number = check_format(db)
    has_revision = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
    is_counted = db.execute(has_revision).fetchone()
    row = db.execute("SELECT version_num FROM alembic_version").fetchone() if is_counted else None
    revision = str(row[0]) if row else ""
    if (number and not revision) or _is_older(revision):
        raise _older_log_error()
    # Tables that a newer Tongbox added beside events of this format are its own.
    return not revision


def prepare_tables(connection: Connection) -> None:
    """Create the tables of PostgreSQL in the connection's transaction, unless they are there.

    Raises StoreError for tables of a newer or too old Tongbox, and SQLAlchemyError.
    """
    is_counted = inspect(connection).has_table(_VERSIONS.name)
    revision = connection.execute(select(_VERSIONS.c.version_num)).scalar() if is_counted else ""
    if not revision:
        for statement in schema_statements("postgresql"):
            connection.exec_driver_sql(statement)
    else:
        check_revision(revision)


def check_format(db: sqlite3.Connection) -> int:
    """Return the format of a SQLite log, below 1 if it has none; raise StoreError for another."""
    (number,) = db.execute("PRAGMA user_version").fetchone()
    if number > LOG_FORMAT_NUMBER:
        raise _newer_log_error(f"format {number}; this one knows {LOG_FORMAT_NUMBER}")
    if 0 < number < LOG_FORMAT_NUMBER:
        raise _older_log_error()
    return int(number)


def check_revision(revision: str) -> None:
    """Raise StoreError for tables of any revision but `REVISION`."""
    if _is_older(revision):
        raise _older_log_error()
    if revision != REVISION:
        raise _newer_log_error(f"{revision}; this one knows {REVISION}")


def _is_older(revision: str) -> bool:
    is_ours = revision[:1] == "r" and revision[1:].isdecimal()
    return is_ours and int(revision[1:]) < int(REVISION[1:])


def _newer_log_error(log_name: str) -> StoreError:
    """Return the error for a log that only a newer Tongbox can read."""
    return StoreError(
        f"The data folder was written by a newer Tongbox ({log_name}). Please update this one; "
        "nothing was changed."
    )


def _older_log_error() -> StoreError:
    """Return the error for a log that this Tongbox can no longer read."""
    return StoreError(
        "The data folder was written by Tongbox 0.3 or older. Please start Tongbox "
        f"{LAST_MIGRATING_RELEASE} with it once, and then this one; nothing was changed."
    )
