"""Check whether a log is whole, before anybody writes to it.

The log of a data folder is only read: if it is torn, it is set aside as it was found. A log from
elsewhere must be built as a Tongbox builds it. SQLite executes views and triggers of the file, so
each part of the schema must be one that some version of Tongbox wrote.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Literal

from device.store import sqlite_pages
from device.store.data_folder import JOURNAL_FILE, LOG_FILE, PICTURE_FOLDERS
from device.store.errors import (
    StoreError,
    TornLogError,
    translate_file_errors,
    translate_log_errors,
)
from device.store.log_schema import (
    LOG_FORMAT_NUMBER,
    check_format,
    check_revision,
    schema_statements,
)

FaultCause = Literal["missing", "empty", "torn"]
"""What is wrong: there is no log, it is empty, or it is damaged."""

COPIES_FOLDER = "backups"
"""The folder with copies of the log."""

TORN_MARK_FILE = "log-is-torn"
"""A file in the folder, made when the log is found torn at run time: the next start checks it."""

MAX_BYTES_CHECKED_AT_START = 32 * 2**20
"""A larger log is not checked completely before the box starts: a Raspberry Pi reads some 40 MB a
second from its card. A year and a half with an evening a week is less."""

_DAMAGED_ROW_QUERY = """SELECT seq FROM events WHERE NOT json_valid(json) OR kind GLOB '*[^a-z-]*'
OR instr(stream, char(0)) OR instr(at, char(0)) LIMIT 1"""
"""Finds a row with a zeroed sector, which SQLite does not notice on a sound page."""


def find_fault(folder: Path, *, is_only_user: bool = True) -> tuple[FaultCause, str] | None:
    """Return what is wrong with the log, and SQLite's own words; None if it is whole.

    A missing log is no fault in a new folder. A log of another format is not checked.
    `is_only_user` means that nobody is writing: then the write-ahead log is checked too, frame by
    frame. Raises StoreError for a log that cannot be opened and may be whole.
    """
    log = folder / LOG_FILE
    if not log.exists():
        return ("missing", "") if _has_been_used(folder) else None
    if not log.is_file():
        return "torn", "it is no file"
    if not log.stat().st_size:
        return ("empty", "") if _has_been_used(folder) else None
    try:
        if (folder / JOURNAL_FILE).exists():
            if not is_only_user:
                return None
            _roll_back(log)
        if _read_format(log) not in (0, LOG_FORMAT_NUMBER):
            return None
        fault = _find_torn_end(log) if is_only_user else ""
        if not fault and not is_checked_later(log):
            fault = find_torn_pages(log)
    except TornLogError as error:
        return "torn", str(error.__cause__)
    if fault:
        return "torn", fault
    with translate_log_errors(), closing(open_read_only(log)) as db:
        is_empty = not _has_events(db)
    return ("empty", "") if is_empty and _has_been_used(folder) else None


def is_checked_later(log: Path) -> bool:
    """Whether a log is too long to be checked before the page answers, and not known as torn."""
    return log.stat().st_size > MAX_BYTES_CHECKED_AT_START and not is_marked_torn(log.parent)


def mark_torn(folder: Path) -> None:
    """Mark the log as torn: players are told, and the next start salvages it."""
    with suppress(OSError):  # a full card is reported by itself
        (folder / TORN_MARK_FILE).touch()


def is_marked_torn(folder: Path) -> bool:
    """Whether the log was found torn while the box ran."""
    return (folder / TORN_MARK_FILE).exists()


def find_torn_pages(log: Path) -> str:
    """Return what is wrong with the pages or rows of a log; empty if it is whole.

    Reads the whole log: 100 MB take 0.6 s on a desktop machine. Raises StoreError.
    """
    with translate_log_errors(), closing(open_read_only(log)) as db:
        (problem,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if problem != "ok":
            return str(problem)
        unsound = db.execute(_DAMAGED_ROW_QUERY).fetchone() if _has_events(db) else None
        return f"row {unsound[0]} is damaged" if unsound else ""


def _roll_back(log: Path) -> None:
    """Let SQLite roll back an interrupted change from the journal beside the log.

    A read-only connection may not do that, and could not read the log. Raises StoreError.
    """
    with translate_log_errors(), closing(sqlite3.connect(log)) as db:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()


def _find_torn_end(log: Path) -> str:
    """Return what is wrong with the write-ahead log, which SQLite would silently ignore."""
    wal_file = sqlite_pages.wal_path(log)
    with translate_file_errors("The log of events cannot be read"):
        is_torn = wal_file.is_file() and sqlite_pages.read_wal(wal_file.read_bytes()).is_torn
    return "sectors of what was written last are damaged" if is_torn else ""


def _read_format(log: Path) -> int:
    with translate_log_errors(), closing(open_read_only(log)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def _has_events(db: sqlite3.Connection) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone())


def open_read_only(log: Path) -> sqlite3.Connection:
    """Open a log read-only."""
    return sqlite3.connect(f"{log.absolute().as_uri()}?mode=ro", uri=True)


def _has_been_used(folder: Path) -> bool:
    """Whether a folder holds files that show that it once had a log."""
    kept_paths = (
        path for name in (*PICTURE_FOLDERS, COPIES_FOLDER) for path in (folder / name).rglob("*")
    )
    wal_file = sqlite_pages.wal_path(folder / LOG_FILE)
    return any(path.is_file() for path in kept_paths) or (
        wal_file.is_file() and wal_file.stat().st_size > 0
    )


MAX_EVENT_NUMBER = 10**12
"""Limit of an event's number: a thousand a second for thirty years. SQLite stops at 2^63-1."""

MAX_EVENT_BYTES = 4 * 2**20
"""Limit of an event's text: fifty times the longest that a box writes."""

_REVISION = re.compile(r"r[1-9][0-9]{0,3}")

_SQLITE_OWN_TABLES = (
    "CREATE TABLE sqlite_sequence(name,seq)",
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)

_REQUIRED_NAMES = frozenset({"alembic_version", "events", "events_stay", "events_last"})
"""Parts of every log: its revision, the events, and the triggers that forbid changing them."""

_INVALID_ROW_QUERY = """SELECT seq FROM events WHERE seq NOT BETWEEN 1 AND ? OR length(json) > ?
OR (typeof(stream), typeof(kind), typeof(json), typeof(at)) != ('text', 'text', 'text', 'text')
LIMIT 1"""


def check_own_log(log: Path) -> None:
    """Raise StoreError for a log with damaged pages."""
    with translate_log_errors(), closing(sqlite3.connect(log)) as db:
        _check_pages(db)


def check_foreign_log(log: Path) -> None:
    """Raise StoreError for a log that no Tongbox has written, or with damaged pages."""
    with translate_log_errors(), closing(sqlite3.connect(log)) as db:
        _check_format(db)
        _check_schema(db)
        _check_pages(db)
        _check_rows(db)


def _check_pages(db: sqlite3.Connection) -> None:
    (problem,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if problem != "ok":
        raise TornLogError(problem)


def _check_format(db: sqlite3.Connection) -> None:
    if check_format(db) < 1:
        raise _foreign_log_error("it has no version")


def _check_schema(db: sqlite3.Connection) -> None:
    schema_rows = db.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    known_statements = _known_statements()
    for sort, name, sql in schema_rows:
        is_its_own = sort == "index" and sql is None and str(name).startswith("sqlite_autoindex_")
        if not is_its_own and _on_one_line(str(sql)) not in known_statements:
            raise _foreign_log_error(f"its {sort} {name!a} is none of ours")
    names = {name for _, name, _ in schema_rows}
    if missing := _REQUIRED_NAMES - names:
        raise _foreign_log_error(f"it has no {min(missing)}")
    rows = db.execute("SELECT version_num FROM alembic_version").fetchall()
    revisions = [str(number) for (number,) in rows]
    if len(revisions) != 1 or not _REVISION.fullmatch(revisions[0]):
        raise _foreign_log_error("its version is none that there is")
    check_revision(revisions[0])


def _check_rows(db: sqlite3.Connection) -> None:
    limits = (MAX_EVENT_NUMBER, MAX_EVENT_BYTES)
    if odd := db.execute(_INVALID_ROW_QUERY, limits).fetchone():
        raise _foreign_log_error(f"entry {odd[0]} is none that a box has written")
    (last,) = db.execute("SELECT max(seq) FROM sqlite_sequence").fetchone()
    if last is not None and not (isinstance(last, int) and last <= MAX_EVENT_NUMBER):
        raise _foreign_log_error(f"no entry could follow on number {ascii(last)[:40]}")


@cache
def _known_statements() -> frozenset[str]:
    """Return the statements that create a log's tables, each on one line."""
    return frozenset(map(_on_one_line, (*schema_statements(), *_SQLITE_OWN_TABLES)))


def _on_one_line(sql: str) -> str:
    return " ".join(sql.split())


def _foreign_log_error(reason: str) -> StoreError:
    return StoreError(f"The log in the backup was not written by a Tongbox: {reason}.")
