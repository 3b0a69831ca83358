"""The last thing that somebody did, in words."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say
from device.matches.match import Match


@dataclass(frozen=True, slots=True)
class Done:
    """The last thing that somebody did, to be taken back with one tap."""

    seq: int
    says: str


def last_done(match: Match) -> Done | None:
    """Return the last thing that can be taken back, in words."""
    if not match.doings:
        return None
    doing = match.doings[-1]
    who = doing.by or say("table.somebody")
    time = f"{doing.at.astimezone():%H:%M}"
    return Done(doing.seq, say(f"did.{doing.kind}", who=who, time=time))
