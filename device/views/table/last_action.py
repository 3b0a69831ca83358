"""The last thing that somebody did, in words."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say
from device.matches.match import Doing, Match


@dataclass(frozen=True, slots=True)
class Done:
    """The last thing that somebody did, to be taken back or done again with one tap."""

    seq: int
    says: str


def last_done(match: Match) -> Done | None:
    """Return the last thing that can be taken back, in words."""
    if not match.doings:
        return None
    return _in_words(match.doings[-1])


def last_undone(match: Match) -> Done | None:
    """Return what was taken back last and may be done again, in words."""
    if match.undone is None:
        return None
    undone = _in_words(match.undone)
    return Done(undone.seq, say("table.undone", what=undone.says))


def _in_words(doing: Doing) -> Done:
    who = doing.by or say("table.somebody")
    time = f"{doing.at.astimezone():%H:%M}"
    return Done(doing.seq, say(f"did.{doing.kind}", who=who, time=time))
