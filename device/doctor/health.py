"""How the box is, for programs that watch it (`/health`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from device.damage import DamageReport, examine
from device.doctor.storage import StorageWatch, trouble_of
from device.hands.repository import HandRepository
from device.store import StoreError

ANSWER_WITHIN_S = 3.0
"""Seconds for which a program waits at most after a start: it asks for an answer within ten."""

MAX_REASONS = 20
"""Damaged entries that are named one by one."""

_MAX_KIND_CHARACTERS = 40
"""Of a damaged entry's kind, which may be anything."""

REASONS = {
    "no worker": "no photograph is read any more; start the program anew",
    "torn log": "the log's file is damaged; the next start salvages it",
    "no write": "nothing can be written to the data folder",
    "no room": "the disk is nearly full, and no photograph is kept any more",
    "no database": "the database does not answer, or lets nobody in",
    "no store": "the log cannot be read",
    "log salvaged": "the log was damaged; the first page says what is missing, until it is read",
}
"""What each trouble means that is not an entry's own."""


@dataclass(frozen=True, slots=True)
class Health:
    """How the box is."""

    alive: bool
    """The program works: a new start would mend nothing."""
    troubles: tuple[str, ...]
    """What is wrong, the worst first, in words that never change."""
    reasons: tuple[str, ...]
    """The same for people. It tells no names: who asks need know no PIN."""
    complete: bool
    """All of the log was looked over since the start."""
    is_able: bool
    """What is played now can be read, kept and shown."""

    @property
    def status(self) -> Literal["ok", "degraded"]:
        """All is well, or something is wrong."""
        return "degraded" if self.troubles else "ok"


def health(watch: StorageWatch, hands: HandRepository, *, alive: bool) -> Health:
    """Return how the box is; never raises for what its store does."""
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
    """Return what troubles mean."""
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
