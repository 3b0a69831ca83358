"""What matches that are over came to, kept so that the list of matches need not replay them.

It is derived from the log alone: a file that may be thrown away at any time, and is made again. Of
a match it is believed only as long as the log has the very same events of it, and of all only by
the program that wrote it: another may come to something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from device.matches.match import Match
from device.store.derived import DerivedFile
from device.store.envelopes import Extent

FILE = "came-to.json"
"""Its name in the data folder."""

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


class _Known(Struct, frozen=True, forbid_unknown_fields=True):
    of: Extent
    """The events that it is derived from."""
    came_to: CameTo


_KEPT = DerivedFile(FILE, FORM, _Known)


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
    """Return names as texts alone: what `Name` is, no file can say."""
    return tuple(map(str, names))


def known(folder: Path, extents: Mapping[str, Extent]) -> dict[str, CameTo]:
    """Return what is kept of matches, by id, where these are their events to the last."""
    kept = _KEPT.read(folder)
    return {
        match: kept[match].came_to
        for match, extent in extents.items()
        if match in kept and kept[match].of == extent
    }


def keep(folder: Path, found: Mapping[str, CameTo], extents: Mapping[str, Extent]) -> None:
    """Keep what matches that are over came to; a disk that takes nothing is told in the log file.

    A match that goes on would have to be written again with each of its events.
    """
    fresh = {match: _Known(extents[match], each) for match, each in found.items() if each.ended}
    if not fresh:
        return
    _KEPT.write(folder, {**_KEPT.read(folder), **fresh})
