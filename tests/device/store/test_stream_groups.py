"""Streams that are looked at together come to what each of them comes to by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.hands.record import HandRecord, UnknownHandError
from device.hands.replay import HANDS
from device.store import Store, TornEventError, projection
from device.store.errors import EventRefusedError
from device.store.events import ChangeRedone, ChangeUndone, HandBegun, SetAdded, TileMoved
from device.store.projection import Projector, split_whole_and_torn
from device.store.queries import split_batches
from tests.device.query_record import record_queries

HANDS_OF_A_DEAL = ("h0", "h1", "h2")

HAND_START = HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E")

THIRD_SET = SetAdded(("B2", "B2", "B2"), "exposed")

STEPS = st.lists(
    st.tuples(
        st.sampled_from(HANDS_OF_A_DEAL), st.sampled_from(("more", "undo", "redo", "torn", "cut"))
    ),
    max_size=16,
)


def step(store: Store, hand: str, action: str) -> None:
    """Let one thing happen to a hand."""
    state = Projector(store, HANDS).state_of(hand)
    record = state.record
    if action == "torn":
        store.append(hand, TileMoved(tile=99, set=0, row="exposed"))
    elif action == "cut" and state.torn_error:
        Projector(store, HANDS).cut_back(hand, state.torn_error.seq)
    elif action == "more" and not state.torn_error:
        Projector(store, HANDS).change(hand, THIRD_SET)
    elif action == "undo" and not state.torn_error and record and record.changes:
        Projector(store, HANDS).change(hand, ChangeUndone(record.changes[-1].seq))
    elif action == "redo" and not state.torn_error and record and record.redoable_seq:
        with suppress(EventRefusedError):
            Projector(store, HANDS).change(hand, ChangeRedone(record.redoable_seq))


def outcomes(get: Callable[[str], HandRecord]) -> Iterator[object]:
    """Yield what each hand comes to, or what is wrong with it; one of them was never begun."""
    for hand in (*HANDS_OF_A_DEAL, "nobody's"):
        try:
            yield get(hand)
        except TornEventError as error:
            yield error.seq
        except UnknownHandError:
            yield None


@pytest.mark.parametrize(("keep_after", "reason"), [(3, "some are long"), (256, "none is long")])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_hands_come_to_the_same_one_by_one_and_together(
    tmp_path_factory: pytest.TempPathFactory,
    keep_after: int,
    reason: str,
    steps: Sequence[tuple[str, str]],
) -> None:
    with (
        closing(Store(tmp_path_factory.mktemp("box"))) as store,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(projection, "MAX_UNCACHED_EVENTS", keep_after)
        for hand in HANDS_OF_A_DEAL:
            store.append(hand, HAND_START)
        looks_on = Projector(store, HANDS)
        for hand, action in steps:
            step(store, hand, action)
            hand_names = (*HANDS_OF_A_DEAL, "nobody's")
            results = list(outcomes(looks_on.load_together(hand_names)))
            assert results == list(outcomes(Projector(store, HANDS).load_together(hand_names)))
            assert results == list(outcomes(Projector(store, HANDS).get)), reason


def test_a_torn_hand_hides_no_other(either_store: Store) -> None:
    for hand in HANDS_OF_A_DEAL:
        either_store.append(hand, HAND_START)
    torn_number = either_store.append("h1", TileMoved(tile=99, set=0, row="exposed"))
    get = Projector(either_store, HANDS).load_together(HANDS_OF_A_DEAL)
    whole_hands, wrong = split_whole_and_torn(get, HANDS_OF_A_DEAL)
    assert [each.id for each in whole_hands] == ["h0", "h2"]
    assert [each.seq for each in wrong] == [torn_number]


@pytest.mark.parametrize(
    ("hands", "times", "reason"),
    [
        (0, (0, 0), "nothing to ask"),
        (1, (2, 1), "which events there are, and they; the second time there are no others"),
        (501, (4, 3), "more than are asked about at once, and than are remembered"),
    ],
)
def test_the_log_is_asked_as_often_for_one_as_for_many(
    store: Store, hands: int, times: tuple[int, int], reason: str
) -> None:
    ids = [f"h{number}" for number in range(hands)]
    for hand in ids:
        store.append(hand, HAND_START)
    looks_on = Projector(store, HANDS)
    for expected in times:
        with record_queries() as seen:
            get = looks_on.load_together(ids)
        assert len(seen) == expected, reason
        assert [get(hand).id for hand in ids] == ids


@pytest.mark.parametrize(
    ("count", "found"),
    [(0, []), (1, [(0,)]), (3, [(0, 1, 2)]), (4, [(0, 1, 2), (3,)]), (6, [(0, 1, 2), (3, 4, 5)])],
)
def test_much_comes_a_part_at_a_time(count: int, found: list[tuple[int, ...]]) -> None:
    assert list(split_batches(iter(range(count)), 3)) == found
