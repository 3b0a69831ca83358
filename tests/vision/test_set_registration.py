"""A set laid out in its printed order: who is named by it, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.tiles import CODES, FACE_DOWN, JOKER
from tests.vision.laid_set import PRINTED
from vision.reading import Quad, TileReading, turn_of
from vision.set_registration import RegisteredSet, name_by_order

pytestmark = pytest.mark.slow

Seen = str | tuple[str, float]
"""What the network says of a tile, and how sure it is if not quite."""

GATE = 0.954


def tile(seen: Seen, x: float, y: float, upside_down: bool = False) -> TileReading:
    code, confidence = (seen, 0.995) if isinstance(seen, str) else seen
    quad: Quad = ((x, y), (x + 60, y), (x + 60, y + 80), (x, y + 80))
    if upside_down:
        quad = tuple((1000 - a, 1000 - b) for a, b in quad)  # type: ignore[assignment]
    return TileReading(code, confidence, quad, turn_of(quad), (), confidence < GATE)


def laid(rows: Sequence[Sequence[Seen]], upside_down: bool = False) -> list[TileReading]:
    """Return the tiles as they are found: in no order."""
    tiles = [
        tile(seen, 50 + 66 * place, 50 + 110 * number, upside_down)
        for number, row in enumerate(rows)
        for place, seen in enumerate(row)
    ]
    return sorted(tiles, key=lambda each: hash((each.quad, 7)))


def rows(**changed: Sequence[Seen]) -> list[Sequence[Seen]]:
    """Return the printed rows, some of them otherwise."""
    names = ("bamboos", "characters", "circles", "honours", "bonus", "backs")
    return [changed.get(name, row) for name, row in zip(names, PRINTED, strict=True)]


def codes(found: RegisteredSet) -> list[str]:
    return [each.code for each in found.tiles]


PRINTED_CODES = [code for row in PRINTED for code in row]
STRANGE_BONUS: list[Seen] = [("S3", 0.3), ("B1", 0.4), ("F1", 0.2), ("WN", 0.3)] * 2


def test_the_printed_order_read_without_doubt_is_sure_of_everything() -> None:
    found = name_by_order(laid(PRINTED))
    assert codes(found) == PRINTED_CODES
    assert {each.standing for each in found.tiles} == {"sure"}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("changed", "code", "standing", "why"),
    [
        ({"bamboos": [("S2", 0.4), *PRINTED[0][1:]]}, "B1", "look", "a bird never met: its place"),
        ({"bamboos": [("S2", 0.99), *PRINTED[0][1:]]}, "B1", "ask", "place and face disagree"),
        (
            {"honours": [*PRINTED[3][:6], (FACE_DOWN, 0.9)]},
            "DW",
            "ask",
            "a blank white dragon, or a tile lying face down",
        ),
        ({"bonus": [*PRINTED[4][:7], "C5"]}, "S4", "ask", "a tile of another row in its place"),
        ({"bonus": STRANGE_BONUS}, "F2", "look", "flowers never met go by their places"),
        ({"bonus": STRANGE_BONUS}, "S4", "look", "and the seasons after them"),
    ],
)
def test_the_order_names_what_the_network_does_not_know(
    changed: dict[str, Sequence[Seen]], code: str, standing: str, why: str
) -> None:
    found = name_by_order(laid(rows(**changed)))
    assert codes(found) == PRINTED_CODES, why
    named = {each.code: each.standing for each in found.tiles}
    assert named[code] == standing, why
    assert found.problems == ()


@pytest.mark.parametrize(
    ("changed", "problem", "words", "why"),
    [
        (
            {"characters": ["C1", "C2", "C3", "C4", "C6", "C5", "C7", "C8", "C9"]},
            "row-order",
            "Row 2 looks like the characters, but not in the printed order",
            "two were swapped",
        ),
        (
            {"circles": ["O1", "O2", "O3", "O5", "O6", "O7", "O8", "O9"]},
            "row-incomplete",
            "It should have 9 tiles, but these were not found: 4 circles",
            "one is missing",
        ),
        (
            {"honours": ["DR", "DG", "DW", "WE", "WS", "WW", "WN", "B3"]},
            "row-order",
            "Row 4 looks like the dragons and winds",
            "a tile of another row",
        ),
        (
            {"backs": [("O1", 0.4), ("WW", 0.5), ("B1", 0.6), ("F3", 0.3)]},
            "row-unknown",
            "does not know the tiles of row 6, so it takes them for jokers",
            "jokers have no name",
        ),
    ],
)
def test_what_is_not_as_shown_is_said_and_no_certain_face_gets_another_name(
    changed: dict[str, Sequence[Seen]], problem: str, words: str, why: str
) -> None:
    found = name_by_order(laid(rows(**changed)))
    assert [each.code for each in found.problems] == [problem], why
    assert words.lower() in found.problems[0].text.lower(), why
    certain = [each for each in found.tiles if not each.read.doubtful]
    assert all(each.code == each.read.code for each in certain), why


def test_as_many_tiles_as_another_row_has_are_asked_and_said_to_be_out_of_order() -> None:
    found = name_by_order(laid(rows(honours=["WE", "WS", "DR", "DW"])))
    assert [each.code for each in found.problems] == ["row-order"]
    assert "row 4 looks like the winds, but not in" in found.problems[0].text.lower()
    asked = [each.read.code for each in found.tiles if each.standing == "ask"]
    assert asked == ["DR", "DW"]


def test_jokers_are_named_so_in_a_row_of_their_own_alone() -> None:
    unknown: list[Seen] = [("O1", 0.4), ("WW", 0.5)]
    found = name_by_order(laid([*PRINTED[:5], unknown]))
    assert codes(found)[-2:] == [JOKER, JOKER]
    found = name_by_order(laid(rows(bamboos=[*PRINTED[0], *unknown])))
    strangers = [each for each in found.tiles if each.read.confidence < 0.9]
    assert {each.standing for each in strangers} == {"ask"}


def test_a_jumbled_set_goes_by_its_faces_and_what_is_unclear_is_asked() -> None:
    jumbled = [*CODES[::5], *CODES[1::5], *CODES[2::5], *CODES[3::5], *CODES[4::5]]
    seen: list[Seen] = [(code, 0.6) if code[0] in "FS" else code for code in jumbled]
    found = name_by_order(laid([seen[k : k + 9] for k in range(0, 42, 9)]))
    assert sorted(codes(found)) == sorted(CODES)
    assert all(each.code == each.read.code for each in found.tiles)
    assert {each.standing for each in found.tiles if each.read.doubtful} == {"ask"}
    assert found.problems


def test_no_tiles_is_said() -> None:
    assert [each.code for each in name_by_order([]).problems] == ["no-tiles"]


@settings(max_examples=15)
@given(order=st.permutations(range(6)), upside_down=st.booleans())
def test_rows_in_any_order_and_the_photo_any_way_up_give_the_same_names(
    order: list[int], upside_down: bool
) -> None:
    found = name_by_order(laid([PRINTED[k] for k in order], upside_down))
    assert codes(found) == [code for k in order for code in PRINTED[k]]
    assert found.problems == ()


@settings(max_examples=25)
@given(
    gone=st.sets(st.integers(0, 44), max_size=6),
    unsure=st.sets(st.integers(0, 44), max_size=12),
)
def test_no_face_is_named_wrongly_without_a_question_however_many_are_missing(
    gone: set[int], unsure: set[int]
) -> None:
    seen: list[list[Seen]] = [[]]
    true = []
    for number, code in enumerate(PRINTED_CODES):
        if number in (9, 18, 27, 34, 42):
            seen.append([])
        if number not in gone:
            seen[-1].append((code, 0.3) if number in unsure else code)
            true.append(code)
    found = name_by_order(laid([row for row in seen if row]))
    if len(found.tiles) == len(true) and codes(found) != true:
        wrong = [t for t, code in zip(found.tiles, true, strict=True) if t.code != code]
        assert all(each.standing != "sure" for each in wrong)
        read = [each for each in wrong if not each.read.doubtful]
        assert all(each.standing == "ask" for each in read)
        assert found.problems or len(read) < 2
