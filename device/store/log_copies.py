"""Copy the log automatically while the box runs, on the same card and to a second place.

The log is small compared with the photographs and only grows, so the newest copy contains all
older ones. The older copies help with a fault that nobody saw at once. The second place, such as a
USB stick, is laid out as a data folder: `tongbox backup` and `tongbox serve` accept it as one.
A thread makes the copies, and examines a log that was too long to be checked at the start.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Self

from device.store import integrity
from device.store.backup import copy_log
from device.store.data_folder import LOG_FILE, PICTURE_FOLDERS
from device.store.errors import (
    DiskFullError,
    StoreError,
    TornLogError,
    translate_file_errors,
    translate_log_errors,
)
from device.store.events import MatchEnded
from device.store.files import UNFINISHED_PREFIX, sync_file, sync_folder, write_whole
from device.store.integrity import COPIES_FOLDER, open_read_only
from device.store.store import Store

MIN_DAILY_COPIES, MIN_WEEKLY_COPIES, MIN_NEWEST_COPIES = 7, 4, 3
"""How many copies stay: the newest of each day and week with a copy, and the newest of all. The
latter do not depend on dates, because a box without a network has no clock."""

MAX_COPIES_BYTES = 256 * 2**20
"""Limit of all copies in one place. The newest copy always stays."""

MIN_FREE_BYTES = 128 * 2**20
"""Free space that a copy must leave, four times what photographs must."""

_COPY_NAME = re.compile(r"(\d{4,})-(\d{4}-\d\d-\d\d)\.sqlite3")

_SECOND_PLACES = ("media/*/tongbox-backups", "media/*/*/tongbox-backups",
           "mnt/tongbox-backups", "mnt/*/tongbox-backups")  # fmt: skip
"""Where the owner of a USB stick may have made a folder for copies."""

_ROW_QUERY = "SELECT stream, kind, json, at FROM events WHERE seq = ?"


class OtherBoxError(StoreError):
    """The second place holds the hands of another box."""

    def __init__(self, place: Path) -> None:
        super().__init__(f"{place} has copies of another box, or of this one before it began anew.")


def find_second_place(folder: Path, root: Path = Path("/")) -> Path | None:
    """Return a folder for copies on another disk than the data folder, or None."""
    with suppress(OSError):
        own_device = folder.stat().st_dev
        for place in itertools.chain.from_iterable(map(root.glob, _SECOND_PLACES)):
            if place.is_dir() and place.stat().st_dev != own_device:
                return place
    return None


def list_copies(folder: Path) -> list[Path]:
    """Return the copies in a place, newest first by their numbers."""
    copies = [
        path for path in (folder / COPIES_FOLDER).glob("*") if _COPY_NAME.fullmatch(path.name)
    ]
    return sorted(copies, key=_copy_number, reverse=True)


def make_copy(folder: Path, place: Path, today: date) -> Path:
    """Copy the log to a place, which may be the data folder itself; return the copy.

    Raises StoreError, also for a torn log. Older copies then stay as they are.
    """
    with translate_file_errors(f"No copy can be kept in {place}"):
        copies_folder = place / COPIES_FOLDER
        copies_folder.mkdir(exist_ok=True)
        _check_free_space(
            copies_folder, _file_bytes(folder / LOG_FILE) + _file_bytes(folder / f"{LOG_FILE}-wal")
        )
        with tempfile.TemporaryDirectory(
            prefix=UNFINISHED_PREFIX, dir=copies_folder
        ) as work_folder:
            half = Path(work_folder) / LOG_FILE
            copy_log(folder / LOG_FILE, half)
            sync_file(half)
            number = max(map(_copy_number, list_copies(place)), default=0) + 1
            copy = half.rename(copies_folder / f"{number:04}-{today.isoformat()}.sqlite3")
        sync_folder(copies_folder)
        for path in expired_copies(list_copies(place)):
            path.unlink()
    return copy


def copy_everything(folder: Path, place: Path, today: date) -> None:
    """Copy the log and new pictures to a second place; raise StoreError.

    Pictures that players have deleted since stay there.
    """
    _check_same_box(folder, place)
    copy = make_copy(folder, place, today)
    with translate_file_errors(f"No copy can be kept in {place}"):
        for name in PICTURE_FOLDERS:
            _copy_pictures(folder / name, place / name)
        # The newest copy gets the log's own name, after all pictures that it names.
        with write_whole(place / LOG_FILE) as file, copy.open("rb") as log:
            shutil.copyfileobj(log, file)


def expired_copies(newest_first: Iterable[Path]) -> Iterator[Path]:
    """Yield the copies that may be deleted."""
    days: set[str] = set()
    weeks: set[tuple[int, int]] = set()
    size = 0
    for place, path in enumerate(newest_first):
        day = date.fromisoformat(path.stem.partition("-")[2])
        week = day.isocalendar()[:2]
        stays = place < MIN_NEWEST_COPIES
        stays |= day.isoformat() not in days and len(days) < MIN_DAILY_COPIES
        stays |= week not in weeks and len(weeks) < MIN_WEEKLY_COPIES
        size += _file_bytes(path)
        if place and (not stays or size > MAX_COPIES_BYTES):
            size -= _file_bytes(path)
            yield path
            continue
        days.add(day.isoformat())
        weeks.add(week)


def _copy_pictures(source: Path, target: Path) -> None:
    paths_there = {str(path.relative_to(target)) for path in target.rglob("*")}
    for path in source.rglob("*"):
        name = str(path.relative_to(source))
        if name in paths_there or path.name.startswith(UNFINISHED_PREFIX) or not path.is_file():
            continue
        with suppress(FileNotFoundError):  # players may delete what they like meanwhile
            data = path.read_bytes()
            if hashlib.sha256(data).hexdigest() == path.stem:  # else it is torn
                _check_free_space(target.parent, len(data))
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                with write_whole(target / name) as file:
                    file.write(data)


def _check_same_box(folder: Path, place: Path) -> None:
    """Raise OtherBoxError unless there is no log, or an earlier log of this box.

    An earlier log shares its first or its last event with this one. The first may have been lost
    with a bad sector, the last by restoring an older backup.
    """
    if not (place / LOG_FILE).is_file():
        return
    with (
        translate_log_errors(),
        closing(open_read_only(place / LOG_FILE)) as second_log,
        closing(open_read_only(folder / LOG_FILE)) as db,
    ):
        ends = second_log.execute("SELECT MIN(seq), MAX(seq) FROM events").fetchone()
        row_pairs = (
            (
                second_log.execute(_ROW_QUERY, (s,)).fetchone(),
                db.execute(_ROW_QUERY, (s,)).fetchone(),
            )
            for s in ends
        )
        if not any(one == other for one, other in row_pairs):
            raise OtherBoxError(place)


def _check_free_space(folder: Path, size: int) -> None:
    if shutil.disk_usage(folder).free < size + MIN_FREE_BYTES:
        raise DiskFullError


def _copy_number(path: Path) -> int:
    name_match = _COPY_NAME.fullmatch(path.name)
    return int(name_match[1]) if name_match else 0


def _file_bytes(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


FIRST_LOOK_S, LOOK_INTERVAL_S = 60.0, 60.0
"""Seconds from the start to the first look, and between two looks."""

MIN_QUIET_S = 15 * 60.0
"""Seconds without an event after which nobody is playing."""

_STATE_FILE = "state.json"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LastCopy:
    """The state of the copies."""

    seq: int = 0
    """The newest event of the newest copy."""
    at: str = ""
    """When it was made, by the box's clock, ISO 8601; empty without one."""
    second: str = ""
    """The second place; empty without one."""
    second_at: str = ""
    """When the last copy was made there; empty without one."""
    trouble: str = ""
    """What went wrong last time; empty if all is well."""
    trouble_place: str = ""
    """The folder in which it went wrong."""


def load_last_copy(folder: Path) -> LastCopy:
    """Return the state of a data folder's copies; the empty state if it is unknown."""
    with suppress(OSError, ValueError, TypeError):
        return LastCopy(
            **json.loads((folder / integrity.COPIES_FOLDER / _STATE_FILE).read_text("utf-8"))
        )
    return LastCopy()


class LogKeeper:
    """Makes copies in a thread of its own, so that nobody waits for them."""

    def __init__(
        self,
        store: Store,
        place: Path | None = None,
        current_time: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`place` is the folder named for copies; without it, USB sticks are searched."""
        self._store = store
        self._place = place
        self._current_time = current_time
        self._clock = clock
        self._latest_number = store.newer(0, 0)
        self._quiet_start = -MIN_QUIET_S  # nobody is playing when a box is switched on
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)

    def __enter__(self) -> Self:
        """Start the thread."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop after the copy that is being made."""
        self._closing.set()
        self._thread.join()

    def look(self) -> bool:
        """Copy the log if a copy is due; return whether it was."""
        latest_number, before = self._store.newer(0, 0), load_last_copy(self._store.folder)
        if latest_number != self._latest_number:
            self._latest_number, self._quiet_start = latest_number, self._clock()
        if not self._is_due(latest_number, before):
            return False
        copy_state = self._copy(latest_number, before)
        if copy_state.trouble:
            _log.error("Cannot copy the log: %s", copy_state.trouble)
        with translate_file_errors("What was copied cannot be noted"):
            (self._store.folder / integrity.COPIES_FOLDER).mkdir(exist_ok=True)
            with write_whole(self._store.folder / integrity.COPIES_FOLDER / _STATE_FILE) as file:
                file.write(json.dumps(asdict(copy_state)).encode())
        return True

    def _is_due(self, latest_number: int, before: LastCopy) -> bool:
        """Whether there are new events, and a match has ended or the day's copy is missing."""
        if latest_number == before.seq:
            return False
        last_match_end = self._store.latest(MatchEnded)
        if last_match_end and last_match_end.seq > before.seq:
            return True
        is_quiet = self._clock() - self._quiet_start >= MIN_QUIET_S
        return is_quiet and before.at[:10] != self._current_time().date().isoformat()

    def _copy(self, latest_number: int, before: LastCopy) -> LastCopy:
        folder, today, time_text = (
            self._store.folder,
            self._current_time().date(),
            self._current_time().isoformat(),
        )
        copy_state = replace(before, seq=latest_number, trouble="", trouble_place=str(folder))
        place = self._place or find_second_place(folder)
        try:
            make_copy(folder, folder, today)
            copy_state = replace(copy_state, at=time_text)
            if place:
                copy_state = replace(copy_state, second=str(place), trouble_place=str(place))
                copy_everything(folder, place, today)
                copy_state = replace(copy_state, second_at=time_text)
        except TornLogError as error:
            integrity.mark_torn(folder)
            return replace(copy_state, trouble=str(error))
        except StoreError as error:
            return replace(copy_state, at=copy_state.at or time_text, trouble=str(error))
        return copy_state

    def _run(self) -> None:
        with suppress(StoreError):
            if integrity.is_checked_later(self._store.folder / LOG_FILE):
                self._examine()
        wait = FIRST_LOOK_S
        while not self._closing.wait(wait):
            wait = LOOK_INTERVAL_S
            try:
                self.look()
            except StoreError as error:
                if isinstance(error, TornLogError):
                    integrity.mark_torn(self._store.folder)
                _log.error("Cannot check or copy the log: %s", error)

    def _examine(self) -> None:
        """Check a long log that was not checked at the start."""
        try:
            problem = integrity.find_torn_pages(self._store.folder / LOG_FILE)
        except TornLogError as error:
            problem = str(error)
        if problem:
            _log.error("The log is damaged; it will be salvaged at the next start: %s", problem)
            integrity.mark_torn(self._store.folder)
