"""Which lessons answer a rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lesson:
    """One short lesson."""

    id: str
    section: str


def lessons_about(rule: str, ruleset_name: str) -> tuple[Lesson, ...]:
    """Return the lessons that draw on a rule; none are written yet."""
    return ()
