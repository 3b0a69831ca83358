"""The box copies its log by itself: when, where, how many, and what they are good for."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from device.doctor import Machine
from device.doctor.log_checks import check_copies
from device.store import DiskFullError, Store, StoreError, integrity
from device.store import log_copies as copying
from device.store import log_copies as keeping
from device.store.backup import restore, write_backup
from device.store.data_folder import LOG_FILE
from device.store.events import LogSalvaged, MatchBegun, MatchEnded, SettingChanged
from device.store.integrity import is_marked_torn
from device.store.log_copies import (
    MIN_QUIET_S,
    LogKeeper,
    OtherBoxError,
    copy_everything,
    expired_copies,
    find_second_place,
    list_copies,
    load_last_copy,
    make_copy,
)
from tests.device import damages
from tests.device.fake_camera import wait_until

DAY = date(2026, 11, 21)

MATCH_START = MatchBegun(players=("Ann", "Bob"), ruleset="bmja", limit=1000, house=())


class Clock:
    """A box's two clocks, which a test puts on."""

    def __init__(self) -> None:
        self.current_time = datetime(2026, 11, 21, 20, tzinfo=UTC)
        self.seconds = 0.0

    def wait(self, **duration: float) -> None:
        self.current_time += timedelta(**duration)
        self.seconds += timedelta(**duration).total_seconds()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keeper(store: Store, place: Path, clock: Clock) -> LogKeeper:
    return LogKeeper(
        store, place, current_time=lambda: clock.current_time, clock=lambda: clock.seconds
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def seqs(log: Path) -> list[int]:
    with closing(sqlite3.connect(log)) as db:
        return [seq for (seq,) in db.execute("SELECT seq FROM events ORDER BY seq")]


def test_a_copy_is_due_when_a_match_has_ended_or_a_day_and_nobody_plays(
    store: Store, keeper: LogKeeper, clock: Clock, place: Path
) -> None:
    assert not keeper.look(), "nothing has happened"
    store.append("m", MATCH_START)
    assert not keeper.look(), "they play"
    clock.wait(seconds=MIN_QUIET_S / 2)
    store.append("m", SettingChanged("a", "b"))
    assert not keeper.look(), "still"
    clock.wait(seconds=MIN_QUIET_S)
    assert keeper.look(), "a match that nobody ended, a quarter of an hour ago"
    assert not keeper.look(), "nothing new"
    store.append("m", SettingChanged("a", "c"))
    clock.wait(hours=1)
    assert not keeper.look()
    assert not keeper.look(), "once a day is enough"
    store.append("m", MatchEnded())
    assert keeper.look(), "but a match that has ended is copied at once"
    store.append("m", SettingChanged("a", "d"))
    clock.wait(days=1)
    assert not keeper.look(), "just now, somebody did something"
    clock.wait(seconds=MIN_QUIET_S)
    assert keeper.look(), "another day"
    assert [len(list_copies(folder)) for folder in (store.folder, place)] == [3, 3]


def test_what_is_copied_is_all_there_is_in_both_places(
    store: Store, keeper: LogKeeper, place: Path, tmp_path: Path
) -> None:
    photo, crop = store.keep_photo(b"pixels", ".jpg"), store.keep_crop("first", b"png")
    (store.folder / "photos" / ("0" * 64)).write_bytes(b"torn")
    store.append("m", MatchEnded())
    assert keeper.look()
    assert seqs(list_copies(store.folder)[0]) == seqs(place / LOG_FILE) == [1]
    assert {p.name for p in (place / "photos").iterdir()} == {photo}, "not what is torn"
    assert {p.name for p in (place / "crops" / "first").iterdir()} == {crop}
    copy_state = load_last_copy(store.folder)
    assert (copy_state.seq, copy_state.second, copy_state.trouble) == (1, str(place), "")
    assert check_copies(Machine(store.folder)).state == "both"
    write_backup(place, tmp_path / "all.tar")  # it is laid out as a data folder is
    restore(tmp_path / "all.tar", tmp_path / "new")
    restored_store = Store(tmp_path / "new")
    assert restored_store.photo(photo) == b"pixels"
    restored_store.close()


def test_a_place_that_is_not_there_is_a_warning_and_the_card_has_its_copy(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    keeper = LogKeeper(store, tmp_path / "pulled-out", current_time=lambda: clock.current_time)
    store.append("m", MatchEnded())
    assert keeper.look()
    assert len(list_copies(store.folder)) == 1
    finding = check_copies(Machine(store.folder))
    assert (finding.level, finding.state) == ("warning", "away")
    assert not (tmp_path / "pulled-out").exists(), "an empty mount point is not filled"


def test_a_full_card_is_said_also_where_the_second_place_was_pulled_out(
    store: Store, keeper: LogKeeper, place: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append("m", MatchEnded())
    assert keeper.look()
    shutil.rmtree(place)
    monkeypatch.setattr("device.store.log_copies.make_copy", _refuse)
    store.append("m", MatchEnded())
    clock.wait(days=1)
    assert keeper.look()
    assert check_copies(Machine(store.folder)).state == "failed"


def _refuse(*_: object) -> Path:
    raise StoreError("The disk is full.")


def test_no_copy_takes_the_place_of_another_boxs(store: Store, place: Path, tmp_path: Path) -> None:
    other = Store(tmp_path / "other")
    other.append("other", MatchEnded())
    copy_everything(other.folder, place, DAY)
    other.close()
    store.append("m", MatchEnded())
    with pytest.raises(OtherBoxError):
        copy_everything(store.folder, place, DAY)
    assert len(list_copies(place)) == 1


def test_a_torn_log_is_not_copied_over_a_good_copy(
    store: Store, keeper: LogKeeper, tmp_path: Path
) -> None:
    for number in range(300):
        store.append("m", SettingChanged(str(number), "x" * 300))
    make_copy(store.folder, store.folder, DAY)
    store.append("m", MatchEnded())
    with closing(sqlite3.connect(store.folder / LOG_FILE)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    damages.blot(store.folder, b'"name":"150"')
    assert keeper.look()
    assert len(list_copies(store.folder)) == 1
    assert is_marked_torn(store.folder), "the next start looks it over, however long it is"
    assert check_copies(Machine(store.folder)).state == "failed"


def test_what_a_damaged_log_lacks_comes_from_the_newest_copy(store: Store) -> None:
    for number in range(50):
        store.append("m", SettingChanged(str(number), "x"))
    make_copy(store.folder, store.folder, DAY)
    store.append("m", MatchEnded())
    store.close()
    damages.remove(store.folder, random.Random(1))
    restored_store = Store(store.folder)
    salvage = restored_store.latest(LogSalvaged)
    restored_store.close()
    assert salvage
    assert (salvage.event.kept, salvage.event.copied, salvage.event.end_known) == (50, 50, False)


def test_it_looks_by_itself_while_the_box_runs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "FIRST_LOOK_S", 0.01)
    store.append("m", MatchEnded())
    with LogKeeper(store):
        wait_until(lambda: bool(load_last_copy(store.folder).at))
    assert len(list_copies(store.folder)) == 1


def test_a_long_log_is_looked_over_while_the_box_runs_and_salvaged_at_the_next_start(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integrity, "MAX_BYTES_CHECKED_AT_START", 10_000)
    for number in range(300):
        store.append("m", SettingChanged(str(number), "x" * 300))
    store.close()
    damages.blot(store.folder, b'"name":"150"')
    first = Store(store.folder)
    assert first.latest(LogSalvaged) is None, "nobody waits for it"
    with LogKeeper(first):
        wait_until(lambda: is_marked_torn(store.folder))
    first.close()
    second = Store(store.folder)
    assert second.latest(LogSalvaged)
    second.close()
    assert not is_marked_torn(store.folder)


def test_a_copy_of_a_log_that_went_another_way_is_left_out(store: Store, tmp_path: Path) -> None:
    """As after an older backup was restored: other things happened under the same numbers."""
    for number in range(40):
        store.append("m", SettingChanged(str(number), "x" * 900))
    write_backup(store.folder, tmp_path / "older.tar")
    for _ in range(20):
        store.append("m", SettingChanged("never", "happened"))
    make_copy(store.folder, store.folder, DAY)
    store.close()
    restore(tmp_path / "older.tar", store.folder, replace=True)
    restored_store = Store(store.folder)
    for _ in range(10):
        restored_store.append("m", SettingChanged("did", "happen"))
    restored_store.close()
    damages.behead(store.folder, random.Random(1))
    restored_store = Store(store.folder)
    events = restored_store.of_kinds(SettingChanged)
    restored_store.close()
    assert {each.event.name for each in events} == {*map(str, range(40)), "did"}


def copy_paths(days_ago: list[int]) -> list[Path]:
    """Return copies of so many days ago, the newest first."""
    names = (f"{1000 - n}-{DAY - timedelta(days=ago)}" for n, ago in enumerate(days_ago))
    return [Path(f"{name}.sqlite3") for name in names]


@pytest.mark.parametrize(
    ("days_ago", "stay", "reason"),
    [
        ([0] * 10, [0] * 3, "the newest few of one day, or of a box without a clock"),
        (list(range(60)), [0, 1, 2, 3, 4, 5, 6, 13, 20], "seven days, and the last of four weeks"),
        ([0, 7, 14, 21, 28, 35, 42, 49], [0, 7, 14, 21, 28, 35, 42], "seven evenings, one a week"),
        ([], [], "none"),
    ],
)
def test_copies_are_rotated(days_ago: list[int], stay: list[int], reason: str) -> None:
    paths = copy_paths(days_ago)
    expired = set(expired_copies(paths))
    assert [
        ago for ago, path in zip(days_ago, paths, strict=True) if path not in expired
    ] == stay, reason


def test_copies_take_no_more_room_than_they_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "MAX_COPIES_BYTES", 250)
    paths = [tmp_path / path for path in copy_paths([0, 1, 2, 3])]
    for path in paths:
        path.write_bytes(bytes(100))
    assert list(expired_copies(paths)) == paths[2:]
    monkeypatch.setattr(copying, "MAX_COPIES_BYTES", 10)
    assert list(expired_copies(paths)) == paths[1:], "the newest stays in any case"


def test_a_full_card_gets_no_copy(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.append("m", MatchEnded())
    make_copy(store.folder, store.folder, DAY)
    monkeypatch.setattr(copying, "MIN_FREE_BYTES", 2**60)
    with pytest.raises(DiskFullError):
        make_copy(store.folder, store.folder, DAY)
    assert len(list_copies(store.folder)) == 1


def test_a_stick_is_found_by_the_folder_on_it(tmp_path: Path) -> None:
    (tmp_path / "root/media/pi/STICK/tongbox-backups").mkdir(parents=True)
    assert find_second_place(tmp_path, tmp_path / "root") is None, (
        "the same disk is no second place"
    )
    assert find_second_place(Path("/proc"), tmp_path / "root") is not None
    assert find_second_place(Path("/proc"), tmp_path) is None


def test_a_log_that_cannot_be_read_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / LOG_FILE).write_bytes(b"no database" * 500)
    with pytest.raises(StoreError, match="torn"):
        make_copy(tmp_path, tmp_path, DAY)
    assert list_copies(tmp_path) == []
