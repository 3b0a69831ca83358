"""Nothing comes into the log that the replay of its own stream refuses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.replay import TOURNAMENTS
from device.hands.replay import HANDS
from device.matches.replay import MATCHES
from device.matches.seats import PHONES, Phones
from device.settings import append_to_box
from device.store import Event, Store
from device.store.errors import (
    ConcurrentChangeError,
    EventRefusedError,
    StoreError,
    UnknownStreamError,
)
from device.store.events import (
    STREAMS,
    BoxSwitchedOff,
    ChangeRedone,
    ChangeUndone,
    HandBegun,
    MatchBegun,
    MatchEnded,
    PhonePlayerChosen,
    RoundDrawn,
    ScoreTyped,
    SetAdded,
    SettingChanged,
    TileAdded,
    TileCorrected,
    TilesConfirmed,
    TournamentBegun,
    WinnerEntered,
)
from device.store.projection import Projection, get_projector
from scorer.errors import ScorerError
from tests.device.club.tournament.tournament_play import EIGHT
from tests.device.match_play import AGREED_TERMS
from tests.device.walking.replay_check import REPLAYS, find_refused, streams_since

BY_HAND = HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E")
SEVEN = ("B1", "B2", "B3")


def test_every_sort_of_stream_is_replayed_by_something() -> None:
    assert REPLAYS.keys() == STREAMS.keys()


REFUSED_EVENTS: list[tuple[Projection[Any], tuple[Event, ...], Event, str]] = [
    (HANDS, (), TilesConfirmed(), "a hand begins with its tiles"),
    (HANDS, (), AGREED_TERMS, "that begins a match"),
    (HANDS, (BY_HAND,), BY_HAND, "a hand begins once"),
    (HANDS, (BY_HAND,), TileCorrected(3, "B1"), "there is no tile of that place"),
    (HANDS, (BY_HAND,), WinnerEntered("Ann"), "a hand has no ending of a deal"),
    (MATCHES, (), MatchEnded(), "a match begins with its players"),
    (MATCHES, (), MatchBegun(players=("Ann",), ruleset="bmja", limit=None, house=()), "alone"),
    (MATCHES, (AGREED_TERMS,), ScoreTyped("Ann", 10**9), "old logs have such, new ones do not"),
    (MATCHES, (AGREED_TERMS,), BoxSwitchedOff(), "the box is switched off, no match"),
    (PHONES, (), MatchEnded(), "a phone says nothing else"),
    (TOURNAMENTS, (EIGHT,), RoundDrawn(1), "nobody is seated"),
    (TOURNAMENTS, (), TournamentBegun(name="A", players=("Ann",), rounds=1, minutes=1), "alone"),
]  # fmt: skip


@pytest.mark.parametrize(("projection", "before", "event", "reason"), REFUSED_EVENTS)
def test_what_the_replay_refuses_is_not_kept(
    store: Store, projection: Projection[Any], before: tuple[Event, ...], event: Event, reason: str
) -> None:
    last = 0
    for each in before:
        last = get_projector(store, projection).add_after("a", last, each)
    streams = get_projector(store, projection)
    ways: tuple[Callable[[], int], ...] = (
        partial(streams.add, "a", event),
        partial(streams.add_after, "a", last, event),
        partial(streams.change, "a", event),
    )
    for add in ways:
        with pytest.raises((EventRefusedError, ScorerError, UnknownStreamError)):
            add()
    assert [each.event for each in store.events("a")] == list(before), reason


def test_nothing_is_taken_back_without_which_the_rest_makes_no_sense(store: Store) -> None:
    hands = get_projector(store, HANDS)
    hand_start = hands.add("a", BY_HAND)
    addition = hands.change("a", SetAdded(SEVEN, "concealed"))
    hands.change("a", TileCorrected(1, "B4"))
    with pytest.raises(EventRefusedError):
        hands.change("a", ChangeUndone(addition))
    hands.change("a", TileAdded("DR", "concealed", None))
    assert list(find_refused(store, streams_since(store))) == []
    assert hand_start < addition


def test_what_was_taken_back_comes_again_only_where_it_still_fits(store: Store) -> None:
    hands = get_projector(store, HANDS)
    hands.add("a", BY_HAND)
    addition = hands.change("a", SetAdded(SEVEN, "concealed"))
    correction = hands.change("a", TileCorrected(1, "B4"))
    hands.change("a", ChangeUndone(correction))
    hands.change("a", ChangeUndone(addition))
    with pytest.raises(EventRefusedError):
        hands.change("a", ChangeRedone(correction))
    hands.change("a", ChangeRedone(addition))
    hands.change("a", ChangeRedone(correction))
    assert list(find_refused(store, streams_since(store))) == []


def test_a_torn_stream_takes_no_more(store: Store) -> None:
    hands = get_projector(store, HANDS)
    hands.add("a", BY_HAND)
    store.append("a", TileCorrected(9, "B1"))
    before = store.events("a")
    for add in (hands.add, hands.change):
        with pytest.raises(StoreError, match="makes no sense"):
            add("a", TilesConfirmed())
    assert store.events("a") == before


def test_an_event_that_was_decided_on_an_older_state_is_not_kept(store: Store) -> None:
    hands = get_projector(store, HANDS)
    first = hands.add("a", BY_HAND)
    hands.add_after("a", first, SetAdded(SEVEN, "concealed"))
    with pytest.raises(ConcurrentChangeError):
        hands.add_after("a", first, TilesConfirmed())
    with pytest.raises(ConcurrentChangeError):
        hands.add_after("a", 0, BY_HAND)


def test_to_take_back_is_replayed_on_what_it_was_decided_on(store: Store) -> None:
    """Somebody else's change that has come in between is looked at anew first."""
    hands = get_projector(store, HANDS)
    hands.add("a", BY_HAND)
    addition = hands.change("a", SetAdded(SEVEN, "concealed"))
    other_changes: list[int] = []

    def corrected_meanwhile(_: object) -> None:
        if not other_changes:
            other_changes.append(store.append("a", TileCorrected(1, "B4")))
            other_changes.append(store.append("a", ChangeUndone(other_changes[0])))

    hands.change("a", ChangeUndone(addition), corrected_meanwhile)
    assert list(find_refused(store, streams_since(store))) == []
    assert len(store.events("a")) == 5


@pytest.mark.parametrize(
    "wrong", [(BoxSwitchedOff(),), (PhonePlayerChosen("m", "1" * 8, 2), BoxSwitchedOff())]
)
def test_a_phone_sits_down_though_nobody_knows_any_more_who_sits_there(
    store: Store, wrong: tuple[Event, ...]
) -> None:
    for each in wrong:
        store.append("phones-m", each)
    Phones(store).say("m", "0" * 8, 1)
    assert [each.event for each in store.events("phones-m")] == list(wrong)


@pytest.mark.parametrize(
    ("name", "value"), [("colour", "red"), ("pin", True), ("snap_when_ready", "yes")]
)
def test_the_box_keeps_no_choice_that_it_would_leave_out(
    store: Store, name: str, value: bool | str
) -> None:
    with pytest.raises(EventRefusedError):
        append_to_box(store, SettingChanged(name, value))
    assert store.tally() == {}


def test_what_begins_with_something_else_is_refused_in_words_or_as_unfit(store: Store) -> None:
    phones = get_projector(store, PHONES)
    phones.add("phones-m", PhonePlayerChosen("m", "0" * 8, 1))
    with pytest.raises(UnknownStreamError):
        get_projector(store, HANDS).change("phones-m", TilesConfirmed())
    assert ClubTables(store).list_tables() == ()
    assert SeasonRepository(store).list_seasons() == ()
    assert PeopleRepository(store).register().entries == {}
