"""A backup that no Tongbox wrote is refused in words before anything of it is kept."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import math
import os
import resource
import shutil
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.cli import main
from device.hands import retention
from device.hands.repository import HandRepository
from device.hands.retention import RemovalRule, make_room
from device.store import Store, StoreError, backup
from device.store.backup import write_backup
from device.store.data_folder import LOG_FILE
from device.store.events import BOX, SettingChanged, TilesConfirmed
from tests.device.command import refusal_of
from tests.device.events import write_raw

Files = dict[str, bytes]

PHOTO = "photos/" + "0" * 64


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return the files of a good backup."""
    folder = tmp_path_factory.mktemp("good")
    with closing(Store(folder / "box")) as store:
        store.append(BOX, SettingChanged("camera_turned", True))
        store.keep_photo(b"pixels", ".jpg")
    write_backup(folder / "box", folder / "all.tar")
    with tarfile.open(folder / "all.tar") as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}  # type: ignore[union-attr]


def with_file_list(files: Files) -> Files:
    """Return files with a list of them that is right."""
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    digests.pop("files.json", None)
    return {n: d for n, d in files.items() if n != "files.json"} | {
        "files.json": json.dumps(digests).encode()
    }


def pack_tar(files: Files) -> bytes:
    """Return the tar of files."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return output.getvalue()


def beginning(name: str, kind: bytes, size: int, real_size: int = 0) -> bytes:
    """Return a header of a tar as any program may write it, with its checksum."""
    info = tarfile.TarInfo(name)
    info.size = size
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[156:157] = kind
    if real_size:
        block[483:495] = b"%011o\0" % real_size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def with_list(data: bytes) -> Callable[[Files], bytes]:
    """Return what puts another list in the place of a backup's own."""
    return lambda files: pack_tar(files | {"files.json": data})


def with_log(*statements: str) -> Callable[[Files], bytes]:
    """Return what lets a backup's log say something else; its list says the same."""

    def change(files: Files) -> bytes:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            db.deserialize(
                files[LOG_FILE][:18] + b"\1\1" + files[LOG_FILE][20:]
            )  # no WAL in memory
            for each in statements:
                db.execute(each)
            return pack_tar(with_file_list(files | {LOG_FILE: db.serialize()}))

    return change


NO_TRIGGERS = ("DROP TRIGGER events_stay", "DROP TRIGGER events_last")
ROW = "INSERT INTO events VALUES ({}, 'box', 'setting-changed', '{}', '2026-11-21T20:20:55+00:00')"

CASES: list[tuple[Callable[[Files], bytes], str, str]] = [
    # what is done to it, words, why
    (with_list(b"[" * 200_000), "its end is missing, or damaged", "Python gives up so deep"),
    (with_list(b'{"a": 1}'), "its end is missing, or damaged", "no checksum"),
    (lambda files: beginning(PHOTO, tarfile.GNUTYPE_SPARSE, 0, 200 * 2**20) + pack_tar(files),
     "is no file", "a hole, of which a few bytes come to all that one likes"),
    (lambda files: beginning("pax", tarfile.XHDTYPE, 512) + bytes(512) + pack_tar(files),
     "is no file", "a header that goes on"),
    (lambda files: beginning(PHOTO, tarfile.SYMTYPE, 0) + pack_tar(files), "is no file", "a link"),
    (lambda files: pack_tar({PHOTO: bytes(backup.MAX_PICTURE_BYTES + 1)} | files),
     "larger than it can be", "no photograph is"),
    (with_log("DROP TABLE events", "CREATE VIEW events AS WITH RECURSIVE n(seq) AS (SELECT 1 UNION "
              "ALL SELECT seq + 1 FROM n) SELECT seq, 'a' AS stream, 'b' AS kind, '{}' AS json, "
              "'' AS at FROM n"), "its view 'events' is none of ours", "a log without end"),
    (with_log("CREATE VIEW more AS SELECT 1"), "its view 'more' is none of ours", "a view beside"),
    (with_log("CREATE TABLE more (x)"), "its table 'more' is none of ours", "a table beside"),
    (with_log("CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM jobs; END"),
     "its trigger 'more' is none of ours", "what does something with each event"),
    (with_log("CREATE INDEX more ON events (length(json))"), "is none of ours", "an index beside"),
    (with_log("DROP TABLE events"), "it has no events", "no log"),
    (with_log(ROW.format(2**63 - 1, "{}")), f"entry {2**63 - 1} is none", "none could follow"),
    (with_log(ROW.format(-5, "{}")), "entry -5 is none", "nor come before the first"),
    (with_log("UPDATE sqlite_sequence SET seq = 9223372036854775807"), "no entry could follow",
     "the last number that SQLite gives"),
    (with_log(ROW.format(7, '{"a":"' + "x" * 5 * 2**20 + '"}')), "entry 7 is none", "5 MB of it"),
    (with_log(*NO_TRIGGERS), "it has no events_last", "its entries could be changed"),
    (with_log("UPDATE alembic_version SET version_num = 'r99'"), "a newer Tongbox (r99", "unknown"),
    (with_log("UPDATE alembic_version SET version_num = 'r\u00b2'"), "none that there is", "odd"),
    (with_log("DELETE FROM alembic_version"), "none that there is", "it says none"),
    (with_log("INSERT INTO alembic_version VALUES ('r5')"), "none that there is", "it says two"),
    (with_log("PRAGMA user_version = 0"), "it has no version", "of no format"),
    (with_log("PRAGMA user_version = -3"), "it has no version", "before the first"),
    (with_log("PRAGMA user_version = 99"), "a newer Tongbox", "of a format to come"),
    (with_log("PRAGMA user_version = 2"), "start Tongbox 0.5.0 with it once", "too old"),
    (with_log("UPDATE alembic_version SET version_num = 'r5'"), "start Tongbox 0.5.0", "the same"),
    (with_log("DROP TABLE alembic_version"), "it has no alembic_version", "of no revision"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "words", "reason"), CASES)
def test_what_no_box_wrote_is_refused_and_nothing_of_it_stays(
    good: Files, tmp_path: Path,
    spoil: Callable[[Files], bytes], words: str, reason: str,
) -> None:  # fmt: skip
    (tmp_path / "all.tar").write_bytes(spoil(good))
    output = refusal_output(tmp_path, reason)
    assert words in output, reason


def refusal_output(folder: Path, reason: str) -> str:
    """Return what the command says of a backup that it refuses, damaged or not."""
    data = folder / "new"
    error = refusal_of("restore", str(folder / "all.tar"), "--damaged", "--data", str(data))
    assert error.startswith("tongbox: ")
    assert error.count("\n") == 1, "a sentence"
    assert not data.exists() or [path.name for path in data.iterdir()] == ["lock"], reason
    return error


def test_the_good_one_is_taken(good: Files, tmp_path: Path) -> None:
    for number, data in enumerate((pack_tar(good), with_log("ANALYZE")(good))):
        (tmp_path / "all.tar").write_bytes(data)
        restore = ["restore", str(tmp_path / "all.tar"), "--data", str(tmp_path / f"{number}")]
        assert main(restore) == 0, "or nothing is shown by what is refused"


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let nobody write a larger file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_is_not_as_listed_is_not_even_written(good: Files, tmp_path: Path) -> None:
    photo = {PHOTO: bytes(3 * 2**20)}
    (tmp_path / "all.tar").write_bytes(pack_tar(with_file_list(good | {PHOTO: b"another"}) | photo))
    with files_of_at_most(2**20):
        assert "is not as it was kept" in refusal_output(tmp_path, "its checksum is another's")


def test_a_log_larger_than_any_is_refused_by_its_header(good: Files, tmp_path: Path) -> None:
    size = 4 * 2**30
    with (tmp_path / "all.tar").open("wb") as file:
        file.write(beginning(LOG_FILE, tarfile.REGTYPE, size))
        file.truncate(size + 2**20)
    with files_of_at_most(2**20):
        assert "larger than it can be" in refusal_output(tmp_path, "four gigabytes of nothing")


def test_what_does_not_fit_is_said_before_it_is_begun(
    good: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "all.tar").write_bytes(pack_tar(good))
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=20 * 2**20))
    assert "there are only 21 MB free" in refusal_output(tmp_path, "the reserve is more")


def no_such(path: Path) -> None:
    """Leave nothing there."""


@pytest.mark.parametrize("make", [no_such, Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_said(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "all.tar")
    assert "There is no file" in refusal_output(tmp_path, "nor waited for")
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_read_only_is_said_with_what_to_do(
    good: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "all.tar").write_bytes(pack_tar(good))

    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.mkdtemp", read_only)  # root may write everywhere
    output = refusal_output(tmp_path, "it is read-only")
    assert (
        f"cannot be restored to {tmp_path / 'new'}. Please see that you may write there" in output
    )


NAMES = [
    ("ABSOLUTE", "an absolute path leads anywhere"),
    ("../secret", "and so does one that climbs"),
    ("events.sqlite3", "the log is no photograph"),
    ("", "the folder itself"),
    ("a" * 64 + ".JPG", "never written so"),
    ("a" * 64 + "\n", "a line more"),
    ("\0", "no name of a file"),
]


@pytest.fixture
def secret(store: Store) -> Path:
    """Return a file that is no photograph of the box."""
    path = store.folder / "secret"
    path.write_bytes(b"nobody else's")
    return path


@pytest.mark.parametrize(("name", "reason"), NAMES)
def test_no_name_leads_out_of_the_photographs(
    store: Store, secret: Path, name: str, reason: str
) -> None:
    name = name.replace("ABSOLUTE", str(secret))
    with pytest.raises(StoreError, match="not in the data folder"):
        store.photo(name)
    assert store.photo_size(name) == 0, reason
    assert store.delete_photo(name) == 0, reason
    assert secret.exists(), reason
    assert (store.folder / "events.sqlite3").exists(), reason


@pytest.mark.parametrize("tile_set", ["../photos", "/etc", "", "."])
def test_no_tile_set_leads_out_of_the_crops(store: Store, secret: Path, tile_set: str) -> None:
    name = store.keep_photo(b"x" * 10) + ".png"
    (store.folder / "photos" / name).write_bytes(b"a photograph")
    with pytest.raises(StoreError):
        store.crop(tile_set, name)
    assert store.crops(tile_set) == frozenset()
    store.delete_crops(tile_set, [name])
    with pytest.raises(StoreError):
        store.keep_crop(tile_set, b"a tile")
    assert (store.folder / "photos" / name).read_bytes() == b"a photograph"


def test_no_page_shows_a_file_that_a_log_names(
    client: FlaskClient, store: Store, hands: HandRepository, secret: Path, read_hand: str
) -> None:
    _, _, kind, text, written_at = store.raw_rows(read_hand)[0]
    photo = hands.get(read_hand).photo
    assert photo is not None
    for name in (photo.original, photo.display, photo.thumbnail):
        text = text.replace(name, str(secret))
    write_raw(store, "elsewhere", kind, text, written_at)
    for page in ("photo.jpg", "thumbnail.jpg", "original"):
        answer = client.get(f"/hand/elsewhere/{page}")
        assert answer.status_code == 404, page
        assert b"nobody else's" not in answer.data


def test_a_log_that_says_that_a_file_was_removed_removes_none(
    store: Store,
    hands: HandRepository,
    secret: Path,
    read_hand: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "MIN_KEPT_HANDS", 0)
    hands.change(read_hand, TilesConfirmed())
    write_raw(store, "elsewhere", "photos-removed", {"names": [str(secret), "../secret"]})
    assert make_room(hands, RemovalRule(math.inf, lambda _: True)).hands == 1
    assert secret.exists()
