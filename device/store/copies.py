"""Copy the log automatically while the box runs, on the same card and to a second place.

The log is small compared with the photographs and only grows, so the newest copy contains all
older ones. The older copies help with a fault that nobody saw at once. The second place, such as a
USB stick, is laid out as a data folder: `tongbox backup` and `tongbox serve` accept it as one.
A thread makes the copies, and examines a log that was too long to be checked at the start.
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
"""How many copies stay: the newest of each day and week with a copy, and the newest of all. The
latter do not depend on dates, because a box without a network has no clock."""

MOST = 256 * 2**20
"""Limit of all copies in one place. The newest copy always stays."""

ROOM = 128 * 2**20
"""Free space that a copy must leave, four times what photographs must."""

_NAME = re.compile(r"(\d{4,})-(\d{4}-\d\d-\d\d)\.sqlite3")

_PLACES = ("media/*/tongbox-backups", "media/*/*/tongbox-backups",
           "mnt/tongbox-backups", "mnt/*/tongbox-backups")  # fmt: skip
"""Where the owner of a USB stick may have made a folder for copies."""

_ROW = "SELECT stream, kind, json, at FROM events WHERE seq = ?"


class OtherBoxError(StoreError):
    """The second place holds the hands of another box."""

    def __init__(self, place: Path) -> None:
        super().__init__(f"{place} has copies of another box, or of this one before it began anew.")


def second_place(folder: Path, root: Path = Path("/")) -> Path | None:
    """Return a folder for copies on another disk than the data folder, or None."""
    with suppress(OSError):
        own = folder.stat().st_dev
        for place in itertools.chain.from_iterable(map(root.glob, _PLACES)):
            if place.is_dir() and place.stat().st_dev != own:
                return place
    return None


def copies(folder: Path) -> list[Path]:
    """Return the copies in a place, newest first by their numbers."""
    found = [path for path in (folder / COPIES).glob("*") if _NAME.fullmatch(path.name)]
    return sorted(found, key=_number, reverse=True)


def copy(folder: Path, place: Path, today: date) -> Path:
    """Copy the log to a place, which may be the data folder itself; return the copy.

    Raises StoreError, also for a torn log. Older copies then stay as they are.
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
    """Copy the log and new pictures to a second place; raise StoreError.

    Pictures that players have deleted since stay there.
    """
    _check_whose(folder, place)
    made = copy(folder, place, today)
    with telling_files(f"No copy can be kept in {place}"):
        for name in PICTURES:
            _copy_pictures(folder / name, place / name)
        # The newest copy gets the log's own name, after all pictures that it names.
        with whole(place / LOG) as file, made.open("rb") as log:
            shutil.copyfileobj(log, file)


def outlived(newest_first: Iterable[Path]) -> Iterator[Path]:
    """Yield the copies that may be deleted."""
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
    """Raise OtherBoxError unless there is no log, or an earlier log of this box.

    An earlier log shares its first or its last event with this one. The first may have been lost
    with a bad sector, the last by restoring an older backup.
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
