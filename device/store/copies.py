"""Copies of the log that the box makes by itself: some on the same card, some in a second place.

The log is small beside the photographs and only ever grows, so the newest copy has all of the
older; these are there for a fault that nobody saw at once. The second place, a stick, say, is laid
out as a data folder is, so `tongbox backup` and `tongbox serve` take it for one.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

from device.store.backup import copy_log
from device.store.errors import DiskFullError, StoreError, telling_files, telling_log
from device.store.files import HALF, sync_file, sync_folder, whole
from device.store.integrity import COPIES, opened_to_read
from device.store.restoring import LOG, PICTURES

DAYS, WEEKS, ALWAYS = 7, 4, 3
"""The newest copy of so many days and so many weeks on which there was one stays, and the newest
few whatever their days: a box without a network has no clock."""

MOST = 256 * 2**20
"""Bytes that the copies in one place may take; the newest stays in any case."""

ROOM = 128 * 2**20
"""Bytes that a copy leaves free, four times what photographs do."""

_NAME = re.compile(r"(\d{4,})-(\d{4}-\d\d-\d\d)\.sqlite3")

_PLACES = ("media/*/tongbox-backups", "media/*/*/tongbox-backups",
           "mnt/tongbox-backups", "mnt/*/tongbox-backups")  # fmt: skip
"""Where a stick's folder may be that its owner has made for copies."""

_ROW = "SELECT stream, kind, json, at FROM events WHERE seq = ?"


class OtherBoxError(StoreError):
    """The second place has the hands of another box."""

    def __init__(self, place: Path) -> None:
        super().__init__(f"{place} has copies of another box, or of this one before it began anew.")


def second_place(folder: Path, root: Path = Path("/")) -> Path | None:
    """Return a folder for copies on another disk than the data folder's; None without one."""
    with suppress(OSError):
        own = folder.stat().st_dev
        for place in itertools.chain.from_iterable(map(root.glob, _PLACES)):
            if place.is_dir() and place.stat().st_dev != own:
                return place
    return None


def copies(folder: Path) -> list[Path]:
    """Return the copies in a place, the newest first: they are numbered."""
    found = [path for path in (folder / COPIES).glob("*") if _NAME.fullmatch(path.name)]
    return sorted(found, key=_number, reverse=True)


def copy(folder: Path, place: Path, today: date) -> Path:
    """Copy the log to a place, which may be the data folder itself; return the copy.

    Raises StoreError, with the older copies as they were, also where the log is torn.
    """
    with telling_files(f"No copy can be kept in {place}"):
        kept = place / COPIES
        kept.mkdir(exist_ok=True)
        _check_room(kept, _size(folder / LOG) + _size(folder / f"{LOG}-wal"))
        with tempfile.TemporaryDirectory(prefix=HALF, dir=kept) as beside:
            half = Path(beside) / LOG
            copy_log(folder / LOG, half)
            sync_file(half)
            number = max(map(_number, copies(place)), default=0) + 1
            made = half.rename(kept / f"{number:04}-{today.isoformat()}.sqlite3")
        sync_folder(kept)
        for path in outlived(copies(place)):
            path.unlink()
    return made


def copy_all(folder: Path, place: Path, today: date) -> None:
    """Copy the log and the pictures that are not there yet to a second place; raise StoreError.

    What players have deleted since is left there.
    """
    _check_whose(folder, place)
    made = copy(folder, place, today)
    with telling_files(f"No copy can be kept in {place}"):
        for name in PICTURES:
            _copy_pictures(folder / name, place / name)
        # The newest under the name of a box's log, after all pictures of which it speaks.
        with whole(place / LOG) as file, made.open("rb") as log:
            shutil.copyfileobj(log, file)


def outlived(newest_first: Iterable[Path]) -> Iterator[Path]:
    """Yield the copies that need not stay."""
    days: set[str] = set()
    weeks: set[tuple[int, int]] = set()
    size = 0
    for place, path in enumerate(newest_first):
        day = date.fromisoformat(path.stem.partition("-")[2])
        week = day.isocalendar()[:2]
        stays = place < ALWAYS
        stays |= day.isoformat() not in days and len(days) < DAYS
        stays |= week not in weeks and len(weeks) < WEEKS
        size += _size(path)
        if place and (not stays or size > MOST):
            size -= _size(path)
            yield path
            continue
        days.add(day.isoformat())
        weeks.add(week)


def _copy_pictures(source: Path, target: Path) -> None:
    there = {str(path.relative_to(target)) for path in target.rglob("*")}
    for path in source.rglob("*"):
        name = str(path.relative_to(source))
        if name in there or path.name.startswith(HALF) or not path.is_file():
            continue
        with suppress(FileNotFoundError):  # players may delete what they like meanwhile
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() == path.stem:  # else it is torn
                _check_room(target.parent, len(data))
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                with whole(target / name) as file:
                    file.write(data)


def _check_whose(folder: Path, place: Path) -> None:
    """Raise OtherBoxError unless the log there is an earlier one of this box's, or there is none.

    Either its first or its last event is to be found here: the first may have been lost with a
    sector, the last by restoring an older backup.
    """
    if not (place / LOG).is_file():
        return
    with (
        telling_log(),
        closing(opened_to_read(place / LOG)) as there,
        closing(opened_to_read(folder / LOG)) as db,
    ):
        ends = there.execute("SELECT MIN(seq), MAX(seq) FROM events").fetchone()
        both = (
            (there.execute(_ROW, (s,)).fetchone(), db.execute(_ROW, (s,)).fetchone()) for s in ends
        )
        if not any(one == other for one, other in both):
            raise OtherBoxError(place)


def _check_room(folder: Path, size: int) -> None:
    if shutil.disk_usage(folder).free < size + ROOM:
        raise DiskFullError


def _number(path: Path) -> int:
    found = _NAME.fullmatch(path.name)
    return int(found[1]) if found else 0


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
