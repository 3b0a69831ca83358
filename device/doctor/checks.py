"""The table of checks, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from device.doctor.finding import Finding
from device.doctor.hardware import disk, folder, memory, power, temperature
from device.doctor.log import copies, log, photographs, replayed_log
from device.doctor.software import models, packages, python, reading
from device.doctor.surroundings import camera, clock, network, switch
from device.host.machine import Machine

Check = Callable[[Machine], Finding]

CHECKS: tuple[Check, ...] = (
    disk,
    folder,
    log,
    photographs,
    copies,
    memory,
    power,
    temperature,
    clock,
    network,
    camera,
    switch,
    python,
    packages,
    models,
)
"""Quick ones: together under half a second on a busy desktop machine, most of it for timedatectl
and for the models' hashes. The Setup page asks the camera that runs instead of `camera`, and the
store that is open instead of `log` and `photographs`."""

READING: Check = reading
"""Loads the models and reads a photograph, so it takes seconds and memory."""


THOROUGH: tuple[Check, ...] = (
    *(replayed_log if check is log else check for check in CHECKS),
    READING,
)
"""All that `tongbox doctor` looks at."""


def examine(machine: Machine, checks: Iterable[Check] = THOROUGH) -> Iterator[Finding]:
    """Yield what each check finds, as it finds it."""
    return (check(machine) for check in checks)
