"""Report the health of the box to programs that watch it (`/health`).

Whether the box can store events is found out by trying, not only by looking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from device.damage import DamageReport, examine
from device.doctor.storage import StorageWatch, trouble_of
from device.hands.repository import HandRepository
from device.store import StoreError

ANSWER_WITHIN_S = 3.0
"""How long a program waits after a start. Programs expect an answer within ten seconds."""

MAX_REASONS = 20
"""Damaged events that are named one by one."""

_MAX_KIND_CHARACTERS = 40
"""Limit of a damaged event's kind, which may be any text."""

REASONS = {
    "no worker": "no photograph is read any more; start the program anew",
    "torn log": "the log's file is damaged; the next start salvages it",
    "no write": "nothing can be written to the data folder",
    "no room": "the disk is nearly full, and no photograph is kept any more",
    "no database": "the database does not answer, or lets nobody in",
    "no store": "the log cannot be read",
    "log salvaged": "the log was damaged; the first page says what is missing, until it is read",
}
"""The meaning of each trouble of the box itself."""


@dataclass(frozen=True, slots=True)
class Health:
    """The health of the box."""

    alive: bool
    """The program works, so a restart would not help."""
    troubles: tuple[str, ...]
    """What is wrong, the worst first, in fixed words for programs."""
    reasons: tuple[str, ...]
    """The same for people. It contains no names, because it is shown without a PIN."""
    complete: bool
    """The whole log was examined since the start."""
    is_able: bool
    """The box can read, keep and show what is played now."""

    @property
    def status(self) -> Literal["ok", "degraded"]:
        """`ok`, or `degraded` if there is any trouble."""
        return "degraded" if self.troubles else "ok"


def health(watch: StorageWatch, hands: HandRepository, *, alive: bool) -> Health:
    """Return the health of the box; never raises for errors of its store."""
    unable = [*(() if alive else ("no worker",)), *watch.troubles(hands)]
    report = DamageReport(complete=False)
    try:
        report = examine(hands.store, ANSWER_WITHIN_S)
    except StoreError as error:
        unable.append(trouble_of(error))
    if report.torn_log:
        unable.insert(0, "torn log")
    unable = list(dict.fromkeys(unable))
    return Health(
        alive=alive,
        troubles=(*unable, *report.troubles),
        reasons=(*explained(unable), *_reasons(report)),
        complete=report.complete,
        is_able=not unable,
    )


def explained(troubles: Sequence[str]) -> tuple[str, ...]:
    """Return the troubles with their meanings."""
    return tuple(f"{each}: {REASONS[each]}" for each in troubles)


def _reasons(report: DamageReport) -> list[str]:
    said = [
        f"torn {report.sort_of(each)}: entry {each.seq} ({each.kind[:_MAX_KIND_CHARACTERS]})"
        for each in report.torn[:MAX_REASONS]
    ]
    if len(report.torn) > MAX_REASONS:
        said.append(f"{len(report.torn) - MAX_REASONS} more entries make no sense")
    if report.salvaged:
        said += explained(["log salvaged"])
    if report.missing:
        said.append(f"missing photographs: {len(report.missing)} files of which the log speaks")
    return said
