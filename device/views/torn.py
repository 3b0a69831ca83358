"""What is said of something in the log that makes no sense."""

from __future__ import annotations

from dataclasses import dataclass

from device.damage import Damage, DamageReport
from device.i18n.words import say
from device.store import TornEventError

MAX_LINES = 50
"""Damaged streams that the first page names."""


@dataclass(frozen=True, slots=True)
class DamageView:
    """A damaged stream as people read of it."""

    stream: str
    since: int
    """Number of its first event that makes no sense."""
    says: str
    goes_on: str
    """What comes of going on from before it; empty where that cannot be."""
    no_way: str
    """Why it cannot be."""


@dataclass(frozen=True, slots=True)
class TornLine:
    """One damaged stream in a list."""

    stream: str
    says: str


def torn_in_words(torn: TornEventError) -> str:
    """Return the sentence that says by which event it is torn, and that all else is there."""
    return say("error.torn", number=torn.seq, kind=torn.kind)


def torn_line(torn: TornEventError) -> TornLine:
    """Return what a list says of a stream that it cannot show."""
    return TornLine(torn.stream, torn_in_words(torn))


def damage_lines(report: DamageReport) -> tuple[TornLine, ...]:
    """Return what the first page says of all that is damaged, the newest first, and not all of it.

    A line without a stream is about the whole box. That the log was salvaged is said elsewhere.
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
