"""The square as shapes: inside the picture, none over another, turned with the seat."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.tutoring.square import Square, SquareStage, broken_square, built_square, sides
from device.views.tutor.wall_drawing import (
    HALF_PICTURE,
    DrawnTile,
    draw_letters,
    draw_seats,
    draw_tiles,
    turn_point,
)
from scorer.table_setup.wall import (
    WallRules,
    break_wall,
    deal,
)
from scorer.tiles import WINDS
from tests.scorer.walls import BMJA, BMJA_BOOK_WALL, SAFALRA, SAFALRA_MINIATURE_WALL

STAGES: tuple[SquareStage, ...] = ("counted", "broken", "dealt", "played")
throw = st.integers(2, 12)
rules = st.sampled_from([BMJA, BMJA_BOOK_WALL, SAFALRA, SAFALRA_MINIATURE_WALL])


def draw_square(
    wall_rules: WallRules, throws: tuple[int, int], seat: str, stage: SquareStage
) -> Square:
    wall = break_wall(throws[: wall_rules.throws], wall_rules, players=max(wall_rules.kong_box))
    return broken_square(
        wall, seat, stage, deal(wall, "EW" if wall_rules is SAFALRA_MINIATURE_WALL else "ESWN")
    )


def overlap(a: DrawnTile, b: DrawnTile) -> bool:
    return (
        min(a.x + a.width, b.x + b.width) - max(a.x, b.x) > 0.1
        and min(a.y + a.height, b.y + b.height) - max(a.y, b.y) > 0.1
    )


@settings(max_examples=25)
@given(rules, st.tuples(throw, throw), st.sampled_from(list(WINDS)), st.sampled_from(STAGES))
def test_tiles_lie_in_the_picture_and_none_over_another(
    wall_rules: WallRules, throws: tuple[int, int], seat: str, stage: SquareStage
) -> None:
    tiles = draw_tiles(draw_square(wall_rules, throws, seat, stage))
    assert len(tiles) == wall_rules.tiles
    for tile in tiles:
        assert min(tile.x, tile.y) >= -HALF_PICTURE
        assert max(tile.x + tile.width, tile.y + tile.height) <= HALF_PICTURE
    # The kong box moves out over the end of the wall that it has left, at a corner.
    flat = [t for t in tiles if t.level != "loose" and t.mark != "box"]
    assert not [pair for pair in combinations(flat, 2) if overlap(*pair)]


@given(st.tuples(throw, throw), st.sampled_from(list(WINDS)), st.sampled_from(STAGES))
def test_another_seat_turns_every_shape(
    throws: tuple[int, int], seat: str, stage: SquareStage
) -> None:
    from_east, seat_tiles = (
        draw_tiles(draw_square(BMJA, throws, each, stage)) for each in ("E", seat)
    )
    east_is = sides(seat)["E"]

    def middles(tiles: tuple[DrawnTile, ...]) -> list[tuple[float, float, str, str]]:
        return [
            (t.x + t.width / 2, t.y + t.height / 2, f"{t.mark} {t.level}", t.seat) for t in tiles
        ]

    turned_middles = [
        (*turn_point(east_is, x, y), what, whose) for x, y, what, whose in middles(from_east)
    ]
    expected, actual_middles = (
        sorted((what, whose, round(x), round(y)) for x, y, what, whose in each)
        for each in (turned_middles, middles(seat_tiles))
    )
    for a, b in zip(expected, actual_middles, strict=True):
        assert a[:2] == b[:2]
        assert abs(a[2] - b[2]) <= 1
        assert abs(a[3] - b[3]) <= 1


def test_the_corners_are_as_the_players_push_them_together() -> None:
    tiles = draw_tiles(built_square(BMJA, "E"))
    left, right = min(t.x for t in tiles), max(t.x + t.width for t in tiles)
    own_tiles = [t for t in tiles if t.y + t.height > max(t.y + t.height for t in tiles) - 1]
    at_left, at_right = (sorted(own_tiles, key=lambda t: t.x)[end] for end in (0, -1))
    assert at_left.x == left, "P04: one's left end is outside"
    assert at_right.x + at_right.width == right, "the corner is the neighbour's left end"
    assert at_right.height > at_right.width or at_right.width < 18, "which lies across"
    assert right - left == max(t.y + t.height for t in tiles) - min(t.y for t in tiles)


@pytest.mark.parametrize(
    ("throws", "numbers", "reason"),
    [
        ((8, 12), ["1", "5", "10", "15", "18", "20"], "the end of the wall, and on to the break"),
        ((2, 2), ["1", "4"], "5 is not reached"),
        ((3, 3), ["1", "6"], "5 is too close to the break"),
        ((9, 10), ["1", "5", "10", "15", "18", "19"], "one past the end"),
        ((9, 9), ["1", "5", "10", "15", "18"], "the break at the very end"),
    ],
)
def test_the_count_has_its_numbers(
    throws: tuple[int, int], numbers: list[str], reason: str
) -> None:
    letters = draw_letters(draw_square(BMJA, throws, "S", "counted"))
    assert [each.text for each in letters if each.kind in ("count", "last")] == numbers, reason
    assert [each.text for each in letters if each.kind == "last"] == [numbers[-1]]


@given(st.tuples(throw, throw), st.sampled_from(list(WINDS)))
def test_every_packet_has_its_players_letter(throws: tuple[int, int], seat: str) -> None:
    letters = draw_letters(draw_square(BMJA, throws, seat, "dealt"))
    packets = [each for each in letters if each.kind == "packet"]
    singles = [each for each in letters if each.kind == "single"]
    assert len(packets) in (12, 13, 14), "two may lie round a corner"
    assert len(singles) == 5
    numbers = [int(each.text) for each in letters if each.kind == "order"]
    assert sorted(numbers) == [*range(1, 14), 17], "each once"
    for letter in letters:
        assert max(abs(letter.x), abs(letter.y)) < HALF_PICTURE - 5


def test_the_walls_that_were_counted_have_their_numbers() -> None:
    seats = {each.wind: each for each in draw_seats(sides("S"), {"E": "Ann"}, "ESWNESWN")}
    assert seats["E"].tally == "1 · 5"
    assert seats["N"].tally == "4 · 8"
    assert [wind for wind, each in seats.items() if each.chosen] == ["N"]
    assert (seats["S"].x, seats["S"].y > 0) == (0, True), "one's own seat is at the bottom"
    assert seats["W"].x > 0, "and the next player at the right"
    assert (seats["E"].name, seats["S"].name) == ("Ann", "")
