"""The box's health in words: checks, cameras, the disk, and damaged or recovered records."""

from __future__ import annotations

from dataclasses import dataclass

from device.doctor import Finding, FindingLevel
from device.i18n.words import say


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding of a health check, in words."""

    check: str
    level: FindingLevel
    state: str
    title: str
    says: str
    do: str
    """What to do about it; empty when all is well."""


def finding_view(finding: Finding) -> FindingView:
    """Return a finding in words."""
    key = f"doctor.{finding.check}.{finding.state}"
    return FindingView(
        check=finding.check,
        level=finding.level,
        state=finding.state,
        title=say(f"doctor.{finding.check}.title"),
        says=say(key, **finding.values),
        do="" if finding.level == "ok" else say(f"{key}-do", **finding.values),
    )
