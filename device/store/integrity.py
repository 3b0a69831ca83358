"""Check whether a log is whole, before anybody writes to it.

The log of a data folder is only read: if it is torn, it is set aside as it was found. A log from
elsewhere must be built as a Tongbox builds it. SQLite executes views and triggers of the file, so
each part of the schema must be one that some version of Tongbox wrote.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

from device.store import wal
from device.store.errors import TornLogError, telling_files, telling_log
from device.store.restoring import JOURNAL, LOG, PICTURES
from device.store.schema import FORMAT

Cause = Literal["missing", "empty", "torn"]
"""What is wrong: there is no log, it is empty, or it is damaged."""

COPIES = "backups"
"""The folder with copies of the log."""

MARK = "log-is-torn"
"""A file in the folder, made when the log is found torn at run time: the next start checks it."""

LATER = 32 * 2**20
"""A larger log is not checked completely before the box starts: a Raspberry Pi reads some 40 MB a
second from its card. A year and a half with an evening a week is less."""

_UNSOUND = """SELECT seq FROM events WHERE NOT json_valid(json) OR kind GLOB '*[^a-z-]*'
OR instr(stream, char(0)) OR instr(at, char(0)) LIMIT 1"""
"""Finds a row with a zeroed sector, which SQLite does not notice on a sound page."""


def fault(folder: Path, *, alone: bool = True) -> tuple[Cause, str] | None:
    """Return what is wrong with the log, and SQLite's own words; None if it is whole.

    A missing log is no fault in a new folder. The log of a newer Tongbox is not checked. `alone`
    means that nobody is writing: then the write-ahead log is checked too, frame by frame. Raises
    StoreError for a log that cannot be opened and may be whole.
    """
    log = folder / LOG
    if not log.exists():
        return ("missing", "") if _has_been_used(folder) else None
    if not log.is_file():
        return "torn", "it is no file"
    if not log.stat().st_size:
        return ("empty", "") if _has_been_used(folder) else None
    try:
        if (folder / JOURNAL).exists():
            if not alone:
                return None
            _roll_back(log)
        if _is_newer(log):
            return None
        found = _torn_end(log) if alone else ""
        if not found and not is_for_later(log):
            found = torn_pages(log)
    except TornLogError as error:
        return "torn", str(error.__cause__)
    if found:
        return "torn", found
    return ("empty", "") if not _has_events(log) and _has_been_used(folder) else None


def is_for_later(log: Path) -> bool:
    """Whether a log is too long to be checked before the page answers, and not known as torn."""
    return log.stat().st_size > LATER and not is_marked(log.parent)


def mark(folder: Path) -> None:
    """Mark the log as torn: players are told, and the next start salvages it."""
    with suppress(OSError):  # a full card is reported by itself
        (folder / MARK).touch()


def is_marked(folder: Path) -> bool:
    """Whether the log was found torn while the box ran."""
    return (folder / MARK).exists()


def torn_pages(log: Path) -> str:
    """Return what is wrong with the pages or rows of a log; empty if it is whole.

    Reads the whole log: 100 MB take 0.6 s on a desktop machine. Raises StoreError.
    """
    with telling_log(), closing(opened_to_read(log)) as db:
        (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok":
            return str(said)
        unsound = db.execute(_UNSOUND).fetchone() if _is_of_now(db) else None
        return f"row {unsound[0]} is damaged" if unsound else ""


def _roll_back(log: Path) -> None:
    """Let SQLite roll back an interrupted change from the journal beside the log.

    A read-only connection may not do that, and could not read the log. Raises StoreError.
    """
    with telling_log(), closing(sqlite3.connect(log)) as db:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()


def _torn_end(log: Path) -> str:
    """Return what is wrong with the write-ahead log, which SQLite would silently ignore."""
    beside = wal.of_log(log)
    with telling_files("The log of events cannot be read"):
        is_torn = beside.is_file() and wal.read(beside.read_bytes()).is_torn
    return "sectors of what was written last are damaged" if is_torn else ""


def _is_newer(log: Path) -> bool:
    with telling_log(), closing(opened_to_read(log)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0]) > FORMAT


def _has_events(log: Path) -> bool:
    with telling_log(), closing(opened_to_read(log)) as db:
        return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone())


def opened_to_read(log: Path) -> sqlite3.Connection:
    """Open a log read-only."""
    return sqlite3.connect(f"{log.absolute().as_uri()}?mode=ro", uri=True)


def _is_of_now(db: sqlite3.Connection) -> bool:
    """Whether the columns of the events have their current names."""
    return any(name == "stream" for _, name, *_ in db.execute("PRAGMA table_info(events)"))


def _has_been_used(folder: Path) -> bool:
    """Whether a folder holds files that show that it once had a log."""
    kept = (path for name in (*PICTURES, COPIES) for path in (folder / name).rglob("*"))
    beside = wal.of_log(folder / LOG)
    return any(path.is_file() for path in kept) or (beside.is_file() and beside.stat().st_size > 0)
