"""Check the health of the box: each check examines one thing and reports a finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from device.doctor.finding import Finding, FindingLevel, worst_level
from device.doctor.log_checks import check_copies, check_log, check_photographs
from device.doctor.machine_checks import (
    SampleReading,
    check_camera,
    check_clock,
    check_disk,
    check_folder,
    check_memory,
    check_models,
    check_network,
    check_packages,
    check_power,
    check_python,
    check_reading,
    check_switch,
    check_temperature,
)
from device.host.machine import Machine

__all__ = [
    "CHECKS",
    "READING_CHECK",
    "Check",
    "Finding",
    "FindingLevel",
    "Machine",
    "SampleReading",
    "examine",
    "worst_level",
]

Check = Callable[[Machine], Finding]

CHECKS: tuple[Check, ...] = (
    check_disk,
    check_folder,
    check_log,
    check_photographs,
    check_copies,
    check_memory,
    check_power,
    check_temperature,
    check_clock,
    check_network,
    check_camera,
    check_switch,
    check_python,
    check_packages,
    check_models,
)
"""The checks without a photograph: under half a second on a busy desktop machine for a new box,
mostly for timedatectl and the hashes of the models. The Setup page checks its running camera and
its open store instead of the ones for camera, log and photographs."""

READING_CHECK: Check = check_reading
"""Loads the models and reads a photograph, so it takes seconds and memory."""

THOROUGH_CHECKS: tuple[Check, ...] = (*CHECKS, READING_CHECK)
"""All checks of `tongbox doctor`."""


def examine(machine: Machine, checks: Iterable[Check] = THOROUGH_CHECKS) -> Iterator[Finding]:
    """Run the checks one by one, and yield their findings."""
    return (check(machine) for check in checks)
