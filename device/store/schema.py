"""The tables of the log, and how one that an earlier Tongbox wrote is brought up to date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from device.store.errors import StoreError, telling_files
from device.store.files import HALF, sync_folder

Step = tuple[str, ...]
"""The statements that lead from one format to the next, in one transaction."""

_EVENTS: Step = (
    """CREATE TABLE events (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    hand TEXT NOT NULL,
    kind TEXT NOT NULL,
    json TEXT NOT NULL CHECK (json_valid(json)),
    at   TEXT NOT NULL
)""",
    "CREATE INDEX events_by_hand ON events (hand, seq)",
    """CREATE TRIGGER events_stay BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
    """CREATE TRIGGER events_last BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END""",
)

_BY_KIND: Step = (
    # The newest hands, and which set is on the table, are asked for with every page; without
    # this, each time all events ever written are looked through.
    "CREATE INDEX events_by_kind ON events (kind, seq)",
)

_STREAMS: Step = (
    # What an event happened to was called a hand before there were matches, tile sets and pupils.
    "ALTER TABLE events RENAME COLUMN hand TO stream",
    "DROP INDEX events_by_hand",
    "CREATE INDEX events_by_stream ON events (stream, seq)",
)

STEPS: tuple[Step, ...] = (_EVENTS, _BY_KIND, _STREAMS)
"""Step n leads from format n to format n + 1; a new log takes them all. Steps are only ever added:
`tests/device/store/schemas` has a log of each earlier format."""


def bring_up_to_date(db: sqlite3.Connection, file: Path) -> None:
    """Make the log in a file what this Tongbox knows, after copying an older one.

    Raises StoreError for a log of a newer format, and sqlite3.Error.
    """
    version = _version(db)
    if version > len(STEPS):
        raise StoreError(
            f"The data folder was written by a newer Tongbox (format {version}; this one knows "
            f"{len(STEPS)}). Please update this one; nothing was changed."
        )
    if 0 < version < len(STEPS):
        _copy(db, file.with_name(f"{file.stem}-format-{version}{file.suffix}"))
    for _ in range(version, len(STEPS)):
        _take_step(db)


def _take_step(db: sqlite3.Connection) -> None:
    """Take the step that is next, unless another process has just taken it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        version = _version(db)
        if version < len(STEPS):
            for statement in STEPS[version]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {version + 1}")
        db.execute("COMMIT")
    except sqlite3.Error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _version(db: sqlite3.Connection) -> int:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def _copy(db: sqlite3.Connection, target: Path) -> None:
    """Copy the log whole, so that an update which goes wrong can be taken back."""
    half = target.with_name(HALF + target.name)
    half.unlink(missing_ok=True)
    with closing(sqlite3.connect(half)) as copy:
        db.backup(copy)
    with telling_files("The log cannot be copied before it is brought up to date"):
        half.replace(target)
        sync_folder(target.parent)
