"""Check the log, its events, its copies, and the photographs that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from device.damage import DamageReport, examine, examine_all, name_sort
from device.doctor.finding import Finding, ok, problem, warning
from device.host.machine import Machine
from device.store import DiskFullError, Store, StoreError
from device.store.data_folder import LOG_FILE, is_open
from device.store.errors import WRITE_REFUSED_ERRORS, UnreachableError
from device.store.events import LogSalvaged, SalvageRead
from device.store.integrity import FaultCause, find_fault, is_marked_torn
from device.store.log_copies import list_copies, load_last_copy
from device.store.read_only_folder import find_write_refusal, readable_folder
from device.store.sqlite_log import SqliteLog
from device.store.store_url import is_embedded, open_store
from scorer.message import message

MAX_TORN_SHOWN = 5
"""Torn events that are named. One is rare, and many have the same cause."""

_STATES: dict[FaultCause, str] = {"torn": "broken", "missing": "missing", "empty": "empty"}


def check_log(machine: Machine) -> Finding:
    """Check that the log exists, is whole and can be written, and replay every stream.

    This takes seconds for a log of years. The file is checked before the store opens it.
    """
    try:
        with open_log(machine) as store:
            if isinstance(store, Finding):
                return store
            finding = _check_events(store, examine_all)
            is_copy = isinstance(store.log, SqliteLog) and store.folder != machine.data
            if is_copy and finding.level != "problem" and find_write_refusal(machine.data):
                return problem("log", "unwritable")
            return finding
    except UnreachableError as error:
        return problem("log", "away", reason=error)
    except StoreError as error:
        return problem("log", "closed", reason=error)


def check_running_log(machine: Machine, store: Store) -> Finding:
    """Check the same for a running box, whose streams were replayed already."""
    try:
        finding = _check_file(machine.data) if isinstance(store.log, SqliteLog) else None
        return finding or _check_events(store, examine)
    except UnreachableError as error:
        return problem("log", "away", reason=error)
    except StoreError as error:
        return problem("log", "closed", reason=error)


@contextmanager
def open_log(machine: Machine, *, is_checked: bool = True) -> Iterator[Store | Finding]:
    """Yield a machine's store, or the finding why its file is not opened; raise StoreError.

    The store is in a copy of a data folder that cannot be written or needs mending. Unless the
    file `is_checked`, a damaged one is opened, too.
    """
    if not is_embedded(machine.store_url):
        with closing(open_store(machine.data, machine.store_url, machine.photos)) as store:
            yield store
        return
    with readable_folder(machine.data) as folder:
        if finding := _check_file(folder.path) if is_checked else None:
            yield finding
        elif not (folder.path / LOG_FILE).is_file():
            yield ok("log", "none")
        else:
            with closing(Store(folder.path)) as store:
                yield store


def _check_file(folder: Path) -> Finding | None:
    fault = find_fault(folder, is_only_user=not is_open(folder))
    if fault:
        cause, text = fault
        return problem("log", _STATES[cause], reason=text)
    return problem("log", "marked") if is_marked_torn(folder) else None


def _check_events(store: Store, look: Callable[[Store], DamageReport]) -> Finding:
    report = look(store)
    salvage, read = store.latest(LogSalvaged), store.latest(SalvageRead)
    if report.torn_events:
        entries = [
            message(
                "damaged.entry",
                number=each.seq,
                kind=each.kind,
                of=name_sort(report.sort_of(each)),
            )
            for each in report.torn_events[:MAX_TORN_SHOWN]
        ]
        return problem("log", "torn", events=tuple(entries))
    try:
        store.try_write()
    except WRITE_REFUSED_ERRORS as error:
        if not isinstance(store.log, SqliteLog):
            raise
        return problem("log", "full" if isinstance(error, DiskFullError) else "unwritable")
    if salvage and not (read and read.seq > salvage.seq):
        return warning("log", "salvaged", folder=store.folder / salvage.event.aside)
    return ok("log")


def check_photographs(machine: Machine) -> Finding:
    """Check that the photographs named in the log exist."""
    with suppress(StoreError), open_log(machine) as store:
        if isinstance(store, Store):
            return _photographs_finding(len(examine_all(store).missing))
    return ok("photographs", "unknown")


def check_running_photographs(store: Store) -> Finding:
    """Check the same for a running box."""
    with suppress(StoreError):
        return _photographs_finding(len(examine(store).missing))
    return ok("photographs", "unknown")


def _photographs_finding(missing: int) -> Finding:
    return warning("photographs", "missing", count=missing) if missing else ok("photographs")


def check_copies(machine: Machine) -> Finding:
    """Check that the log was copied; report when and where."""
    if not is_embedded(machine.store_url):
        return ok("copies", "database")
    last_copy = load_last_copy(machine.data)
    if last_copy.trouble and not Path(last_copy.trouble_place).is_dir():
        return warning("copies", "away", place=last_copy.trouble_place)
    if last_copy.trouble:
        return warning("copies", "failed", reason=last_copy.trouble)
    if not list_copies(machine.data):
        return ok("copies", "none")
    values = {
        "time": _format_time(last_copy.at),
        "second": last_copy.second,
        "second_time": _format_time(last_copy.second_at),
    }
    return ok("copies", "both" if last_copy.second_at else "near", **values)


def _format_time(stored_time: str) -> str:
    return stored_time[:16].replace("T", " ")
