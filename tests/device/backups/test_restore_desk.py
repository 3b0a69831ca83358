"""Restoring from a phone: checked wholly before anything changes, and nothing is lost."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.backups import BackupContents, NothingToRestoreError, RestoreDesk
from device.host.piece_upload import UploadOutOfStepError
from device.matches.repository import MatchRepository
from device.store import Store, StoreError
from device.store.backup import BackupRefusedError, stream_backup, write_backup
from device.store.events import MatchEnded
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS, settle


class Desk(RestoreDesk):
    """A desk of a box; it counts how often the box was to restart."""

    def __init__(self, store: Store) -> None:
        self.restarts = 0
        super().__init__(store, self._count)

    def _count(self) -> None:
        self.restarts += 1

    def send(self, data: bytes) -> BackupContents:
        """Send a file in two pieces."""
        token, half = self.begin(len(data)), len(data) // 2
        assert self.take(token, 0, data[:half]) == half
        assert self.take(token, half, data[half:]) == len(data)
        return self.finish(token)


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


@pytest.fixture
def match(matches: MatchRepository) -> str:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    return match


def pack_store(store: Store) -> bytes:
    return b"".join(stream_backup(store))


def restart(store: Store, folder: Path) -> Store:
    store.close()
    return Store(folder)


def test_what_is_streamed_is_what_the_command_writes(
    store: Store, match: str, read_hand: str, tmp_path: Path
) -> None:
    write_backup(store.folder, tmp_path / "all.tar")
    assert pack_store(store) == (tmp_path / "all.tar").read_bytes()
    assert not list(store.folder.glob(".half*")), "nothing stays beside it"


def test_a_shared_database_is_backed_up_as_a_folder_is(either_store: Store, tmp_path: Path) -> None:
    match = MatchRepository(either_store).begin(AGREED_TERMS)
    settle(MatchRepository(either_store), match, "Cy")
    either_store.pictures.keep(("0" * 64 + ".jpg",), b"no picture that is looked at")
    with closing(Store(tmp_path / "here")) as source:
        desk = Desk(source)
        desk.send(pack_store(either_store))
        desk.restore()
    with closing(Store(tmp_path / "here")) as source:
        assert MatchRepository(source).get(match) == MatchRepository(either_store).get(match)
        assert source.pictures.size(("0" * 64 + ".jpg",)) > 0


def test_it_is_said_what_is_in_a_backup(
    desk: Desk, store: Store, match: str, read_hand: str
) -> None:
    contents = desk.send(pack_store(store))
    assert (contents.matches, contents.hands, contents.photographs, contents.torn_count) == (
        1,
        1,
        1,
        0,
    )
    assert contents.last == store.events(read_hand)[-1].at
    assert desk.waiting_backup == contents == Desk(store).waiting_backup, "a restart keeps it"
    assert desk.restarts == 0
    desk.drop()
    assert desk.waiting_backup is None


def test_the_old_match_is_back_and_the_new_one_is_set_aside(
    desk: Desk, store: Store, matches: MatchRepository, match: str
) -> None:
    match_before = matches.get(match)
    desk.send(pack_store(store))
    matches.change(match, MatchEnded())
    newer = matches.begin(AGREED_TERMS)
    newest_seq = store.newer(-1, 0)
    desk.restore()
    assert desk.restarts == 1
    assert desk.is_under_way
    with pytest.raises(NothingToRestoreError):
        desk.restore()  # another phone taps, too
    with closing(restart(store, store.folder)) as restarted_store:
        assert MatchRepository(restarted_store).get(match) == match_before
        assert restarted_store.newer(-1, 0) > newest_seq, "phones hear that everything is new"
        desk = Desk(restarted_store)
        assert desk.waiting_backup is None
        (old_data,) = desk.set_aside
        assert old_data.contents.matches == 2
        assert b"".join(desk.stream(old_data.name)), "it can be downloaded"
        desk.bring_back(old_data.name)
    with closing(restart(restarted_store, store.folder)) as undone_store:
        assert MatchRepository(undone_store).get(newer)
        desk = Desk(undone_store)
        (old_data,) = desk.set_aside
        assert old_data.contents.matches == 1, "what was restored is set aside in turn"
        desk.delete(old_data.name)
        assert desk.set_aside == ()
        with pytest.raises(NothingToRestoreError):
            desk.bring_back(old_data.name)
        with pytest.raises(NothingToRestoreError):
            desk.delete("../photos")


Change = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    ("change", "reason", "why"),
    [
        (lambda _: b"A photograph", "foreign", "no tar"),
        (lambda data: data[: len(data) // 2], "damaged", "half of it came"),
        (lambda data: data.replace(b"match-begun", b"match-begum", 1), "damaged", "one letter"),
        (lambda data: data.replace(b"events.sqlite3", b"../../etc/hosts", 1), "foreign", "a path"),
    ],
)
def test_a_bad_file_changes_nothing(
    desk: Desk, store: Store, match: str, change: Change, reason: str, why: str
) -> None:
    data = change(pack_store(store))
    before = sorted(path.name for path in store.folder.iterdir())
    with pytest.raises(BackupRefusedError) as refusal:
        desk.send(data)
    assert refusal.value.reason == reason, why
    assert desk.waiting_backup is None
    assert not desk.is_under_way
    assert {path.name for path in store.folder.iterdir()} - set(before) <= {"restore"}
    assert list((store.folder / "restore").iterdir()) == []


def test_a_backup_of_a_newer_tongbox_is_refused(
    desk: Desk, store: Store, match: str, tmp_path: Path
) -> None:
    newer = pack_store(store)
    with closing(Store(tmp_path / "newer")) as newer_store:
        newer_store.log.driver.execute("PRAGMA user_version = 99")  # type: ignore[attr-defined]
        newer = pack_store(newer_store)
    with pytest.raises(StoreError, match="newer Tongbox"):
        desk.send(newer)


def test_damaged_records_are_counted_and_taken(desk: Desk, store: Store, match: str) -> None:
    write_raw(store, match, "match-won", {})
    assert desk.send(pack_store(store)).torn_count == 1


def test_pieces_of_another_upload_are_refused(desk: Desk) -> None:
    first, second = desk.begin(10), desk.begin(10)
    with pytest.raises(UploadOutOfStepError):
        desk.take(first, 0, b"x")
    with pytest.raises(UploadOutOfStepError):
        desk.take(second, 5, b"x")
    with pytest.raises(UploadOutOfStepError):
        desk.finish(second)
    with pytest.raises(UploadOutOfStepError):
        desk.take(secrets.token_hex(8), 0, b"x")


@pytest.mark.parametrize(("size", "fits"), [(0, False), (1, True), (2**60, False)])
def test_what_is_too_large_does_not_begin(desk: Desk, size: int, fits: bool) -> None:
    assert desk.has_room(size) == fits
