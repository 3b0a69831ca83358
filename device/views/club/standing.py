"""Show a season: the ranking, which matches count, and the points from each.

Places, points and dates are formatted here for all pages of the club.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from fractions import Fraction

from device.club.anonymiser import Anonymiser
from device.club.club_results import decision_id, seat_count, stand_in_gains, tournament_page_of
from device.club.match_statistics import ClubStatistics, MatchStatistics
from device.club.register import Person, Register
from device.club.season import (
    LeagueMatch,
    LeaguePlace,
    MatchContribution,
    MatchInclusion,
    Season,
    gains_by_person,
    rank_league,
)
from device.hands.export import NUMBER
from device.i18n.words import day_of, language, locale, moment_of, say, say_count, sign_amount

_FRACTION_SIGNS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}
"""Fractions of a point that have a sign in every font, including those of the papers."""


def format_place(place: int, *, is_shared: bool) -> str:
    """Return a place in words: `2nd`, or `joint 2nd`."""
    text = say(f"club.place-{locale(language()).ordinal_form(place)}", place=place)
    return say("club.place-shared", place=text) if is_shared else text


def format_fraction(points: Fraction) -> str:
    """Return points as text: `7`, `2½`, `2 1/3`, with a true minus sign."""
    minus = "\N{MINUS SIGN}" if points < 0 else ""
    integer, part = divmod(abs(points), 1)
    if not part:
        return f"{minus}{integer}"
    if part in _FRACTION_SIGNS:
        return f"{minus}{integer or ''}{_FRACTION_SIGNS[part]}"
    return f"{minus}{integer} {part}" if integer else f"{minus}{part}"


def format_thousandths(points: Fraction) -> str:
    """Return points for a spreadsheet: a decimal number with at most three places.

    >>> [format_thousandths(Fraction(text)) for text in ("7/3", "-1/2", "4")]
    ['2.333', '-0.5', '4']
    """
    integer, rest = divmod(abs(round(points * 1000)), 1000)
    part = f"{rest:03}".rstrip("0")
    return f"{'-' if points < 0 else ''}{integer}{'.' if part else ''}{part}"


def format_begun(begun_at: datetime | None) -> str:
    """Return when a match began, in words; empty where the log does not say."""
    return moment_of(begun_at) if begun_at else ""


def format_players(match: MatchStatistics, register: Register) -> str:
    """Return who played a match, but for those who do not wish to be shown."""
    people = register.at_table(match.names).values()
    names = (each.name if each.shown else say("table.somebody") for each in people)
    return ", ".join(names)


@dataclass(frozen=True, slots=True)
class MatchPointsLine:
    """The points that a match gave to a player."""

    match: str
    tournament: str
    """Id of the tournament that has the result; empty for a match of this box."""
    day: str
    players: str
    """Everybody who played."""
    points_text: str
    besides: str
    """The gain or loss, where points by place decide first."""
    counts: bool


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player in the standing."""

    place: str
    """In words: `joint 2nd`."""
    person: str
    player: str
    sum: str
    """The deciding sum. `besides` adds the gain where points by place decide first."""
    besides: str
    matches: str
    contributions: tuple[MatchPointsLine, ...]
    """The newest match first."""


@dataclass(frozen=True, slots=True)
class SeasonMatch:
    """A match and its status in the season."""

    id: str
    decision_id: str
    """Its id in the season's decisions."""
    tournament: str
    """Id of the tournament that has the result; empty for a match of this box."""
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
    points: str = field(metadata=NUMBER)
    """Points by place: a decimal number."""
    gain: int
    matches: int
    """How many matches of the season the player played."""
    counted: int


@dataclass(frozen=True, slots=True)
class SeasonMatchRow:
    """What a match gave to a player, for a spreadsheet. New columns are added at the end."""

    season: str
    match: str
    begun: str
    """When the match began by the box's clock: ISO 8601, UTC; empty if the log does not say."""
    player: str
    points: str = field(metadata=NUMBER)
    gain: int
    counted: bool
    """Whether it is among the player's best matches that count."""


def season_view(season: Season, register: Register, records: ClubStatistics) -> SeasonView:
    """Return a season with its standing."""
    by_id = {match.id: match for match in records.matches}
    people = _people_by_id(register, records.matches)
    players_by_match = {each.id: format_players(each, register) for each in records.matches}
    anonymiser = Anonymiser(register, say("table.somebody"))
    season_matches = [
        _season_match(season, each, players_by_match[each.id], anonymiser)
        for each in reversed(records.matches)
    ]
    return SeasonView(
        season=season,
        days=format_days(season),
        rules=tuple(describe_rules(season)),
        lines=tuple(
            _standing_line(season, each, people[each.person], by_id, players_by_match)
            for each in _rank(season, register, records)
        ),
        matches=tuple(each for each in season_matches if each.state != "outside"),
        outside=tuple(each for each in season_matches if each.state == "outside"),
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


def season_match_rows(
    season: Season, register: Register, records: ClubStatistics
) -> Iterator[SeasonMatchRow]:
    """Yield what each match gave to each player: by place, and the oldest match first."""
    people = _people_by_id(register, records.matches)
    begin_times = {match.id: match.begun for match in records.matches}
    for place in _rank(season, register, records):
        for contribution in place.gave:
            begun_at = begin_times[contribution.match]
            yield SeasonMatchRow(
                season=season.name,
                match=contribution.match,
                begun=begun_at.isoformat(timespec="seconds") if begun_at else "",
                player=people[place.person].name,
                points=format_thousandths(contribution.points),
                gain=contribution.gain,
                counted=contribution.counts,
            )


def format_days(season: Season) -> str:
    """Return the first and last day of a season, in words."""
    first, last = (day_of(datetime.combine(day, time(12))) for day in (season.first, season.last))
    return say("club.season.days", first=first, last=last)


def describe_rules(season: Season) -> Iterable[str]:
    """Yield the scoring rules of a season, in sentences."""
    places = "\u00a0·\u00a0".join(map(str, season.by_place))
    yield say("club.what-counts")
    yield say(f"club.season.rules-{season.points}", places=places)
    if season.least_players > 2:
        yield say(f"club.season.at-least-{season.least_players}")
    if season.best is not None:
        yield say_count("club.season.best-of", season.best)


def _rank(season: Season, register: Register, records: ClubStatistics) -> tuple[LeaguePlace, ...]:
    taken_matches = (
        match
        for match in records.matches
        if season.takes(decision_id(season, match), _day_begun(match), seat_count(match))
    )
    hidden_ids = {each.id for each in register.everybody() if not each.shown}
    return rank_league(
        season, (_league_match(match, register) for match in taken_matches), hidden_ids
    )


def _league_match(match: MatchStatistics, register: Register) -> LeagueMatch:
    gains = {each.name: each.gain for each in match.players}
    return LeagueMatch(
        match.id, gains_by_person(gains, register.at_table(match.names)), stand_in_gains(match)
    )


def _people_by_id(register: Register, matches: Iterable[MatchStatistics]) -> Mapping[str, Person]:
    tables = (register.at_table(match.names) for match in matches)
    return {each.id: each for table in tables for each in table.values()}


def _day_begun(match: MatchStatistics) -> date | None:
    return match.begun.astimezone().date() if match.begun else None


def _season_match(
    season: Season, match: MatchStatistics, players: str, anonymiser: Anonymiser
) -> SeasonMatch:
    key = decision_id(season, match)
    decision = season.said.get(key)
    return SeasonMatch(
        id=match.id,
        decision_id=key,
        tournament=tournament_page_of(match),
        day=format_begun(match.begun),
        players=players,
        state=season.inclusion_of(key, _day_begun(match), seat_count(match)),
        why=anonymiser.words(decision.why) if decision else "",
        who=anonymiser.words(decision.who) if decision else "",
    )


def _standing_line(
    season: Season,
    place: LeaguePlace,
    person: Person,
    by_id: Mapping[str, MatchStatistics],
    players_by_match: Mapping[str, str],
) -> StandingLine:
    gain = sign_amount(place.gain)
    by_totals = season.points == "totals"
    return StandingLine(
        place=format_place(place.place, is_shared=place.shared),
        person=person.id,
        player=person.name,
        sum=gain if by_totals else format_fraction(place.points),
        besides=gain if season.points == "both" else "",
        matches=say_count("club.season.counted", place.counted, matches=len(place.gave)),
        contributions=tuple(
            _match_points_line(season, one, by_id[one.match], players_by_match[one.match])
            for one in reversed(place.gave)
        ),
    )


def _match_points_line(
    season: Season, contribution: MatchContribution, match: MatchStatistics, players: str
) -> MatchPointsLine:
    gain = sign_amount(contribution.gain)
    return MatchPointsLine(
        match=match.id,
        tournament=tournament_page_of(match),
        day=format_begun(match.begun),
        players=players,
        points_text=gain if season.points == "totals" else format_fraction(contribution.points),
        besides=gain if season.points == "both" else "",
        counts=contribution.counts,
    )
