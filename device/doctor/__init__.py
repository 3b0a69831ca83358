"""Check the health of the box: each check examines one thing and reports a finding."""

from __future__ import annotations

from device.doctor.checks import CHECKS, READING_CHECK, examine
from device.doctor.finding import Finding, FindingLevel, worst_level
from device.doctor.sample_reading import SampleReading
from device.host.machine import Machine

__all__ = [
    "CHECKS",
    "READING_CHECK",
    "Finding",
    "FindingLevel",
    "Machine",
    "SampleReading",
    "examine",
    "worst_level",
]
