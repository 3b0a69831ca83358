"""The event log and the photographs on disk; what holds in both stores is in `test_either.py`."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from device.store import DiskFullError, Store, StoreError
from device.store.events import (
    TileCorrected,
    TilesConfirmed,
)
from tests.device.events import driver


def database(tmp_path: Path) -> sqlite3.Connection:
    return sqlite3.connect(tmp_path / "box" / "events.sqlite3")


def test_each_commit_reaches_the_disk(store: Store) -> None:
    (mode,), (level,) = (
        driver(store).execute(f"PRAGMA {name}").fetchone()
        for name in ("journal_mode", "synchronous")
    )
    assert (mode, level) == ("wal", 2), "2 is FULL: the log is synced with every commit"


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE events SET kind = 'other'", "what happened stays as it happened"),
        ("DELETE FROM events", "nothing is forgotten"),
        ("INSERT INTO events VALUES (9, 'a', 'k', '{\"tor', '2026-01-01')", "half an event"),
    ],
)
def test_the_log_only_grows_and_only_by_whole_events(
    store: Store, tmp_path: Path, statement: str, why: str
) -> None:
    store.append("a", TilesConfirmed())
    db = database(tmp_path)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    db.close()
    assert len(store.events("a")) == 1, why


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"tor', "2026-01-01T00:00:00+00:00"),
        ("[1]", "2026-01-01T00:00:00+00:00"),
        ("{}", "yesterday"),
    ],
)
def test_a_torn_event_is_refused_by_name(store: Store, tmp_path: Path, text: str, at: str) -> None:
    db = database(tmp_path)
    db.execute("PRAGMA ignore_check_constraints = ON")
    db.execute("INSERT INTO events VALUES (7, 'a', 'k', ?, ?)", (text, at))
    db.commit()
    db.close()
    with pytest.raises(StoreError, match="Event 7"):
        store.events("a")


def test_a_log_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    text = b"not a database, whatever its name says" * 99
    (tmp_path / "events.sqlite3").write_bytes(text)
    Store(tmp_path).close()
    assert (tmp_path / "broken-1" / "events.sqlite3").read_bytes() == text


def test_a_full_disk_leaves_no_half_photo(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DiskFullError, match="disk is full"):
        store.keep_photo(b"pixels")
    assert list((tmp_path / "box" / "photos").iterdir()) == []


def test_a_photo_sent_twice_is_kept_once(store: Store, tmp_path: Path) -> None:
    assert store.keep_photo(b"same") == store.keep_photo(b"same")
    assert len(list((tmp_path / "box" / "photos").iterdir())) == 1


def test_a_missing_photo_is_named(store: Store) -> None:
    with pytest.raises(StoreError, match="abc"):
        store.photo("abc")


def test_events_are_plain_json_for_other_programs(store: Store, tmp_path: Path) -> None:
    store.append("a", TileCorrected(tile=3, code="B1"))
    db = database(tmp_path)
    (text,) = db.execute("SELECT json FROM events").fetchone()
    db.close()
    assert json.loads(text) == {"tile": 3, "code": "B1"}
