"""A copy of a folder that cannot be written: of one moment, and as opening would leave it."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.store import Store, StoreError, read_only_folder
from device.store.backup import stream_backup
from device.store.data_folder import prepare_restore, replace_at_next_start
from device.store.events import SetChosen
from device.store.read_only_folder import readable_folder, temporary_folder


def refuse(*_: object) -> None:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


@pytest.fixture
def read_only_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a box whose card refuses writes from now on."""
    with closing(Store(tmp_path / "box")) as store:
        store.append("a", SetChosen("first"))
        store.keep_photo(b"pixels", ".jpg")
    monkeypatch.setattr(read_only_folder, "try_file", refuse)
    return tmp_path / "box"


def files_copied(folder: Path) -> list[str]:
    with closing(Store(folder)) as store:
        return [each.event.set for each in store.of_kinds(SetChosen)]


def test_the_copy_goes_and_the_folder_stays_as_it_was(read_only_box: Path) -> None:
    before = {path: path.read_bytes() for path in read_only_box.rglob("*") if path.is_file()}
    with readable_folder(read_only_box) as readable:
        with closing(Store(readable.path)) as store:
            (place,) = store.pictures.places()
            assert store.pictures.read(place) == b"pixels"
        assert files_copied(readable.path) == ["first"]
    assert not readable.path.exists()
    assert {
        path: path.read_bytes() for path in read_only_box.rglob("*") if path.is_file()
    } == before


def test_a_stopped_restore_is_finished_in_the_copy(read_only_box: Path, tmp_path: Path) -> None:
    with closing(Store(tmp_path / "fresh")) as store:
        store.append("b", SetChosen("restored"))
        name = store.keep_photo(b"others", ".jpg")
    prepare_restore(tmp_path / "fresh")
    replace_at_next_start(read_only_box, tmp_path / "fresh")
    with readable_folder(read_only_box) as readable:
        assert files_copied(readable.path) == ["restored"]
        assert (readable.path / "photos" / name).read_bytes() == b"others"
    assert (read_only_box / "restored" / "photos" / name).exists()
    assert (read_only_box / "events.sqlite3").exists()


def test_a_torn_log_is_called_damaged_and_read_as_far_as_it_can_be(read_only_box: Path) -> None:
    log = read_only_box / "events.sqlite3"
    data = log.read_bytes()
    log.write_bytes(data[: len(data) // 2])
    with readable_folder(read_only_box) as readable:
        assert (
            f"Part of the log in {read_only_box} is damaged. Nothing can be written"
            in readable.notice
        )
        with closing(Store(readable.path)):
            pass  # salvaged in the copy
    assert log.read_bytes() == data[: len(data) // 2]


def test_a_log_that_somebody_writes_is_copied_as_it_is_at_one_moment(
    read_only_box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, copies = shutil.copyfile, []

    def copy_while_it_grows(source: Path, target: Path) -> None:
        copy(source, target)
        copies.append(source.name)
        if len(copies) < 3:
            with closing(Store(read_only_box)) as store:
                store.append("a", SetChosen(f"meanwhile {len(copies)}"))

    monkeypatch.setattr(shutil, "copyfile", copy_while_it_grows)
    monkeypatch.setattr(read_only_folder, "COPY_RETRY_S", 0)
    with readable_folder(read_only_box) as readable:
        assert files_copied(readable.path) == ["first", "meanwhile 1", "meanwhile 2"]
    monkeypatch.setattr(read_only_folder, "_log_state", lambda _: object())
    with pytest.raises(StoreError, match="somebody is writing to it all the time"):
        readable_folder(read_only_box).__enter__()


@pytest.mark.parametrize(
    ("fails", "parent", "reason"),
    [
        ((), "wished", "the wished folder takes it"),
        (("wished",), "system", "the wished one is on the worn card"),
        (("wished", "system"), "memory", "the card is the only disk"),
        (("wished", "system", "memory"), "", "nothing takes anything"),
    ],
)
def test_a_temporary_folder_is_made_where_one_can_be(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fails: tuple[str, ...],
    parent: str,
    reason: str,
) -> None:
    for name in {"wished", "system", "memory"} - set(fails):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "system"))
    monkeypatch.setattr(read_only_folder, "MEMORY_FOLDER", tmp_path / "memory")
    if not parent:
        with pytest.raises(StoreError, match="TMPDIR"):
            temporary_folder(tmp_path / "wished").__enter__()
        return
    with temporary_folder(tmp_path / "wished") as folder:
        assert folder.parent == tmp_path / parent, reason
    assert not folder.exists()


def test_a_running_box_whose_card_turns_read_only_still_sends_its_backup(
    read_only_box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = tempfile.TemporaryDirectory

    def make_elsewhere(prefix: str, dir: Path | None) -> tempfile.TemporaryDirectory[str]:
        if dir == read_only_box:
            refuse()
        return make(prefix=prefix, dir=dir)

    with closing(Store(read_only_box)) as store:
        monkeypatch.setattr(tempfile, "TemporaryDirectory", make_elsewhere)
        assert b"pixels" in b"".join(stream_backup(store))


@pytest.mark.parametrize("error", [BrokenPipeError(), StoreError("the reader's own")])
def test_what_the_reader_raises_is_its_own(read_only_box: Path, error: Exception) -> None:
    with pytest.raises(type(error)) as error_info, readable_folder(read_only_box):
        raise error
    assert error_info.value is error


def test_a_full_disk_is_none_that_cannot_be_written(
    read_only_box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def be_full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    reads: Callable[..., object] = be_full
    monkeypatch.setattr(read_only_folder, "try_file", reads)
    with readable_folder(read_only_box) as readable:
        assert readable.path == read_only_box
