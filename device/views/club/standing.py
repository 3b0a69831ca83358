"""Show a season: the ranking, which matches count, and the points from each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time

from device.club.anonymiser import Anonymiser
from device.club.match_statistics import ClubStatistics, MatchStatistics
from device.club.people import Person, Register
from device.club.season import (
    LeagueMatch,
    LeaguePlace,
    MatchContribution,
    MatchInclusion,
    Season,
    gains_by_person,
    rank_league,
)
from device.i18n.words import day_of, say, say_count
from device.views.club.formatting import (
    format_begun,
    format_fraction,
    format_gain,
    format_place,
    format_players,
    format_thousandths,
)


@dataclass(frozen=True, slots=True)
class MatchPointsLine:
    """The points that a match gave to a player."""

    match: str
    day: str
    players: str
    """Everybody who played."""
    gave: str
    besides: str
    """The gain or loss, where points by place decide first."""
    counts: bool


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player in the standing."""

    place: str
    """In words: `shared 2nd`."""
    person: str
    player: str
    sum: str
    """The deciding sum. `besides` adds the gain where points by place decide first."""
    besides: str
    matches: str
    gave: tuple[MatchPointsLine, ...]
    """The newest match first."""


@dataclass(frozen=True, slots=True)
class SeasonMatch:
    """A match and its status in the season."""

    id: str
    day: str
    players: str
    state: MatchInclusion
    why: str
    who: str


@dataclass(frozen=True, slots=True)
class SeasonView:
    """A season as its page shows it."""

    season: Season
    days: str
    rules: tuple[str, ...]
    """What counts, in sentences."""
    lines: tuple[StandingLine, ...]
    matches: tuple[SeasonMatch, ...]
    """Matches within the season's dates, or with a decision about them, newest first."""
    outside: tuple[SeasonMatch, ...]
    """All other matches, newest first."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One player in the standing, for a spreadsheet. New columns are added at the end."""

    season: str
    place: int
    shared: bool
    player: str
    points: str
    """Points by place: a decimal number."""
    gain: int
    matches: int
    """How many matches of the season the player played."""
    counted: int


def season_view(season: Season, register: Register, records: ClubStatistics) -> SeasonView:
    """Return a season with its standing."""
    by_id = {match.id: match for match in records.matches}
    people = _people_by_id(register, records.matches)
    played = {each.id: format_players(each, register) for each in records.matches}
    hiding = Anonymiser(register, say("table.somebody"))
    every = [
        _season_match(season, each, played[each.id], hiding) for each in reversed(records.matches)
    ]
    return SeasonView(
        season=season,
        days=format_days(season),
        rules=tuple(describe_rules(season)),
        lines=tuple(
            _standing_line(season, each, people[each.person], by_id, played)
            for each in _rank(season, register, records)
        ),
        matches=tuple(each for each in every if each.state != "outside"),
        outside=tuple(each for each in every if each.state == "outside"),
    )


def standing_rows(
    season: Season, register: Register, records: ClubStatistics
) -> tuple[StandingRow, ...]:
    """Return the standing as rows, the first place first."""
    people = _people_by_id(register, records.matches)
    return tuple(
        StandingRow(
            season=season.name,
            place=each.place,
            shared=each.shared,
            player=people[each.person].name,
            points=format_thousandths(each.points),
            gain=each.gain,
            matches=len(each.gave),
            counted=each.counted,
        )
        for each in _rank(season, register, records)
    )


def format_days(season: Season) -> str:
    """Return the first and last day of a season, in words."""
    first, last = (day_of(datetime.combine(day, time(12))) for day in (season.first, season.last))
    return say("club.season.days", first=first, last=last)


def describe_rules(season: Season) -> Iterable[str]:
    """Yield the scoring rules of a season, in sentences."""
    places = "\u00a0·\u00a0".join(map(str, season.by_place))
    yield say(f"club.season.rules-{season.points}", places=places)
    if season.best is not None:
        yield say_count("club.season.best-of", season.best)


def _rank(season: Season, register: Register, records: ClubStatistics) -> tuple[LeaguePlace, ...]:
    taken = (match for match in records.matches if season.takes(match.id, _day_begun(match)))
    hidden = {each.id for each in register.everybody() if not each.shown}
    return rank_league(season, (_league_match(match, register) for match in taken), hidden)


def _league_match(match: MatchStatistics, register: Register) -> LeagueMatch:
    gains = {each.name: each.gain for each in match.players}
    return LeagueMatch(match.id, gains_by_person(gains, register.at_table(match.names)))


def _people_by_id(register: Register, matches: Iterable[MatchStatistics]) -> Mapping[str, Person]:
    tables = (register.at_table(match.names) for match in matches)
    return {each.id: each for table in tables for each in table.values()}


def _day_begun(match: MatchStatistics) -> date | None:
    return match.begun.astimezone().date() if match.begun else None


def _season_match(
    season: Season, match: MatchStatistics, played: str, hiding: Anonymiser
) -> SeasonMatch:
    said = season.said.get(match.id)
    return SeasonMatch(
        id=match.id,
        day=format_begun(match.begun),
        players=played,
        state=season.inclusion_of(match.id, _day_begun(match)),
        why=hiding.words(said.why) if said else "",
        who=hiding.words(said.who) if said else "",
    )


def _standing_line(
    season: Season,
    each: LeaguePlace,
    person: Person,
    by_id: Mapping[str, MatchStatistics],
    played: Mapping[str, str],
) -> StandingLine:
    gain = format_gain(each.gain)
    by_totals = season.points == "totals"
    return StandingLine(
        place=format_place(each.place, shared=each.shared),
        person=person.id,
        player=person.name,
        sum=gain if by_totals else format_fraction(each.points),
        besides=gain if season.points == "both" else "",
        matches=say_count("club.season.counted", each.counted, matches=len(each.gave)),
        gave=tuple(
            _match_points_line(season, one, by_id[one.match], played[one.match])
            for one in reversed(each.gave)
        ),
    )


def _match_points_line(
    season: Season, gave: MatchContribution, match: MatchStatistics, played: str
) -> MatchPointsLine:
    gain = format_gain(gave.gain)
    return MatchPointsLine(
        match=match.id,
        day=format_begun(match.begun),
        players=played,
        gave=gain if season.points == "totals" else format_fraction(gave.points),
        besides=gain if season.points == "both" else "",
        counts=gave.counts,
    )
