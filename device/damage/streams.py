"""Find what is wrong with one stream, cut it off at its first torn event, and export it."""

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
    """The stream's sort, by its name in the catalogue; empty if nothing is left to go on from."""
    torn: TornEventError
    """Its first torn event."""
    lost: int
    """Number of events that do not count: the torn one and all after it."""
    match: str = ""
    """Id of the match that the stream is or belongs to; empty for none."""
    stands_alone: bool = False
    """Only the torn event does not count, because the events of the stream stand by themselves."""


def damage_of(store: Store, stream: str) -> Damage | None:
    """Return what is wrong with a stream; None if it is whole or missing."""
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
    """Cut a stream off at its first torn event, number `since`, so that it can go on.

    Does nothing if that has been done already. Raises ConcurrentChangeError.
    """
    for how in PROJECTIONS:
        projector(store, how).cut_back(stream, since, by)


def as_kept(store: Store, stream: str) -> str:
    """Return all events of a stream as the log has them, one JSON object per line."""
    lines = (
        {"seq": seq, "stream": of, "kind": kind, "json": text, "at": at}
        for seq, of, kind, text, at in store.raw(stream)
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
