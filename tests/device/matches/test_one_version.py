"""An event is kept at the version that it was decided on, whoever writes to the log besides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.replay import MATCHES
from device.matches.repository import MatchRepository, OvertakenError, open_hands
from device.store import Store
from device.store.errors import ConcurrentChangeError
from device.store.events import (
    ContextSet,
    DealSettled,
    MatchEnded,
    TileCorrected,
    WinnerSaid,
)
from device.store.projection import replay_all
from tests.device.played import AGREED, FEE, SCORES, settle


@pytest.fixture
def other(store: Store) -> Iterator[HandRepository]:
    """Return the hands through another connection to the log: the command line, say."""
    with closing(Store(store.folder)) as again:
        yield open_hands(again)


def test_what_was_decided_on_an_older_version_is_not_written(store: Store) -> None:
    first = store.append("a", ContextSet(seat_wind="E"), after=0)
    with closing(Store(store.folder)) as other:
        second = other.append("a", ContextSet(seat_wind="S"), after=first)
        with pytest.raises(ConcurrentChangeError):
            store.append("a", ContextSet(seat_wind="W"), after=first)
        with pytest.raises(ConcurrentChangeError):
            store.append("a", ContextSet(seat_wind="W"), after=0)
        assert store.append("b", ContextSet(seat_wind="E"), after=0) == second + 1, "another stream"
    assert [each.seq for each in store.events("a")] == [first, second]


def test_two_who_settle_one_deal_through_two_connections(
    hands: HandRepository, other: HandRepository
) -> None:
    here, there = MatchRepository(hands.store), MatchRepository(other.store)
    match = here.begin(AGREED)
    here.change(match, WinnerSaid(winner="Cy", won_by="wall"))
    seen = there.get(match).version
    there.change(match, DealSettled("Cy", SCORES), seen=seen)
    with pytest.raises(OvertakenError):
        here.change(match, DealSettled("Cy", SCORES), seen=seen)
    assert len(here.get(match).past) == 1 == len(there.get(match).past)
    there.change(match, MatchEnded())
    with pytest.raises(ChangeRefusedError):
        here.change(match, FEE)


def test_a_change_that_comes_in_between_is_looked_at_first(
    store: Store, hands: HandRepository, other: HandRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settling is decided, then another ends the match, then the settling is written."""
    here, append = MatchRepository(hands.store), store.append
    match = here.begin(AGREED)
    here.change(match, WinnerSaid(winner="Cy", won_by="wall"))

    def late(*event: object, **known: object) -> int:
        monkeypatch.undo()
        MatchRepository(other.store).change(match, MatchEnded())
        return append(*event, **known)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "append", late)
    with pytest.raises(ChangeRefusedError):
        here.change(match, DealSettled("Cy", SCORES))
    kinds = [each.kind for each in store.events(match)]
    assert kinds == ["match-begun", "winner-said", "match-ended"]


def test_two_who_correct_one_hand_through_two_connections(
    hands: HandRepository, other: HandRepository, read_hand: str
) -> None:
    before = hands.get(read_hand).version
    other.change(read_hand, TileCorrected(0, None))
    hands.change(read_hand, TileCorrected(1, None))
    record = hands.get(read_hand)
    assert record == other.get(read_hand)
    assert [tile.code for tile in record.tiles[:2]] == [None, None]
    with pytest.raises(ChangeRefusedError):
        hands.undo(read_hand, before + 1)
    hands.undo(read_hand, before + 2)
    assert other.get(read_hand).tiles[1].code is not None


@given(said=st.lists(st.sampled_from(["Ann", "Cy", None, "undo", "charge"]), max_size=14))
def test_what_is_remembered_is_what_the_log_says(
    tmp_path_factory: pytest.TempPathFactory, said: list[str | None]
) -> None:
    folder: Path = tmp_path_factory.mktemp("box")
    with closing(Store(folder)) as store:
        matches = MatchRepository(store)
        match = matches.begin(AGREED)
        for each in said:
            if each == "undo":
                done = matches.get(match).doings
                if done:
                    matches.undo(match, done[-1].seq)
            elif each == "charge":
                matches.change(match, FEE)
            else:
                settle(matches, match, each)
            assert matches.get(match) == replay_all(MATCHES, store.stream(match))
