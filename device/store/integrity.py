"""Whether the log of a folder is whole, looked at before anybody writes to it.

SQLite is asked to read and never to write, so that a log that turns out to be torn is set aside as
it was found.
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
"""What is wrong: no log, one with nothing in it, or one that is damaged."""

COPIES = "backups"
"""The folder of the copies of the log (`device.store.copies`)."""

MARK = "log-is-torn"
"""A file in the folder: the log was found to be torn while the box ran, so the next start looks."""

LATER = 32 * 2**20
"""Bytes of a log from which on the start does not wait until all of it was looked over: a Raspberry
Pi reads some 40 MB a second from its card. A year and a half of an evening a week is less."""

_UNSOUND = """SELECT seq FROM events WHERE NOT json_valid(json) OR kind GLOB '*[^a-z-]*'
OR instr(stream, char(0)) OR instr(at, char(0)) LIMIT 1"""
"""What SQLite lets pass, for all its pages are well: a row of which a sector is zero."""


def fault(folder: Path, *, alone: bool = True) -> tuple[Cause, str] | None:
    """Return what is wrong with the log, and what SQLite says of it; None when it is whole.

    Where nothing else is kept either, no log is no fault: a new box has none. One of a newer
    Tongbox is left alone. `alone` says that nobody is writing: then what was written last is looked
    at frame by frame, too. Raises StoreError for a log that cannot be opened, and may be whole.
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
    """Whether a log is too long to be looked over before the page answers, and no harm is known."""
    return log.stat().st_size > LATER and not is_marked(log.parent)


def mark(folder: Path) -> None:
    """Remember that the log is torn: the next start salvages it, and until then it is said."""
    with suppress(OSError):  # on a card that takes no more, that is what is said
        (folder / MARK).touch()


def is_marked(folder: Path) -> bool:
    """Whether the log was found to be torn while the box ran."""
    return (folder / MARK).exists()


def torn_pages(log: Path) -> str:
    """Return what is wrong with the pages or rows of a log, nothing when it is whole.

    Reads all of it: 100 MB take 0.6 s of a desktop machine's core. Raises StoreError.
    """
    with telling_log(), closing(opened_to_read(log)) as db:
        (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok":
            return str(said)
        unsound = db.execute(_UNSOUND).fetchone() if _is_of_now(db) else None
        return f"row {unsound[0]} is damaged" if unsound else ""


def _roll_back(log: Path) -> None:
    """Let SQLite take back a change in which the box was stopped, from the journal beside the log.

    Who only reads may not do that, and could not read either. Raises StoreError.
    """
    with telling_log(), closing(sqlite3.connect(log)) as db:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()


def _torn_end(log: Path) -> str:
    """Return what is wrong with what was written last, which SQLite would pass over in silence."""
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
    """Open a log that is never written to so."""
    return sqlite3.connect(f"{log.absolute().as_uri()}?mode=ro", uri=True)


def _is_of_now(db: sqlite3.Connection) -> bool:
    """Whether the columns of the events have today's names."""
    return any(name == "stream" for _, name, *_ in db.execute("PRAGMA table_info(events)"))


def _has_been_used(folder: Path) -> bool:
    """Whether a folder holds what only a box leaves that had a log."""
    kept = (path for name in (*PICTURES, COPIES) for path in (folder / name).rglob("*"))
    beside = wal.of_log(folder / LOG)
    return any(path.is_file() for path in kept) or (beside.is_file() and beside.stat().st_size > 0)
