"""What is said in place of names: in what somebody typed, and of several who are hidden."""

from __future__ import annotations

import pytest

from device.club.anonymiser import Anonymiser
from device.club.people import PeopleRepository
from device.club.tournament.repository import TournamentRepository
from device.store import Store
from device.store.events import ResultGiven
from tests.device.club.tournament.played import POINTS, arranged, play_round

HIDDEN = ("Bob", "Cy", "小明", r"Li\g")


@pytest.fixture
def hiding(store: Store) -> Anonymiser:
    people = PeopleRepository(store)
    for name in HIDDEN:
        people.remove(people.register().find_person(name), hidden=True)
    people.merge(people.register().find_person("Robert"), people.register().find_person("Bob"))
    return Anonymiser(people.register(), "somebody")


TYPED = [
    ("Looked at Bob's tiles", "Looked at somebody's tiles", "a word of its own"),
    ("bob paid BOB", "somebody paid somebody", "whatever its case, as names are compared"),
    ("Bobby and Cyd", "Bobby and Cyd", "others' names that begin so"),
    ("Robert’s slip", "somebody’s slip", "another name of the same person"),
    ("小明付了", "somebody付了", "Chinese, which has no spaces"),
    (r"Li\g's", "somebody's", "signs that mean something to a pattern"),
    ("Ann", "Ann", "nobody hidden"),
    ("", "", "nothing"),
]


@pytest.mark.parametrize(("typed", "shown", "why"), TYPED)
def test_hidden_names_in_what_was_typed(
    hiding: Anonymiser, typed: str, shown: str, why: str
) -> None:
    assert hiding.words(typed) == shown, why


def test_names_that_a_page_needs_are_shown(hiding: Anonymiser) -> None:
    some = hiding.showing(["bob"])
    assert [some.name("Bob"), some.name("Cy"), some.name("")] == ["Bob", "somebody", ""]
    assert some.words("Bob and Cy") == "Bob and somebody"


def test_those_of_a_tournament_are_told_apart(hiding: Anonymiser, store: Store) -> None:
    tournaments = TournamentRepository(store)
    at = arranged(tournaments)
    play_round(tournaments, at)
    made = ResultGiven(1, 1, POINTS[::-1], why="Cy and 小明 slipped", seen=1, by="小明")
    tournaments.change(at, made)
    shown = hiding.tournament(tournaments.get(at))
    names = [each.name for each in shown.entrants]
    assert names == ["Ann", "somebody", "somebody 2", "Di", "Eve", "Fay", "Gus", "Hal"]
    given = shown.drawn[0].given[0][-1]
    assert (given.by, given.why) == ("somebody", "somebody 2 and somebody slipped")
