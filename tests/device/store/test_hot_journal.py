"""A plug pulled while the log is begun or brought up to date leaves SQLite's journal beside it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from device.doctor import Machine
from device.doctor.log_checks import check_log
from device.store import Store
from device.store.backup import back_up, restore
from device.store.data_folder import JOURNAL_FILE, LOG_FILE
from device.store.events import TilesConfirmed

SCHEMAS = Path(__file__).parent / "schemas"


def interrupted(folder: Path, begin: str) -> None:
    """Leave a log as it lies in the middle of a change that has reached the disk."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir(parents=True)
    with closing(sqlite3.connect(elsewhere / LOG_FILE, isolation_level=None)) as db:
        db.executescript(begin)
        db.execute("PRAGMA cache_size = 1")  # so that pages are written before the commit
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE half (made)")
        for _ in range(500):
            db.execute("INSERT INTO half VALUES (?)", ("x" * 500,))
        for name in (LOG_FILE, JOURNAL_FILE):
            shutil.copy(elsewhere / name, folder / name)
        db.execute("ROLLBACK")
    shutil.rmtree(elsewhere)
    assert (folder / JOURNAL_FILE).stat().st_size > 0


@pytest.mark.parametrize("schema", ["", *sorted(path.name for path in SCHEMAS.glob("*.sql"))])
def test_the_change_is_taken_back_and_the_box_starts(tmp_path: Path, schema: str) -> None:
    begin = (SCHEMAS / schema).read_text("utf-8") if schema else ""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(begin)
        events = db.execute("SELECT COUNT(*) FROM events").fetchone()[0] if schema else 0
    interrupted(tmp_path, begin)
    with closing(Store(tmp_path)) as store:
        assert len(list(store.of_kinds(TilesConfirmed))) <= events
        assert store.append("a", TilesConfirmed()) == events + 1
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as db:
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchone()
    assert not list(tmp_path.glob("broken-*")), "nothing is damaged"


def test_the_doctor_looks_at_such_a_log_too(tmp_path: Path) -> None:
    interrupted(tmp_path, (SCHEMAS / "format-1.sql").read_text("utf-8"))
    assert check_log(Machine(tmp_path)).level == "ok"


def test_the_journal_of_one_log_is_never_left_beside_another(store: Store, tmp_path: Path) -> None:
    store.append("a", TilesConfirmed())
    back_up(store.folder, tmp_path / "all.tar")
    there = tmp_path / "there"
    interrupted(there, (SCHEMAS / "format-1.sql").read_text("utf-8"))
    hot = (there / JOURNAL_FILE).read_bytes()
    with closing(Store(there)):
        pass
    (there / JOURNAL_FILE).write_bytes(hot)  # whatever brought it back
    aside = restore(tmp_path / "all.tar", there, replace=True)
    assert aside is not None
    assert not (there / JOURNAL_FILE).exists()
    with closing(Store(there)) as restored:
        assert restored.raw_rows("a") == store.raw_rows("a")
