"""A player's page, the season and the tournament say the same of what was won and lost."""

from __future__ import annotations

import random

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.club.tournament.ranking import rank_entrants
from device.club.tournament.repository import TournamentRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import (
    DealSettled,
    MatchEnded,
    ResultGiven,
    RoundPlayedAt,
    WinnerEntered,
)
from tests.device.club.tournament.tournament_play import NAMES, add_tournament
from tests.device.match_play import AGREED_TERMS
from tests.device.page import get_page, main_text
from tests.device.web.club.test_players import address_of, gain_of
from tests.device.web.club.test_season import rows, season

RULE = "A match counts once it is over and a deal was scored."
"""What every page with such figures says."""


def play_some(matches: MatchRepository, dice: random.Random) -> None:
    """Play a match of three to five, of no deals or some, which ends or goes on."""
    names = tuple(dice.sample(NAMES[:8], dice.choice((3, 4, 4, 5))))
    match = matches.begin(replace(AGREED_TERMS, players=names))
    for _ in range(dice.choice((0, 1, 2))):
        sitters = names[:4]
        winner = dice.choice(sitters)
        matches.change(match, WinnerEntered(winner=winner))
        scores = {name: dice.randrange(20, 200, 2) for name in sitters}
        matches.change(match, DealSettled(winner=winner, scores=scores))
        if len(names) == 5:
            break
    if dice.random() < 0.8:
        matches.change(match, MatchEnded())


def play_tournament(tournaments: TournamentRepository, dice: random.Random) -> dict[str, int]:
    """Type some results of a round of seven and a stand-in; return the ranking's totals by name."""
    tournament = add_tournament(tournaments, players=NAMES[:7])
    tournaments.draw(tournament, 1)
    for table in dice.sample((1, 2), dice.randint(1, 2)):
        east, south, west = (dice.randrange(-300, 300) for _ in range(3))
        tournaments.change(
            tournament, ResultGiven(1, table, (east, south, west, -east - south - west))
        )
    record = tournaments.get(tournament)
    return {each.entrant.name: each.total for each in rank_entrants(record)}


@pytest.mark.parametrize("seed", range(3))
def test_every_page_says_the_same(
    client: FlaskClient, matches: MatchRepository, store: Store, seed: int
) -> None:
    dice, tournaments = random.Random(seed), TournamentRepository(store)
    for _ in range(4):
        play_some(matches, dice)
    before = {each["player"]: int(each["gain"]) for each in rows(client, season(client))}
    tournament_gains: dict[str, int] = {}
    for _ in range(2):
        for name, total in play_tournament(tournaments, dice).items():
            tournament_gains[name] = tournament_gains.get(name, 0) + total
    season_gains = {
        each["player"]: int(each["gain"]) for each in rows(client, season(client, points="totals"))
    }
    player_gains = {
        name: int(gain_of(client, name).replace("\N{MINUS SIGN}", "-")) for name in season_gains
    }
    assert player_gains == season_gains
    assert {name: gain - before.get(name, 0) for name, gain in season_gains.items()} == {
        name: tournament_gains.get(name, 0) for name in season_gains
    }, "the tournaments' rankings are in it"


def test_a_decision_about_a_typed_result_survives_the_end_of_its_match(
    client: FlaskClient, matches: MatchRepository, store: Store
) -> None:
    tournaments = TournamentRepository(store)
    tournament = add_tournament(tournaments, players=NAMES[:4])
    tournaments.draw(tournament, 1)
    record = tournaments.get(tournament)
    names = tuple(record.entrants[seat].name for seat in record.drawn[0].seats.tables[0])
    match = matches.begin(replace(AGREED_TERMS, players=names))
    tournaments.change(tournament, RoundPlayedAt(1, (match,)))
    tournaments.change(tournament, ResultGiven(1, 1, (300, -100, -100, -100)))
    address = season(client)
    assert rows(client, address)
    decision = {"why": "test", "who": "Ann"}
    (link,) = get_page(client, f"{address}matches").attributes("href", "ol.matches a")
    client.post(link, data={"counts": "no", **decision})
    assert not rows(client, address)
    matches.change(match, WinnerEntered(winner=names[0]))
    matches.change(match, DealSettled(winner=names[0], scores=dict.fromkeys(names, 20)))
    matches.change(match, MatchEnded())
    assert not rows(client, address), "the match is the same result"
    (link,) = get_page(client, f"{address}matches").attributes("href", "ol.matches a")
    assert link.endswith(match)
    assert "test" in get_page(client, link).values("why")
    client.post(link, data={"counts": "day", **decision})
    assert rows(client, address), "taken back where it stands"


def test_a_match_counts_or_not_by_one_rule_that_every_page_says(
    client: FlaskClient, matches: MatchRepository, store: Store
) -> None:
    empty = matches.begin(replace(AGREED_TERMS, players=NAMES[:4]))
    matches.change(empty, MatchEnded())
    tournaments = TournamentRepository(store)
    tournament = add_tournament(tournaments, players=NAMES[:7])
    tournaments.draw(tournament, 1)
    record = tournaments.get(tournament)
    number, table = next(
        (at, each) for at, each in enumerate(record.drawn[0].seats.tables, 1) if -1 in each
    )
    east, south, west, north = (300 if seat < 0 else -100 for seat in table)
    tournaments.change(tournament, ResultGiven(1, number, (east, south, west, north)))
    address = season(client, points="places")
    (player, *_) = (record.entrants[seat].name for seat in table if seat >= 0)
    page = main_text(client, address_of(client, player))
    assert "1 match" in page
    assert "−100 comes from 1 result typed in a tournament" in page
    assert {each["points"] for each in rows(client, address)} == {"1"}, "a stand-in came first"
    (match_link,) = get_page(client, f"{address}matches").attributes("href", "ol.matches a")
    answer = client.post(match_link, data={"counts": "no", "why": "test", "who": "Ann"})
    assert answer.status_code == 303
    assert not rows(client, address)
    assert get_page(client, match_link).attributes(
        "href", f"a[href='/club/tournaments/{tournament}/']"
    )
    ranking = f"/club/tournaments/{tournament}/results/"
    for each in (address, f"{address}matches", ranking, address_of(client, player)):
        assert RULE in main_text(client, each), each
