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
from tests.device.asked import asked

HANDS_OF_A_DEAL = ("h0", "h1", "h2")

BEGUN = HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E")

MORE = SetAdded(("B2", "B2", "B2"), "exposed")

STEPS = st.lists(
    st.tuples(
        st.sampled_from(HANDS_OF_A_DEAL), st.sampled_from(("more", "undo", "redo", "torn", "cut"))
    ),
    max_size=16,
)


def step(store: Store, hand: str, what: str) -> None:
    """Let one thing happen to a hand."""
    now = Projector(store, HANDS).state_of(hand)
    record = now.record
    if what == "torn":
        store.append(hand, TileMoved(tile=99, set=0, row="exposed"))
    elif what == "cut" and now.torn_error:
        Projector(store, HANDS).cut_back(hand, now.torn_error.seq)
    elif what == "more" and not now.torn_error:
        Projector(store, HANDS).change(hand, MORE)
    elif what == "undo" and not now.torn_error and record and record.changes:
        Projector(store, HANDS).change(hand, ChangeUndone(record.changes[-1].seq))
    elif what == "redo" and not now.torn_error and record and record.redoable_seq:
        with suppress(EventRefusedError):
            Projector(store, HANDS).change(hand, ChangeRedone(record.redoable_seq))


def come_to(get: Callable[[str], HandRecord]) -> Iterator[object]:
    """Yield what each hand comes to, or what is wrong with it; one of them was never begun."""
    for hand in (*HANDS_OF_A_DEAL, "nobody's"):
        try:
            yield get(hand)
        except TornEventError as error:
            yield error.seq
        except UnknownHandError:
            yield None


@pytest.mark.parametrize(("keep_after", "why"), [(3, "some are long"), (256, "none is long")])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_hands_come_to_the_same_one_by_one_and_together(
    tmp_path_factory: pytest.TempPathFactory,
    keep_after: int,
    why: str,
    steps: Sequence[tuple[str, str]],
) -> None:
    with (
        closing(Store(tmp_path_factory.mktemp("box"))) as store,
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr(projection, "MAX_UNCACHED_EVENTS", keep_after)
        for hand in HANDS_OF_A_DEAL:
            store.append(hand, BEGUN)
        looks_on = Projector(store, HANDS)
        for hand, what in steps:
            step(store, hand, what)
            together = (*HANDS_OF_A_DEAL, "nobody's")
            found = list(come_to(looks_on.load_together(together)))
            assert found == list(come_to(Projector(store, HANDS).load_together(together)))
            assert found == list(come_to(Projector(store, HANDS).get)), why


def test_a_torn_hand_hides_no_other(either: Store) -> None:
    for hand in HANDS_OF_A_DEAL:
        either.append(hand, BEGUN)
    torn = either.append("h1", TileMoved(tile=99, set=0, row="exposed"))
    get = Projector(either, HANDS).load_together(HANDS_OF_A_DEAL)
    whole, wrong = split_whole_and_torn(get, HANDS_OF_A_DEAL)
    assert [each.id for each in whole] == ["h0", "h2"]
    assert [each.seq for each in wrong] == [torn]


@pytest.mark.parametrize(
    ("hands", "times", "why"),
    [
        (0, (0, 0), "nothing to ask"),
        (1, (2, 1), "which events there are, and they; the second time there are no others"),
        (501, (4, 3), "more than are asked about at once, and than are remembered"),
    ],
)
def test_the_log_is_asked_as_often_for_one_as_for_many(
    store: Store, hands: int, times: tuple[int, int], why: str
) -> None:
    ids = [f"h{number}" for number in range(hands)]
    for hand in ids:
        store.append(hand, BEGUN)
    looks_on = Projector(store, HANDS)
    for expected in times:
        with asked() as seen:
            get = looks_on.load_together(ids)
        assert len(seen) == expected, why
        assert [get(hand).id for hand in ids] == ids


@pytest.mark.parametrize(
    ("many", "found"),
    [(0, []), (1, [(0,)]), (3, [(0, 1, 2)]), (4, [(0, 1, 2), (3,)]), (6, [(0, 1, 2), (3, 4, 5)])],
)
def test_much_comes_a_part_at_a_time(many: int, found: list[tuple[int, ...]]) -> None:
    assert list(split_batches(iter(range(many)), 3)) == found
