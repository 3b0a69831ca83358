"""The list of checks, in the order in which they are shown."""

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
"""The quick checks: together under half a second on a busy desktop machine, mostly for timedatectl
and the hashes of the models. The Setup page checks its running camera and its open store instead
of the ones for camera, log and photographs."""

READING: Check = reading
"""Loads the models and reads a photograph, so it takes seconds and memory."""

THOROUGH: tuple[Check, ...] = (
    *(replayed_log if check is log else check for check in CHECKS),
    READING,
)
"""All checks of `tongbox doctor`."""


def examine(machine: Machine, checks: Iterable[Check] = THOROUGH) -> Iterator[Finding]:
    """Run the checks one by one, and yield their findings."""
    return (check(machine) for check in checks)
