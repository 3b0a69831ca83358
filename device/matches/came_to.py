"""What matches that are over came to, kept so that the list of matches need not replay them.

Of a match it is believed only as long as the log has the very same events of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct

from device.matches.match import Match
from device.store.derived import KeptRecord, of_type
from device.store.envelopes import Extent
from device.store.log import Log

FORM = 2
"""Grows when the fields below change, or what they mean."""


class CameTo(Struct, frozen=True, forbid_unknown_fields=True):
    """What a match has come to, as far as a list tells it."""

    id: str
    players: tuple[str, ...]
    begun_at: datetime | None
    ended: bool
    deals: int
    """How many count."""
    totals: dict[str, int]
    """What each player has, by name."""
    leaders: tuple[str, ...]
    """Who has most; several when they have the same."""
    table: str = ""
    """Id of the table that it was played at; empty where there was only one."""


_KEPT = of_type("came-to", FORM, CameTo)


def came_to(match: Match) -> CameTo:
    """Return what a match has come to."""
    course = match.course
    return CameTo(
        id=match.id,
        players=_plain(match.game.players),
        begun_at=match.begun_at,
        ended=match.ended,
        deals=sum(row.deal is not None for row in course.rows),
        totals=dict(zip(_plain(course.totals), course.totals.values(), strict=True)),
        leaders=_plain(course.leaders),
        table=match.table,
    )


def _plain(names: Iterable[str]) -> tuple[str, ...]:
    """Return names as texts alone: what is kept has no others."""
    return tuple(map(str, names))


def known(log: Log, extents: Mapping[str, Extent]) -> dict[str, CameTo]:
    """Return what is kept of matches, by id, where these are their events to the last."""
    kept = _KEPT.read(log, extents)
    return {
        match: each.record for match, each in kept.items() if each.version == extents[match].last
    }


def keep(log: Log, found: Mapping[str, CameTo], extents: Mapping[str, Extent]) -> None:
    """Keep what matches that are over came to; a store that takes nothing is told in the log file.

    A match that goes on would have to be written again with each of its events.
    """
    fresh = {
        match: KeptRecord(extents[match].last, each) for match, each in found.items() if each.ended
    }
    if fresh:
        _KEPT.write(log, fresh)
