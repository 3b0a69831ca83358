"""Who is who: the register replayed in the order of the log, whatever was said in it."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from device.club.anonymiser import Anonymiser
from device.club.people import PeopleRepository
from device.club.register import Person, Register, apply_if_possible, refusal_reason
from device.club.tournament.repository import TournamentRepository
from device.i18n.names import fold_name
from device.store import Envelope, Store
from device.store.events import (
    PERSON,
    NameGivenUp,
    PersonAdded,
    PersonBroughtBack,
    PersonEvent,
    PersonMerged,
    PersonNamed,
    PersonRemoved,
    PersonUnmerged,
    ResultGiven,
)
from device.store.store_url import open_store
from tests.device.club.tournament.tournament_play import POINTS, add_tournament, play_round
from tests.device.work import count_work

EVENT_TIME = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)

PersonEvents = tuple[tuple[str, PersonEvent], ...]
"""Ids, and what was said of them."""

ANN, KIT, WONG = (
    ("a", PersonAdded(name="Ann")),
    ("k", PersonAdded(name="Kit")),
    ("w", PersonAdded(name="Wong (Kitty)")),
)


def register(*events: tuple[str, PersonEvent]) -> Register:
    people_register = Register()
    for seq, (person, event) in enumerate(events, 1):
        people_register = apply_if_possible(
            people_register, Envelope(seq, PERSON + person, event, EVENT_TIME)
        )
    return people_register


NAMES_AND_PEOPLE: tuple[tuple[PersonEvents, str, str, str], ...] = (
    ((), "Ann", "Ann", "who was never written down is a person of that name"),
    ((ANN,), "ann", "Ann", "names are compared as everywhere: capitals do not matter"),
    ((ANN,), "\uff21nn", "Ann", "nor do wide letters"),
    ((ANN, ("a", PersonNamed(name="Anna"))), "Ann", "Anna", "earlier matches keep counting"),
    ((ANN, ("a", PersonNamed(name="ANN"))), "Ann", "ANN", "a name written otherwise is the same"),
    ((ANN, ("a", PersonNamed(name="Kit")), ("a", NameGivenUp(name="Ann"))), "Ann", "Ann",
     "a name that was given up is somebody else's"),
    ((ANN, ("a", NameGivenUp(name="Ann"))), "Ann", "Ann",
     "the name that is shown cannot be given up"),
    ((KIT, WONG, ("k", PersonMerged(into="w"))), "Kit", "Wong (Kitty)", "a merge is an alias"),
    ((KIT, WONG, ("k", PersonMerged(into="w")), ("k", PersonUnmerged())), "Kit", "Kit",
     "and can be taken apart"),
    ((ANN, KIT, WONG, ("a", PersonMerged(into="k")), ("k", PersonMerged(into="w"))), "Ann",
     "Wong (Kitty)", "merges follow one another"),
    (
        (ANN, KIT, WONG, ("a", PersonMerged(into="k")), ("k", PersonMerged(into="w")),
         ("k", PersonUnmerged())),
        "Ann", "Kit", "what is taken apart keeps what was merged into it",
    ),
    ((ANN, KIT, ("a", PersonMerged(into="k")), ("k", PersonMerged(into="a"))), "Kit", "Kit",
     "two phones that merge both ways: the first has said it"),
    ((ANN, ("a", PersonMerged(into="a"))), "Ann", "Ann", "nobody is merged into oneself"),
    ((ANN, ("a", PersonMerged(into="z"))), "Ann", "Ann", "nor into nobody"),
    ((ANN, KIT, ("k", PersonNamed(name="ann"))), "Kit", "Kit", "nobody takes another's name"),
    ((ANN, ("k", PersonAdded(name="ann"))), "Ann", "Ann", "nor is written down under it"),
    ((("x", PersonNamed(name="Zoe")),), "Zoe", "Zoe", "what begins with no entry says nothing"),
    ((ANN, ("a", PersonRemoved(hidden=True))), "Ann", "Ann", "who is removed has a name still"),
)  # fmt: skip


@pytest.mark.parametrize(("events", "name", "shown_name", "reason"), NAMES_AND_PEOPLE)
def test_a_name_becomes_a_person(
    events: PersonEvents, name: str, shown_name: str, reason: str
) -> None:
    assert register(*events).find_person(name).name == shown_name, reason


def test_two_people_with_one_name_are_told_apart() -> None:
    people_register = register(WONG)
    kitty, other = people_register.find_person("wong (kitty)"), people_register.find_person("Wong")
    assert kitty.id != other.id
    assert [each.name for each in people_register.everybody(["Wong"])] == ["Wong (Kitty)", "Wong"]


def test_a_name_that_was_given_up_is_another_page_than_that_of_its_first_person() -> None:
    first = register().find_person("Ken").id
    slip = ((first, PersonAdded(name="Ken")), (first, PersonNamed(name="Kitty")))
    people_register = register(*slip, (first, NameGivenUp(name="Ken")))
    assert people_register.find_person("Kitty").id == first
    assert people_register.find_person("Ken").id != first
    assert people_register.find_person("Ken").id == people_register.find_person("ken").id, (
        "and the same for all who ask"
    )


def test_what_was_merged_is_there_to_be_taken_apart() -> None:
    person = register(KIT, WONG, ("k", PersonMerged(into="w"))).find_person("kit")
    assert person.names == ("Wong (Kitty)", "Kit")
    assert [each.id for each in person.same] == ["k"]


REMOVALS = (
    (PersonRemoved(), (False, True), "the name is offered no more"),
    (PersonRemoved(hidden=True), (False, False), "nor shown"),
    (PersonBroughtBack(), (True, True), "who was not removed is as before"),
)


@pytest.mark.parametrize(("event", "is_so", "reason"), REMOVALS)
def test_a_person_is_removed(event: PersonEvent, is_so: tuple[bool, bool], reason: str) -> None:
    person = register(ANN, ("a", event)).find_person("Ann")
    assert (person.offered, person.shown) == is_so, reason
    restored_person = register(ANN, ("a", event), ("a", PersonBroughtBack())).find_person("Ann")
    assert (restored_person.offered, restored_person.shown) == (True, True)


IDS = st.sampled_from(["a", "k", "w"])
NAMES = st.sampled_from(["Ann", "ANN", "Kit", "Wong", "Wong (Kitty)", "Zoe"])
EVENTS: st.SearchStrategy[PersonEvent] = st.one_of(
    st.builds(PersonAdded, name=NAMES),
    st.builds(PersonNamed, name=NAMES),
    st.builds(NameGivenUp, name=NAMES),
    st.builds(PersonMerged, into=IDS),
    st.builds(PersonUnmerged),
    st.builds(PersonRemoved, hidden=st.booleans()),
    st.builds(PersonBroughtBack),
)
LOGS = st.lists(st.tuples(IDS, EVENTS), max_size=25)
TABLES = st.lists(NAMES, min_size=2, max_size=5, unique_by=fold_name)


RENAMED_AND_MERGED: list[tuple[str, PersonEvent]] = [
    ("a", PersonAdded("Wong")),
    ("k", PersonAdded("Ann")),
    ("k", PersonNamed("Kit")),
    ("k", PersonMerged("a")),
]
"""One person with three names, two of which are one entry's."""


@given(LOGS, TABLES)
@example(RENAMED_AND_MERGED, ["Ann", "Kit", "Wong"])
def test_nobody_sits_twice_at_a_table(
    events: list[tuple[str, PersonEvent]], table: list[str]
) -> None:
    people_register = register(*events)
    people = people_register.at_table(table)
    assert list(people) == table
    assert len({each.id for each in people.values()}) == len(table)
    single_names = [
        name for name, person in people.items() if person != people_register.find_person(name)
    ]
    shared_names = [
        name
        for name in table
        if sum(
            people_register.find_person(o).id == people_register.find_person(name).id for o in table
        )
        > 1
    ]
    assert set(single_names) <= set(shared_names), "who is alone in having a name keeps it"


@given(LOGS, NAMES)
def test_each_name_has_one_person_whatever_was_said(
    events: list[tuple[str, PersonEvent]], name: str
) -> None:
    people_register = register(*events)
    owners = [
        each
        for each in people_register.entries.values()
        if fold_name(name) in map(fold_name, each.names)
    ]
    assert len(owners) <= 1
    for entry in people_register.entries.values():
        assert entry.name in entry.names
        assert not people_register.head(entry).into, "no merge goes round in a circle"
    everybody = people_register.everybody([name])
    assert len({each.id for each in everybody}) == len(everybody)
    assert _known_by(everybody, name) == [people_register.find_person(name).id]


def _known_by(people: tuple[Person, ...], name: str) -> list[str]:
    return [each.id for each in people if fold_name(name) in map(fold_name, each.names)]


@given(LOGS, IDS, EVENTS)
def test_what_cannot_be_is_refused_in_words_and_changes_nothing(
    events: list[tuple[str, PersonEvent]], person: str, event: PersonEvent
) -> None:
    people_register = register(*events)
    after = apply_if_possible(people_register, Envelope(99, PERSON + person, event, EVENT_TIME))
    if refusal_reason(people_register, person, event):
        assert after == people_register
    else:
        assert person in after.entries
        other_entries = {key: each for key, each in after.entries.items() if key != person}
        assert other_entries == {
            key: each for key, each in people_register.entries.items() if key != person
        }


PEOPLE = 40


def test_a_change_has_what_is_new_read_alone(store_url: str, tmp_path: Path) -> None:
    with (
        closing(open_store(tmp_path, store_url)) as first_store,
        closing(open_store(tmp_path, store_url)) as two,
    ):
        first_people, second_people = PeopleRepository(first_store), PeopleRepository(two)
        for number in range(PEOPLE):
            first_people.add(f"Ann {number}")
        second_people.register()
        with count_work() as work:
            first_people.rename(first_people.register().find_person("Ann 3"), "Bob")
            first_people.merge(
                first_people.register().find_person("Ann 4"),
                first_people.register().find_person("Bob"),
            )
            first_people.register()
        assert work["events read"] == 2
        with count_work() as work:
            assert second_people.register() == first_people.register()
        assert work["events read"] == 2, "what another process wrote"
        known_register = first_people.register()
    with closing(open_store(tmp_path, store_url)) as third_store:
        assert PeopleRepository(third_store).register() == known_register, (
            "all of it, from the beginning"
        )


HIDDEN_NAMES = ("Bob", "Cy", "小明", r"Li\g")


@pytest.fixture
def hiding(store: Store) -> Anonymiser:
    people = PeopleRepository(store)
    for name in HIDDEN_NAMES:
        people.remove(people.register().find_person(name), is_hidden=True)
    people.merge(people.register().find_person("Robert"), people.register().find_person("Bob"))
    return Anonymiser(people.register(), "somebody")


TEXTS = [
    ("Looked at Bob's tiles", "Looked at somebody's tiles", "a word of its own"),
    ("bob paid BOB", "somebody paid somebody", "whatever its case, as names are compared"),
    ("Bobby and Cyd", "Bobby and Cyd", "others' names that begin so"),
    ("Robert’s slip", "somebody’s slip", "another name of the same person"),
    ("小明付了", "somebody付了", "Chinese, which has no spaces"),
    (r"Li\g's", "somebody's", "signs that mean something to a pattern"),
    ("Ann", "Ann", "nobody hidden"),
    ("", "", "nothing"),
]


@pytest.mark.parametrize(("text", "shown_text", "reason"), TEXTS)
def test_hidden_names_in_what_was_typed(
    hiding: Anonymiser, text: str, shown_text: str, reason: str
) -> None:
    assert hiding.words(text) == shown_text, reason


def test_names_that_a_page_needs_are_shown(hiding: Anonymiser) -> None:
    some_shown = hiding.allow_names(["bob"])
    assert [some_shown.name("Bob"), some_shown.name("Cy"), some_shown.name("")] == [
        "Bob",
        "somebody",
        "",
    ]
    assert some_shown.words("Bob and Cy") == "Bob and somebody"


def test_those_of_a_tournament_are_told_apart(hiding: Anonymiser, store: Store) -> None:
    tournaments = TournamentRepository(store)
    tournament_id = add_tournament(tournaments)
    play_round(tournaments, tournament_id)
    event = ResultGiven(1, 1, POINTS[::-1], why="Cy and 小明 slipped", seen=1, by="小明")
    tournaments.change(tournament_id, event)
    anonymous_tournament = hiding.tournament(tournaments.get(tournament_id))
    names = [each.name for each in anonymous_tournament.entrants]
    assert names == ["Ann", "somebody", "somebody 2", "Di", "Eve", "Fay", "Gus", "Hal"]
    result = anonymous_tournament.drawn[0].given[0][-1]
    assert (result.by, result.why) == ("somebody", "somebody 2 and somebody slipped")
