"""What makes no sense in a stream, what there was before it, and the way on from there.

A stream is shown up to its first event that makes no sense, and takes no more: nobody can say what
would follow. Players may cut it back to there. Nothing is removed for it: the events that no longer
count stay in the log, and can be had as a file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from device.damage.examination import PROJECTIONS
from device.damage.report import examine
from device.matches.replay import MATCHES
from device.store import Store, TornEventError
from device.store.replaying import projector


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with one stream."""

    sort: str
    """Of the stream, as the catalogue has it; empty where there is nothing to go on from."""
    torn: TornEventError
    """Its first event that makes no sense."""
    lost: int
    """How many of its events do not count: that one, and all after it."""
    match: str = ""
    """Id of the match that it is, or is part of; empty for none."""
    stands_alone: bool = False
    """Only that event does not count: the stream's others do not follow on each other."""


def damage_of(store: Store, stream: str) -> Damage | None:
    """Return what is wrong with a stream; None for one that is whole or not there."""
    for how in PROJECTIONS:
        found = projector(store, how).so_far(stream)
        if found.torn:
            sort = how.sort if found.record is not None else ""
            lost = len(store.stream(stream, after=found.torn.seq - 1))
            match = stream if how is MATCHES else getattr(found.record, "match", "")
            return Damage(sort, found.torn, lost, match)
    alone = next((each for each in examine(store).torn if each.stream == stream), None)
    return Damage("", alone, lost=1, stands_alone=True) if alone else None


def cut_back(store: Store, stream: str, since: int, by: str = "") -> None:
    """Let a stream go on from before its event number `since`, the first that makes no sense.

    Nothing happens where somebody has done so already. Raises MovedOnError.
    """
    for how in PROJECTIONS:
        projector(store, how).cut_back(stream, since, by)


def as_kept(store: Store, stream: str) -> str:
    """Return all events of a stream as the log has them, one JSON object a line."""
    lines = (
        {"seq": seq, "stream": of, "kind": kind, "json": text, "at": at}
        for seq, of, kind, text, at in store.raw(stream)
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
