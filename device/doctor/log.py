"""Whether every event that the box remembers makes sense."""

from __future__ import annotations

from contextlib import closing
from itertools import islice

from device.doctor.finding import Finding, ok, problem
from device.host.machine import Machine
from device.store import Store, StoreError
from device.store.restoring import LOG

MOST = 5
"""Torn events that are named; one is a rarity, and many have one cause."""


def log(machine: Machine) -> Finding:
    """Check that no event of the log is torn or unknown."""
    if not (machine.data / LOG).is_file():
        return ok("log", "none")
    try:
        with closing(Store(machine.data)) as store:
            torn = list(islice(store.torn(), MOST))
    except StoreError as error:
        return problem("log", "closed", reason=error)
    if torn:
        return problem("log", "torn", events="; ".join(map(str, torn)))
    return ok("log")
