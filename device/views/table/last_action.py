"""Describe the last action at a table."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say
from device.matches.match import Match, MatchAction


@dataclass(frozen=True, slots=True)
class Done:
    """An action that one tap undoes or repeats."""

    seq: int
    says: str


def last_done(match: Match) -> Done | None:
    """Return the last action that can be undone, in words."""
    if not match.doings:
        return None
    return _in_words(match.doings[-1])


def last_undone(match: Match) -> Done | None:
    """Return the last undone action that can be repeated, in words."""
    if match.undone is None:
        return None
    undone = _in_words(match.undone)
    return Done(undone.seq, say("table.undone", what=undone.says))


def _in_words(doing: MatchAction) -> Done:
    who = doing.by or say("table.somebody")
    time = f"{doing.at.astimezone():%H:%M}"
    return Done(doing.seq, say(f"did.{doing.kind}", who=who, time=time))
