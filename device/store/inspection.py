"""Check that a log from elsewhere is built as a Tongbox builds it, before it is opened.

SQLite executes views and triggers of the file. So each part of the schema must be one that some
version of Tongbox wrote.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from device.store.errors import StoreError, TornLogError, telling_log
from device.store.migrating import SCHEMA, newer
from device.store.schema import FORMAT, HEAD

MAX_EVENT_NUMBER = 10**12
"""Limit of an event's number: a thousand a second for thirty years. SQLite stops at 2^63-1."""

MAX_EVENT_BYTES = 4 * 2**20
"""Limit of an event's text: fifty times the longest that a box writes."""

_REVISION = re.compile(r"r[1-9][0-9]{0,3}")

_OF_SQLITE = (
    "CREATE TABLE sqlite_sequence(name,seq)",
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)

_NEEDED = frozenset({"events", "events_stay", "events_last"})
"""Parts of every format: the events, and the triggers that forbid changing them."""

_FIRST_FORMAT_WITH_STREAMS = 3

_ODD_ROW = """SELECT seq FROM events WHERE seq NOT BETWEEN 1 AND ? OR length(json) > ?
OR (typeof({stream}), typeof(kind), typeof(json), typeof(at)) != ('text', 'text', 'text', 'text')
LIMIT 1"""


def check_own_log(log: Path) -> None:
    """Raise StoreError for a log with damaged pages."""
    with telling_log(), closing(sqlite3.connect(log)) as db:
        _check_pages(db)


def check_foreign_log(log: Path) -> None:
    """Raise StoreError for a log that no Tongbox has written, or with damaged pages."""
    with telling_log(), closing(sqlite3.connect(log)) as db:
        version = _checked_version(db)
        _check_schema(db, version)
        _check_pages(db)
        _check_rows(db, version)


def _check_pages(db: sqlite3.Connection) -> None:
    (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise TornLogError(found)


def _checked_version(db: sqlite3.Connection) -> int:
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > FORMAT:
        raise newer(f"format {version}; this one knows {FORMAT}")
    if version < 1:
        raise _no_log("it has no version")
    return version


def _check_schema(db: sqlite3.Connection, version: int) -> None:
    made = db.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    known = _statements(version)
    for sort, name, sql in made:
        is_its_own = sort == "index" and sql is None and str(name).startswith("sqlite_autoindex_")
        if not is_its_own and _joined(str(sql)) not in known:
            raise _no_log(f"its {sort} {name!a} is none of ours")
    names = {name for _, name, _ in made}
    if missing := _NEEDED - names:
        raise _no_log(f"it has no {min(missing)}")
    if "alembic_version" in names:
        _check_revision(db.execute("SELECT version_num FROM alembic_version").fetchall())


def _check_revision(rows: list[tuple[object]]) -> None:
    said = [str(number) for (number,) in rows]
    if len(said) != 1 or not _REVISION.fullmatch(said[0]):
        raise _no_log("its version is none that there is")
    if int(said[0][1:]) > int(HEAD[1:]):
        raise newer(f"{said[0]}; this one knows {HEAD}")


def _check_rows(db: sqlite3.Connection, version: int) -> None:
    stream = "stream" if version >= _FIRST_FORMAT_WITH_STREAMS else "hand"
    limits = (MAX_EVENT_NUMBER, MAX_EVENT_BYTES)
    if odd := db.execute(_ODD_ROW.format(stream=stream), limits).fetchone():
        raise _no_log(f"entry {odd[0]} is none that a box has written")
    (last,) = db.execute("SELECT max(seq) FROM sqlite_sequence").fetchone()
    if last is not None and not (isinstance(last, int) and last <= MAX_EVENT_NUMBER):
        raise _no_log(f"no entry could follow on number {ascii(last)[:40]}")


@cache
def _statements(version: int) -> frozenset[str]:
    """Return the statements that create the tables of a format, each on one line."""
    ours = SCHEMA.read_text("utf-8").split("\n\n")
    if version < _FIRST_FORMAT_WITH_STREAMS:
        ours = [each.replace("stream", "hand") for each in ours]
    return frozenset(map(_joined, (*ours, *_OF_SQLITE)))


def _joined(sql: str) -> str:
    return " ".join(sql.split())


def _no_log(why: str) -> StoreError:
    return StoreError(f"The log in the backup was not written by a Tongbox: {why}.")
