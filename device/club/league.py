"""The season: which matches count, the league's ranking, and the seasons in the log.

The ranking is computed from the season's rules and the match results whenever it is asked for. A
match that is corrected, added or left out changes only what depends on it.
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
"""What ranks players: points won and lost, table points, or table points and then points won."""

MatchStanding = Literal["counts", "put-in", "left-out", "outside"]
"""How the season treats a match: by its date (`counts`, `outside`) or by the organiser's
decision."""


@dataclass(frozen=True, slots=True)
class SeasonSaying:
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
    points: Points
    by_place: tuple[int, ...]
    best: int | None
    """How many of a player's best matches count; None for all."""
    said: Mapping[str, SeasonSaying]
    """Decisions about single matches, by match id."""

    def standing_of(self, match: str, day: date | None) -> MatchStanding:
        """Return how the season treats a match that began on this day."""
        is_within = day is not None and self.first <= day <= self.last
        if match in self.said:
            return "put-in" if self.said[match].counts else "left-out"
        return "counts" if is_within else "outside"

    def takes(self, match: str, day: date | None) -> bool:
        """Whether a match counts."""
        return self.standing_of(match, day) in ("counts", "put-in")


@dataclass(frozen=True, slots=True)
class LeagueMatch:
    """A match that counts, with what each player won or lost."""

    id: str
    gains: Mapping[str, int]
    """By person id."""


@dataclass(frozen=True, slots=True)
class Gave:
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
    gave: tuple[Gave, ...]
    """All matches of the season that the player was in, the oldest first."""

    @property
    def counted(self) -> int:
        """Number of matches that count."""
        return sum(each.counts for each in self.gave)


def league(
    season: Season, matches: Iterable[LeagueMatch], left_out: Iterable[str] = ()
) -> tuple[LeaguePlace, ...]:
    """Return the league's ranking, the first place first.

    `left_out` are ids of people who are not ranked; this does not change the points of the others.
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
    """Return a player's matches with those beyond the season's best marked as not counting."""
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
"""The values compared between matches and between players, by basis."""


def gains_of(gains: Mapping[str, int], who: Mapping[str, Person]) -> dict[str, int]:
    """Return what each person won or lost; `who` maps the match's names to people."""
    return {who[name].id: gain for name, gain in gains.items()}
