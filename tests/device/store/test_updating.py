"""The log kept before an update, and put back: every hand is there, and nothing is lost."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from device.store import Store, StoreError, data_folder, updating
from device.store.data_folder import LOG_FILE
from device.store.events import SettingChanged
from device.store.updating import BACKUP_FOLDER, keep_log, put_log_back


def played(folder: Path) -> list[str]:
    """Return what was played in a folder."""
    with closing(Store(folder)) as store:
        return [each.stream for each in store.of_kinds(SettingChanged)]


def play(folder: Path, *hands: str) -> None:
    with closing(Store(folder)) as store:
        for hand in hands:
            store.append(hand, SettingChanged("language", "fr"))


def newer(folder: Path) -> None:
    """Let a newer Tongbox open a folder: an older one refuses it afterwards."""
    with closing(sqlite3.connect(folder / LOG_FILE)) as db:
        db.execute("PRAGMA user_version = 99")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    play(tmp_path / "box", "first", "second")
    return tmp_path / "box"


def test_a_log_of_a_newer_format_gives_way_and_is_kept(folder: Path) -> None:
    keep_log(folder)
    play(folder, "third")
    newer(folder)
    old_log = put_log_back(folder)
    assert played(folder) == ["first", "second"]
    assert old_log is not None
    with closing(sqlite3.connect(old_log / LOG_FILE)) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone() == (3,)


def test_what_was_played_meanwhile_stays_where_the_older_version_can_read_it(folder: Path) -> None:
    keep_log(folder)
    play(folder, "third")
    assert put_log_back(folder) is None
    assert played(folder) == ["first", "second", "third"]


def test_a_box_that_was_killed_left_a_part_of_its_log_at_the_open_end(
    folder: Path, tmp_path: Path
) -> None:
    dead = tmp_path / "dead"
    dead.mkdir()
    with closing(Store(folder)) as store:
        store.append("third", SettingChanged("language", "fr"))
        for end in ("", "-wal"):
            shutil.copy(folder / f"{LOG_FILE}{end}", dead / f"{LOG_FILE}{end}")
    keep_log(dead)
    newer(dead)
    put_log_back(dead)
    assert played(dead) == ["first", "second", "third"]


def tear_log(log: Path) -> None:
    data = bytearray(log.read_bytes())
    data[100:] = bytes(len(data) - 100)
    log.write_bytes(data)


def foreign(log: Path) -> None:
    log.write_bytes(b"no log of events" * 300)


@pytest.mark.parametrize("spoil", [tear_log, foreign, Path.unlink])
def test_a_log_that_the_newer_version_spoiled_gives_way(folder: Path, spoil: object) -> None:
    keep_log(folder)
    assert callable(spoil)
    spoil(folder / LOG_FILE)
    put_log_back(folder)
    assert played(folder) == ["first", "second"]


@pytest.mark.parametrize("spoil", [tear_log, foreign])
def test_one_that_was_torn_before_keeps_nobody_from_an_update(folder: Path, spoil: object) -> None:
    assert callable(spoil)
    spoil(folder / LOG_FILE)
    before = (folder / LOG_FILE).read_bytes()
    keep_log(folder)
    assert put_log_back(folder) is None
    assert (folder / LOG_FILE).read_bytes() == before
    assert (folder / BACKUP_FOLDER / LOG_FILE).read_bytes()[100:] == before[100:], (
        "but for SQLite's own count"
    )


def test_the_open_end_of_an_earlier_copy_is_not_taken_for_this_ones(folder: Path) -> None:
    (folder / BACKUP_FOLDER).mkdir()
    (folder / BACKUP_FOLDER / f"{LOG_FILE}-wal").write_bytes(b"of another log")
    keep_log(folder)
    newer(folder)
    put_log_back(folder)
    assert played(folder) == ["first", "second"]


def test_a_box_without_hands_has_nothing_to_keep(tmp_path: Path) -> None:
    keep_log(tmp_path)
    assert put_log_back(tmp_path) is None
    assert not (tmp_path / LOG_FILE).exists()


def test_while_a_box_runs_nothing_is_done(folder: Path) -> None:
    keep_log(folder)
    newer(folder)
    with closing(sqlite3.connect(folder / LOG_FILE)) as db:
        db.execute("PRAGMA user_version = 3")
    with closing(Store(folder)):
        for doing in (keep_log, put_log_back):
            with pytest.raises(StoreError, match="is running"):
                doing(folder)


@pytest.mark.parametrize("step", range(6))
def test_cut_off_on_the_way_back_it_goes_on(
    folder: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_log(folder)
    newer(folder)

    class CutError(BaseException):
        pass

    left = iter(range(step))
    for module, name in (
        (Path, "rename"),
        (data_folder, "sync_folder"),
        (shutil, "rmtree"),
        (updating, "_copy_bytes"),
    ):
        real = getattr(module, name)

        def cut(*args: object, real: object = real) -> object:
            if next(left, None) is None:
                raise CutError
            assert callable(real)
            return real(*args)

        monkeypatch.setattr(module, name, cut)
    with pytest.raises(CutError):
        put_log_back(folder)
    monkeypatch.undo()
    put_log_back(folder)
    assert played(folder) == ["first", "second"]


def test_the_command_says_what_was_done(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert updating.main("keep", folder) == 0
    assert capsys.readouterr().out == ""
    newer(folder)
    assert updating.main("back", folder) == 0
    output = capsys.readouterr().out
    assert output == f"What the newer version wrote is kept in {folder}/replaced-1.\n"
    (folder / BACKUP_FOLDER / LOG_FILE).unlink()
    (folder / BACKUP_FOLDER).rmdir()
    (folder / BACKUP_FOLDER).write_text("in the way")
    assert updating.main("keep", folder) == 1
    assert "The hands cannot be copied" in capsys.readouterr().out
