"""A season's league: which matches count, what each gave to whom, and who stands where.

All of it is worked out from what the season says and what the matches came to, whenever it is
asked for: a match that is corrected, put in or left out changes what it must, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Literal

from device.club.people import Person
from device.club.points import ranked, table_points

Points = Literal["totals", "places", "both"]
POINTS: tuple[Points, ...] = ("totals", "places", "both")
"""What decides: what was won and lost, points by place at each table, or these and then those."""

MatchStanding = Literal["counts", "put-in", "left-out", "outside"]
"""What becomes of a match: its day or somebody's word lets it count, or does not."""


@dataclass(frozen=True, slots=True)
class SeasonSaying:
    """What somebody has said of one match."""

    counts: bool
    why: str
    who: str


@dataclass(frozen=True, slots=True)
class Season:
    """A season as the organiser wants it."""

    id: str
    name: str
    first: date
    last: date
    """Inclusive."""
    points: Points
    by_place: tuple[int, ...]
    best: int | None
    """How many of a player's best matches count; None for all."""
    said: Mapping[str, SeasonSaying]
    """Of single matches, by id."""

    def standing_of(self, match: str, day: date | None) -> MatchStanding:
        """Return what becomes of a match that was begun on a day."""
        is_within = day is not None and self.first <= day <= self.last
        if match in self.said:
            return "put-in" if self.said[match].counts else "left-out"
        return "counts" if is_within else "outside"

    def takes(self, match: str, day: date | None) -> bool:
        """Whether a match counts."""
        return self.standing_of(match, day) in ("counts", "put-in")


@dataclass(frozen=True, slots=True)
class LeagueMatch:
    """A match that counts: what everybody won or lost in it."""

    id: str
    gains: Mapping[str, int]
    """By the id of the person."""


@dataclass(frozen=True, slots=True)
class Gave:
    """What a match gave to one player."""

    match: str
    gain: int
    points: Fraction
    """By place at the table."""
    counts: bool = True
    """It is among the best that count."""


@dataclass(frozen=True, slots=True)
class LeaguePlace:
    """One player in the standing."""

    person: str
    place: int
    """Counted from 1. Who has the same has the same place, and as many places are left out."""
    shared: bool
    gain: int
    """What all matches that count brought."""
    points: Fraction
    """By place at the tables, of the matches that count."""
    gave: tuple[Gave, ...]
    """Every match of the season that the player was in, the first that was played first."""

    @property
    def counted(self) -> int:
        """How many matches count."""
        return sum(each.counts for each in self.gave)


def league(
    season: Season, matches: Iterable[LeagueMatch], left_out: Iterable[str] = ()
) -> tuple[LeaguePlace, ...]:
    """Return the standing after matches, the first place first.

    `left_out` are people who stand in no ranking; what the others were given stays as it was.
    """
    gave: dict[str, list[Gave]] = {}
    for match in matches:
        points = table_points(match.gains, season.by_place)
        for person, gain in match.gains.items():
            gave.setdefault(person, []).append(Gave(match.id, gain, points[person]))
    counted = {
        person: _best(each, season) for person, each in gave.items() if person not in {*left_out}
    }
    sums = {person: _sum(each, season) for person, each in counted.items()}
    return tuple(
        LeaguePlace(
            person=each.who,
            place=each.place,
            shared=each.shared,
            gain=sum(one.gain for one in counted[each.who] if one.counts),
            points=sum((o.points for o in counted[each.who] if o.counts), Fraction()),
            gave=counted[each.who],
        )
        for each in ranked(sums)
    )


def _best(gave: list[Gave], season: Season) -> tuple[Gave, ...]:
    """Return what matches gave, those marked that are not among the best so many."""
    worth = _WORTH[season.points]
    dearest = sorted(range(len(gave)), key=lambda at: worth(gave[at]), reverse=True)
    counts = set(dearest if season.best is None else dearest[: season.best])
    return tuple(replace(each, counts=at in counts) for at, each in enumerate(gave))


def _sum(gave: Iterable[Gave], season: Season) -> tuple[Fraction, ...]:
    worths = [_WORTH[season.points](each) for each in gave if each.counts]
    return tuple(sum(column, Fraction()) for column in zip(*worths, strict=True))


_WORTH: Mapping[Points, Callable[[Gave], tuple[Fraction, ...]]] = {
    "totals": lambda gave: (Fraction(gave.gain),),
    "places": lambda gave: (gave.points,),
    "both": lambda gave: (gave.points, Fraction(gave.gain)),
}
"""What decides between matches, and between players."""


def gains_of(gains: Mapping[str, int], who: Mapping[str, Person]) -> dict[str, int]:
    """Return what a match's players won or lost, by person; `who` says which name is whose."""
    return {who[name].id: gain for name, gain in gains.items()}
