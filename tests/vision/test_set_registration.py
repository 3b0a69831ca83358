"""A set laid out in its printed order: who is named by it, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.tiles import CODES, FACE_DOWN, JOKER
from tests.vision.laid_set import PRINTED_ROWS
from vision.reading import Quad, TileReading, turn_of
from vision.set_registration import RegisteredSet, name_by_order

pytestmark = pytest.mark.slow

SeenTile = str | tuple[str, float]
"""What the network says of a tile, and how sure it is if not quite."""

GATE = 0.954


def tile(seen_tile: SeenTile, x: float, y: float, upside_down: bool = False) -> TileReading:
    code, confidence = (seen_tile, 0.995) if isinstance(seen_tile, str) else seen_tile
    quad: Quad = ((x, y), (x + 60, y), (x + 60, y + 80), (x, y + 80))
    if upside_down:
        quad = tuple((1000 - a, 1000 - b) for a, b in quad)  # type: ignore[assignment]
    return TileReading(code, confidence, quad, turn_of(quad), (), confidence < GATE)


def lay_rows(rows: Sequence[Sequence[SeenTile]], upside_down: bool = False) -> list[TileReading]:
    """Return the tiles as they are found: in no order."""
    tiles = [
        tile(seen, 50 + 66 * place, 50 + 110 * number, upside_down)
        for number, row in enumerate(rows)
        for place, seen in enumerate(row)
    ]
    return sorted(tiles, key=lambda read_tile: hash((read_tile.quad, 7)))


def rows(**changed_rows: Sequence[SeenTile]) -> list[Sequence[SeenTile]]:
    """Return the printed rows, some of them otherwise."""
    names = ("bamboos", "characters", "circles", "honours", "bonus", "backs")
    return [changed_rows.get(name, row) for name, row in zip(names, PRINTED_ROWS, strict=True)]


def codes(registered_set: RegisteredSet) -> list[str]:
    return [each.code for each in registered_set.tiles]


PRINTED_CODES = [code for row in PRINTED_ROWS for code in row]
STRANGE_BONUS: list[SeenTile] = [("S3", 0.3), ("B1", 0.4), ("F1", 0.2), ("WN", 0.3)] * 2


def test_the_printed_order_read_without_doubt_is_sure_of_everything() -> None:
    registered_set = name_by_order(lay_rows(PRINTED_ROWS))
    assert codes(registered_set) == PRINTED_CODES
    assert {each.standing for each in registered_set.tiles} == {"sure"}
    assert registered_set.problems == ()


@pytest.mark.parametrize(
    ("changed_rows", "code", "standing", "reason"),
    [
        ({"bamboos": [("S2", 0.4), *PRINTED_ROWS[0][1:]]}, "B1", "look",
         "a bird never met: its place"),
        ({"bamboos": [("S2", 0.99), *PRINTED_ROWS[0][1:]]}, "B1", "ask", "place and face disagree"),
        ({"honours": [*PRINTED_ROWS[3][:6], (FACE_DOWN, 0.9)]}, "DW", "ask",
         "a blank white dragon, or a tile lying face down"),
        ({"bonus": [*PRINTED_ROWS[4][:7], "C5"]}, "S4", "ask",
         "a tile of another row in its place"),
        ({"bonus": STRANGE_BONUS}, "F2", "look", "flowers never met go by their places"),
        ({"bonus": STRANGE_BONUS}, "S4", "look", "and the seasons after them"),
    ],
)  # fmt: skip
def test_the_order_names_what_the_network_does_not_know(
    changed_rows: dict[str, Sequence[SeenTile]], code: str, standing: str, reason: str
) -> None:
    registered_set = name_by_order(lay_rows(rows(**changed_rows)))
    assert codes(registered_set) == PRINTED_CODES, reason
    standings = {each.code: each.standing for each in registered_set.tiles}
    assert standings[code] == standing, reason
    assert registered_set.problems == ()


@pytest.mark.parametrize(
    ("changed_rows", "problem", "words", "reason"),
    [
        ({"characters": ["C1", "C2", "C3", "C4", "C6", "C5", "C7", "C8", "C9"]}, "row-order",
         "Row 2 looks like the characters, but not in the printed order", "two were swapped"),
        ({"circles": ["O1", "O2", "O3", "O5", "O6", "O7", "O8", "O9"]}, "row-incomplete",
         "It should have 9 tiles, but these were not found: 4 circles", "one is missing"),
        ({"honours": ["DR", "DG", "DW", "WE", "WS", "WW", "WN", "B3"]}, "row-order",
         "Row 4 looks like the dragons and winds", "a tile of another row"),
        ({"backs": [("O1", 0.4), ("WW", 0.5), ("B1", 0.6), ("F3", 0.3)]}, "row-unknown",
         "does not know the tiles of row 6, so it takes them for jokers", "jokers have no name"),
    ],
)  # fmt: skip
def test_what_is_not_as_shown_is_said_and_no_certain_face_gets_another_name(
    changed_rows: dict[str, Sequence[SeenTile]], problem: str, words: str, reason: str
) -> None:
    registered_set = name_by_order(lay_rows(rows(**changed_rows)))
    assert [each.code for each in registered_set.problems] == [problem], reason
    assert words.lower() in registered_set.problems[0].text.lower(), reason
    certain = [each for each in registered_set.tiles if not each.read.doubtful]
    assert all(each.code == each.read.code for each in certain), reason


def test_as_many_tiles_as_another_row_has_are_asked_and_said_to_be_out_of_order() -> None:
    registered_set = name_by_order(lay_rows(rows(honours=["WE", "WS", "DR", "DW"])))
    assert [each.code for each in registered_set.problems] == ["row-order"]
    assert "row 4 looks like the winds, but not in" in registered_set.problems[0].text.lower()
    asked_codes = [each.read.code for each in registered_set.tiles if each.standing == "ask"]
    assert asked_codes == ["DR", "DW"]


def test_jokers_are_named_so_in_a_row_of_their_own_alone() -> None:
    unknown_tiles: list[SeenTile] = [("O1", 0.4), ("WW", 0.5)]
    registered_set = name_by_order(lay_rows([*PRINTED_ROWS[:5], unknown_tiles]))
    assert codes(registered_set)[-2:] == [JOKER, JOKER]
    registered_set = name_by_order(lay_rows(rows(bamboos=[*PRINTED_ROWS[0], *unknown_tiles])))
    strangers = [each for each in registered_set.tiles if each.read.confidence < 0.9]
    assert {each.standing for each in strangers} == {"ask"}


def test_a_jumbled_set_goes_by_its_faces_and_what_is_unclear_is_asked() -> None:
    mixed_codes = [*CODES[::5], *CODES[1::5], *CODES[2::5], *CODES[3::5], *CODES[4::5]]
    tiles_seen: list[SeenTile] = [(code, 0.6) if code[0] in "FS" else code for code in mixed_codes]
    registered_set = name_by_order(lay_rows([tiles_seen[k : k + 9] for k in range(0, 42, 9)]))
    assert sorted(codes(registered_set)) == sorted(CODES)
    assert all(each.code == each.read.code for each in registered_set.tiles)
    assert {each.standing for each in registered_set.tiles if each.read.doubtful} == {"ask"}
    assert registered_set.problems


def test_no_tiles_is_said() -> None:
    assert [each.code for each in name_by_order([]).problems] == ["no-tiles"]


@settings(max_examples=15)
@given(order=st.permutations(range(6)), upside_down=st.booleans())
def test_rows_in_any_order_and_the_photo_any_way_up_give_the_same_names(
    order: list[int], upside_down: bool
) -> None:
    registered_set = name_by_order(lay_rows([PRINTED_ROWS[k] for k in order], upside_down))
    assert codes(registered_set) == [code for k in order for code in PRINTED_ROWS[k]]
    assert registered_set.problems == ()


@settings(max_examples=25)
@given(
    missing_places=st.sets(st.integers(0, 44), max_size=6),
    unsure=st.sets(st.integers(0, 44), max_size=12),
)
def test_no_face_is_named_wrongly_without_a_question_however_many_are_missing(
    missing_places: set[int], unsure: set[int]
) -> None:
    rows_seen: list[list[SeenTile]] = [[]]
    true = []
    for number, code in enumerate(PRINTED_CODES):
        if number in (9, 18, 27, 34, 42):
            rows_seen.append([])
        if number not in missing_places:
            rows_seen[-1].append((code, 0.3) if number in unsure else code)
            true.append(code)
    registered_set = name_by_order(lay_rows([row for row in rows_seen if row]))
    if len(registered_set.tiles) == len(true) and codes(registered_set) != true:
        wrong = [t for t, code in zip(registered_set.tiles, true, strict=True) if t.code != code]
        assert all(each.standing != "sure" for each in wrong)
        read = [each for each in wrong if not each.read.doubtful]
        assert all(each.standing == "ask" for each in read)
        assert registered_set.problems or len(read) < 2
