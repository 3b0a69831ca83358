"""Rows, groups and sets from where tiles lie."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.rows import lay_out
from vision.hand.arrangement import arrange

WIDTH, HEIGHT = 30.0, 40.0


def lay_rows(rows: list[str], gap: float = 15.0) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Lay rows of codes with a gap where the text has two blanks; `<` turns a tile sideways."""
    codes, quads = [], []
    for line, row in enumerate(rows):
        x = 0.0
        for group in row.split("  "):
            for word in group.split():
                sideways = word.startswith("<")
                width = HEIGHT if sideways else WIDTH
                codes.append(word.lstrip("<"))
                quads.append(tile(x + width / 2, line * 1.3 * HEIGHT, 90 if sideways else 0))
                x += width
            x += gap
    return codes, np.array(quads)


def tile(x: float, y: float, turn: float = 0.0) -> npt.NDArray[np.float64]:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH / 2, HEIGHT / 2)
    return np.asarray(turn_points(corners, turn) + np.array([x, y]))


def turn_points(points: npt.NDArray[np.float64], degrees: float) -> npt.NDArray[np.float64]:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def photograph_points(points: npt.NDArray[np.float64], degrees: float) -> npt.NDArray[np.float32]:
    return turn_points(points, degrees).astype(np.float32)


HANDS = tomllib.loads(Path(__file__).with_name("arrangement.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", HANDS, ids=lambda case: case["why"])
@pytest.mark.parametrize("turn", [0, 17, 90, 180, 250])
def test_a_hand_is_found_however_the_photo_is_held(case: dict[str, Any], turn: float) -> None:
    codes, quads = lay_rows(case["rows"])
    layout = lay_out(photograph_points(quads, turn))
    hand = arrange(codes, layout.rows, "bmja", layout.sideways)
    assert {
        "exposed": [" ".join(group) for group in hand.exposed],
        "kongs": [" ".join(group) for group in hand.declared_kongs],
        "concealed": " ".join(hand.concealed),
        "bonus": " ".join(hand.bonus),
    } == {part: case[part] for part in ("exposed", "kongs", "concealed", "bonus")}, case["why"]


def test_flowers_laid_apart_belong_to_the_row_they_continue() -> None:
    codes, hand = lay_rows(["B2 B2 B2  O5 O5 O5", "C3 C4 C5  DR DR DR  WE WE"])
    x, y = hand[-1].mean(0)
    flower_quads = [
        tile(x + 2.5 * WIDTH, y + 0.6 * HEIGHT),
        tile(x + 3.5 * WIDTH, y + 0.6 * HEIGHT),
    ]
    quads = np.concatenate([hand, np.array(flower_quads)])
    hand_read = arrange([*codes, "F1", "S2"], lay_out(photograph_points(quads, 0)).rows, "bmja")
    assert hand_read.bonus == ("F1", "S2")
    assert [len(group) for group in hand_read.exposed] == [3, 3]


def test_a_tile_seen_askew_in_its_row_is_kept_and_a_die_is_not() -> None:
    codes, hand = lay_rows(["B2 B2 B2 O5 O5 O5 C3 C4 C5 DR DR DR WE WE"])
    x, y = hand[4].mean(0)
    hand[4] = tile(x, y, turn=40)
    die = tile(60, -HEIGHT) * 0.4 + np.array([60, -HEIGHT]) * 0.6
    rows = lay_out(np.concatenate([hand, die[None]]).astype(np.float32)).rows
    assert [row.tiles for row in rows] == [tuple(range(len(codes)))]


def test_discards_are_left_out() -> None:
    codes, hand = lay_rows(["B2 B2 B2 O5 O5 O5 C3 C4 C5 DR DR DR WE WE"])
    strewn_quads = [tile(60 + 70 * i, -220 - 31 * (i % 3), 37 + 50 * i) for i in range(6)]
    rows = lay_out(np.concatenate([hand, np.array(strewn_quads)]).astype(np.float32)).rows
    assert [row.tiles for row in rows] == [tuple(range(len(codes)))]


@given(st.permutations(range(14)), st.floats(0, 360))
def test_the_order_in_which_tiles_were_found_does_not_matter(order: list[int], turn: float) -> None:
    codes, quads = lay_rows(["B2 B2 B2  O5 O5 O5", "C3 C4 C5  DR DR DR  WE WE"])
    plain = arrange(codes, lay_out(photograph_points(quads, turn)).rows, "bmja")
    mixed_hand = arrange(
        [codes[i] for i in order], lay_out(photograph_points(quads[order], turn)).rows, "bmja"
    )
    assert (mixed_hand.exposed, mixed_hand.concealed) == (plain.exposed, plain.concealed)


def test_no_tiles_make_no_hand() -> None:
    assert arrange([], lay_out(np.zeros((0, 4, 2), np.float32)).rows, "bmja").sets == ()
