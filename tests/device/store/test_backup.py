"""All hands in one file, and back: nothing missing, nothing torn taken, nothing overwritten."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import tarfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.cli import main
from device.damage import cut_back
from device.matches.repository import MatchRepository, open_hands
from device.settings import SettingsLog
from device.store import DiskFullError, Store, StoreError, backup
from device.store.backup import restore, write_backup
from device.store.data_folder import PICTURE_FOLDERS
from device.store.events import PhotosRemoved, SettingChanged, TilesConfirmed
from tests.device.command import output_of, refusal_of
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS, settle
from tests.device.store.killed_renames import kill_steps, run_killed
from tests.device.store.test_store_formats import EARLIER, begin, rows

Files = dict[str, bytes]


@pytest.fixture
def photos_in_backup(store: Store) -> dict[str, str]:
    """Keep a hand with a photograph and a crop; return their names."""
    names = {"photo": store.keep_photo(b"pixels", ".jpg"), "crop": store.keep_crop("first", b"png")}
    store.append("a", PhotosRemoved(tuple(names.values())))
    return names


def photo_of(store: Store, hand: str) -> str:
    """Return the photograph that the one event of a hand names."""
    (event,) = (each.event for each in store.events(hand))
    assert isinstance(event, PhotosRemoved)
    return event.names[0]


def read(archive: Path) -> Files:
    with tarfile.open(archive) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}  # type: ignore[union-attr]


def write(archive: Path, files: Files) -> None:
    with tarfile.open(archive, "w") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


def test_a_backup_of_a_box_that_serves_comes_back_whole(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path
) -> None:
    assert write_backup(tmp_path / "box", tmp_path / "all.tar") == 2
    store.append("a", TilesConfirmed())  # the box goes on
    assert restore(tmp_path / "all.tar", tmp_path / "new") is None
    restored_store = Store(tmp_path / "new")
    assert restored_store.events("a") == store.events("a")[:1]
    assert restored_store.photo(photos_in_backup["photo"]) == b"pixels"
    assert restored_store.crop("first", photos_in_backup["crop"]) == b"png"
    restored_store.close()
    assert not list(tmp_path.rglob(".half-*"))


def test_a_backup_made_while_hands_are_played_lacks_nothing_that_it_names(
    store: Store, tmp_path: Path
) -> None:
    stop = threading.Event()

    def play() -> None:
        for number in itertools.count():
            if stop.is_set():
                return
            name = store.keep_photo(bytes([number % 256]) * number)
            store.append("a", PhotosRemoved((name,)))

    player = threading.Thread(target=play)
    player.start()
    try:
        for number in range(4):
            write_backup(tmp_path / "box", tmp_path / f"{number}.tar")
    finally:
        stop.set()
        player.join()
    for number in range(4):
        restore(tmp_path / f"{number}.tar", tmp_path / f"new{number}")
        restored_store = Store(tmp_path / f"new{number}")
        for each in restored_store.of_kinds(PhotosRemoved):
            restored_store.photo(each.event.names[0])
        restored_store.close()


def test_half_a_photograph_is_left_out(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "box" / "photos" / ".half-x").write_bytes(b"pix")
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    assert len(read(tmp_path / "all.tar")) == 4, "log, photograph, crop and list"


def test_a_backup_is_never_written_over_another_file(store: Store, tmp_path: Path) -> None:
    (tmp_path / "all.tar").write_bytes(b"last year's")
    with pytest.raises(StoreError, match="already"):
        write_backup(tmp_path / "box", tmp_path / "all.tar")
    assert (tmp_path / "all.tar").read_bytes() == b"last year's"


def test_a_backup_that_does_not_fit_leaves_nothing(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_member", full)
    with pytest.raises(DiskFullError):
        write_backup(tmp_path / "box", tmp_path / "all.tar")
    assert [path.name for path in tmp_path.iterdir()] == ["box"]


def test_where_no_hands_are_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No hands"):
        write_backup(tmp_path / "nowhere", tmp_path / "all.tar")
    assert not list(tmp_path.iterdir())


def file_list(files: Files, **changes: str) -> bytes:
    return json.dumps(json.loads(files["files.json"]) | changes).encode()


PHOTO = "photos/" + "0" * 64

SPOILT_BACKUPS: list[tuple[Callable[[Files], Files], str, str]] = [
    (lambda f: {n: d for n, d in f.items() if n != "files.json"}, "end is missing", "cut short"),
    (lambda f: {n: d for n, d in f.items() if n[:2] != "ph"}, "photos/", "a photograph is missing"),
    (lambda f: {n: d[:-1] if n[:2] == "ph" else d for n, d in f.items()}, "photos/", "a torn one"),
    (lambda f: {PHOTO: b"x"} | f, "photos/000", "one that is not on the list"),
    (
        lambda f: {"../evil": b"x"} | f,
        "evil does not belong",
        "a name that leads out of the folder",
    ),
    (lambda f: {"config.toml": b"x"} | f, "not belong", "what no backup holds"),
    (lambda f: {"files.json": b"{}"}, "no log", "nothing in it"),
    (lambda f: {"files.json": b"[1"}, "not a whole backup", "a list that is no list"),
    (lambda f: {"files.json": b"[]"}, "end is missing", "a list of another kind"),
]


@pytest.mark.parametrize(("spoil", "words", "reason"), SPOILT_BACKUPS)
def test_a_spoilt_backup_is_refused_before_anything_changes(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path,
    spoil: Callable[[Files], Files], words: str, reason: str,
) -> None:  # fmt: skip
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    write(tmp_path / "spoilt.tar", spoil(read(tmp_path / "all.tar")))
    with pytest.raises(StoreError, match=words):
        restore(tmp_path / "spoilt.tar", tmp_path / "new")
    assert not (tmp_path / "new").exists(), reason
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("cut", [0, 100, 3000, -1100, -10])
def test_a_backup_cut_short_is_refused(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path, cut: int
) -> None:
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    files = read(tmp_path / "all.tar")
    backup_bytes = (tmp_path / "all.tar").read_bytes()
    end = backup_bytes.index(files["files.json"]) + len(
        files["files.json"]
    )  # then comes padding alone
    (tmp_path / "cut.tar").write_bytes(backup_bytes[:end][:cut])
    with pytest.raises(StoreError):
        restore(tmp_path / "cut.tar", tmp_path / "new")


def test_a_torn_log_is_refused(store: Store, tmp_path: Path) -> None:
    for number in range(200):
        store.append("a", SettingChanged(str(number), "x" * 500))
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    files = read(tmp_path / "all.tar")
    log = bytearray(files["events.sqlite3"])
    log[8192:40960] = bytes(32768)
    digest = hashlib.sha256(log).hexdigest()
    torn_files = files | {"events.sqlite3": bytes(log)}
    write(
        tmp_path / "t.tar",
        torn_files | {"files.json": file_list(files, **{"events.sqlite3": digest})},
    )
    with pytest.raises(StoreError, match="log of events"):
        restore(tmp_path / "t.tar", tmp_path / "new")


@pytest.mark.parametrize("version", EARLIER)
def test_a_backup_of_an_earlier_format_comes_back(tmp_path: Path, version: int) -> None:
    begin(tmp_path / "box", version)
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    restore(tmp_path / "all.tar", tmp_path / "new")
    before, after = (rows(tmp_path / name / "events.sqlite3") for name in ("box", "new"))
    assert before == after


@pytest.fixture
def two_boxes(tmp_path: Path) -> Path:
    """Return where `old` and `other` are, each with a hand of that name; `all.tar` is `other`."""
    for name in ("old", "other"):
        store = Store(tmp_path / name)
        store.append(name, PhotosRemoved((store.keep_photo(name.encode()),)))
        store.keep_crop(name, name.encode())
        store.close()
    write_backup(tmp_path / "other", tmp_path / "all.tar")
    return tmp_path


def holds(folder: Path, hand: str) -> bool:
    """Whether a data folder holds just one of these hands, whole; it is opened as the box does."""
    store = Store(folder)
    try:
        if not store.events(hand):
            return False
        photos, crops = ({p.name for p in (folder / kind).rglob("*")} for kind in PICTURE_FOLDERS)
        assert store.photo(photo_of(store, hand)) == hand.encode()
        assert (len(photos), len(crops)) == (1, 2), "nothing of another hand's lies about"
        assert store.crops(hand)
        return True
    finally:
        store.close()


def test_hands_are_put_aside_and_only_when_asked(two_boxes: Path) -> None:
    file, old = two_boxes / "all.tar", two_boxes / "old"
    with pytest.raises(StoreError, match="holds hands already"):
        restore(file, old)
    for number in (1, 2):
        assert restore(file, old, replace=True) == old / f"replaced-{number}"
    assert holds(old / "replaced-1", "old")
    assert holds(old, "other")


STEPS = 8
"""Renames of a restore: what was unpacked gets its name, three of the old go aside, three of the
new take their places, the old get a name of their own."""

RESTORE = 'sys.exit(cli.main(["restore", sys.argv[2], "--replace", "--data", sys.argv[3]]))'


@pytest.mark.slow
@pytest.mark.parametrize("step", kill_steps(STEPS, quick_steps=(0, 4)))
def test_a_restore_that_is_killed_is_finished_at_the_next_start_or_never_began(
    two_boxes: Path, step: int
) -> None:
    old = two_boxes / "old"
    run_killed(step, STEPS, RESTORE, two_boxes / "all.tar", old)
    assert holds(old, "old" if step == 0 else "other")
    left = {path.name for path in old.iterdir() if path.is_dir()}
    assert left == {"photos", "crops"} | ({"replaced-1"} if step else set())
    assert step == 0 or holds(old / "replaced-1", "old")


@pytest.mark.parametrize("step", range(STEPS))
def test_a_restore_that_fails_loses_no_hands_and_can_be_done_again(
    two_boxes: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    steps, real = itertools.count(), Path.rename

    def copy_or_fail(path: Path, target: Path) -> Path:
        if next(steps) == step:
            raise OSError(5, "Input/output error")
        return real(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", copy_or_fail)
        with pytest.raises(StoreError, match="Input/output"):
            restore(two_boxes / "all.tar", two_boxes / "old", replace=True)
    restore(two_boxes / "all.tar", two_boxes / "old", replace=True)
    assert holds(two_boxes / "old", "other")
    assert holds(two_boxes / "old" / "replaced-1", "old")


def test_a_log_that_cannot_be_read_counts_as_hands(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path
) -> None:
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "events.sqlite3").write_bytes(b"not a database" * 99)
    with pytest.raises(StoreError, match="holds hands already"):
        restore(tmp_path / "all.tar", tmp_path / "new")
    assert restore(tmp_path / "all.tar", tmp_path / "new", replace=True)


def test_a_box_that_has_no_hands_yet_gives_way(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path
) -> None:
    Store(tmp_path / "new").close()
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    restore(tmp_path / "all.tar", tmp_path / "new")
    restored_store = Store(tmp_path / "new")
    assert len(restored_store.events("a")) == 1
    restored_store.close()


def test_nothing_is_restored_under_a_running_box(store: Store, tmp_path: Path) -> None:
    write_backup(tmp_path / "box", tmp_path / "all.tar")
    with pytest.raises(StoreError, match="running"):
        restore(tmp_path / "all.tar", tmp_path / "box", replace=True)


def test_the_commands_say_what_they_did(
    store: Store, photos_in_backup: dict[str, str], tmp_path: Path
) -> None:
    box, new, file = (str(tmp_path / name) for name in ("box", "new", "all.tar"))
    assert "2 pictures" in output_of("backup", file, "--data", box)
    assert "choose another name" in refusal_of("backup", file, "--data", box)
    assert "as it was" in output_of("restore", file, "--data", new)
    assert "--replace" in refusal_of("restore", file, "--data", new)
    assert "replaced-1" in output_of("restore", file, "--data", new, "--replace")


BAD: list[tuple[str, str, dict[str, object], str]] = [
    ("box", "setting-changed", {"name": "colour", "value": "red"}, "a setting of another program"),
    ("box", "setting-changed", {"name": "pin", "value": True}, "a PIN that is none"),
    ("MATCH", "deal-settled", {"winner": "Eve", "scores": {}}, "a player of another table"),
    ("MATCH", "hand-melted", {}, "a kind of a newer program"),
    ("HAND", "tile-corrected", {"tile": 99, "code": "B1"}, "a tile that is not there"),
    ("new", "match-begun", {"players": ["Ann"], "ruleset": "bmja"}, "a match of one"),
]


@pytest.fixture
def match(matches: MatchRepository) -> str:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    return match


@pytest.mark.parametrize(("stream", "kind", "data", "reason"), BAD)
def test_what_makes_no_sense_is_refused_before_the_swap(
    store: Store, match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    stream: str, kind: str, data: dict[str, object], reason: str,
) -> None:  # fmt: skip
    hand = open_hands(store).begin_by_hand("bmja")
    seq = write_raw(store, {"MATCH": match, "HAND": hand}.get(stream, stream), kind, data)
    write_backup(store.folder, tmp_path / "all.tar")
    target = tmp_path / "here"
    with closing(Store(target)) as target_store:
        SettingsLog(target_store).change("camera_turned", True)
    before = (target / "events.sqlite3").read_bytes()

    restore = ["restore", str(tmp_path / "all.tar"), "--replace", "--data", str(target)]
    assert f"Event {seq} ({kind})" in refusal_of(*restore), reason
    assert (target / "events.sqlite3").read_bytes() == before

    assert main([*restore, "--damaged"]) == 0, "it is all that there is"
    with closing(Store(target)) as target_store:
        assert len(MatchRepository(target_store).state_so_far(match).record.past) == 1  # type: ignore[union-attr]


def test_a_match_that_was_cut_back_comes_back(
    store: Store, matches: MatchRepository, match: str, tmp_path: Path
) -> None:
    torn_event = write_raw(store, match, "match-won", {})
    cut_back(store, match, torn_event)
    write_backup(store.folder, tmp_path / "all.tar")
    assert main(["restore", str(tmp_path / "all.tar"), "--data", str(tmp_path / "here")]) == 0
    with closing(Store(tmp_path / "here")) as target_store:
        assert MatchRepository(target_store).get(match) == matches.get(match)
