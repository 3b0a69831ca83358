"""A hand is what its events say: the reading, then what the player made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.hands.readings import check_reading, reading_event
from device.hands.record import ANSWERS, COMMON_WAYS, Situation, UnknownHandError, guess_situation
from device.hands.replay import HANDS, apply
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.scoring import hand_from
from device.store import Store, StoreError, TornEventError
from device.store.events import Envelope, HandChange, TileCorrected
from device.store.projection import replay_all
from scorer.errors import HandError
from scorer.hand import WAYS_OF_WINNING
from scorer.tiles import CODES
from tests.device.events import event_of, write_raw
from tests.device.fake_reader import WINNING, Group, lay

Change = tuple[str, Mapping[str, Any]]

PHOTO_TAKEN_FIELDS = {"rules": "bmja", "seat_wind": "E", "prevailing_wind": "E"}


def test_a_reading_comes_back_from_json_as_it_was() -> None:
    reading = lay(doubtful=(1,))
    assert check_reading(reading_event(reading)) == reading


def test_a_read_hand_is_laid_out_by_its_face_down_tiles(
    hands: HandRepository, read_hand: str
) -> None:
    hand = hand_from(hands.get(read_hand))
    assert hand.exposed == (("B2",) * 3, ("O9",) * 4)
    assert hand.concealed == ("C3", "C4", "C5", "DR", "DR", "DR", "WE", "WE")
    assert hand.bonus == ("F1",)


class Turned(HandChange, frozen=True):
    """A change with a field, and no kind: it is in no catalogue."""

    times: int


def test_a_change_without_fields_is_listed_and_one_with_fields_needs_a_function(
    hands: HandRepository, read_hand: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HandChange, "kind", "marked", raising=False)
    record = hands.get(read_hand)
    assert not record.has_change("marked")
    taken_at = record.taken_at
    changed_record = apply(record, Envelope(99, read_hand, HandChange(by="Ann"), taken_at))
    assert changed_record.has_change("marked")
    assert (changed_record.changes[-1].seq, changed_record.changes[-1].changed_by) == (99, "Ann")
    assert replace(changed_record, changes=record.changes) == record, "nothing else is changed"
    with pytest.raises(ValueError, match="needs a function"):
        apply(record, Envelope(99, read_hand, Turned(times=2), taken_at))


@pytest.mark.parametrize(
    ("changes", "part", "expected", "reason"),
    [
        ([("tile-corrected", {"tile": 7, "code": "C6"})], "concealed", "C6 C4 C5 DR DR DR WE WE",
         "a corrected tile is what the player says"),
        ([("tile-corrected", {"tile": 7, "code": None})], "concealed", "C4 C5 DR DR DR WE WE",
         "what is no tile is not counted"),
        ([("tile-added", {"code": "WE", "set": 4, "row": "concealed"})], "concealed",
         "C3 C4 C5 DR DR DR WE WE WE", "added to the set that it lies with"),
        ([("tile-added", {"code": "S1", "set": None, "row": "concealed"})], "bonus", "F1 S1",
         "a bonus tile goes with its kind wherever it is added"),
        ([("set-moved", {"set": 0, "row": "concealed"})], "exposed", "O9 O9 O9 O9",
         "a set changes its row"),
        ([("set-moved", {"set": 1, "row": "concealed"})], "declared_kongs", "O9 O9 O9 O9",
         "the player outranks the face-down tile"),
        ([("set-moved", {"set": 3, "row": "exposed"})], "exposed",
         "B2 B2 B2 O9 O9 O9 O9 DR DR DR", "and so with a concealed pung"),
        ([("tile-moved", {"tile": 13, "set": None, "row": "exposed"})], "exposed",
         "B2 B2 B2 O9 O9 O9 O9 WE", "a tile on its own"),
        ([("tile-moved", {"tile": 13, "set": 2, "row": "concealed"})], "concealed",
         "C3 C4 C5 WE DR DR DR WE", "a tile in another set"),
        ([("tile-corrected", {"tile": 11, "code": "DR"})], "concealed",
         "C3 C4 C5 DR DR DR WE WE", "a face-down tile may be named"),
    ],
)  # fmt: skip
def test_changes(
    hands: HandRepository,
    read_hand: str,
    changes: list[Change],
    part: str,
    expected: str,
    reason: str,
) -> None:
    for kind, data in changes:
        hands.change(read_hand, event_of(kind, data))
    value = getattr(hand_from(hands.get(read_hand)), part)
    codes = [c for item in value for c in ((item,) if isinstance(item, str) else item)]
    assert " ".join(codes) == expected, reason


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("tile-corrected", {"tile": 99, "code": "B1"}, "no such tile"),
        ("tile-corrected", {"tile": -1, "code": "B1"}, "nor counted from the end"),
        ("tile-corrected", {"tile": 0, "code": "X1"}, "no such face"),
        ("tile-added", {"code": "B1", "set": 99, "row": "exposed"}, "no such set"),
        ("tile-added", {"code": "B1", "set": -1, "row": "exposed"}, "nor counted from the end"),
        ("tile-added", {"code": "B1", "set": None, "row": "top"}, "no such row"),
        ("set-moved", {"set": 99, "row": "exposed"}, "no such set"),
        ("set-moved", {"set": 0, "row": "top"}, "no such row"),
        ("context-set", {"won_by": "luck"}, "no way to win"),
        ("context-set", {"seat_wind": "X"}, "no wind"),
        ("hand-begun", PHOTO_TAKEN_FIELDS, "a hand has one beginning"),
        ("reading-made", lay().to_json(), "a second reading would undo the player's work"),
        ("reading-failed", {"code": "fault", "message": "Late."}, "it has been read"),
        ("reading-asked", {}, "nothing has failed"),
        ("match-ended", {}, "it happens to matches"),
    ],
)
def test_a_change_that_does_not_fit_is_refused_and_not_kept(
    hands: HandRepository, read_hand: str, kind: str, data: dict[str, Any], reason: str
) -> None:
    before = hands.get(read_hand)
    with pytest.raises(ChangeRefusedError):
        hands.change(read_hand, event_of(kind, data))
    assert hands.get(read_hand) == before, reason


def test_only_the_last_change_can_be_taken_back(hands: HandRepository, read_hand: str) -> None:
    original = hands.get(read_hand)
    for code in ("C6", "C7"):
        hands.change(read_hand, TileCorrected(tile=7, code=code))
    first, last = hands.get(read_hand).changes
    with pytest.raises(ChangeRefusedError):
        hands.undo(read_hand, first.seq)
    hands.undo(read_hand, last.seq)
    assert hands.get(read_hand).tiles[7].code == "C6"
    hands.undo(read_hand, first.seq)
    after = hands.get(read_hand)
    assert after.redoable_seq == first.seq, "it may be put back"
    assert replace(after, version=original.version, redoable_seq=None) == original
    with pytest.raises(ChangeRefusedError):
        hands.undo(read_hand, first.seq)


def test_saying_that_a_doubtful_tile_is_right_settles_it(
    hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(lay(doubtful=(1,))))
    assert hands.get(unread_hand).tiles[1].doubtful
    hands.change(unread_hand, TileCorrected(tile=1, code="B2"))
    tile = hands.get(unread_hand).tiles[1]
    assert (tile.doubtful, tile.is_changed, tile.is_confirmed) == (False, False, True)


def test_a_face_down_tile_that_nothing_explains_is_asked_about(
    hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(lay([("concealed", "B1 ?? B2")])))
    with pytest.raises(HandError, match="Tile 2 lies face down"):
        hand_from(hands.get(unread_hand))


def test_a_hand_that_is_not_known(hands: HandRepository) -> None:
    with pytest.raises(UnknownHandError):
        hands.get("nobody")


@pytest.mark.parametrize(
    ("kind", "data"),
    [("tile-corrected", {"tile": 0, "code": "B1"}), ("photo-taken", {"photo": {}})],
)
def test_events_that_make_no_hand_are_refused(
    store: Store, kind: str, data: dict[str, Any]
) -> None:
    write_raw(store, "a", kind, data)
    with pytest.raises(StoreError, match="makes no sense"):
        replay_all(HANDS, store.stream("a"))


def test_a_hand_that_makes_no_sense_hides_no_other(
    store: Store, hands: HandRepository, unread_hand: str, caplog: pytest.LogCaptureFixture
) -> None:
    write_raw(store, "a", "photo-taken", {"photo": {}})
    assert [record.id for record in hands.recent()] == [unread_hand]
    assert "Left out: Event 2 (photo-taken) of a makes no sense" in caplog.text


ROWS = st.sampled_from(["exposed", "concealed", "bonus"])
SETS = st.one_of(st.none(), st.integers(0, 6))

CHANGES = st.one_of(
    st.tuples(
        st.just("tile-corrected"),
        st.fixed_dictionaries(
            {"tile": st.integers(0, 16), "code": st.sampled_from([*CODES, "??", None])}
        ),
    ),
    st.tuples(
        st.just("tile-added"),
        st.fixed_dictionaries({"code": st.sampled_from(CODES), "set": SETS, "row": ROWS}),
    ),
    st.tuples(
        st.just("tile-moved"),
        st.fixed_dictionaries({"tile": st.integers(0, 16), "set": SETS, "row": ROWS}),
    ),
    st.tuples(
        st.just("set-moved"),
        st.fixed_dictionaries({"set": st.integers(0, 6), "row": ROWS}),
    ),
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(CHANGES, max_size=8))
def test_replay_gives_the_same_record_and_loses_no_tile(
    store: Store, hands: HandRepository, changes: list[Change]
) -> None:
    hand = f"hand-{len(store.hands(10_000))}"
    photo = dict.fromkeys(("original", "display", "thumbnail", "name"), "x")
    begin = {"photo": {**photo, "width": 1200, "height": 360}, **PHOTO_TAKEN_FIELDS}
    store.append(hand, event_of("photo-taken", begin))
    hands.change(hand, reading_event(lay()))
    for kind, data in changes:
        try:
            hands.change(hand, event_of(kind, data))
        except ChangeRefusedError:
            continue
    record = hands.get(hand)
    assert record == replay_all(HANDS, store.stream(hand))
    tiles_in_sets = sorted(t for s in record.assembled_hand.sets for t in s.tiles)
    assert tiles_in_sets == [t for t, tile in enumerate(record.tiles) if tile.code is not None]


THIRTEEN: tuple[Group, ...] = (("exposed", "B2 B2 B2"), ("concealed", "C1 C2 C3 C4 C5 C6 WE WE WS"))


@pytest.mark.parametrize(
    ("groups", "sideways", "winner", "won_by", "winning_tile", "reason"),
    [
        (WINNING, None, True, "wall", None, "15 tiles with a kong: it has won (BMJA-H04)"),
        (THIRTEEN, None, False, "wall", None, "12 tiles: it has not"),
        (WINNING, 2, True, "discard", 2, "sideways in the exposed row: claimed"),
        (WINNING, 13, True, "wall", 13, "sideways in the concealed row: drawn"),
        (THIRTEEN, 4, True, "wall", 4, "sideways says so whatever the count"),
        ([("concealed", "?? ?? ??")], None, False, "wall", None, "nothing to go by"),
    ],
)
def test_first_guess(
    groups: list[Group],
    sideways: int | None,
    winner: bool,
    won_by: str,
    winning_tile: int | None,
    reason: str,
) -> None:
    guess = guess_situation(Situation(), lay(groups, sideways=sideways))
    assert (guess.winner, guess.won_by, guess.winning_tile) == (winner, won_by, winning_tile), (
        reason
    )
    assert guess.answered == frozenset(), "a guess is never an answer"


def test_an_answer_is_kept_and_known_as_one() -> None:
    situation = Situation().with_answers({"seat_wind": "S"}).with_answers({"winner": True})
    assert (situation.seat_wind, situation.winner) == ("S", True)
    assert situation.answered == {"seat_wind", "winner"}


def test_the_page_offers_six_ways_and_the_scorer_knows_them_all() -> None:
    ways = ("wall", "discard", "loose", "last-tile", "last-discard", "robbed-kong")
    assert ways == COMMON_WAYS
    assert set(COMMON_WAYS) <= set(WAYS_OF_WINNING)
    assert "original_call" in ANSWERS, "it goes with any of them"


Path = tuple[str | int, ...]

ODD: list[tuple[Path, Any, str]] = [
    (("tiles", 0, "code"), "Os", "no such tile"),
    (("tiles", 0, "alternatives", 0, 0), "Os", "nor among the next guesses"),
    (("tiles", 0, "seen"), "X1", "nor as what it looks like"),
    (("tiles", 0, "confidence"), 2, "surer than sure"),
    (("tiles", 0, "confidence"), -0.1, "less than never"),
    (("tiles", 0, "alternatives", 0, 1), 7, "the same of a guess"),
    (("tiles", 0, "quad", 0, 0), 1e999, "a corner without end"),
    (("sets", 0, "tiles", 0), 99, "a set of a tile that was not found"),
    (("sets", 0, "tiles", 0), -1, "or of one counted from the end"),
    (("sets", 0, "row"), "hidden", "a row that there is not"),
    (("winning_tile",), 99, "a winning tile that was not found"),
    (("left_out",), [{"tile": 99, "why": "far"}], "left out, and never found"),
    (("left_out",), [{"tile": 0, "why": "blue"}], "for no reason"),
    (("width",), 0, "a photograph of nothing"),
    (("tiles",), [], "sets of no tiles"),
]


@pytest.mark.parametrize(("path", "value", "reason"), ODD)
def test_an_odd_reading_is_torn(
    store: Store, hands: HandRepository, read_hand: str, path: Path, value: object, reason: str
) -> None:
    photo_row, reading = store.raw_rows(read_hand)[:2]
    data = json.loads(reading[3])
    node = data
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    write_raw(store, "odd", photo_row[2], photo_row[3])
    seq = write_raw(store, "odd", reading[2], data)
    with pytest.raises(TornEventError) as error:
        hands.get("odd")
    assert error.value.seq == seq, reason


def test_a_reading_as_it_was_kept_is_whole(store: Store, read_hand: str) -> None:
    assert replay_all(HANDS, store.stream(read_hand)).reading is not None


def test_hands_share_the_guesses_that_all_have(store: Store, read_hand: str) -> None:
    reading, other = (replay_all(HANDS, store.stream(read_hand)).reading for _ in range(2))
    assert reading
    assert other
    assert reading.tiles[0].alternatives == other.tiles[0].alternatives
    assert reading.tiles[0].alternatives[0] is other.tiles[0].alternatives[0]
    assert reading.tiles[0].code is other.tiles[0].code
