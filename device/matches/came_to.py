"""Results of a match: the stored summary for lists, and the final placings.

Summaries of finished matches are stored, so the list of matches need not replay them. A stored
summary is used only while the log holds exactly the same events of the match.
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
"""Increase this when the stored fields or their meaning change."""


class CameTo(Struct, frozen=True, forbid_unknown_fields=True):
    """What a list shows of a match."""

    id: str
    players: tuple[str, ...]
    begun_at: datetime | None
    ended: bool
    deals: int
    """Number of deals that count."""
    totals: dict[str, int]
    """Total of each player, by name."""
    leaders: tuple[str, ...]
    """Players with the highest total; several if they tie."""
    table: str = ""
    """Id of the table; empty where there was only one."""


_KEPT = of_type("came-to", FORM, CameTo)


def came_to(match: Match) -> CameTo:
    """Return the summary of a match."""
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
    """Return names as plain strings: stored summaries hold no `Name`."""
    return tuple(map(str, names))


def known(log: Log, extents: Mapping[str, Extent]) -> dict[str, CameTo]:
    """Return the stored summaries that are up to date, by match id."""
    kept = _KEPT.read(log, extents)
    return {
        match: each.record for match, each in kept.items() if each.version == extents[match].last
    }


def keep(log: Log, found: Mapping[str, CameTo], extents: Mapping[str, Extent]) -> None:
    """Store summaries of finished matches; a failure only goes to the log file.

    A running match is not stored, because each of its events would change the summary.
    """
    fresh = {
        match: KeptRecord(extents[match].last, each) for match, each in found.items() if each.ended
    }
    if fresh:
        _KEPT.write(log, fresh)
