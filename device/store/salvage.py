"""Replace a torn or missing log with its readable events and those of its copies.

Nothing is deleted. The readable events are written to a new log. Once it is in SALVAGED_FOLDER, the
next process that opens the data folder finishes the salvage: the damaged log is put aside, and the
new one takes its place. An event in the new log says what is missing, so that players are told.
"""

from __future__ import annotations

import itertools
import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from device.store import integrity
from device.store.data_folder import LOG_FILE, LOG_SIDE_FILES
from device.store.errors import translate_file_errors, translate_log_errors
from device.store.events import BOX, KINDS, EventError, LogSalvaged, event_from_json, event_to_json
from device.store.files import UNFINISHED_PREFIX, give_to_owner, sync_folder
from device.store.log_schema import prepare_file
from device.store.sqlite_pages import LogPages, LogRow

SALVAGED_FOLDER = "salvaged"
"""The folder with the new log, and with a folder for the damaged one."""

BROKEN_FOLDER_PREFIX = "broken-"
"""Beginning of the names of folders with damaged logs."""

_LOG_FILES = (LOG_FILE, *LOG_SIDE_FILES)

_MAX_NAMED_STREAMS = 100
"""Damaged streams that are named. Nobody reads a longer list."""

_GAPS_QUERY = """SELECT seq + 1, next - 1 FROM (
    SELECT seq, LEAD(seq, 1, ?) OVER (ORDER BY seq) AS next
    FROM (SELECT 0 AS seq UNION ALL SELECT seq FROM events)
) WHERE next > seq + 1"""

_INSERT_ROW = "INSERT OR IGNORE INTO {} (seq, stream, kind, json, at) VALUES (?, ?, ?, ?, ?)"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EventGap:
    """A run of missing events: the first number and the last."""

    first: int
    last: int


def salvage_if_torn(folder: Path) -> None:
    """Check the log of a folder that nobody else uses; salvage it if it is torn or missing.

    Raises StoreError if that is not possible. Everything then stays as it was.
    """
    with translate_file_errors("The log of events cannot be salvaged"):
        finish_salvage(folder)
        fault = integrity.find_fault(folder)
        if fault is None:
            (folder / integrity.TORN_MARK_FILE).unlink(missing_ok=True)
            return
        cause, reason = fault
        _log.error("The log in %s is %s (%s); salvaging the readable part", folder, cause, reason)
        with (
            tempfile.TemporaryDirectory(prefix=UNFINISHED_PREFIX, dir=folder) as name,
            translate_log_errors(),
        ):
            fresh = Path(name)
            salvage_event = _salvage(folder, fresh, LogSalvaged(cause, reason, kept=0, missing=()))
            give_to_owner(fresh, folder)
            os.sync()
            fresh.rename(folder / SALVAGED_FOLDER)
        sync_folder(folder)
        finish_salvage(folder)
        (folder / integrity.TORN_MARK_FILE).unlink(missing_ok=True)
    _log.error("%s", describe_salvage(salvage_event))


def describe_salvage(event: LogSalvaged) -> str:
    """Return what a salvage kept, and what is missing as far as that is known."""
    if not event.kept:
        return "No event could be read; how many are missing is not known"
    count = sum(last - first + 1 for first, last in event.missing)
    end = "" if event.end_known else "; the very last may be missing, too"
    return f"{event.kept} events are there again; missing between them: {count}{end}"


def finish_salvage(folder: Path) -> None:
    """Finish a stopped salvage, if there is one; raise OSError."""
    new = folder / SALVAGED_FOLDER
    if not new.exists():
        return
    (broken_folder,) = new.glob(f"{BROKEN_FOLDER_PREFIX}*")
    if (new / LOG_FILE).exists():
        for name in _LOG_FILES:
            if (folder / name).exists():
                (folder / name).rename(broken_folder / name)
        (new / LOG_FILE).rename(folder / LOG_FILE)
    if any(broken_folder.iterdir()):
        broken_folder.rename(folder / broken_folder.name)
    shutil.rmtree(new)
    sync_folder(folder)


def _salvage(folder: Path, fresh: Path, salvage_event: LogSalvaged) -> LogSalvaged:
    """Make a log of all readable events; return its last event, which tells of the salvage."""
    numbered_names = (f"{BROKEN_FOLDER_PREFIX}{number}" for number in itertools.count(1))
    broken_name = next(name for name in numbered_names if not (folder / name).exists())
    (fresh / broken_name).mkdir()
    prepare_file(fresh / LOG_FILE)
    with (
        closing(sqlite3.connect(fresh / LOG_FILE, isolation_level=None)) as db,
        closing(LogPages(folder / LOG_FILE)) as own_pages,
    ):
        db.execute("PRAGMA synchronous = OFF")  # all is synced before it gets its name
        db.execute("BEGIN")
        db.executemany(_INSERT_ROW.format("events"), own_pages.rows())
        kept_count, last = _count_events(db), own_pages.last
        for copy in _copies(folder):
            last = max(last, _add_from_copy(db, copy))
        end_known = own_pages.last >= _last_number(db)
        last = max(last, _last_number(db))
        before = [row for (row,) in db.execute(_EARLIER_SALVAGES_QUERY, (LogSalvaged.kind,))]
        gaps = _subtract_gaps(_find_gaps(db, last), _earlier_gaps(before))
        salvage_event = LogSalvaged(
            salvage_event.cause,
            salvage_event.found,
            kept=_count_events(db),
            missing=tuple((gap.first, gap.last) for gap in gaps),
            copied=_count_events(db) - kept_count,
            end_known=end_known,
            touched=_damaged_streams(own_pages, gaps),
            aside=broken_name if any((folder / name).exists() for name in _LOG_FILES) else "",
        )
        time_text = datetime.now(UTC).isoformat(timespec="milliseconds")
        row = LogRow(last + 1, BOX, LogSalvaged.kind, event_to_json(salvage_event), time_text)
        db.execute(_INSERT_ROW.format("events"), row)
        db.execute("COMMIT")
    return salvage_event


_EARLIER_SALVAGES_QUERY = "SELECT json FROM events WHERE kind = ?"


def _copies(folder: Path) -> Iterator[Path]:
    """Yield the possible copies of the log, newest first."""
    yield from sorted((folder / integrity.COPIES_FOLDER).glob("*.sqlite3"), reverse=True)
    yield folder / "before-update" / LOG_FILE


def _add_from_copy(db: sqlite3.Connection, copy: Path) -> int:
    """Add the events that only a copy has; return the last number that the copy's log gave.

    A copy is ignored if the newest event in both logs differs: it was made before an older backup
    was restored, and its events no longer belong to this box.
    """
    if not copy.is_file():
        return 0
    db.execute("CREATE TEMP TABLE copy AS SELECT * FROM events WHERE 0")
    db.execute("CREATE UNIQUE INDEX temp.copy_by_seq ON copy (seq)")
    try:
        with closing(LogPages(copy)) as leaves:
            db.executemany(_INSERT_ROW.format("copy"), leaves.rows())
            last = leaves.last
        columns = "SELECT {0}.stream, {0}.kind, {0}.json, {0}.at FROM events JOIN copy USING (seq)"
        latest_rows = [
            db.execute(f"{columns.format(name)} ORDER BY seq DESC LIMIT 1").fetchone()
            for name in ("events", "copy")
        ]
        if latest_rows[0] != latest_rows[1]:
            return 0
        db.execute("INSERT OR IGNORE INTO events SELECT * FROM copy")
        return last
    finally:
        db.execute("DROP TABLE copy")


def _count_events(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT COUNT(*) FROM events").fetchone()[0])


def _last_number(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT COALESCE(MAX(seq), 0) FROM events").fetchone()[0])


def _find_gaps(db: sqlite3.Connection, last: int) -> list[EventGap]:
    return [EventGap(*row) for row in db.execute(_GAPS_QUERY, (last + 1,))]


def _earlier_gaps(texts: Iterable[str]) -> list[EventGap]:
    """Return the gaps that earlier salvages have reported already."""
    gaps: list[EventGap] = []
    for text in texts:
        with suppress(EventError):
            salvage_event = event_from_json(LogSalvaged.kind, text)
            gaps += (
                [EventGap(*gap) for gap in salvage_event.missing]
                if isinstance(salvage_event, LogSalvaged)
                else []
            )
    return gaps


def _subtract_gaps(gaps: Iterable[EventGap], reported_gaps: Iterable[EventGap]) -> list[EventGap]:
    """Return the gaps without the reported ones. A reported gap may lie anywhere."""
    left = list(gaps)
    for old in reported_gaps:
        cut = []
        for gap in left:
            if old.last < gap.first or gap.last < old.first:
                cut.append(gap)
                continue
            if gap.first < old.first:
                cut.append(EventGap(gap.first, old.first - 1))
            if old.last < gap.last:
                cut.append(EventGap(old.last + 1, gap.last))
        left = cut
    return left


def _damaged_streams(leaves: LogPages, gaps: list[EventGap]) -> tuple[str, ...]:
    """Return the streams with missing events, as far as the index of streams is readable."""
    streams: dict[str, None] = {}
    if gaps:
        for seq, name in leaves.streams():
            if name not in KINDS and any(gap.first <= seq <= gap.last for gap in gaps):
                streams[name] = None
    return tuple(streams)[:_MAX_NAMED_STREAMS]
