"""The season: which matches count, the league's ranking by table points, and seasons in the log.

The ranking is computed from the season's rules and the match results whenever it is asked for. A
match that is corrected, added or left out changes only what depends on it.

Table points are fractions, never floats. Three players who share 4-2-1 get 7/3 each, 7 together.
Tournaments are ranked by them, too.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Any, Generic, Literal, TypeVar

from msgspec import structs

from device.club import ClubError
from device.club.register import Person
from device.i18n.names import distinct_name
from device.store import Envelope, Store, TornEventError
from device.store.errors import ConcurrentChangeError, EventRefusedError, UnknownStreamError
from device.store.events import (
    SEASON,
    Event,
    SeasonBegun,
    SeasonChanged,
    SeasonEvent,
    SeasonMatchDecided,
    SeasonSettingsChanged,
)
from device.store.projection import Projection, get_projector, split_whole_and_torn
from scorer.message import message

MAX_SCORING_PLACES = 5
"""Places at a table that may give points: a match has at most five players."""

MAX_POINTS_PER_PLACE = 999
"""Points that one place may give; the limit for negative points too."""

_ID_PATTERN = re.compile("[0-9a-f]{12}")

Participant = TypeVar("Participant")
SettingsT = TypeVar("SettingsT", bound=SeasonSettingsChanged)

SeasonBasis = Literal["totals", "places", "both"]
SEASON_BASES: tuple[SeasonBasis, ...] = ("totals", "places", "both")
"""What ranks players: points won and lost, table points, or table points and then points won."""

MatchInclusion = Literal["counts", "put-in", "left-out", "outside", "too-few"]
"""How the season treats a match: by its date and number of players (`counts`, `outside`, `too-few`)
or by the organiser's decision."""


@dataclass(frozen=True, slots=True)
class MatchDecision:
    """The organiser's decision about one match."""

    counts: bool
    why: str
    who: str


@dataclass(frozen=True, slots=True)
class Season:
    """A season with the organiser's rules."""

    id: str
    name: str
    first: date
    last: date
    """The last day counts too."""
    points: SeasonBasis
    by_place: tuple[int, ...]
    best: int | None
    """How many of a player's best matches count; None for all."""
    said: Mapping[str, MatchDecision]
    """Decisions about single matches, by match id."""
    least_players: int = 2
    """How many must have played a match for it to count by its day."""

    def inclusion_of(self, match: str, day: date | None, players: int) -> MatchInclusion:
        """Return how the season treats a match, by its first day and its number of players."""
        is_within = day is not None and self.first <= day <= self.last
        if match in self.said:
            return "put-in" if self.said[match].counts else "left-out"
        if not is_within:
            return "outside"
        return "counts" if players >= self.least_players else "too-few"

    def takes(self, match: str, day: date | None, players: int) -> bool:
        """Whether a match counts."""
        return self.inclusion_of(match, day, players) in ("counts", "put-in")


@dataclass(frozen=True, slots=True)
class LeagueMatch:
    """A match that counts, with what each player won or lost."""

    id: str
    gains: Mapping[str, int]
    """By person id."""
    stand_in_gains: tuple[int, ...] = ()
    """What nobody of the club won or lost; it counts for the others' places at the table."""


@dataclass(frozen=True, slots=True)
class MatchContribution:
    """What one match brought to one player."""

    match: str
    gain: int
    points: Fraction
    """Table points for the place at the table."""
    counts: bool = True
    """Whether it is among the player's best matches that count."""


@dataclass(frozen=True, slots=True)
class LeaguePlace:
    """One player's place in the league."""

    person: str
    place: int
    """Counted from 1. Equal players share a place, and the places after them are skipped."""
    shared: bool
    gain: int
    """Sum over all matches that count."""
    points: Fraction
    """Sum of table points over the matches that count."""
    gave: tuple[MatchContribution, ...]
    """All matches of the season that the player was in, the oldest first."""

    @property
    def counted(self) -> int:
        """Number of matches that count."""
        return sum(each.counts for each in self.gave)


def rank_league(
    season: Season, matches: Iterable[LeagueMatch], left_out: Iterable[str] = ()
) -> tuple[LeaguePlace, ...]:
    """Return the league's ranking, the first place first.

    `left_out` are ids of people who are not ranked; this does not change the points of the others.
    """
    contributions: dict[str, list[MatchContribution]] = {}
    for match in matches:
        stand_ins = {f"stand-in {at}": gain for at, gain in enumerate(match.stand_in_gains)}
        points = table_points({**match.gains, **stand_ins}, season.by_place)
        for person, gain in match.gains.items():
            contributions.setdefault(person, []).append(
                MatchContribution(match.id, gain, points[person])
            )
    counted_contributions = {
        person: _mark_best(each, season)
        for person, each in contributions.items()
        if person not in {*left_out}
    }
    sums = {person: _sum_worths(each, season) for person, each in counted_contributions.items()}
    return tuple(
        LeaguePlace(
            person=each.who,
            place=each.place,
            shared=each.shared,
            gain=sum(one.gain for one in counted_contributions[each.who] if one.counts),
            points=sum((o.points for o in counted_contributions[each.who] if o.counts), Fraction()),
            gave=counted_contributions[each.who],
        )
        for each in rank_results(sums)
    )


def _mark_best(
    contributions: list[MatchContribution], season: Season
) -> tuple[MatchContribution, ...]:
    """Return a player's matches with those beyond the season's best marked as not counting."""
    worth = _WORTH_BY_BASIS[season.points]
    dearest = sorted(
        range(len(contributions)), key=lambda place: worth(contributions[place]), reverse=True
    )
    counts = set(dearest if season.best is None else dearest[: season.best])
    return tuple(replace(each, counts=place in counts) for place, each in enumerate(contributions))


def _sum_worths(contributions: Iterable[MatchContribution], season: Season) -> tuple[Fraction, ...]:
    worths = [_WORTH_BY_BASIS[season.points](each) for each in contributions if each.counts]
    return tuple(sum(column, Fraction()) for column in zip(*worths, strict=True))


_WORTH_BY_BASIS: Mapping[SeasonBasis, Callable[[MatchContribution], tuple[Fraction, ...]]] = {
    "totals": lambda contribution: (Fraction(contribution.gain),),
    "places": lambda contribution: (contribution.points,),
    "both": lambda contribution: (contribution.points, Fraction(contribution.gain)),
}
"""The values compared between matches and between players, by basis."""


def gains_by_person(gains: Mapping[str, int], people: Mapping[str, Person]) -> dict[str, int]:
    """Return what each person won or lost; `people` maps the match's names to people."""
    return {people[name].id: gain for name, gain in gains.items()}


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Participant]):
    """One participant's place in a ranking."""

    place: int
    """Counted from 1. Equal participants share a place, and the places after them are skipped."""
    shared: bool
    """Whether somebody else has the same place."""
    who: Participant


def rank_results(results: Mapping[Participant, Any]) -> tuple[Ranked[Participant], ...]:
    """Return all participants, the first place first; a higher result is better.

    A result is a number, or a tuple whose later numbers only break ties. Participants who share a
    place keep the order of `results`.

    >>> ranked = rank_results({"Ann": 3, "Bob": 1, "Cy": 3})
    >>> [(place.place, place.shared, place.who) for place in ranked]
    [(1, True, 'Ann'), (1, True, 'Cy'), (3, False, 'Bob')]
    """
    in_order = sorted(results, key=lambda participant: results[participant], reverse=True)
    standing: list[Ranked[Participant]] = []
    for _, equal in groupby(in_order, key=lambda participant: results[participant]):
        tied_participants = list(equal)
        place, is_shared = len(standing) + 1, len(tied_participants) > 1
        standing.extend(Ranked(place, is_shared, participant) for participant in tied_participants)
    return tuple(standing)


def table_points(
    totals: Mapping[Participant, int], by_place: Sequence[int | Fraction]
) -> dict[Participant, Fraction]:
    """Return the table points of each player, in the order of `totals`.

    `by_place` lists the points of the first place, the second and so on; later places get none.
    Players who share places get their average, so the sum does not change.

    >>> points = table_points({"Ann": 120, "Bob": -40, "Cy": 120, "Di": -200}, (4, 2, 1, 0))
    >>> {name: str(each) for name, each in points.items()}
    {'Ann': '3', 'Bob': '1', 'Cy': '3', 'Di': '0'}
    """
    standing = rank_results(totals)
    points: dict[Participant, Fraction] = {}
    for place, equal in groupby(standing, key=lambda ranked_participant: ranked_participant.place):
        tied_participants = [ranked_participant.who for ranked_participant in equal]
        points_given = sum(
            map(Fraction, by_place[place - 1 : place - 1 + len(tied_participants)]), Fraction()
        )
        points |= dict.fromkeys(tied_participants, points_given / len(tied_participants))
    return {who: points[who] for who in totals}


class UnknownSeasonError(UnknownStreamError):
    """There is no season with that id."""


def start_season(envelope: Envelope[Event]) -> Season:
    """Return the season that an event starts; raise ValueError."""
    event = envelope.event
    if not isinstance(event, SeasonBegun):
        raise ValueError("a season begins with what it is")
    return _season_from(envelope.stream.removeprefix(SEASON), event, {})


def apply(season: Season, envelope: Envelope[Event]) -> Season:
    """Return the season with one more event; raise ValueError if it does not fit."""
    match envelope.event:
        case SeasonChanged() as event:
            return _season_from(season.id, event, season.said)
        case SeasonMatchDecided(counts=None) as event:
            other_decisions = {
                match: said for match, said in season.said.items() if match != event.match
            }
            return replace(season, said=other_decisions)
        case SeasonMatchDecided(counts=counts) as event:
            decision = MatchDecision(bool(counts), event.why, event.who)
            return replace(season, said={**season.said, event.match: decision})
    raise ValueError("nothing of the kind happens to a season")


def _season_from(
    season: str, event: SeasonSettingsChanged, decisions: Mapping[str, MatchDecision]
) -> Season:
    first, last = date.fromisoformat(event.first), date.fromisoformat(event.last)
    if first > last or (event.best is not None and event.best < 1) or event.least_players < 2:
        raise ValueError("a season ends before it begins, or nothing counts in it")
    return Season(
        id=season,
        name=event.name,
        first=first,
        last=last,
        points=event.points,
        by_place=event.by_place,
        best=event.best,
        said=decisions,
        least_players=event.least_players,
    )


SEASONS = Projection("season", start_season, apply, UnknownSeasonError)
"""Builds a season from its events."""


class SeasonRepository:
    """The seasons in a store, and the one way to change them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = get_projector(store, SEASONS)

    def get(self, season: str) -> Season:
        """Return a season; raise UnknownSeasonError or TornEventError."""
        return self._projector.get(SEASON + season)

    def list_seasons(self) -> tuple[Season, ...]:
        """Return all seasons with undamaged events, the latest start first."""
        return tuple(sorted(self._load_all()[0], key=lambda season: season.first, reverse=True))

    def find_newest(self) -> Season | None:
        """Return the season with undamaged events that starts last."""
        return next(iter(self.list_seasons()), None)

    def torn(self) -> tuple[TornEventError, ...]:
        """Return the errors of the seasons that cannot be read."""
        return self._load_all()[1]

    def _load_all(self) -> tuple[tuple[Season, ...], tuple[TornEventError, ...]]:
        streams = self._store.with_event(SeasonBegun, limit=-1)
        return split_whole_and_torn(self._projector.load_together(streams), streams)

    def begin(self, event: SeasonBegun, season: str = "") -> str:
        """Start a season; return its id; raise ClubError.

        The id may come from a form, so that a form sent twice starts one season. A name that
        another season has gets a number.
        """
        check_season(event)
        if not _ID_PATTERN.fullmatch(season):
            season = new_season_id()
        event = self._tell_apart(event, season)
        try:
            self._projector.begin_once(SEASON + season, event)
        except ConcurrentChangeError as error:
            raise ClubError(message("club.refused.sent-before")) from error
        return season

    def change(self, season: str, event: SeasonChanged) -> None:
        """Change a season's rules; raise ClubError or UnknownSeasonError."""
        check_season(event)
        self._append(season, self._tell_apart(event, season))

    def say(self, season: str, event: SeasonMatchDecided) -> None:
        """Record a decision about one match; raise ClubError or UnknownSeasonError."""
        if event.counts is not None and not (event.why and event.who):
            raise ClubError(message("club.season.why-and-who"))
        self._append(season, event)

    def _tell_apart(self, event: SettingsT, season: str) -> SettingsT:
        other_names = (each.name for each in self.list_seasons() if each.id != season)
        return structs.replace(event, name=distinct_name(event.name, other_names))

    def _append(self, season: str, event: SeasonEvent) -> None:
        try:
            self._projector.change(SEASON + season, event)
        except EventRefusedError as error:
            raise ClubError(message("error.400")) from error


def new_season_id() -> str:
    """Return an unused id."""
    return secrets.token_hex(6)


def check_season(event: SeasonSettingsChanged) -> None:
    """Raise ClubError for rules that make no valid season; the sentence says what to change."""
    if not event.name:
        raise ClubError(message("club.season.no-name"))
    if event.first > event.last:  # both are ISO 8601 dates, so text order is date order
        raise ClubError(message("club.season.dates"))
    if event.points != "totals" and not event.by_place:
        raise ClubError(message("club.season.no-places"))
    if list(event.by_place) != sorted(event.by_place, reverse=True):
        raise ClubError(message("club.season.places-fall"))
