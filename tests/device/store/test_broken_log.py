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

from device.store import Store
from device.store.data_folder import LOG_FILE
from device.store.events import LogSalvaged
from tests.device import damages, evening
from tests.device.damages import Damage
from tests.device.page import Page
from tests.device.serving import served

Rows = Mapping[int, tuple[object, ...]]

DAMAGED = "The box's memory was damaged"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    ("off", damages.zeroed(1), 0.9, True, "one page"),
    ("off", damages.zeroed(4), 0.8, True, "four pages"),
    ("off", damages.zeroed(16), 0.4, True, "sixteen of some fifty"),
    ("off", damages.zeroed(4, damages.SECTOR), 0.9, True, "four sectors: SQLite may see nothing"),
    ("off", damages.scribbled(4), 0.9, True, "four sectors with anything in them"),
    ("off", damages.write_text, 0, True, "something else under its name"),
    ("off", damages.make_folder, 0, True, "not even a file"),
    ("plug", damages.spoil_wal, 0.9, True, "SQLite forgets in silence what stands behind it"),
    ("plug", damages.remove_alone, 1, True, "what was written last stands beside it"),
    ("plug", damages.behead, 1, False, "all of it stands beside it"),
    ("plug", damages.cut_wal, 0.2, False, "looks as a write that a pulled plug cut off"),
]


@pytest.mark.parametrize(("which", "spoil", "share", "told", "why"), DAMAGES)
def test_what_can_be_read_is_there_again_and_the_page_says_so(
    played: Path, tmp_path: Path, which: str, spoil: Damage, share: float, told: bool, why: str
) -> None:
    before = rows(played / "off" / LOG_FILE)
    shutil.copytree(played / which, tmp_path / "box")
    photographs = pictures(tmp_path / "box")
    spoil(tmp_path / "box", random.Random(3))
    spoilt = {
        p.name: p.read_bytes() for p in (tmp_path / "box").glob(f"{LOG_FILE}*") if p.is_file()
    }
    with evening.box(tmp_path / "box") as (phone, _):
        page = says(phone.get("/", follow_redirects=True).text)
        health = phone.get("/health")
    assert (DAMAGED in page) == told, why
    assert ("log salvaged" in health.get_json()["troubles"]) == told, why
    assert health.status_code == 200, "a new start would mend nothing more"
    after = rows(tmp_path / "box" / LOG_FILE)
    news = {seq: row for seq, row in after.items() if row[2] == LogSalvaged.kind}
    assert len(news) == told
    # What was last is not always known: then numbers go on from the last that can be read.
    end = min(news, default=max(before) + 1)
    kept = {seq: row for seq, row in after.items() if seq < end}
    assert {seq: row for seq, row in kept.items() if before[seq] != row} == {}, "nothing invented"
    kinds = {row[2] for seq, row in after.items() if seq >= end} - {LogSalvaged.kind}
    assert kinds <= {"reading-begun", "reading-made"}, "a photograph is read again"
    assert len(kept) >= share * len(before), f"{len(kept)} of {len(before)}: {why}"
    assert pictures(tmp_path / "box") == photographs, "no photograph is touched"
    aside = tmp_path / "box" / "broken-1"
    if told:
        assert {name: (aside / name).read_bytes() for name in spoilt} == spoilt


def test_it_is_told_until_somebody_has_read_it(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played / "off", tmp_path / "box")
    damages.behead(tmp_path / "box", random.Random(1))
    with evening.box(tmp_path / "box") as (phone, _):
        for where in ("/", "/table/", "/setup/", "/single/"):
            page = says(phone.get(where, follow_redirects=True).text)
            assert DAMAGED in page, where
            assert "None is missing." in page
        assert phone.post("/salvaged/read").status_code == 303
        assert phone.post("/salvaged/read").status_code == 303, "twice is once"
    with evening.box(tmp_path / "box") as (phone, _):
        assert DAMAGED not in says(phone.get("/", follow_redirects=True).text)
    assert (
        len([row for row in rows(tmp_path / "box" / LOG_FILE).values() if "salvage" in str(row[2])])
        == 2
    )


def test_what_is_missing_is_counted_and_its_numbers_are_not_given_again(
    played: Path, tmp_path: Path
) -> None:
    shutil.copytree(played / "off", tmp_path / "box")
    before = rows(played / "off" / LOG_FILE)
    damages.halve(tmp_path / "box", random.Random(1))
    store = Store(tmp_path / "box")
    salvaged = store.latest(LogSalvaged)
    store.close()
    assert salvaged
    missing = {seq for a, b in salvaged.event.missing for seq in range(a, b + 1)}
    assert missing == before.keys() - rows(tmp_path / "box" / LOG_FILE).keys()
    assert salvaged.seq == max(before) + 1
    assert (salvaged.event.kept, salvaged.event.end_known) == (len(before) - len(missing), True)
    assert salvaged.event.touched, "of whom something is missing"
    damages.behead(tmp_path / "box", random.Random(1))
    store = Store(tmp_path / "box")
    again = store.latest(LogSalvaged)
    store.close()
    assert again
    assert again.event.missing == (), "what was told once is not told again"
    assert again.event.aside == "broken-2"


def test_a_log_of_a_newer_tongbox_is_left_alone(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played / "off", tmp_path / "box")
    with closing(sqlite3.connect(tmp_path / "box" / LOG_FILE)) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("ALTER TABLE events RENAME TO happenings")
    before = (tmp_path / "box" / LOG_FILE).read_bytes()
    with pytest.raises(Exception, match="newer Tongbox"):
        Store(tmp_path / "box")
    assert (tmp_path / "box" / LOG_FILE).read_bytes() == before


@pytest.mark.slow
def test_the_program_starts_and_says_it(played: Path, tmp_path: Path) -> None:
    """Of four pages that are gone: it ended, and was started again and again."""
    shutil.copytree(played / "off", tmp_path / "box")
    damages.zeroed(4)(tmp_path / "box", random.Random(3))
    with served(tmp_path / "box") as box:
        assert box.get("/")[0] == 200
        assert DAMAGED in says(box.get("/")[1])
        assert box.health()[1]["alive"]
