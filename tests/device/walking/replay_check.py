"""Replay the whole log, stream by stream, and find what its own replay refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from device.club import ClubError
from device.club.register import PERSON_EVENTS, Register, apply
from device.club.season import SEASONS
from device.club.tables import CLUB_TABLES
from device.club.tournament.replay import TOURNAMENTS
from device.hands.replay import HANDS
from device.matches.replay import MATCHES
from device.matches.seats import PHONES
from device.matches.table_photo import TABLE_PHOTOS
from device.rulesets.repository import CUSTOM_RULESETS
from device.settings import check_box_event
from device.store import Envelope, Store, TornEventError, queries
from device.store.projection import Projection, project
from device.tilesets.registrations import REGISTRATIONS
from device.tutoring.practice_deals import PRACTICE_DEALS
from device.tutoring.progress import PRACTICE

Events = Iterable[Envelope[Any]]

_MOST_EVENTS = 10**6

_PROJECTIONS: tuple[Projection[Any], ...] = (
    HANDS,
    MATCHES,
    PHONES,
    TABLE_PHOTOS,
    REGISTRATIONS,
    TOURNAMENTS,
    SEASONS,
    CLUB_TABLES,
    CUSTOM_RULESETS,
    PRACTICE,
    PRACTICE_DEALS,
)


def _project_stream(projection: Projection[Any], events: Events) -> None:
    projected_state = project(projection, tuple(events))
    if projected_state.torn_error:
        raise projected_state.torn_error
    assert projected_state.record is not None, f"the stream is no {projection.sort}"


def _check_events(events: Events) -> None:
    for each in events:
        check_box_event(each)


def _register(events: Events) -> None:
    register = Register()
    for each in events:
        register = apply(register, each)


REPLAYS: Mapping[str, Callable[[Events], None]] = {
    **{how.sort: partial(_project_stream, how) for how in _PROJECTIONS},
    "box": _check_events,
    "person": _register,
}
"""How the streams of each sort are replayed; those of all people are one."""


def streams_since(store: Store, seq: int = 0) -> tuple[str, ...]:
    """Return the streams that have an event above a number."""
    rows = store.log.rows(queries.rows_after(seq, _MOST_EVENTS))
    return tuple(dict.fromkeys(str(row[1]) for row in rows))


def find_refused(store: Store, streams: Iterable[str]) -> Iterator[str]:
    """Yield what its own replay refuses of each of these streams."""
    for stream in streams:
        try:
            events = store.events(stream)
            sort = events[0].event.streams[0]
            REPLAYS[sort](store.of_kinds(*PERSON_EVENTS) if sort == "person" else events)
        except (TornEventError, ValueError, ClubError) as error:
            yield f"{stream}: {error}"
