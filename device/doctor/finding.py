"""What a check found, as keys of the strings file: the command and the page say the same words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

FindingLevel = Literal["ok", "warning", "problem"]

LEVELS: tuple[FindingLevel, ...] = ("ok", "warning", "problem")
"""From well to ill."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How one thing is.

    Its sentence stands under `doctor.CHECK.STATE` in the strings file, and what to do about it,
    unless it is well, under `doctor.CHECK.STATE-do`.
    """

    check: str
    level: FindingLevel
    state: str
    values: Mapping[str, object] = field(default_factory=dict)
    """Fill the sentences' placeholders."""


def worst(findings: Iterable[Finding]) -> FindingLevel:
    """Return the worst level found."""
    return max((finding.level for finding in findings), key=LEVELS.index, default="ok")


def ok(check: str, state: str = "ok", **values: object) -> Finding:
    """Return that a thing is well."""
    return Finding(check, "ok", state, values)


def warning(check: str, state: str, **values: object) -> Finding:
    """Return that a thing will do, but not well or not for long."""
    return Finding(check, "warning", state, values)


def problem(check: str, state: str, **values: object) -> Finding:
    """Return that the box cannot work, or soon not, until a thing is put right."""
    return Finding(check, "problem", state, values)
