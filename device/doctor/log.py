"""Whether the log is whole and can be written, every event of it makes sense, and copies of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice

from device.damage import damages
from device.doctor.finding import Finding, ok, problem, warning
from device.host.machine import Machine
from device.store import Store, StoreError, TornEventError
from device.store.copies import copies as copies_in
from device.store.events import LogSalvaged, SalvageRead
from device.store.integrity import Cause, fault
from device.store.keeper import kept
from device.store.restoring import LOG

MOST = 5
"""Torn events that are named; one is a rarity, and many have one cause."""


_STATES: dict[Cause, str] = {"torn": "broken", "missing": "missing", "empty": "empty"}


def log(
    machine: Machine, look: Callable[[Store], Iterator[TornEventError]] = Store.torn
) -> Finding:
    """Check that the log is there and whole, takes what is written, and has no event that is torn.

    Looked at first without opening it as the box does, which would mend it. `look` finds events
    that make no sense, by themselves or after those before them.
    """
    try:
        found = fault(machine.data, alone=False)
        if found:
            cause, why = found
            return problem("log", _STATES[cause], reason=why)
        if not (machine.data / LOG).is_file():
            return ok("log", "none")
        with closing(Store(machine.data)) as store:
            torn = list(islice(look(store), MOST))
            salvaged, read = store.latest(LogSalvaged), store.latest(SalvageRead)
            store.try_write()
    except StoreError as error:
        return problem("log", "closed", reason=error)
    if torn:
        return problem("log", "torn", events="; ".join(map(str, torn)))
    if salvaged and not (read and read.seq > salvaged.seq):
        return warning("log", "salvaged", folder=machine.data / salvaged.event.aside)
    return ok("log")


def replayed_log(machine: Machine) -> Finding:
    """Check the same, and replay every match and hand: seconds, for a box of years."""
    return log(machine, damages)


def copies(machine: Machine) -> Finding:
    """Check that the log was copied, say when and where."""
    made = kept(machine.data)
    if made.trouble:
        return warning("copies", "failed", reason=made.trouble)
    if not copies_in(machine.data):
        return ok("copies", "none")
    values = {"time": _said(made.at), "second": made.second, "second_time": _said(made.second_at)}
    return ok("copies", "both" if made.second_at else "near", **values)


def _said(at: str) -> str:
    return at[:16].replace("T", " ")
