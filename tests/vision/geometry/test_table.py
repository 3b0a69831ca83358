"""Four hands in one photograph: whose is whose, and each as it was laid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.tiles import FACE_DOWN
from tests.vision.laid_tiles import (
    NEAT,
    LaidTile,
    Rng,
    at_side,
    deal,
    middle_of_table,
    two_rows,
    with_bonus,
)
from tests.vision.pinhole_camera import PhotoOfTiles, View, photograph
from tests.vision.truth import verdict
from vision.geometry.table_sides import SIDES, divide_by_side

LITTLE = 0.015


def hands(rng: Rng, count: int = 4) -> list[list[LaidTile]]:
    """Lay hands along the edges of a table, anticlockwise from the lower one."""
    hands_of_table = [two_rows(rng, deal(rng, int(rng.integers(1, 4))), NEAT) for _ in range(count)]
    hands_of_table = [
        with_bonus(rng, hand, "right") if rng.random() < 0.6 else hand for hand in hands_of_table
    ]
    return [at_side(hand, k, 13.0) for k, hand in enumerate(hands_of_table)]


@pytest.mark.parametrize(
    ("view", "reason"),
    [
        (View(90, fill=0.95), "straight from above"),
        (View(90, roll=25, bend=-0.08, fill=0.9), "turned, and bent by a wide lens"),
        (View(65, bearing=20, fill=0.9), "from a shelf"),
        (View(50, fill=0.9), "from a player's eyes"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_four_hands_in_one_photograph(view: View, reason: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table_hands = hands(rng)
    table = [tile for hand in table_hands for tile in hand] + middle_of_table(rng)
    photo = photograph(rng, table, view, LITTLE)
    seats = divide_by_side(photo.quads, [code == FACE_DOWN for code in photo.codes])
    assert [seat.side for seat in seats] == list(SIDES), reason
    assert sorted(k for seat in seats for k in seat.tiles) == list(range(len(photo.tiles)))
    for seat, hand in zip(seats, table_hands, strict=True):
        own_photo = PhotoOfTiles(
            tuple(photo.tiles[k] for k in seat.tiles), photo.quads[list(seat.tiles)]
        )
        assert verdict(own_photo, hand, "bmja", seat.owner) == "right", (reason, seat.side)


@pytest.mark.parametrize("side", range(4))
def test_a_row_that_lies_upside_down_stays_its_owners(side: int) -> None:
    """Some turn no tile the right way: nothing but the place says then whose they are."""
    rng = np.random.default_rng(side)
    table_hands = hands(rng)
    table_hands[side] = [replace(tile, turn=tile.turn + 180) for tile in table_hands[side]]
    photo = photograph(
        rng, [tile for hand in table_hands for tile in hand], View(80, fill=0.9), LITTLE
    )
    seats = divide_by_side(photo.quads, [code == FACE_DOWN for code in photo.codes])
    assert [len(seat.tiles) for seat in seats] == [len(hand) for hand in table_hands]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_fewer_players(count: int) -> None:
    rng = np.random.default_rng(count)
    table_hands = hands(rng, count)
    photo = photograph(
        rng, [tile for hand in table_hands for tile in hand], View(90, fill=0.9), LITTLE
    )
    seats = divide_by_side(photo.quads, [False] * len(photo.tiles))
    assert [seat.side for seat in seats] == list(SIDES[:count])


def test_an_empty_table_has_no_hands() -> None:
    assert divide_by_side(np.zeros((0, 4, 2), np.float32), []) == ()
