"""The square of walls: every tile once, in the ring's order, whoever looks."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.tutoring.square import (
    SIDES,
    Square,
    SquareStage,
    broken_square,
    built_square,
    chosen_square,
    counted_pairs,
    draw_square,
    sides,
)
from scorer.table_setup.wall import (
    DealtWall,
    Wall,
    WallPair,
    WallPlace,
    break_wall,
    deal,
)
from scorer.tiles import WINDS
from tests.scorer.walls import BMJA, BMJA_BOOK_WALL, SAFALRA, SAFALRA_MINIATURE_WALL

pytestmark = pytest.mark.slow

seats = st.sampled_from(list(WINDS))
throw = st.integers(2, 12)
STAGES: tuple[SquareStage, ...] = ("counted", "broken", "dealt", "played")


@st.composite
def tables(draw: st.DrawFn) -> tuple[Wall, DealtWall]:
    """Any wall that was broken and dealt."""
    rules = draw(st.sampled_from([BMJA, BMJA_BOOK_WALL, SAFALRA, SAFALRA_MINIATURE_WALL]))
    players = draw(st.sampled_from(list(rules.kong_box)))
    throws = [draw(throw) for _ in range(rules.throws)]
    wall = break_wall(throws, rules, players=players)
    return wall, deal(wall, {2: "EW", 3: "ESW"}.get(players, "ESWN"))


def places(square: Square) -> list[WallPlace]:
    return [tile.place for tile in square.tiles]


@given(tables(), seats, st.sampled_from(STAGES))
def test_every_tile_is_drawn_once(
    table: tuple[Wall, DealtWall], seat: str, stage: SquareStage
) -> None:
    wall, dealt_wall = table
    places_drawn = places(broken_square(wall, seat, stage, dealt_wall))
    assert len(places_drawn) == len(set(places_drawn)) == wall.rules.tiles
    assert set(places_drawn) == {*wall.kong_box, *wall.live}


@given(tables(), seats, st.sampled_from(STAGES))
def test_no_two_tiles_lie_in_one_spot(
    table: tuple[Wall, DealtWall], seat: str, stage: SquareStage
) -> None:
    wall, dealt_wall = table
    spots = [(t.side, t.at, t.level) for t in broken_square(wall, seat, stage, dealt_wall).tiles]
    assert len(spots) == len(set(spots))


@given(tables(), seats, st.sampled_from(STAGES))
def test_another_seat_only_turns_the_square(
    table: tuple[Wall, DealtWall], seat: str, stage: SquareStage
) -> None:
    wall, dealt_wall = table
    from_east, from_seat = (broken_square(wall, each, stage, dealt_wall) for each in ("E", seat))
    turn = SIDES.index(from_seat.sides["E"])
    turned_tiles = {
        replace(tile, side=SIDES[(SIDES.index(tile.side) + turn) % 4]) for tile in from_east.tiles
    }
    assert turned_tiles == set(from_seat.tiles)


@given(tables(), seats)
def test_the_tiles_follow_each_other_as_in_the_ring(
    table: tuple[Wall, DealtWall], seat: str
) -> None:
    wall, _ = table
    ring_places = places(broken_square(wall, seat, "broken"))
    ring = [*wall.kong_box[::-1], *wall.live]
    pairs = [key for key, _ in groupby(ring_places, key=lambda place: (place.wall, place.pair))]
    ring_keys = [key for key, _ in groupby(ring, key=lambda place: (place.wall, place.pair))]
    start = ring_keys.index(pairs[0])
    assert pairs == ring_keys[start:] + ring_keys[:start]
    assert pairs[0] == (seat, 1), "from one's own right end"


@given(tables(), seats)
def test_kong_box_and_hands_and_the_rest_are_all(table: tuple[Wall, DealtWall], seat: str) -> None:
    wall, dealt_wall = table
    tiles = broken_square(wall, seat, "dealt", dealt_wall).tiles
    box_places = {t.place for t in tiles if t.mark in ("box", "loose")}
    hands = {(t.place, t.seat, t.number) for t in tiles if t.mark == "dealt"}
    assert box_places == set(wall.kong_box)
    assert {t.place for t in tiles if t.mark == "wall"} == set(dealt_wall.left)
    assert hands == {
        (place, packet.seat, number)
        for number, packet in enumerate(dealt_wall.packets, 1)
        for place in packet.places
    }
    tiles_in_play = broken_square(wall, seat, "played", dealt_wall).tiles
    assert [t.place for t in tiles_in_play if t.mark == "next"] == [dealt_wall.left[0]]
    assert sum(t.mark in ("wall", "next") for t in tiles_in_play) == len(dealt_wall.left)


@given(tables())
def test_the_loose_tiles_lie_on_the_pairs_that_the_scorer_names(
    table: tuple[Wall, DealtWall],
) -> None:
    wall, _ = table
    square = broken_square(wall, "E", "broken")
    loose_tiles = {t.number: t for t in square.tiles if t.level == "loose"}
    for number, loose in enumerate(wall.loose, 1):
        tile = loose_tiles[number]
        assert tile.place == loose.place
        assert (tile.side, tile.at) == (square.sides[loose.pair.wall], loose.pair.number - 1)


@given(tables())
def test_the_count_runs_from_the_right_end_to_the_break(table: tuple[Wall, DealtWall]) -> None:
    wall, _ = table
    pairs = counted_pairs(wall)
    assert pairs[0] == WallPair(wall.side, 1)
    assert pairs[-1] == wall.broken_at
    assert len(pairs) == wall.count
    clockwise = dict(pairwise("ENWSE"))
    for before, after in pairwise(pairs):
        past = before.number == wall.rules.pairs
        assert after == WallPair(
            clockwise[before.wall] if past else before.wall, 1 if past else before.number + 1
        )
    square = broken_square(wall, "W", "counted")
    assert {t.number for t in square.tiles} - {0} == set(range(1, wall.count + 1))


@given(seats)
def test_the_winds_go_round_to_the_right(seat: str) -> None:
    wall_sides = sides(seat)
    assert wall_sides[seat] == "bottom"
    for wind, following in pairwise("ESWNE"):
        assert SIDES.index(wall_sides[following]) == (SIDES.index(wall_sides[wind]) + 1) % 4, "P02"


@given(seats, seats)
def test_a_chosen_wall_is_marked_whole(seat: str, wall: str) -> None:
    tiles = chosen_square(BMJA, seat, wall).tiles
    assert {t.place for t in tiles if t.mark == "chosen"} == {
        t.place for t in tiles if t.place.wall == wall
    }
    assert places(chosen_square(BMJA, seat, wall)) == places(built_square(BMJA, seat))


@given(tables(), seats)
def test_as_text_every_tile_has_its_two_columns(table: tuple[Wall, DealtWall], seat: str) -> None:
    wall, dealt_wall = table
    lines = draw_square(broken_square(wall, seat, "dealt", dealt_wall))
    text = "".join(lines)
    assert text.count("░") == 2 * len(dealt_wall.left)
    assert text.count("▓") == 2 * (len(wall.kong_box) - 4), "two more lie under the loose tiles"
    assert max(map(len, lines)) <= 80
