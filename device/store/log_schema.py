"""The tables of the log, the same in SQLite and PostgreSQL, and how an older log is migrated.

A new log is created in the newest format. One that is older than `LAST_MIGRATING_RELEASE` is
refused. Alembic migrates all others in one transaction, with the steps in
`device/store/migrations`. It takes half a second and 10 MB to load, so it is loaded only if there
is something to migrate.
"""

from __future__ import annotations

import sqlite3
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

from device.store.errors import StoreError

if TYPE_CHECKING:
    from alembic.config import Config

LOG_FORMAT_NUMBER = 3
"""Format of the events table, which SQLite keeps as `user_version`. A Tongbox refuses a log of a
higher format. It uses a log of its own format, whatever tables a newer Tongbox has added."""

BASE_REVISION = "r6"
"""The oldest revision that can be migrated: that of Tongbox 0.4.0."""

HEAD_REVISION = "r6"
"""The newest of the migrations."""

LAST_MIGRATING_RELEASE = "0.5.0"
"""The last release that migrates logs from before `BASE_REVISION`."""

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

_SCHEMA_FILES = {
    engine: Path(__file__).parent / f"schema-{engine}.sql" for engine in ("sqlite", "postgresql")
}

_VERSIONS = table("alembic_version", column("version_num"))


def schema_statements(engine: str = "sqlite") -> list[str]:
    """Return the statements that create a new log."""
    return _SCHEMA_FILES[engine].read_text("utf-8").split("\n\n")[1:]  # the first is a comment


def migrate_file(file: Path) -> None:
    """Migrate the SQLite log in a file, or create it.

    Raises StoreError for a log of a newer or too old format, and SQLAlchemyError.
    """
    engine = create_engine(URL.create("sqlite", database=str(file)), poolclass=NullPool)
    event.listen(engine, "connect", _disable_driver_transactions)
    with engine.connect() as connection:
        if not _needs_migration(connection):
            return
    event.listen(engine, "begin", _begin_immediately)
    with engine.begin() as connection:
        if _needs_migration(connection):  # another process may just have migrated it
            _migrate(connection)


def _needs_migration(connection: Connection) -> bool:
    """Whether a SQLite log is new, or of an older revision; raise StoreError for other formats."""
    number, revision = _read_format(connection), _read_revision(connection)
    if number > LOG_FORMAT_NUMBER:
        raise newer_log_error(f"format {number}; this one knows {LOG_FORMAT_NUMBER}")
    if 0 < number < LOG_FORMAT_NUMBER or (number and not revision):
        raise older_log_error()
    # Tables that a newer Tongbox added beside events of this format are its own.
    return revision != HEAD_REVISION and (not revision or _is_known(revision))


def migrate_tables(connection: Connection) -> None:
    """Migrate the tables of PostgreSQL in the connection's transaction.

    Raises StoreError for tables of a newer or too old Tongbox, and SQLAlchemyError.
    """
    revision = _read_revision(connection)
    if revision and not _is_known(revision):
        raise newer_log_error(f"{revision}; this one knows {HEAD_REVISION}")
    if revision != HEAD_REVISION:
        _migrate(connection)


def newer_log_error(log_name: str) -> StoreError:
    """Return the error for a log that only a newer Tongbox can read."""
    return StoreError(
        f"The data folder was written by a newer Tongbox ({log_name}). Please update this one; "
        "nothing was changed."
    )


def older_log_error() -> StoreError:
    """Return the error for a log that this Tongbox can no longer read."""
    return StoreError(
        "The data folder was written by Tongbox 0.3 or older. Please start Tongbox "
        f"{LAST_MIGRATING_RELEASE} with it once, and then this one; nothing was changed."
    )


def _migrate(connection: Connection) -> None:
    """Create the tables of a new log, or migrate those of an older one; raise StoreError."""
    revision = _read_revision(connection)
    if not revision:
        for statement in schema_statements(connection.dialect.name):
            connection.exec_driver_sql(statement)
        return
    if revision_number(revision) < revision_number(BASE_REVISION):
        raise older_log_error()
    from alembic import command  # takes half a second, once after an update

    command.upgrade(_alembic_config(connection), HEAD_REVISION)


def _alembic_config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS_FOLDER).replace("%", "%%"))
    return config


def _is_known(revision: str) -> bool:
    is_ours = revision[:1] == "r" and revision[1:].isdigit()
    return is_ours and revision_number(revision) <= revision_number(HEAD_REVISION)


def revision_number(revision: str) -> int:
    """Return the number of a revision: 6 of `r6`."""
    return int(revision[1:])


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
