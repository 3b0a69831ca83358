"""Sentences about what needs attention, each with what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from device.doctor import Finding, FindingLevel
from device.i18n.words import say


@dataclass(frozen=True, slots=True)
class CareLine:
    """One thing that needs somebody's attention."""

    level: FindingLevel
    about: str
    """The check that found it."""
    says: str


def care_lines(found: Iterable[Finding]) -> tuple[CareLine, ...]:
    """Return what needs attention, in the order of the findings."""
    return tuple(
        CareLine(each.level, each.check, say(f"care.{each.check}.{each.state}", **each.values))
        for each in found
    )
