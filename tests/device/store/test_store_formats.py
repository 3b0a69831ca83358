"""Logs that other versions wrote: their events are read, or the log is refused and untouched."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.commands.serve import load_camera_controls
from device.matches.repository import MatchRepository, open_hands
from device.matches.table_photo import TablePhotos
from device.settings import SettingsLog
from device.store import Event, Store, StoreError
from device.store.data_folder import LOG_FILE
from device.store.events import (
    CameraAdjusted,
    ExerciseDone,
    HandBegun,
    LearningAllowed,
    MatchBegun,
    PhotoTaken,
    SetChosen,
    SetPhotographed,
    SettingChanged,
    TablePhotographed,
    TilesConfirmed,
)
from device.tilesets.tile_sets import TileSets
from device.tutoring.progress import PracticeLog

FOLDER = Path(__file__).parent / "schemas"

EARLIER = (1, 2)
"""Formats whose events a log may still hold."""


def begin(folder: Path, version: int) -> None:
    """Write a data folder with the events of that format."""
    Store(folder).close()
    with closing(sqlite3.connect(folder / LOG_FILE)) as db:
        db.executescript((FOLDER / f"events-of-format-{version}.sql").read_text("utf-8"))


def rows(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as db:
        return db.execute("SELECT * FROM events ORDER BY seq").fetchall()


def tables(file: Path) -> tuple[int, set[tuple[str, str]]]:
    """Return a log's format, and all that it is made of."""
    with closing(sqlite3.connect(file)) as db:
        schema_rows = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        ).fetchall()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return version, {(name, " ".join(sql.split())) for name, sql in schema_rows}


OLDER = [
    ("PRAGMA user_version = 2", "the column of the stream had another name"),
    ("DROP TABLE alembic_version", "it is from before migrations were counted"),
    ("UPDATE alembic_version SET version_num = 'r5'", "it lacks the table of tried PINs"),
]


@pytest.mark.parametrize(("statement", "reason"), OLDER)
def test_a_log_that_is_too_old_names_the_release_that_reads_it(
    tmp_path: Path, statement: str, reason: str
) -> None:
    begin(tmp_path, 1)
    with closing(sqlite3.connect(tmp_path / LOG_FILE, isolation_level=None)) as db:
        db.execute(statement)
    before = rows(tmp_path / LOG_FILE), tables(tmp_path / LOG_FILE)
    with pytest.raises(StoreError, match=r"start Tongbox 0\.5\.0 with it once"):
        Store(tmp_path)
    assert (rows(tmp_path / LOG_FILE), tables(tmp_path / LOG_FILE)) == before, reason


def test_a_new_folder_has_nothing_to_copy(tmp_path: Path) -> None:
    Store(tmp_path).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["events.sqlite3", "lock", "photos"]


def test_what_a_newer_tongbox_put_beside_the_same_events_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as db, db:
        db.execute("UPDATE alembic_version SET version_num = 'r99'")
        db.execute("CREATE TABLE later (a)")
    before = tables(tmp_path / LOG_FILE)
    with closing(Store(tmp_path)) as store:
        store.append("a", TilesConfirmed())
    assert tables(tmp_path / LOG_FILE) == before


def test_a_newer_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=r"newer Tongbox \(format 99"):
        Store(tmp_path)
    assert tables(tmp_path / LOG_FILE)[0] == 99


@pytest.mark.parametrize("version", EARLIER)
def test_every_event_of_an_earlier_log_still_makes_sense(tmp_path: Path, version: int) -> None:
    begin(tmp_path / "box", version)
    stored_rows = rows(tmp_path / "box" / LOG_FILE)
    store = Store(tmp_path / "box")
    assert list(store.find_torn()) == []
    hands = open_hands(store)
    tables, sets = MatchRepository(hands.store), TileSets(store, hands)
    readers: dict[type[Event], Callable[[str], object]] = {
        PhotoTaken: hands.get,
        HandBegun: hands.get,
        MatchBegun: tables.get,
        TablePhotographed: TablePhotos(hands).get,
        SetPhotographed: sets.registrations.get,
        ExerciseDone: lambda stream: PracticeLog(store).progress(stream.removeprefix("pupil:")),
        SettingChanged: lambda _: SettingsLog(store).read(),
        SetChosen: lambda _: sets.chosen_set(),
        LearningAllowed: lambda _: sets.may_learn(),
        CameraAdjusted: lambda _: load_camera_controls(store),
    }
    readable_streams = {stream for kind in readers for stream in store.with_event(kind, limit=-1)}
    for kind, read in readers.items():
        for stream in store.with_event(kind, limit=-1):
            assert read(stream) is not None
    assert readable_streams == {row[1] for row in stored_rows}, "no stream was passed over"
    store.close()
