"""What makes no sense in the log, what there was before it, and the way on from there.

A stream is shown up to its first event that makes no sense, and takes no more: nobody can say what
would follow. Players may cut it back to there. Nothing is removed for it: the events that no longer
count stay in the log, and can be had as a file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from device.club.season_log import SEASONS
from device.club.tables import CLUB_TABLES
from device.club.tournament.replay import TOURNAMENTS
from device.hands.replay import HANDS
from device.matches.replay import MATCHES
from device.matches.whole_table import TABLES
from device.settings.settings import SettingsLog
from device.store import Store, TornEventError
from device.store.events import (
    Beginning,
    Event,
    MatchBegun,
    SeasonBegun,
    SetPhotographed,
    TableLaid,
    TablePhotographed,
    TournamentBegun,
)
from device.store.replaying import Projected, Projection, projector
from device.tilesets.registrations import REGISTRATIONS

_SORTS: tuple[tuple[Projection[Any], type[Event]], ...] = (
    (HANDS, Beginning),
    (MATCHES, MatchBegun),
    (TABLES, TablePhotographed),
    (REGISTRATIONS, SetPhotographed),
    (TOURNAMENTS, TournamentBegun),
    (SEASONS, SeasonBegun),
    (CLUB_TABLES, TableLaid),
)
"""The streams that are replayed, and what each begins with."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with one stream."""

    sort: str
    """Of the stream, as the catalogue has it; empty where its first event makes no sense."""
    torn: TornEventError
    """Its first event that makes no sense."""
    lost: int
    """How many of its events do not count: that one, and all after it."""
    match: str = ""
    """Id of the match that it is, or is part of; empty for none."""


def damage_of(store: Store, stream: str) -> Damage | None:
    """Return what is wrong with a stream; None for one that is whole or not there."""
    for how, _ in _SORTS:
        found = projector(store, how).so_far(stream)
        if found.torn:
            sort = how.sort if found.record is not None else ""
            match = stream if how is MATCHES else getattr(found.record, "match", "")
            return Damage(sort, found.torn, _count_from(store, stream, found), match)
    return None


def cut_back(store: Store, stream: str, since: int, by: str = "") -> None:
    """Let a stream go on from before its event number `since`, the first that makes no sense.

    Nothing happens where somebody has done so already. Raises MovedOnError.
    """
    for how, _ in _SORTS:
        projector(store, how).cut_back(stream, since, by)


def damages(store: Store) -> Iterator[TornEventError]:
    """Yield every event at which a stream ends to make sense; replays all that is in the log."""
    malformed = {each.seq: each for each in store.torn()}
    yield from malformed.values()
    yield from SettingsLog(store).unknown()
    for how, beginning in _SORTS:
        for stream in store.with_event(*_kinds(beginning), limit=-1):
            torn = projector(store, how).so_far(stream).torn
            if torn and torn.seq not in malformed:
                yield torn


def as_kept(store: Store, stream: str) -> str:
    """Return all events of a stream as the log has them, one JSON object a line."""
    lines = (
        {"seq": seq, "stream": of, "kind": kind, "json": text, "at": at}
        for seq, of, kind, text, at in store.raw(stream)
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _count_from(store: Store, stream: str, found: Projected[Any]) -> int:
    since = found.torn.seq if found.torn else 0
    return len(store.stream(stream, after=since - 1))


def _kinds(beginning: type[Event]) -> tuple[type[Event], ...]:
    return tuple(beginning.__subclasses__()) or (beginning,)
