"""Check the log, its events, its copies, and the photographs that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import islice

from device.damage import damages, examine, examine_all
from device.doctor.finding import Finding, ok, problem, warning
from device.host.machine import Machine
from device.store import Store, StoreError, TornEventError
from device.store.copies import copies as copies_in
from device.store.events import LogSalvaged, SalvageRead
from device.store.integrity import Cause, fault, is_marked
from device.store.keeper import kept
from device.store.restoring import LOG

MAX_TORN_SHOWN = 5
"""Torn events that are named. One is rare, and many have the same cause."""

_STATES: dict[Cause, str] = {"torn": "broken", "missing": "missing", "empty": "empty"}

_Look = Callable[[Store], Iterable[TornEventError]]
"""Finds torn events."""


def log(machine: Machine, look: _Look = Store.torn) -> Finding:
    """Check that the log exists, is whole and can be written, and that no event is torn.

    The file is checked before the store opens it, because opening would salvage it.
    """
    try:
        if found := _of_file(machine):
            return found
        if not (machine.data / LOG).is_file():
            return ok("log", "none")
        with closing(Store(machine.data)) as store:
            return _of_events(store, look)
    except StoreError as error:
        return problem("log", "closed", reason=error)


def replayed_log(machine: Machine) -> Finding:
    """Check the same, and replay every stream, which takes seconds for a log of years."""
    return log(machine, damages)


def running_log(machine: Machine, store: Store) -> Finding:
    """Check the same for a running box, whose streams were replayed already."""
    try:
        return _of_file(machine) or _of_events(store, lambda running: examine(running).torn)
    except StoreError as error:
        return problem("log", "closed", reason=error)


def _of_file(machine: Machine) -> Finding | None:
    found = fault(machine.data, alone=False)
    if found:
        cause, why = found
        return problem("log", _STATES[cause], reason=why)
    return problem("log", "marked") if is_marked(machine.data) else None


def _of_events(store: Store, look: _Look) -> Finding:
    torn = list(islice(look(store), MAX_TORN_SHOWN))
    salvaged, read = store.latest(LogSalvaged), store.latest(SalvageRead)
    store.try_write()
    if torn:
        return problem("log", "torn", events="; ".join(map(str, torn)))
    if salvaged and not (read and read.seq > salvaged.seq):
        return warning("log", "salvaged", folder=store.folder / salvaged.event.aside)
    return ok("log")


def photographs(machine: Machine) -> Finding:
    """Check that the photographs named in the log exist."""
    try:
        if _of_file(machine) or not (machine.data / LOG).is_file():
            return ok("photographs", "unknown")
        with closing(Store(machine.data)) as store:
            return _of_photographs(len(examine_all(store).missing))
    except StoreError:
        return ok("photographs", "unknown")


def running_photographs(store: Store) -> Finding:
    """Check the same for a running box."""
    try:
        return _of_photographs(len(examine(store).missing))
    except StoreError:
        return ok("photographs", "unknown")


def _of_photographs(missing: int) -> Finding:
    return warning("photographs", "missing", count=missing) if missing else ok("photographs")


def copies(machine: Machine) -> Finding:
    """Check that the log was copied; report when and where."""
    made = kept(machine.data)
    if made.trouble:
        return warning("copies", "failed", reason=made.trouble)
    if not copies_in(machine.data):
        return ok("copies", "none")
    values = {"time": _said(made.at), "second": made.second, "second_time": _said(made.second_at)}
    return ok("copies", "both" if made.second_at else "near", **values)


def _said(at: str) -> str:
    return at[:16].replace("T", " ")
