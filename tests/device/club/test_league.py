"""A season's standing: a tie makes nothing, no order matters, and a correction does its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.club.season import (
    SEASON_BASES,
    LeagueMatch,
    LeaguePlace,
    MatchDecision,
    Season,
    rank_league,
    table_points,
)

SEASON = Season(
    id="s", name="Autumn", first=date(2026, 9, 1), last=date(2026, 12, 31), points="both",
    by_place=(4, 2, 1, 0), best=None, said={},
)  # fmt: skip

PEOPLE = ("a", "b", "c", "d", "e", "f")


@st.composite
def matches(draw: st.DrawFn) -> list[LeagueMatch]:
    """Return matches in which what one wins others lose; few numbers, so that there are ties."""
    league_matches = []
    for number in range(draw(st.integers(1, 6))):
        table = draw(st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=5, unique=True))
        gains = {person: draw(st.integers(-2, 2)) for person in table[1:]}
        league_matches.append(LeagueMatch(f"m{number}", {table[0]: -sum(gains.values()), **gains}))
    return league_matches


SEASONS = st.builds(
    replace,
    st.just(SEASON),
    points=st.sampled_from(SEASON_BASES),
    by_place=st.lists(st.integers(0, 6), max_size=5).map(lambda n: tuple(sorted(n, reverse=True))),
    best=st.none() | st.integers(1, 4),
)


DECIDES = {"totals": ("gain",), "places": ("points",), "both": ("points", "gain")}


def by_person(standing: tuple[LeaguePlace, ...]) -> dict[str, LeaguePlace]:
    return {each.person: each for each in standing}


@given(SEASONS, matches())
def test_what_the_places_give_is_what_the_players_have(
    season: Season, played: list[LeagueMatch]
) -> None:
    standing = rank_league(replace(season, best=None), played)
    points_given = sum(sum(season.by_place[: len(match.gains)]) for match in played)
    assert sum(each.points for each in standing) == points_given
    assert sum(each.gain for each in standing) == 0


@given(SEASONS, matches())
def test_places_are_an_order_with_ties(season: Season, played: list[LeagueMatch]) -> None:
    def worth(league_place: LeaguePlace) -> tuple[Fraction, ...]:
        all_of_it = {"points": league_place.points, "gain": Fraction(league_place.gain)}
        return tuple(all_of_it[name] for name in DECIDES[season.points])

    standing = rank_league(season, played)
    assert {each.person for each in standing} == {who for match in played for who in match.gains}
    for each in standing:
        assert each.place == 1 + sum(worth(other) > worth(each) for other in standing)
        assert each.shared == (sum(worth(other) == worth(each) for other in standing) > 1)


@given(SEASONS, matches(), st.randoms(use_true_random=False))
def test_the_order_of_players_changes_nothing(
    season: Season, played: list[LeagueMatch], chance: Random
) -> None:
    def shuffle_match(match: LeagueMatch) -> LeagueMatch:
        people = list(match.gains)
        chance.shuffle(people)
        return LeagueMatch(match.id, {person: match.gains[person] for person in people})

    second_ranking = rank_league(season, map(shuffle_match, played))
    assert by_person(second_ranking) == by_person(rank_league(season, played))


@given(SEASONS, matches(), st.permutations(PEOPLE))
def test_who_they_are_changes_nothing(
    season: Season, played: list[LeagueMatch], new_people: list[str]
) -> None:
    new_by_old = dict(zip(PEOPLE, new_people, strict=True))
    renamed_matches = [
        LeagueMatch(m.id, {new_by_old[p]: gain for p, gain in m.gains.items()}) for m in played
    ]
    before, after = (
        by_person(rank_league(season, played)),
        by_person(rank_league(season, renamed_matches)),
    )
    assert {new_by_old[p]: replace(each, person="") for p, each in before.items()} == {
        p: replace(each, person="") for p, each in after.items()
    }


@given(SEASONS, matches(), st.data())
def test_a_correction_changes_what_its_match_gave_and_nothing_else(
    season: Season, played: list[LeagueMatch], data: st.DataObject
) -> None:
    wrong = data.draw(st.sampled_from(played))
    gains = {person: data.draw(st.integers(-3, 3)) for person in wrong.gains}
    right = [LeagueMatch(m.id, gains) if m is wrong else m for m in played]
    before, after = by_person(rank_league(season, played)), by_person(rank_league(season, right))
    points = table_points(gains, season.by_place)
    for person, league_place in after.items():
        was = before[person]
        if person not in wrong.gains:
            assert (league_place.gain, league_place.points, league_place.gave) == (
                was.gain,
                was.points,
                was.gave,
            )
            continue
        for new_match, old_match in zip(league_place.gave, was.gave, strict=True):
            if new_match.match == wrong.id:
                assert (new_match.gain, new_match.points) == (gains[person], points[person])
            else:
                assert (new_match.gain, new_match.points) == (old_match.gain, old_match.points)


@given(SEASONS, matches())
def test_the_best_are_those_that_bring_most(season: Season, played: list[LeagueMatch]) -> None:
    for league_place in rank_league(season, played):
        assert league_place.counted == min(
            season.best or len(league_place.gave), len(league_place.gave)
        )
        counting_matches = [one for one in league_place.gave if one.counts]
        other_matches = [one for one in league_place.gave if not one.counts]
        assert league_place.gain == sum(one.gain for one in counting_matches)
        assert league_place.points == sum((one.points for one in counting_matches), Fraction())
        if season.points == "totals":
            assert all(a.gain >= b.gain for a in counting_matches for b in other_matches)
        else:
            assert all(a.points >= b.points for a in counting_matches for b in other_matches)


@given(SEASONS, matches(), st.sets(st.sampled_from(PEOPLE)))
def test_who_is_in_no_ranking_leaves_the_others_what_they_have(
    season: Season, played: list[LeagueMatch], hidden_people: set[str]
) -> None:
    full_ranking, part = rank_league(season, played), rank_league(season, played, hidden_people)
    assert {each.person for each in part} == {each.person for each in full_ranking} - hidden_people
    for each in part:
        was = by_person(full_ranking)[each.person]
        assert (each.gain, each.points, each.gave) == (was.gain, was.points, was.gave)


DAYS = (
    ("m", date(2026, 9, 1), "counts", "the first day is within"),
    ("m", date(2026, 12, 31), "counts", "so is the last"),
    ("m", date(2026, 8, 31), "outside", "the day before is not"),
    ("m", date(2027, 1, 1), "outside", "nor the day after"),
    ("m", None, "outside", "a match without a day is on none"),
    ("out", date(2026, 10, 1), "left-out", "what was said counts more than the day"),
    ("in", date(2025, 10, 1), "put-in", "either way"),
)
PLAYERS = (
    ("m", 2, "too-few", "two are too few for this season"),
    ("m", 3, "counts", "three are enough"),
    ("in", 2, "put-in", "what was said counts more than the number"),
)


@pytest.mark.parametrize(("match", "players", "state", "reason"), PLAYERS)
def test_how_many_must_play(match: str, players: int, state: str, reason: str) -> None:
    decisions = {"in": MatchDecision(counts=True, why="Two were ill", who="Ann")}
    season = replace(SEASON, least_players=3, said=decisions)
    assert season.inclusion_of(match, date(2026, 10, 1), players) == state, reason
    assert season.takes(match, date(2026, 10, 1), players) == (state != "too-few")
    assert SEASON.takes(match, date(2026, 10, 1), players), "seasons from older logs ask for two"


@pytest.mark.parametrize(("match", "day", "state", "reason"), DAYS)
def test_which_matches_count(match: str, day: date | None, state: str, reason: str) -> None:
    season = replace(
        SEASON,
        said={
            "out": MatchDecision(counts=False, why="Two were ill", who="Ann"),
            "in": MatchDecision(counts=True, why="Played later", who="Ann"),
        },
    )
    assert season.inclusion_of(match, day, 4) == state, reason
    assert season.takes(match, day, 4) == (state in ("counts", "put-in"))


NAMES = ("Ann", "Bob", "Cy", "Di", "Eve")

TOTALS = st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 3), min_size=1)
"""Few numbers, so that most tables have a tie."""

BY_PLACE = st.lists(st.fractions(-2, 9, max_denominator=4), max_size=6)

THIRD = Fraction(1, 3)

CASES = (
    ((5, 3, 2, 1), (4, 2, 1, 0), (4, 2, 1, 0), "nobody shares"),
    ((5, 5, 2, 1), (4, 2, 1, 0), (3, 3, 1, 0), "the first two share 4 and 2"),
    ((5, 2, 2, 2), (4, 2, 1, 0), (4, 1, 1, 1), "three share 2, 1 and 0"),
    ((7, 7, 7, 1), (4, 2, 1, 0), (7 * THIRD, 7 * THIRD, 7 * THIRD, 0), "thirds stay whole"),
    ((1, 1, 1, 1), (4, 2, 1, 0), (Fraction(7, 4),) * 4, "all share all"),
    ((-9, 0, -9, 4), (4, 2, 1, 0), (Fraction(1, 2), 2, Fraction(1, 2), 4), "losses are totals too"),
    ((5, 3, 2, 1), (4, 2), (4, 2, 0, 0), "places that are not named give nothing"),
    ((5, 3, 3, 1), (4, 2), (4, 1, 1, 0), "a named place shared with one that is not"),
    ((5, 3), (4, 2, 1, 0), (4, 2), "fewer players than places"),
    ((5, 3), (), (0, 0), "no places at all"),
)


@pytest.mark.parametrize(("totals", "by_place", "points", "reason"), CASES)
def test_the_points_of_a_table(
    totals: tuple[int, ...], by_place: tuple[int, ...], points: tuple[Fraction, ...], reason: str
) -> None:
    points_by_player = table_points(dict(zip(NAMES, totals, strict=False)), by_place)
    assert tuple(points_by_player.values()) == points, reason
    assert tuple(points_by_player) == NAMES[: len(totals)]


@given(TOTALS, BY_PLACE)
def test_who_has_the_same_gets_the_same_and_who_has_more_no_less(
    totals: dict[str, int], by_place: list[Fraction]
) -> None:
    points = table_points(totals, sorted(by_place, reverse=True) + [Fraction(-2)] * len(totals))
    for total in totals:
        for other in totals:
            if totals[total] == totals[other]:
                assert points[total] == points[other]
            elif totals[total] > totals[other]:
                assert points[total] >= points[other]
