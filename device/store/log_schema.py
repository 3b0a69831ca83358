"""The tables of the log, the same in SQLite and PostgreSQL, and how an older log is migrated.

A new log is created in the newest format. An older one is migrated by Alembic in one transaction,
with the steps in `device/store/migrations`. Alembic takes half a second and 10 MB to load, so it
is loaded only if there is something to migrate.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import (
    URL,
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
    create_engine,
    event,
    inspect,
    select,
    table,
    text,
)
from sqlalchemy.pool import NullPool

from device.store.errors import StoreError, translate_file_errors
from device.store.files import UNFINISHED_PREFIX, sync_folder

if TYPE_CHECKING:
    from alembic.config import Config

LOG_FORMAT_NUMBER = 3
"""Format of the events table, which SQLite keeps as `user_version`. A Tongbox refuses a log of a
higher format. It uses a log of its own format, whatever tables a newer Tongbox has added."""

HEAD_REVISION = "r6"
"""The newest of the migrations."""

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


MIGRATIONS_FOLDER = Path(__file__).parent / "migrations"

SCHEMA_FILE = Path(__file__).parent / "schema.sql"
"""The SQLite tables in the newest format; an empty line ends each statement."""

_VERSIONS = table("alembic_version", column("version_num"))


def migrate_file(file: Path) -> None:
    """Migrate the SQLite log in a file, or create it.

    A log of an older format is copied first. Raises StoreError for a log of a newer format, and
    SQLAlchemyError.
    """
    engine = create_engine(URL.create("sqlite", database=str(file)), poolclass=NullPool)
    event.listen(engine, "connect", _disable_driver_transactions)
    with engine.connect() as connection:
        known, at = _read_format(connection), _read_revision(connection)
    if known > LOG_FORMAT_NUMBER:
        raise newer_log_error(f"format {known}; this one knows {LOG_FORMAT_NUMBER}")
    # Tables that a newer Tongbox added beside events of this format are its own.
    if at == HEAD_REVISION or (at and not _is_known(at)):
        return
    if 0 < known < LOG_FORMAT_NUMBER:
        _copy_log(file, file.with_name(f"{file.stem}-format-{known}{file.suffix}"))
    event.listen(engine, "begin", _begin_immediately)
    with engine.begin() as connection:
        known = _read_format(connection)  # another process may just have migrated it
        if not inspect(connection).get_table_names():
            _create_tables(connection)
            return
        if known and not _read_revision(connection):
            _stamp_revision(connection, f"r{known}")
        _run_migrations(connection)


def migrate_tables(connection: Connection) -> None:
    """Migrate the tables of PostgreSQL in the connection's transaction.

    Raises StoreError for tables of a newer Tongbox, and SQLAlchemyError.
    """
    at = _read_revision(connection)
    if at == HEAD_REVISION:
        return
    if at and not _is_known(at):
        raise newer_log_error(f"{at}; this one knows {HEAD_REVISION}")
    _run_migrations(connection)


def newer_log_error(which: str) -> StoreError:
    """Return the error for a log that only a newer Tongbox can read."""
    return StoreError(
        f"The data folder was written by a newer Tongbox ({which}). Please update this one; "
        "nothing was changed."
    )


def _run_migrations(connection: Connection) -> None:
    from alembic import command  # takes half a second, once after an update

    command.upgrade(_alembic_config(connection), HEAD_REVISION)


def _create_tables(connection: Connection) -> None:
    """Create the tables of a new log."""
    for statement in SCHEMA_FILE.read_text("utf-8").split("\n\n"):
        connection.exec_driver_sql(statement)


def _stamp_revision(connection: Connection, revision: str) -> None:
    """Write the revision into a log from before Alembic was used."""
    from alembic import command

    command.stamp(_alembic_config(connection), revision)


def _alembic_config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS_FOLDER).replace("%", "%%"))
    return config


def _is_known(revision: str) -> bool:
    return (
        revision[:1] == "r"
        and revision[1:].isdigit()
        and int(revision[1:]) <= int(HEAD_REVISION[1:])
    )


def _read_format(connection: Connection) -> int:
    return int(connection.execute(text("PRAGMA user_version")).scalar_one())


def _read_revision(connection: Connection) -> str:
    """Return the last revision; empty if none is recorded."""
    if not inspect(connection).has_table(_VERSIONS.name):
        return ""
    return str(connection.execute(select(_VERSIONS.c.version_num)).scalar() or "")


def _disable_driver_transactions(connection: sqlite3.Connection, _: object) -> None:
    """Keep Python's driver from opening transactions: all migrations run in a single one."""
    connection.isolation_level = None


def _begin_immediately(connection: Connection) -> None:
    """Lock the log, so that another process waits with its own migration."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _copy_log(file: Path, target: Path) -> None:
    """Copy the log, so that a failed update can be undone."""
    half = target.with_name(UNFINISHED_PREFIX + target.name)
    half.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as db, closing(sqlite3.connect(half)) as copy:
        db.backup(copy)
    with translate_file_errors("The log cannot be copied before it is brought up to date"):
        half.replace(target)
        sync_folder(target.parent)
