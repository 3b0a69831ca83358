"""The number of rounds and their minutes, changed once a tournament has begun."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.club.tournament.replay import TOURNAMENTS, TournamentRefusedError
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.schedule import find_seating_faults
from device.i18n.words import say
from device.store import Store
from device.store.events import RoundsChanged
from device.store.projection import replay_all
from tests.device.club.tournament.played import arranged, play_round
from tests.device.identities import identity
from tests.device.page import Page, get_page


@pytest.fixture
def tournaments(store: Store) -> TournamentRepository:
    return TournamentRepository(store)


@pytest.mark.parametrize(
    ("played", "rounds", "why"),
    [
        (0, 1, "fewer, before any was drawn"),
        (0, 5, "more, before any was drawn"),
        (1, 2, "fewer, one was played"),
        (2, 5, "more, two were played"),
        (2, 2, "those that were played are all"),
        (3, 4, "one more, although all were played"),
    ],
)
def test_another_number_of_rounds(
    tournaments: TournamentRepository, store: Store, played: int, rounds: int, why: str
) -> None:
    at = arranged(tournaments)
    for _ in range(played):
        play_round(tournaments, at)
    before = tournaments.get(at)
    tournaments.change(at, RoundsChanged(rounds, 60, by="Gus"))
    now = tournaments.get(at)
    assert (now.rounds, now.minutes, now.drawn) == (rounds, 60, before.drawn), why
    assert len(now.plan) == rounds - played, why
    assert now.over == (rounds == played), why
    assert not list(find_seating_faults(now.plan, now.present, stand_ins=True)), why
    if rounds <= before.rounds:
        assert now.plan == before.plan[: rounds - played], "who was to sit where stays"
    for _ in range(rounds - played):
        play_round(tournaments, at)
    assert tournaments.get(at).over
    assert replay_all(TOURNAMENTS, store.stream(f"tournament:{at}")) == tournaments.get(at)


@pytest.mark.parametrize(
    ("rounds", "minutes", "key"),
    [(1, 90, "rounds-drawn"), (11, 90, "rounds"), (3, 0, "minutes"), (3, 1441, "minutes")],
)
def test_what_cannot_be(
    tournaments: TournamentRepository, rounds: int, minutes: int, key: str
) -> None:
    at = arranged(tournaments)
    play_round(tournaments, at)
    tournaments.draw(at, 2)
    before = tournaments.get(at)
    with pytest.raises(TournamentRefusedError, match=rf"^club\.refused\.{key}$"):
        tournaments.change(at, RoundsChanged(rounds, minutes))
    assert tournaments.get(at) == before


def test_it_is_changed_by_the_page_and_said_with_who(
    client: FlaskClient, tournaments: TournamentRepository, store: Store
) -> None:
    at = arranged(tournaments)
    tournaments.draw(at, 1)
    here = f"/club/tournaments/{at}/"
    client.set_cookie("player", identity(store, "x", 0, "Gus"))
    for _ in range(2):  # sent twice
        answer = client.post(f"{here}length", data={"rounds": "4", "minutes": "45"})
        assert answer.status_code == 303
    assert len(tournaments.get(at).changes) == 1
    page = get_page(client, here).text
    assert say("club.tournament.start-clock", minutes=45) in page
    assert say("club.tournament.playing", round=1, rounds=4) in page
    assert "4 rounds of 45 minutes" in page
    assert "(Gus)" in page
    few = client.post(f"{here}length", data={"rounds": "0", "minutes": "45"})
    assert few.status_code == 409
    assert say("club.refused.rounds", most=10) in Page(few.text).text
