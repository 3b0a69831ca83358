"""What of the box needs somebody, in words: one sentence each, with what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from device.doctor import Finding, FindingLevel
from device.i18n.words import say


@dataclass(frozen=True, slots=True)
class CareLine:
    """One thing that somebody has to see to."""

    level: FindingLevel
    about: str
    """Which check found it."""
    says: str


def care_lines(found: Iterable[Finding]) -> tuple[CareLine, ...]:
    """Return what needs somebody in the order in which it was found."""
    return tuple(
        CareLine(each.level, each.check, say(f"care.{each.check}.{each.state}", **each.values))
        for each in found
    )
