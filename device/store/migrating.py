"""A log that an earlier Tongbox wrote is brought up to date, in one transaction, by Alembic.

A new log begins as the newest. Alembic, which takes half a second and 10 MB to load, is loaded only
where there is something to do.
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
"""SQLite's log as all steps leave it; an empty line ends each statement."""

_VERSIONS = table("alembic_version", column("version_num"))


def bring_file_up_to_date(file: Path) -> None:
    """Make SQLite's log in a file what this Tongbox knows, or begin it there.

    One of an older format is copied first. Raises StoreError for a log of a newer format, and
    SQLAlchemyError.
    """
    engine = create_engine(URL.create("sqlite", database=str(file)), poolclass=NullPool)
    event.listen(engine, "connect", _no_transactions_of_its_own)
    with engine.connect() as connection:
        known, at = _format(connection), _revision(connection)
    if known > FORMAT:
        raise newer(f"format {known}; this one knows {FORMAT}")
    # What a newer Tongbox put beside events of this format is its own.
    if at == HEAD or (at and not _is_known(at)):
        return
    if 0 < known < FORMAT:
        _copy(file, file.with_name(f"{file.stem}-format-{known}{file.suffix}"))
    event.listen(engine, "begin", _begin_immediately)
    with engine.begin() as connection:
        known = _format(connection)  # another process may just have taken the steps
        if not inspect(connection).get_table_names():
            _begin(connection)
            return
        if known and not _revision(connection):
            _stamp(connection, f"r{known}")
        _take_steps(connection)


def bring_up_to_date(connection: Connection) -> None:
    """Make the tables of PostgreSQL what this Tongbox knows, in the connection's transaction.

    Raises StoreError for those of a newer Tongbox, and SQLAlchemyError.
    """
    at = _revision(connection)
    if at == HEAD:
        return
    if at and not _is_known(at):
        raise newer(f"{at}; this one knows {HEAD}")
    _take_steps(connection)


def newer(which: str) -> StoreError:
    """Return what refuses a log that only a newer Tongbox knows."""
    return StoreError(
        f"The data folder was written by a newer Tongbox ({which}). Please update this one; "
        "nothing was changed."
    )


def _take_steps(connection: Connection) -> None:
    from alembic import command  # takes half a second, once in a version

    command.upgrade(_config(connection), HEAD)


def _begin(connection: Connection) -> None:
    """Make the tables of a new log."""
    for statement in SCHEMA.read_text("utf-8").split("\n\n"):
        connection.exec_driver_sql(statement)


def _stamp(connection: Connection, revision: str) -> None:
    """Say of a log from before there was Alembic which step it stands at."""
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
    """Return which step was taken last; empty for none of which is known."""
    if not inspect(connection).has_table(_VERSIONS.name):
        return ""
    return str(connection.execute(select(_VERSIONS.c.version_num)).scalar() or "")


def _no_transactions_of_its_own(connection: sqlite3.Connection, _: object) -> None:
    """Python's driver begins transactions where it thinks fit; here the steps are one."""
    connection.isolation_level = None


def _begin_immediately(connection: Connection) -> None:
    """Whoever else would take the steps waits from the first word on."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _copy(file: Path, target: Path) -> None:
    """Copy the log whole, so that an update which goes wrong can be taken back."""
    half = target.with_name(HALF + target.name)
    half.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as db, closing(sqlite3.connect(half)) as copy:
        db.backup(copy)
    with telling_files("The log cannot be copied before it is brought up to date"):
        half.replace(target)
        sync_folder(target.parent)
