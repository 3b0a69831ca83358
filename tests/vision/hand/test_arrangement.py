"""Rows, groups and sets from where tiles lie."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.rows import lay_out
from vision.hand.arrangement import arrange

WIDTH, HEIGHT = 30.0, 40.0


def laid(rows: list[str], gap: float = 15.0) -> tuple[list[str], npt.NDArray[np.float64]]:
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
    return np.asarray(turned(corners, turn) + np.array([x, y]))


def turned(points: npt.NDArray[np.float64], degrees: float) -> npt.NDArray[np.float64]:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def photographed(points: npt.NDArray[np.float64], degrees: float) -> npt.NDArray[np.float32]:
    return turned(points, degrees).astype(np.float32)


@pytest.mark.parametrize(
    ("rows", "exposed", "kongs", "concealed", "bonus", "why"),
    [
        (
            ["B2 B2 B2  O5 O5 O5", "C3 C4 C5  DR DR DR  WE WE"],
            [["B2"] * 3, ["O5"] * 3],
            [],
            "C3 C4 C5 DR DR DR WE WE",
            "",
            "the far row is exposed, the near one concealed",
        ),
        (
            ["B2 B2 B2 O5 O5 O5 C7 C8 C9", "WE WE"],
            [["B2"] * 3, ["O5"] * 3, ["C7", "C8", "C9"]],
            [],
            "WE WE",
            "",
            "exposed sets that touch are told apart by their tiles",
        ),
        (
            ["B2 B2 B2 ??", "?? O5 O5 ??  C3 ?? C3  WE WE"],
            [["B2"] * 4],
            [["O5"] * 4],
            "C3 C3 C3 WE WE",
            "",
            "BMJA-V03, V04, V05: face-down tiles take their neighbours' name",
        ),
        (
            ["B1 B2 B3 O9 O9 O9 C1 C2 C3 WN WN WN DG DG F1"],
            [],
            [],
            "B1 B2 B3 O9 O9 O9 C1 C2 C3 WN WN WN DG DG",
            "F1",
            "one row is concealed, and a flower is never part of the hand",
        ),
        (
            ["B2 B2 <B2  O5 O5 O5", "C3 C4 C5  DR DR DR  WE WE  F1 S3"],
            [["B2"] * 3, ["O5"] * 3],
            [],
            "C3 C4 C5 DR DR DR WE WE",
            "F1 S3",
            "a tile turned sideways stays in its set",
        ),
        (
            ["F1 S3", "B2 B2 B2  O5 O5 O5", "C3 C4 C5  DR DR DR  WE WE", "F2"],
            [["B2"] * 3, ["O5"] * 3],
            [],
            "C3 C4 C5 DR DR DR WE WE",
            "F1 S3 F2",
            "flowers above and below are rows of their own, and no hand's",
        ),
        (
            ["B2 B2 B2  WE WE  C9", "C3 C4 C5  DR DR DR"],
            [["B2"] * 3],
            [],
            "WE WE C9 C3 C4 C5 DR DR DR",
            "",
            "a pair and a loose tile cannot be exposed, wherever they lie",
        ),
        (
            ["B2 B2 B2  WE <WE", "C3 C4 C5  DR DR DR"],
            [["B2"] * 3, ["WE"] * 2],
            [],
            "C3 C4 C5 DR DR DR",
            "",
            "but a pair that was claimed may be",
        ),
        (
            ["B1 B4 C2 C9 O5 WE DR", "B2 B2 B2 O7 O8 O9"],
            [],
            [],
            "B1 B4 C2 C9 O5 WE DR B2 B2 B2 O7 O8 O9",
            "",
            "a hand too long for one line: loose tiles are not exposed",
        ),
        (
            ["B2 B2 B7  O5 O5 O5", "C3 C4 C5  WE WE"],
            [["B2", "B2", "B7"], ["O5"] * 3],
            [],
            "C3 C4 C5 WE WE",
            "",
            "three between gaps stay together: one may be misread",
        ),
        (
            ["B2 B2 B2  O5 O5 O5", "C3 C4 C5 DR DR DR DR WE WE"],
            [["B2"] * 3, ["O5"] * 3],
            [["DR"] * 4],
            "C3 C4 C5 WE WE",
            "",
            "15 tiles, so the fourth dragon was made up for: a declared kong",
        ),
        (
            ["B2 B2 B2", "C3 C4 C5 DR DR DR DR WE WS WN"],
            [["B2"] * 3],
            [],
            "C3 C4 C5 DR DR DR DR WE WS WN",
            "",
            "13 tiles: the four dragons are just held",
        ),
        (
            ["B2 B2 B2 C7 ?? C7 C3 C4 C5 DR DR DR WE WE"],
            [["B2"] * 3, ["DR"] * 3],
            [],
            "C7 C7 C7 C3 C4 C5 WE WE",
            "",
            "BMJA-V11: who lays one concealed pung as such lays them all so",
        ),
    ],
)
@pytest.mark.parametrize("turn", [0, 17, 90, 180, 250])
def test_a_hand_is_found_however_the_photo_is_held(  # the cases' columns
    rows: list[str],
    exposed: list[list[str]],
    kongs: list[list[str]],
    concealed: str,
    bonus: str,
    why: str,
    turn: float,
) -> None:
    codes, quads = laid(rows)
    layout = lay_out(photographed(quads, turn))
    hand = arrange(codes, layout.rows, "bmja", layout.sideways)
    assert [list(group) for group in hand.exposed] == exposed, why
    assert [list(group) for group in hand.declared_kongs] == kongs, why
    assert " ".join(hand.concealed) == concealed, why
    assert " ".join(hand.bonus) == bonus, why


def test_flowers_laid_apart_belong_to_the_row_they_continue() -> None:
    codes, hand = laid(["B2 B2 B2  O5 O5 O5", "C3 C4 C5  DR DR DR  WE WE"])
    x, y = hand[-1].mean(0)
    apart = [tile(x + 2.5 * WIDTH, y + 0.6 * HEIGHT), tile(x + 3.5 * WIDTH, y + 0.6 * HEIGHT)]
    quads = np.concatenate([hand, np.array(apart)])
    arranged = arrange([*codes, "F1", "S2"], lay_out(photographed(quads, 0)).rows, "bmja")
    assert arranged.bonus == ("F1", "S2")
    assert [len(group) for group in arranged.exposed] == [3, 3]


def test_a_tile_seen_askew_in_its_row_is_kept_and_a_die_is_not() -> None:
    codes, hand = laid(["B2 B2 B2 O5 O5 O5 C3 C4 C5 DR DR DR WE WE"])
    x, y = hand[4].mean(0)
    hand[4] = tile(x, y, turn=40)
    die = tile(60, -HEIGHT) * 0.4 + np.array([60, -HEIGHT]) * 0.6
    rows = lay_out(np.concatenate([hand, die[None]]).astype(np.float32)).rows
    assert [row.tiles for row in rows] == [tuple(range(len(codes)))]


def test_discards_are_left_out() -> None:
    codes, hand = laid(["B2 B2 B2 O5 O5 O5 C3 C4 C5 DR DR DR WE WE"])
    strewn = [tile(60 + 70 * i, -220 - 31 * (i % 3), 37 + 50 * i) for i in range(6)]
    found = lay_out(np.concatenate([hand, np.array(strewn)]).astype(np.float32)).rows
    assert [row.tiles for row in found] == [tuple(range(len(codes)))]


@given(st.permutations(range(14)), st.floats(0, 360))
def test_the_order_in_which_tiles_were_found_does_not_matter(order: list[int], turn: float) -> None:
    codes, quads = laid(["B2 B2 B2  O5 O5 O5", "C3 C4 C5  DR DR DR  WE WE"])
    plain = arrange(codes, lay_out(photographed(quads, turn)).rows, "bmja")
    mixed = arrange(
        [codes[i] for i in order], lay_out(photographed(quads[order], turn)).rows, "bmja"
    )
    assert (mixed.exposed, mixed.concealed) == (plain.exposed, plain.concealed)


def test_no_tiles_make_no_hand() -> None:
    assert arrange([], lay_out(np.zeros((0, 4, 2), np.float32)).rows, "bmja").sets == ()
