"""Migrate a log that an earlier Tongbox wrote, in one transaction, with Alembic.

A new log is created in the newest format. Alembic takes half a second and 10 MB to load, so it is
loaded only if there is something to migrate.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, column, create_engine, event, inspect, select, table, text
from sqlalchemy.pool import NullPool

from device.store.errors import StoreError, telling_files
from device.store.files import HALF, sync_folder
from device.store.schema import FORMAT, HEAD

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"

SCHEMA = Path(__file__).parent / "schema.sql"
"""The SQLite tables in the newest format; an empty line ends each statement."""

_VERSIONS = table("alembic_version", column("version_num"))


def bring_file_up_to_date(file: Path) -> None:
    """Migrate the SQLite log in a file, or create it.

    A log of an older format is copied first. Raises StoreError for a log of a newer format, and
    SQLAlchemyError.
    """
    engine = create_engine(URL.create("sqlite", database=str(file)), poolclass=NullPool)
    event.listen(engine, "connect", _no_transactions_of_its_own)
    with engine.connect() as connection:
        known, at = _format(connection), _revision(connection)
    if known > FORMAT:
        raise newer(f"format {known}; this one knows {FORMAT}")
    # Tables that a newer Tongbox added beside events of this format are its own.
    if at == HEAD or (at and not _is_known(at)):
        return
    if 0 < known < FORMAT:
        _copy(file, file.with_name(f"{file.stem}-format-{known}{file.suffix}"))
    event.listen(engine, "begin", _begin_immediately)
    with engine.begin() as connection:
        known = _format(connection)  # another process may just have migrated it
        if not inspect(connection).get_table_names():
            _begin(connection)
            return
        if known and not _revision(connection):
            _stamp(connection, f"r{known}")
        _take_steps(connection)


def bring_up_to_date(connection: Connection) -> None:
    """Migrate the tables of PostgreSQL in the connection's transaction.

    Raises StoreError for tables of a newer Tongbox, and SQLAlchemyError.
    """
    at = _revision(connection)
    if at == HEAD:
        return
    if at and not _is_known(at):
        raise newer(f"{at}; this one knows {HEAD}")
    _take_steps(connection)


def newer(which: str) -> StoreError:
    """Return the error for a log that only a newer Tongbox can read."""
    return StoreError(
        f"The data folder was written by a newer Tongbox ({which}). Please update this one; "
        "nothing was changed."
    )


def _take_steps(connection: Connection) -> None:
    from alembic import command  # takes half a second, once after an update

    command.upgrade(_config(connection), HEAD)


def _begin(connection: Connection) -> None:
    """Create the tables of a new log."""
    for statement in SCHEMA.read_text("utf-8").split("\n\n"):
        connection.exec_driver_sql(statement)


def _stamp(connection: Connection, revision: str) -> None:
    """Write the revision into a log from before Alembic was used."""
    from alembic import command

    command.stamp(_config(connection), revision)


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _is_known(revision: str) -> bool:
    return revision[:1] == "r" and revision[1:].isdigit() and int(revision[1:]) <= int(HEAD[1:])


def _format(connection: Connection) -> int:
    return int(connection.execute(text("PRAGMA user_version")).scalar_one())


def _revision(connection: Connection) -> str:
    """Return the last revision; empty if none is recorded."""
    if not inspect(connection).has_table(_VERSIONS.name):
        return ""
    return str(connection.execute(select(_VERSIONS.c.version_num)).scalar() or "")


def _no_transactions_of_its_own(connection: sqlite3.Connection, _: object) -> None:
    """Keep Python's driver from opening transactions: all migrations run in a single one."""
    connection.isolation_level = None


def _begin_immediately(connection: Connection) -> None:
    """Lock the log, so that another process waits with its own migration."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _copy(file: Path, target: Path) -> None:
    """Copy the log, so that a failed update can be undone."""
    half = target.with_name(HALF + target.name)
    half.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as db, closing(sqlite3.connect(half)) as copy:
        db.backup(copy)
    with telling_files("The log cannot be copied before it is brought up to date"):
        half.replace(target)
        sync_folder(target.parent)
