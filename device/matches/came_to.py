"""What matches that are over came to, kept so that the list of matches need not replay them.

It is derived from the log alone: a file that may be thrown away at any time, and is made again. Of
a match it is believed only as long as the log has the very same events of it, and of all only by
the program that wrote it: another may come to something else.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from importlib import metadata
from pathlib import Path

import msgspec
from msgspec import Struct

from device.matches.match import Match
from device.store import files
from device.store.envelopes import Extent

FILE = "came-to.json"
"""Its name in the data folder."""

FORM = 2
"""Grows when the fields below change, or what they mean."""

_log = logging.getLogger(__name__)


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


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    form: str
    matches: dict[str, _Known]


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
    kept = _read(folder)
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
    data = msgspec.json.encode(_Kept(_form(), {**_read(folder), **fresh}))
    try:
        with files.whole(folder / FILE) as file:
            file.write(data)
    except OSError:
        _log.exception("What matches came to cannot be kept, and is worked out anew each time")


def _read(folder: Path) -> Mapping[str, _Known]:
    try:
        kept = msgspec.json.decode((folder / FILE).read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return {}  # never written, by a program of other fields, or torn: it is made again
    return kept.matches if kept.form == _form() else {}


@cache
def _form() -> str:
    try:
        return f"{FORM} of tongbox {metadata.version('tongbox')}"
    except metadata.PackageNotFoundError:
        return f"{FORM}"
