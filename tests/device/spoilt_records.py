"""Ways in which what is kept beside the log may be gone, old or torn: each is to be made again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

SPOILING_STATEMENTS = (
    ("DELETE FROM projections", "it may be thrown away at any time"),
    ("DROP TABLE projections", "so may the table"),
    ("UPDATE projections SET form = '0 of tongbox 0.1'", "another program may come to another"),
    ("UPDATE projections SET at = '2026-11-22T20:00:00.000+00:00'", "of another log's last event"),
    ("UPDATE projections SET version = version + 1", "of an event that there is not"),
    ("UPDATE projections SET events = events - 1", "of other events before the last"),
    ("UPDATE projections SET record = substr(record, 1, length(record) - 9)", "it is torn"),
    ("UPDATE projections SET record = X'80'", "it has other fields"),
    ("UPDATE projections SET record = X'C1FFFE'", "it is nothing at all"),
)
"""Statements, each with a reason."""

TAKES_NOTHING = """CREATE TRIGGER full BEFORE INSERT ON projections
BEGIN SELECT RAISE(ABORT, 'no space left'); END"""
"""What is to be kept is refused."""


def say(folder: Path, statement: str) -> None:
    """Say something to the database of a box that does not run."""
    with closing(sqlite3.connect(folder / "events.sqlite3")) as db, db:
        db.execute(statement)


def projection_versions(folder: Path, sort: str) -> dict[str, int]:
    """Return the versions at which records of a sort are kept, by stream."""
    with closing(sqlite3.connect(folder / "events.sqlite3")) as db:
        query = "SELECT stream, version FROM projections WHERE sort = ?"
        return dict(db.execute(query, (sort,)))
