"""A disk that fills up loses nothing (`tests.prove.filling`), and scores go before photographs."""

from __future__ import annotations

import multiprocessing
import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.store import DiskFullError, Store, StoreError
from device.store.events import TilesConfirmed
from device.store.store import RESERVED_BYTES
from tests.prove import filling


def test_what_cannot_be_written_is_refused_and_the_rest_stays(tmp_path: Path) -> None:
    # In a process of its own, which alone may then write no large files.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        counts = pool.apply(filling.fill_files, (tmp_path,))
    assert counts["writing failed"] > 0, "the log could not grow"
    assert counts["kept in all"] > counts["kept before the disk was full"] > 0


@pytest.mark.prove
def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    counts = filling.fill_disk(tmp_path)
    if counts is None:
        pytest.skip("only root may mount a small disk")
    assert counts["writing failed"] == 0, "the words are those of a full disk"
    assert counts["no room for a photograph or score"] >= filling.TRIES_WHILE_FULL
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
    assert "no room left" in answer.text
