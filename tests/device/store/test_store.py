"""The event log and the photographs on disk; what holds in both is in `test_both_stores.py`."""

from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.store import DiskFullError, Store, StoreError
from device.store.data_folder import ServingLock
from device.store.errors import FolderServedError
from device.store.events import TilesConfirmed
from device.store.store import RESERVED_BYTES
from tests.device.events import driver
from tests.prove import full_disk


def database(tmp_path: Path) -> sqlite3.Connection:
    return sqlite3.connect(tmp_path / "box" / "events.sqlite3")


def test_each_commit_reaches_the_disk(store: Store) -> None:
    (mode,), (level,) = (
        driver(store).execute(f"PRAGMA {name}").fetchone()
        for name in ("journal_mode", "synchronous")
    )
    assert (mode, level) == ("wal", 2), "2 is FULL: the log is synced with every commit"


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE events SET kind = 'other'", "what happened stays as it happened"),
        ("DELETE FROM events", "nothing is forgotten"),
        ("INSERT INTO events VALUES (9, 'a', 'k', '{\"tor', '2026-01-01')", "half an event"),
    ],
)
def test_the_log_only_grows_and_only_by_whole_events(
    store: Store, tmp_path: Path, statement: str, reason: str
) -> None:
    store.append("a", TilesConfirmed())
    db = database(tmp_path)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    db.close()
    assert len(store.events("a")) == 1, reason


@pytest.mark.parametrize(
    ("text", "written_at"),
    [
        ('{"tor', "2026-01-01T00:00:00+00:00"),
        ("[1]", "2026-01-01T00:00:00+00:00"),
        ("{}", "yesterday"),
    ],
)
def test_a_torn_event_is_refused_by_name(
    store: Store, tmp_path: Path, text: str, written_at: str
) -> None:
    db = database(tmp_path)
    db.execute("PRAGMA ignore_check_constraints = ON")
    db.execute("INSERT INTO events VALUES (7, 'a', 'k', ?, ?)", (text, written_at))
    db.commit()
    db.close()
    with pytest.raises(StoreError, match="Event 7"):
        store.events("a")


def test_a_full_disk_leaves_no_half_photo(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DiskFullError, match="disk is full"):
        store.keep_photo(b"pixels")
    assert list((tmp_path / "box" / "photos").iterdir()) == []


def test_what_cannot_be_written_is_refused_and_the_rest_stays(tmp_path: Path) -> None:
    # In a process of its own, which alone may then write no large files.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        counts = pool.apply(full_disk.fill_files, (tmp_path,))
    assert counts["writing failed"] > 0, "the log could not grow"
    assert counts["kept in all"] > counts["kept before the disk was full"] > 0


@pytest.mark.prove
def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    counts = full_disk.fill_disk(tmp_path)
    if counts is None:
        pytest.skip("only root may mount a small disk")
    assert counts["writing failed"] == 0, "the words are those of a full disk"
    assert counts["no room for a photograph or score"] >= full_disk.TRIES_WHILE_FULL
    assert counts["kept in all"] > counts["kept before the disk was full"] > 0


def test_a_disk_nearly_full_takes_scores_but_no_photographs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(RESERVED_BYTES + 5))
    store.keep_photo(b"12345")
    with pytest.raises(DiskFullError):
        store.keep_photo(b"123456")
    assert store.append("a", TilesConfirmed())


def test_what_was_being_written_when_the_box_stopped_is_swept_up(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.keep_crop("first", b"pixels")
    store.close()
    for folder in ("photos", "crops/first"):
        (tmp_path / folder / ".half-x").write_bytes(b"pix")
    Store(tmp_path).close()
    assert not list(tmp_path.rglob(".half-*"))
    assert len(list(tmp_path.rglob("*.png"))) == 1


def test_what_another_process_is_writing_is_left_alone(store: Store, tmp_path: Path) -> None:
    half = tmp_path / "box" / "photos" / ".half-x"
    half.write_bytes(b"pix")
    Store(tmp_path / "box").close()  # as `tongbox export` does while the box serves
    assert half.exists()


def test_a_folder_that_cannot_be_used_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "photos").write_bytes(b"a file where a folder should be")
    with pytest.raises(StoreError, match="data folder cannot be used"):
        Store(tmp_path)


def test_the_page_says_that_there_is_no_room(
    client: FlaskClient, read_hand: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise DiskFullError

    monkeypatch.setattr(Store, "append", full)
    answer = client.post(f"/hand/{read_hand}/right")
    assert answer.status_code == 507
    assert "The box is full" in answer.text


def test_of_many_that_begin_at_once_one_serves_and_the_others_are_told_where(
    tmp_path: Path,
) -> None:
    def begin_serving(number: int) -> ServingLock | str:
        try:
            return ServingLock(tmp_path)
        except FolderServedError as error:
            return str(error)

    with ThreadPoolExecutor(8) as starting:
        results = list(starting.map(begin_serving, range(8)))
    (lock,) = (each for each in results if isinstance(each, ServingLock))
    messages = [each for each in results if isinstance(each, str)]
    assert all(f"is open already with the hands in {tmp_path}" in each for each in messages)
    lock.tell("http://192.0.2.7:8080/")
    with pytest.raises(FolderServedError, match=r"at http://192\.0\.2\.7:8080/"):
        ServingLock(tmp_path)
    lock.close()
    ServingLock(tmp_path).close()
