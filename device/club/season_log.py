"""The seasons in the log, and all changes to them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date

from device.club.errors import ClubError
from device.club.league import Season, SeasonSaying
from device.i18n.names import Name
from device.store import Envelope, Store, TornEventError
from device.store.errors import MovedOnError, UnfitError, UnknownStreamError
from device.store.events import (
    SEASON,
    Event,
    SeasonBegun,
    SeasonChanged,
    SeasonEvent,
    SeasonMatchSaid,
    SeasonSaid,
)
from device.store.replaying import Projection, projector, whole_and_torn
from scorer.message import message

_ID = re.compile("[0-9a-f]{12}")

MOST_PLACES = 5
"""Places at a table that may give points: a match has at most five players."""

MOST_POINTS = 999
"""Points that one place may give; the limit for negative points too."""


class UnknownSeasonError(UnknownStreamError):
    """There is no season with that id."""


def begun(envelope: Envelope[Event]) -> Season:
    """Return the season that an event starts; raise ValueError."""
    event = envelope.event
    if not isinstance(event, SeasonBegun):
        raise ValueError("a season begins with what it is")
    return _as_said(envelope.stream.removeprefix(SEASON), event, {})


def apply(season: Season, envelope: Envelope[Event]) -> Season:
    """Return the season with one more event; raise ValueError if it does not fit."""
    match envelope.event:
        case SeasonChanged() as event:
            return _as_said(season.id, event, season.said)
        case SeasonMatchSaid(counts=None) as event:
            others = {match: said for match, said in season.said.items() if match != event.match}
            return replace(season, said=others)
        case SeasonMatchSaid(counts=counts) as event:
            said = SeasonSaying(bool(counts), event.why, event.who)
            return replace(season, said={**season.said, event.match: said})
    raise ValueError("nothing of the kind happens to a season")


def _as_said(season: str, event: SeasonSaid, said: Mapping[str, SeasonSaying]) -> Season:
    first, last = date.fromisoformat(event.first), date.fromisoformat(event.last)
    if first > last or (event.best is not None and event.best < 1):
        raise ValueError("a season ends before it begins, or nothing counts in it")
    return Season(
        id=season,
        name=Name(event.name),
        first=first,
        last=last,
        points=event.points,
        by_place=event.by_place,
        best=event.best,
        said=said,
    )


SEASONS = Projection("season", begun, apply, UnknownSeasonError)
"""Builds a season from its events."""


class SeasonLog:
    """The seasons in a store, and the one way to change them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = projector(store, SEASONS)

    def get(self, season: str) -> Season:
        """Return a season; raise UnknownSeasonError or TornEventError."""
        return self._projector.get(SEASON + season)

    def every(self) -> tuple[Season, ...]:
        """Return all seasons with undamaged events, the latest start first."""
        return tuple(sorted(self._load_all()[0], key=lambda each: each.first, reverse=True))

    def torn(self) -> tuple[TornEventError, ...]:
        """Return the errors of the seasons that cannot be read."""
        return self._load_all()[1]

    def _load_all(self) -> tuple[tuple[Season, ...], tuple[TornEventError, ...]]:
        streams = self._store.with_event(SeasonBegun, limit=-1)
        return whole_and_torn(self._projector.together(streams), streams)

    def begin(self, event: SeasonBegun, season: str = "") -> str:
        """Start a season; return its id; raise ClubError.

        The id may come from a form, so that a form sent twice starts one season.
        """
        check(event)
        if not _ID.fullmatch(season):
            season = new_id()
        with suppress(MovedOnError):
            self._projector.add_after(SEASON + season, 0, event)
        return season

    def change(self, season: str, event: SeasonChanged) -> None:
        """Change a season's rules; raise ClubError or UnknownSeasonError."""
        check(event)
        self._append(season, event)

    def say(self, season: str, event: SeasonMatchSaid) -> None:
        """Record a decision about one match; raise ClubError or UnknownSeasonError."""
        if event.counts is not None and not (event.why and event.who):
            raise ClubError(message("club.season.why-and-who"))
        self._append(season, event)

    def _append(self, season: str, event: SeasonEvent) -> None:
        try:
            self._projector.change(SEASON + season, event)
        except UnfitError as error:
            raise ClubError(message("error.400")) from error


def new_id() -> str:
    """Return an unused id."""
    return secrets.token_hex(6)


def check(event: SeasonSaid) -> None:
    """Raise ClubError for rules that make no valid season; the sentence says what to change."""
    if not event.name:
        raise ClubError(message("club.season.no-name"))
    if event.first > event.last:  # both are ISO 8601 dates, so text order is date order
        raise ClubError(message("club.season.dates"))
    if event.points != "totals" and not event.by_place:
        raise ClubError(message("club.season.no-places"))
    if list(event.by_place) != sorted(event.by_place, reverse=True):
        raise ClubError(message("club.season.places-fall"))
