"""Check the health of the box: each check examines one thing and reports a finding."""

from __future__ import annotations

from device.doctor.checks import CHECKS, READING, examine
from device.doctor.finding import Finding, FindingLevel, worst
from device.doctor.trial import Trial
from device.host.machine import Machine

__all__ = ["CHECKS", "READING", "Finding", "FindingLevel", "Machine", "Trial", "examine", "worst"]
