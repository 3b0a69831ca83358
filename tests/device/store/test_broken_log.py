"""A log that a card has spoilt is followed by what can be read of it, and players are told."""

from __future__ import annotations

import hashlib
import random
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from device.doctor import Machine
from device.doctor.log_checks import check_log
from device.store import Store
from device.store.backup import restore, write_backup
from device.store.data_folder import JOURNAL_FILE, LOG_FILE
from device.store.events import LogSalvaged, MatchEnded, SettingChanged, TilesConfirmed
from device.store.log_schema import schema_statements
from device.store.salvage import describe_salvage
from tests.device import damages, evening
from tests.device.command import run_command
from tests.device.damages import Damage
from tests.device.page import Page
from tests.device.store.killed_renames import kill_steps, run_killed

Rows = Mapping[int, tuple[object, ...]]

DAMAGE_NOTICE = "Some hands and scores were damaged"


@pytest.fixture(scope="module")
def played_box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where an evening lies: `off`, the box switched off, and `plug`, its plug pulled."""
    folder = tmp_path_factory.mktemp("evening")
    evening.play(folder / "off", 8, plug_pulled=folder / "plug")
    return folder


def rows(log: Path) -> Rows:
    with closing(sqlite3.connect(log)) as db:
        return {row[0]: row for row in db.execute("SELECT seq, stream, kind, json, at FROM events")}


def pictures(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (folder / "photos").iterdir()
    }


def says(html: str) -> str:
    return Page(html).text


DAMAGES: list[tuple[str, Damage, float, bool, str]] = [
    ("off", damages.remove, 0, True, "no log beside photographs is no new box"),
    ("off", damages.empty, 0, True, "nor is an empty one"),
    ("off", damages.halve, 0.3, True, "a file that was cut off"),
    ("off", damages.behead, 1, True, "the first page gone: SQLite says that it is no database"),
    ("off", damages.zero_pages(4), 0.8, True, "four pages"),
    (
        "off",
        damages.zero_pages(4, damages.SECTOR),
        0.9,
        True,
        "four sectors: SQLite may see nothing",
    ),
    ("off", damages.write_text, 0, True, "something else under its name"),
    ("off", damages.make_folder, 0, True, "not even a file"),
    ("plug", damages.spoil_wal, 0.9, True, "SQLite forgets in silence what stands behind it"),
    ("plug", damages.remove_alone, 1, True, "what was written last stands beside it"),
    ("plug", damages.behead, 1, False, "all of it stands beside it"),
    ("plug", damages.cut_wal, 0.2, False, "looks as a write that a pulled plug cut off"),
]


@pytest.mark.parametrize(("file_names", "spoil", "share", "is_reported", "reason"), DAMAGES)
def test_what_can_be_read_is_there_again_and_the_page_says_so(
    played_box: Path,
    tmp_path: Path,
    file_names: str,
    spoil: Damage,
    share: float,
    is_reported: bool,
    reason: str,
) -> None:
    before = rows(played_box / "off" / LOG_FILE)
    shutil.copytree(played_box / file_names, tmp_path / "box")
    photographs = pictures(tmp_path / "box")
    spoil(tmp_path / "box", random.Random(3))
    spoilt_files = {
        p.name: p.read_bytes() for p in (tmp_path / "box").glob(f"{LOG_FILE}*") if p.is_file()
    }
    with evening.box(tmp_path / "box") as (phone, _):
        page = says(phone.get("/", follow_redirects=True).text)
        health = phone.get("/health")
    assert (DAMAGE_NOTICE in page) == is_reported, reason
    assert ("log salvaged" in health.get_json()["troubles"]) == is_reported, reason
    assert health.status_code == 200, "a new start would mend nothing more"
    after = rows(tmp_path / "box" / LOG_FILE)
    news = {seq: row for seq, row in after.items() if row[2] == LogSalvaged.kind}
    assert len(news) == is_reported
    # What was last is not always known: then numbers go on from the last that can be read.
    end = min(news, default=max(before) + 1)
    rows_left = {seq: row for seq, row in after.items() if seq < end}
    assert {seq: row for seq, row in rows_left.items() if before[seq] != row} == {}, (
        "nothing invented"
    )
    kinds = {row[2] for seq, row in after.items() if seq >= end} - {LogSalvaged.kind}
    assert kinds <= {"reading-begun", "reading-made"}, "a photograph is read again"
    assert len(rows_left) >= share * len(before), f"{len(rows_left)} of {len(before)}: {reason}"
    assert pictures(tmp_path / "box") == photographs, "no photograph is touched"
    old_log = tmp_path / "box" / "broken-1"
    if is_reported:
        assert {name: (old_log / name).read_bytes() for name in spoilt_files} == spoilt_files


READING = (
    ("doctor", "--report"),
    ("export", "--csv"),
    ("storage",),
    ("rules",),
    ("print", "label"),
    ("pin",),
    ("backup",),
)
"""Commands that change nothing: the next start of the box salvages the log, and says so there."""

_IS_MISSING = "is missing, though photos or copies are there"
CAUSES: dict[Damage, str] = {
    damages.remove: _IS_MISSING,
    damages.remove_alone: _IS_MISSING,
    damages.make_folder: _IS_MISSING,
    damages.empty: "is empty, though photos or copies are there",
}
"""What these commands say of a log that is not only damaged."""


@pytest.mark.parametrize(
    ("file_names", "spoil", "share", "reason"),
    [(*row[:3], row[4]) for row in DAMAGES if row[3]],
)
def test_what_only_reads_leaves_a_damaged_log_as_it_is(
    played_box: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    file_names: str, spoil: Damage, share: float, reason: str,
) -> None:  # fmt: skip
    monkeypatch.setattr("device.commands.doctor.examine", lambda box: iter([check_log(box)]))
    box = shutil.copytree(played_box / file_names, tmp_path / "box")
    spoil(box, random.Random(3))
    spoilt_files = read_files(box)
    for name, *options in READING:
        target = [str(tmp_path / name)] if name in ("doctor", "backup") else []
        outcome = run_command(name, *options, *target, "--data", str(box))
        is_refused = name == "doctor" or (not share and name != "backup")
        assert outcome.status == is_refused, (name, outcome.err, reason)
        cause = CAUSES.get(spoil, "is damaged")
        assert (name == "doctor") != (f"{cause}. What can still be read" in outcome.err), name
        assert read_files(box) == spoilt_files, (name, reason)


def test_a_box_that_began_anew_is_read_as_it_is(tmp_path: Path) -> None:
    """Its log is whole, though nothing of the one before could be read."""
    with closing(Store(tmp_path)) as store:
        store.keep_photo(b"pixels", ".jpg")
        store.append("m", MatchEnded())
    damages.empty(tmp_path, random.Random(1))
    with closing(Store(tmp_path)) as store:
        assert store.latest(LogSalvaged)
    outcome = run_command("pin", "--data", str(tmp_path))
    assert (outcome.status, outcome.err) == (0, "")


def read_files(folder: Path) -> dict[str, bytes]:
    """Return what the files of a box hold, but for an empty one, and SQLite's index of another."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite3-shm"]
    return {str(path): data for path in paths if (data := path.read_bytes())}


def test_it_is_told_until_somebody_has_read_it(played_box: Path, tmp_path: Path) -> None:
    shutil.copytree(played_box / "off", tmp_path / "box")
    damages.behead(tmp_path / "box", random.Random(1))
    with evening.box(tmp_path / "box") as (phone, _):
        for path in ("/", "/table/", "/setup/", "/single/"):
            page = says(phone.get(path, follow_redirects=True).text)
            assert DAMAGE_NOTICE in page, path
            assert "None is missing." in page
        assert phone.post("/salvaged/read").status_code == 303
        assert phone.post("/salvaged/read").status_code == 303, "twice is once"
    with evening.box(tmp_path / "box") as (phone, _):
        assert DAMAGE_NOTICE not in says(phone.get("/", follow_redirects=True).text)
    assert (
        len([row for row in rows(tmp_path / "box" / LOG_FILE).values() if "salvage" in str(row[2])])
        == 2
    )


def test_what_is_missing_is_counted_and_its_numbers_are_not_given_again(
    played_box: Path, tmp_path: Path
) -> None:
    shutil.copytree(played_box / "off", tmp_path / "box")
    before = rows(played_box / "off" / LOG_FILE)
    damages.halve(tmp_path / "box", random.Random(1))
    store = Store(tmp_path / "box")
    first_salvage = store.latest(LogSalvaged)
    store.close()
    assert first_salvage
    missing = {seq for a, b in first_salvage.event.missing for seq in range(a, b + 1)}
    assert missing == before.keys() - rows(tmp_path / "box" / LOG_FILE).keys()
    assert first_salvage.seq == max(before) + 1
    assert (first_salvage.event.kept, first_salvage.event.end_known) == (
        len(before) - len(missing),
        True,
    )
    assert first_salvage.event.touched, "of whom something is missing"
    damages.behead(tmp_path / "box", random.Random(1))
    store = Store(tmp_path / "box")
    second_salvage = store.latest(LogSalvaged)
    store.close()
    assert second_salvage
    assert second_salvage.event.missing == (), "what was told once is not told again"
    assert second_salvage.event.aside == "broken-2"


def test_a_log_of_a_newer_tongbox_is_left_alone(played_box: Path, tmp_path: Path) -> None:
    shutil.copytree(played_box / "off", tmp_path / "box")
    with closing(sqlite3.connect(tmp_path / "box" / LOG_FILE)) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("ALTER TABLE events RENAME TO happenings")
    before = (tmp_path / "box" / LOG_FILE).read_bytes()
    with pytest.raises(Exception, match="newer Tongbox"):
        Store(tmp_path / "box")
    assert (tmp_path / "box" / LOG_FILE).read_bytes() == before


STEPS = 6
"""Renames: what was read gets its name, the damaged log and the two files beside it go aside, the
new one takes its place, the damaged ones get a name of their own."""


@pytest.mark.slow
@pytest.mark.parametrize("step", kill_steps(STEPS, quick_steps=(0, 3)))
def test_a_salvage_that_is_killed_is_finished_at_the_next_start(tmp_path: Path, step: int) -> None:
    store = Store(tmp_path)
    for number in range(100):
        store.append("m", SettingChanged(str(number), "x" * 200))
    store.close()
    damages.blot(tmp_path, b'"name":"50"')
    spoilt_bytes = (tmp_path / LOG_FILE).read_bytes()
    run_killed(step, STEPS, "Store(Path(sys.argv[2])).close()", tmp_path)
    restarted_store = Store(tmp_path)
    salvages = restarted_store.of_kinds(LogSalvaged)
    events = {each.seq: each.event.name for each in restarted_store.of_kinds(SettingChanged)}
    restarted_store.close()
    assert len(salvages) == 1, "told once"
    lost_numbers = {
        seq for first, last in salvages[0].event.missing for seq in range(first, last + 1)
    }
    assert events == {n + 1: str(n) for n in range(100) if n + 1 not in lost_numbers}
    assert (tmp_path / "broken-1" / LOG_FILE).read_bytes() == spoilt_bytes
    left = {path.name for path in tmp_path.iterdir() if path.name[-4:] not in ("-wal", "-shm")}
    assert left == {LOG_FILE, "broken-1", "lock", "photos"}
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


SCHEMAS = Path(__file__).parent / "schemas"
LOG = ";".join(schema_statements()) + ";" + (SCHEMAS / "events-of-format-2.sql").read_text("utf-8")
"""A log with events."""


def interrupt_change(folder: Path, begin: str) -> None:
    """Leave a log as it lies in the middle of a change that has reached the disk."""
    other_folder = folder / "elsewhere"
    other_folder.mkdir(parents=True)
    with closing(sqlite3.connect(other_folder / LOG_FILE, isolation_level=None)) as db:
        db.executescript(begin)
        db.execute("PRAGMA cache_size = 1")  # so that pages are written before the commit
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE half (made)")
        for _ in range(500):
            db.execute("INSERT INTO half VALUES (?)", ("x" * 500,))
        for name in (LOG_FILE, JOURNAL_FILE):
            shutil.copy(other_folder / name, folder / name)
        db.execute("ROLLBACK")
    shutil.rmtree(other_folder)
    assert (folder / JOURNAL_FILE).stat().st_size > 0


@pytest.mark.parametrize("begin", ["", LOG], ids=["new", "with-events"])
def test_the_change_is_taken_back_and_the_box_starts(tmp_path: Path, begin: str) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(begin)
        events = db.execute("SELECT COUNT(*) FROM events").fetchone()[0] if begin else 0
    interrupt_change(tmp_path, begin)
    with closing(Store(tmp_path)) as store:
        assert len(list(store.of_kinds(TilesConfirmed))) <= events
        assert store.append("a", TilesConfirmed()) == events + 1
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as db:
        assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchone()
    assert not list(tmp_path.glob("broken-*")), "nothing is damaged"


def test_the_doctor_looks_at_such_a_log_too(tmp_path: Path) -> None:
    interrupt_change(tmp_path, LOG)
    before = read_files(tmp_path)
    assert check_log(Machine(tmp_path)).level == "ok"
    assert read_files(tmp_path) == before, "whoever only reads takes no change back"


def test_the_journal_of_one_log_is_never_left_beside_another(store: Store, tmp_path: Path) -> None:
    store.append("a", TilesConfirmed())
    write_backup(store.folder, tmp_path / "all.tar")
    target = tmp_path / "there"
    interrupt_change(target, LOG)
    hot = (target / JOURNAL_FILE).read_bytes()
    with closing(Store(target)):
        pass
    (target / JOURNAL_FILE).write_bytes(hot)  # whatever brought it back
    old_log = restore(tmp_path / "all.tar", target, replace=True)
    assert old_log is not None
    assert not (target / JOURNAL_FILE).exists()
    with closing(Store(target)) as restored_store:
        assert restored_store.raw_rows("a") == store.raw_rows("a")


SALVAGE_LINES = [
    (damages.halve, "49 events are there again; missing between them: 96", "pages lost within"),
    (damages.empty, "No event could be read; how many are missing is not known", "nothing is left"),
    (damages.write_text, "No event could be read; how many are missing is not known", "no log"),
]


@pytest.mark.parametrize(("damage", "line", "reason"), SALVAGE_LINES)
def test_the_line_about_a_salvage_says_no_more_than_is_known(
    played_box: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: damages.Damage,
    line: str, reason: str,
) -> None:  # fmt: skip
    shutil.copytree(played_box / "off", tmp_path / "box")
    damage(tmp_path / "box", random.Random(1))
    Store(tmp_path / "box").close()
    assert line in caplog.messages, reason


def test_the_last_events_may_be_missing_where_only_a_copy_was_read() -> None:
    line = LogSalvaged("torn", "", kept=50, missing=(), copied=50, end_known=False)
    assert describe_salvage(line).endswith("them: 0; the very last may be missing, too")
