"""What is said of something in the log that makes no sense."""

from __future__ import annotations

from dataclasses import dataclass

from device.damage import Damage
from device.i18n.words import say
from device.store import TornEventError


@dataclass(frozen=True, slots=True)
class DamageView:
    """A damaged stream as people read of it."""

    stream: str
    since: int
    """Number of its first event that makes no sense."""
    says: str
    goes_on: str
    """What comes of going on from before it; empty where there is nothing before it."""


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


def damage_view(damage: Damage) -> DamageView:
    """Return what is wrong with a stream, in words."""
    return DamageView(
        stream=damage.torn.stream,
        since=damage.torn.seq,
        says=torn_in_words(damage.torn),
        goes_on=say("damaged.cut-hint", lost=damage.lost) if damage.sort else "",
    )
