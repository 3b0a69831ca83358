"""The finding of a check, as keys of the strings file, the same for the command and the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

FindingLevel = Literal["ok", "warning", "problem"]

LEVELS: tuple[FindingLevel, ...] = ("ok", "warning", "problem")
"""From the best to the worst."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    The strings file has its sentence under `doctor.CHECK.STATE`. Unless the level is `ok`, advice
    is under `doctor.CHECK.STATE-do`.
    """

    check: str
    level: FindingLevel
    state: str
    values: Mapping[str, object] = field(default_factory=dict)
    """Values for the placeholders of the sentences."""


def worst_level(findings: Iterable[Finding]) -> FindingLevel:
    """Return the worst level found."""
    return max((finding.level for finding in findings), key=LEVELS.index, default="ok")


def ok(check: str, state: str = "ok", **values: object) -> Finding:
    """Return the finding that a thing is well."""
    return Finding(check, "ok", state, values)


def warning(check: str, state: str, **values: object) -> Finding:
    """Return the finding that a thing works, but not well or not for long."""
    return Finding(check, "warning", state, values)


def problem(check: str, state: str, **values: object) -> Finding:
    """Return the finding that the box cannot work, now or soon, until a thing is repaired."""
    return Finding(check, "problem", state, values)
