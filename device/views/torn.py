"""Describe damaged streams of the log."""

from __future__ import annotations

from dataclasses import dataclass

from device.damage import Damage, DamageReport
from device.i18n.words import say
from device.store import TornEventError

MAX_LINES = 50
"""Damaged streams that the first page lists."""


@dataclass(frozen=True, slots=True)
class DamageView:
    """A damaged stream in words."""

    stream: str
    since: int
    """Number of its first damaged event."""
    says: str
    goes_on: str
    """What happens if play goes on from before the damage; empty where that is impossible."""
    no_way: str
    """Why it is impossible."""


@dataclass(frozen=True, slots=True)
class TornLine:
    """One damaged stream in a list."""

    stream: str
    says: str


def torn_in_words(torn: TornEventError) -> str:
    """Return the sentence that names the damaged event."""
    return say("error.torn", number=torn.seq, kind=torn.kind)


def torn_line(torn: TornEventError) -> TornLine:
    """Return the line of a list for a stream that cannot be shown."""
    return TornLine(torn.stream, torn_in_words(torn))


def damage_lines(report: DamageReport) -> tuple[TornLine, ...]:
    """Return the newest damage for the first page, up to a limit.

    A line without a stream concerns the whole box. Log recovery has its own notice.
    """
    whole = []
    if report.torn_log:
        whole.append(say("error.torn-log"))
    if report.missing:
        whole.append(say("doctor.photographs.missing", count=len(report.missing)))
    torn = [torn_line(each) for each in report.torn[::-1][:MAX_LINES]]
    return (*(TornLine("", each) for each in whole), *torn)


def damage_view(damage: Damage) -> DamageView:
    """Return what is wrong with a stream, in words."""
    return DamageView(
        stream=damage.torn.stream,
        since=damage.torn.seq,
        says=torn_in_words(damage.torn),
        goes_on=say("damaged.cut-hint", lost=damage.lost) if damage.sort else "",
        no_way=say("damaged.alone" if damage.stands_alone else "damaged.nothing"),
    )
