"""A hand entered by hand: what a tap lays, what it cannot, and what is offered next."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.hands import manual_entry
from device.hands.manual_entry import count_hand_tiles
from device.hands.record import HandRecord
from device.hands.replay import HANDS
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.scoring import hand_from, score_hand
from device.store import Store
from device.store.events import ContextSet, SetAdded, SetRemoved, TileAdded, TilesGrouped
from device.store.projection import Projector
from scorer import layings
from scorer.breakdown import SetKind
from scorer.errors import HandError
from scorer.hand import HAND_SIZE
from scorer.notation import format_hand
from scorer.tiles import CODES
from tests.device.events import event_of
from tests.device.long_matches import LOSING_SETS, WINNING_SETS, MatchWriter
from vision.hand import assembly


def enter_sets(hands: HandRepository, hand: str, text: str) -> HandRecord:
    """Lay sets in order: `exposed pung B3, concealed chow C4`; an empty text lays none."""
    for entry in filter(None, text.split(", ")):
        row, kind, code = entry.split(" ")
        codes = manual_entry.codes_of(kind, code)
        manual_entry.check_copies(hands.get(hand), codes)
        hands.change(hand, SetAdded(codes=tuple(codes), row=row))
    return hands.get(hand)


@pytest.fixture
def hand(hands: HandRepository) -> str:
    return hands.begin_by_hand("bmja")


def test_a_hand_without_a_photograph_waits_for_no_reading(hands: HandRepository, hand: str) -> None:
    record = hands.get(hand)
    assert (record.photo, record.is_read, record.may_be_read_anew) == (None, True, False)
    assert [each.id for each in hands.recent()] == [hand]
    with pytest.raises(HandError, match="no tiles yet"):
        hand_from(record)


def test_five_taps_make_a_hand(hands: HandRepository, hand: str) -> None:
    record = enter_sets(
        hands,
        hand,
        "exposed pung B3, exposed kong O9, concealed kong C2, concealed pung DR, concealed pair WE",
    )
    assert format_hand(hand_from(record)).startswith("B333 O9999 | DRRR WEE [C2222] |")
    assert count_hand_tiles(record.assembled_hand) == 14
    assert record.situation.winner, "fourteen tiles: it won, until somebody says otherwise"
    # 20 + 2 + 16 + 16 + 8 + 4 + 2 from the wall = 68; no chows and the dragons: two doubles.
    assert score_hand(record).total == 272


def test_an_answer_outranks_the_number_of_tiles(hands: HandRepository, hand: str) -> None:
    hands.change(hand, ContextSet(winner=False))
    text = (
        "exposed pung B3, exposed pung O9, concealed pung C2, concealed pung DR, concealed pair WE"
    )
    assert not enter_sets(hands, hand, text).situation.winner


@pytest.mark.parametrize(
    ("kind", "code", "wild", "codes", "reason"),
    [
        ("pung", "B3", "", "B3 B3 B3", "three alike"),
        ("kong", "WE", "", "WE WE WE WE", "four alike"),
        ("pair", "DW", "", "DW DW", "two alike"),
        ("chow", "C7", "", "C7 C8 C9", "a chow begins with its lowest tile"),
        ("loose", "F1", "", "F1", "a tile alone"),
        ("loose", "JK", "", "JK", "a joker alone"),
        ("pung", "B3", "JK 1", "B3 B3 JK", "a pung may hold one wild tile (BMJA-G05)"),
        ("pung", "B3", "JK 2", "B3 B3 JK", "and never two"),
        ("kong", "B3", "B2 2", "B3 B3 B2 B2", "a kong may hold two"),
        ("chow", "C3", "JK 1", "C3 C4 C5", "a chow none: a goulash has no chows"),
    ],
)
def test_what_a_tap_lays(kind: str, code: str, wild: str, codes: str, reason: str) -> None:
    assert " ".join(manual_entry.codes_of(kind, code, wild)) == codes, reason


@pytest.mark.parametrize(
    ("kind", "code", "says"),
    [
        ("chow", "B8", "No chow begins with 8 bamboo"),
        ("chow", "WE", "No chow begins with East wind"),
        ("chow", "JK", "No chow begins"),
        ("pung", "F1", "only one flower 1"),
        ("kong", "JK", "none by itself"),
    ],
)
def test_what_is_no_set(kind: str, code: str, says: str) -> None:
    with pytest.raises(HandError, match=says):
        manual_entry.codes_of(kind, code)


@pytest.mark.parametrize(
    ("lies", "codes", "says"),
    [
        ("exposed pung B3", "B3 B3", "only 4 of 3 bamboo, and this hand already has 3"),
        ("concealed chow B1, concealed pung B3", "B3", "already has 4"),
        ("", "F1 F1", "only one flower 1"),
        ("", "JK JK JK JK JK", "only 4 of joker"),
    ],
)
def test_no_more_of_a_tile_than_there_are(
    hands: HandRepository, hand: str, lies: str, codes: str, says: str
) -> None:
    record = enter_sets(hands, hand, lies)
    with pytest.raises(HandError, match=says):
        manual_entry.check_copies(record, codes.split())


@pytest.mark.parametrize(
    ("lies", "guess", "reason"),
    [
        ("exposed pung WE", "pung DR", "what doubles a hand"),
        ("concealed chow B1", "chow B4", "the next chow of the suit"),
        ("exposed pung B3, exposed pung O9, concealed pung C2, concealed pung DR", "pair WE",
         "a fifth set there is not: a pair of what doubles"),
    ],
)  # fmt: skip
def test_what_is_offered(
    hands: HandRepository, hand: str, lies: str, guess: str, reason: str
) -> None:
    guesses = manual_entry.guess_next_sets(enter_sets(hands, hand, lies))
    assert guess in [f"{each.kind} {each.code}" for each in guesses], reason


def test_the_tile_that_a_winner_waited_for_comes_first(hands: HandRepository, hand: str) -> None:
    hands.change(hand, ContextSet(winner=True))
    enter_sets(
        hands, hand, "exposed pung B3, exposed pung O9, concealed pung C2, concealed pung DR"
    )
    hands.change(hand, TileAdded(code="WS", set=None, row="concealed"))
    first = manual_entry.guess_next_sets(hands.get(hand))[0]
    assert (first.codes, first.to_set) == (("WS",), 4)


def test_single_tiles_make_sets_as_they_come(hands: HandRepository, hand: str) -> None:
    for code in ("B1", "B2", "B3", "DR", "DR", "DR", "C5"):
        set_index = manual_entry.target_set(hands.get(hand), "concealed", code)
        hands.change(hand, TileAdded(code=code, set=set_index, row="concealed"))
    kinds = [(each.kind, each.codes) for each in hands.get(hand).assembled_hand.sets]
    assert kinds == [
        ("chow", ("B1", "B2", "B3")),
        ("pung", ("DR", "DR", "DR")),
        ("loose", ("C5",)),
    ]


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("set-added", {"codes": [], "row": "exposed"}, "no tiles"),
        ("set-added", {"codes": ["B1"] * 5, "row": "exposed"}, "more than a kong"),
        ("set-added", {"codes": ["X1"], "row": "exposed"}, "no such face"),
        ("set-added", {"codes": ["B1"], "row": "top"}, "no such row"),
        ("set-removed", {"tiles": []}, "nothing to take out"),
        ("set-removed", {"tiles": [9]}, "no such tile"),
        ("tiles-grouped", {"groups": []}, "nothing to lay"),
        ("tiles-grouped", {"groups": [[0, 1], []]}, "an empty group"),
        ("tiles-grouped", {"groups": [[0, 1], [1, 2]]}, "a tile in two places"),
        ("tiles-grouped", {"groups": [[0, 9]]}, "no such tile"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(
    hands: HandRepository, hand: str, kind: str, data: dict[str, Any], reason: str
) -> None:
    before = enter_sets(hands, hand, "exposed pung B3")
    with pytest.raises(ChangeRefusedError):
        hands.change(hand, event_of(kind, data))
    assert hands.get(hand) == before, reason


def test_a_set_is_split_joined_taken_out_and_brought_back(hands: HandRepository, hand: str) -> None:
    enter_sets(hands, hand, "concealed kong O5")
    assert hand_from(hands.get(hand)).declared_kongs
    hands.change(hand, TilesGrouped(groups=((0, 1, 2), (3,))))
    assert not hand_from(hands.get(hand)).declared_kongs, "four alike, but not declared"
    hands.change(hand, TilesGrouped(groups=((0, 1, 2, 3),)))
    assert hand_from(hands.get(hand)).declared_kongs
    hands.change(hand, SetRemoved(tiles=(0, 1, 2, 3)))
    assert hands.get(hand).assembled_hand.sets == ()
    hands.undo(hand, hands.get(hand).changes[-1].seq)
    assert hand_from(hands.get(hand)).declared_kongs


TAPS = st.tuples(
    st.sampled_from(manual_entry.ENTRY_KINDS),
    st.sampled_from(CODES),
    st.sampled_from(["exposed", "concealed"]),
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(TAPS, max_size=12))
def test_whatever_is_tapped_no_tile_is_there_too_often_and_every_offer_fits(
    store: Store, hands: HandRepository, taps: list[tuple[SetKind, str, str]]
) -> None:
    hand = hands.begin_by_hand("bmja")
    for kind, code, row in taps:
        record = hands.get(hand)
        try:
            codes = manual_entry.codes_of(kind, code)
            manual_entry.check_copies(record, codes)
        except HandError:
            assert manual_entry.is_impossible(
                kind, code, manual_entry.count_tiles(record), goulash=False
            )
            continue
        hands.change(hand, SetAdded(codes=tuple(codes), row=row))
        record = hands.get(hand)
        assert max(manual_entry.count_tiles(record).values()) <= 4
        for guess in manual_entry.guess_next_sets(record):
            manual_entry.check_copies(record, guess.codes)
            assert count_hand_tiles(record.assembled_hand) + len(guess.codes) <= HAND_SIZE


def test_a_group_of_tiles_is_cut_into_sets_once_however_often_the_hand_is_looked_at(
    store: Store,
) -> None:
    MatchWriter(store).match("m", 1)
    layings.cut_by_face_down.cache_clear()
    assembly._assemble.cache_clear()
    for _ in range(3):
        get = Projector(store, HANDS).load_together(store.hands(-1))
        assert {len(get(hand).assembled_hand.sets) for hand in store.hands(-1)} == {4, 5}
    groups = {codes for _, codes in (*WINNING_SETS, *LOSING_SETS)}
    assert layings.cut_by_face_down.cache_info().misses == len(groups)
