"""The tiles in small: what is drawn is what is scored, set by set."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.hands.readings import reading_event
from device.hands.record import Agreement, HandRecord
from device.hands.repository import HandRepository
from device.hands.scoring import find_wild_faces, score_hand
from device.views.hand_page import hand_view
from device.views.tiles import doubtful_places, tile_rows, tile_strip
from scorer.breakdown import Breakdown
from scorer.errors import HandError
from scorer.tiles import CODES
from tests.device.fake_reader import WINNING, Group, lay
from tests.device.read_hands import hand_read
from vision.reading import RowName

ONE_GROUP: tuple[Group, ...] = (
    ("exposed", "B2 B2 B2"),
    ("concealed", "C3 C4 C5 DR DR DR O9 O9 O9 WE WE"),
)

CASES: tuple[tuple[str, tuple[Group, ...], str, list[str]], ...] = (
    ("sets that lie apart are drawn as they lie", WINNING, "concealed",
     ["C3 C4 C5", "DR ?? DR", "WE WE"]),
    ("the exposed row", WINNING, "exposed", ["B2 B2 B2", "O9 O9 O9 ??"]),
    ("flowers", WINNING, "bonus", ["F1"]),
    ("what lies together is drawn in the sets that it counts as", ONE_GROUP, "concealed",
     ["C3 C4 C5", "DR DR DR", "O9 O9 O9", "WE WE"]),
)  # fmt: skip


@pytest.mark.parametrize(
    ("groups", "row", "sets"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_is_drawn_is_what_is_scored(
    hands: HandRepository, unread_hand: str, groups: tuple[Group, ...], row: str, sets: list[str]
) -> None:
    hands.change(unread_hand, reading_event(lay(groups)))
    record = hands.get(unread_hand)
    drawn_sets = {str(name): sets for name, sets in hand_view(record).strip.items()}[row]
    set_codes = [
        " ".join(str(record.tiles[p.place].code) for p in each.pieces) for each in drawn_sets
    ]
    assert set_codes == sets


WILD_CASES: tuple[tuple[tuple[Group, ...], dict[str, str], str], ...] = (
    ((("concealed", "WW WE B2 B3"),), {"B2": "WE"}, "the pair that the score makes of loose tiles"),
    (
        (("exposed", "B5 B5 JK"), ("concealed", "O7 O7 JK B1")),
        {"JK": "B5 O7"},
        "each set keeps its own joker",
    ),
    ((("concealed", "O1 O5 B2 B2"),), {"B2": "? ?"}, "nothing is said where no set tells"),
    ((("concealed", "B3 B3 DR DR DR"),), {}, "no wild tile, no note"),
)


@pytest.mark.parametrize(("groups", "faces", "reason"), WILD_CASES)
def test_a_wild_tile_of_a_goulash_has_the_face_that_it_counts_as(
    groups: tuple[Group, ...], faces: dict[str, str], reason: str
) -> None:
    record = hand_read(lay(groups))
    assert find_wild_faces(record, _judge(record)) == {}, "no tile is wild in another deal"
    record = replace(record, agreement=Agreement(goulash=True))
    found_faces: dict[str, str] = {}
    for place, face in find_wild_faces(record, _judge(record)).items():
        code = str(record.tiles[place].code)
        found_faces[code] = f"{found_faces.get(code, '')} {face or '?'}".strip()
    assert found_faces == faces, reason


_TILES = st.lists(st.sampled_from([*CODES, "??"]), min_size=1, max_size=14)


_ROWS: tuple[RowName, ...] = ("exposed", "concealed", "concealed", "bonus", "concealed")


def _judge(record: HandRecord) -> Breakdown | None:
    try:
        return score_hand(record)
    except HandError:
        return None


@given(st.lists(_TILES, min_size=1, max_size=5))
def test_every_tile_of_the_hand_is_drawn_once(groups: list[list[str]]) -> None:
    tile_groups: list[Group] = [
        (row, " ".join(each)) for row, each in zip(_ROWS, groups, strict=False)
    ]
    record = hand_read(lay(tile_groups))
    hand = record.assembled_hand
    strip = tile_strip(tile_rows(record, hand, doubtful_places(record)), hand, _judge(record))
    drawn_places = [p.place for sets in strip.values() for each in sets for p in each.pieces]
    assert Counter(drawn_places) == Counter(range(sum(map(len, groups))))
