"""The printed mat is found in a photograph and says which row is which."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from device.paper.labels import print_mat
from tests.pdf_pages import render_pages
from tests.vision.laid_tiles import Group, Habit, LaidTile, line
from tests.vision.pinhole_camera import SIZE, View, project
from vision.geometry.mat import (
    MARK_CORNERS_MM,
    ROW_BANDS_MM,
    SHEET_HEIGHT_MM,
    SHEET_WIDTH_MM,
    find_mat,
)
from vision.hand.arrangement import arrange
from vision.photo import Photo

TILE = 26.0
"""Width of a tile, millimetres: the laid tiles' unit."""

SHEET = (
    np.array(
        [
            [0, 0, 0],
            [SHEET_WIDTH_MM, 0, 0],
            [SHEET_WIDTH_MM, -SHEET_HEIGHT_MM, 0],
            [0, -SHEET_HEIGHT_MM, 0],
        ]
    )
    / TILE
)
Picture = npt.NDArray[np.uint8]


@cache
def print_sheet(paper: str = "a3", scale: int = 4) -> Picture:
    """Return the sheet as it is printed, at so many pixels a millimetre; A4's halves are joined."""
    return np.hstack(render_pages(print_mat(paper), scale))


def photograph_sheet(view: View, hidden_marks: int = 0, paper: str = "a3") -> Picture:
    """Return a photograph of the sheet on green baize, its first marks `hidden_marks`."""
    sheet = print_sheet(paper).copy()
    for x, y in MARK_CORNERS_MM[:hidden_marks]:
        sheet[round(4 * y) - 9 : round(4 * y) + 120, round(4 * x) - 9 : round(4 * x) + 120] = 90
    height, width = sheet.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    projected_corners = project(SHEET, SHEET, view).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, projected_corners)
    size = (int(SIZE[0]), int(SIZE[1]))
    photo = cv2.warpPerspective(sheet, matrix, size, borderValue=(40, 90, 50))
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), 1.2), np.uint8)


def on_the_mat(rows: dict[str, list[str]]) -> list[LaidTile]:
    """Lay sets in the middle of the named rows, as a tidy player does."""
    rng = np.random.default_rng(4)
    tiles = []
    for meaning, top, low in ROW_BANDS_MM:
        groups = [Group(tuple(text.split()), "concealed") for text in rows.get(meaning, [])]
        y = -(top + low) / 2 / TILE - 1.35 / 2
        tiles += line(rng, groups, Habit(gap=0.5), x=1.5, y=y)
    return tiles


VIEWS = [
    (View(90), "straight from above"),
    (View(60, bearing=30, roll=20), "as one stands"),
    (View(38, bearing=-15), "as one sits"),
    (View(50, bearing=180), "by a camera across the table"),
    (View(70, roll=90), "the photograph turned"),
]


@pytest.mark.parametrize(("view", "reason"), VIEWS)
@pytest.mark.parametrize(
    "rows",
    [
        {"exposed": ["B2 B2 B2"], "concealed": ["C1 C2 C3", "WE WE"], "bonus": ["F1"]},
        {"exposed": ["B2 B2 B2", "C1 C2 C3"]},
        {"concealed": ["B2 B2 B2", "C1 C2 C3", "WE WE"]},
        {"exposed": ["B2 B2 B2"], "bonus": ["F1 S2"]},
    ],
)
def test_the_mat_names_the_rows(view: View, reason: str, rows: dict[str, list[str]]) -> None:
    mat = find_mat(Photo("mat.jpg", photograph_sheet(view)))
    assert mat is not None, reason
    tiles = on_the_mat(rows)
    quads = np.array([project(tile.corners, SHEET, view) for tile in tiles], np.float32)
    layout = mat.lay_out(quads)
    assert [row.meaning for row in layout.rows] == list(rows), reason
    hand = arrange([tile.code for tile in tiles], layout.rows, "bmja")
    assert [" ".join(codes) for codes in hand.exposed] == rows.get("exposed", []), reason
    assert " ".join(hand.concealed) == " ".join(rows.get("concealed", [])), reason
    assert " ".join(hand.bonus) == " ".join(rows.get("bonus", [])), reason


@pytest.mark.parametrize(("hidden_marks", "is_found"), [(0, True), (2, True), (3, False)])
def test_two_marks_are_enough(hidden_marks: int, is_found: bool) -> None:
    assert (
        find_mat(Photo("mat.jpg", photograph_sheet(View(60), hidden_marks))) is not None
    ) == is_found


def test_a_table_without_a_mat_has_none() -> None:
    assert find_mat(Photo("bare.jpg", np.full((300, 400, 3), 120, np.uint8))) is None


def test_a_mirrored_mat_is_none() -> None:
    """Its rows would lie on the wrong side; other marks of the dictionary would be found."""
    picture = np.ascontiguousarray(photograph_sheet(View(60))[:, ::-1])
    assert find_mat(Photo("mirrored.jpg", picture)) is None


@pytest.mark.parametrize("paper", ["a3", "a4"])
@pytest.mark.parametrize(("view", "reason"), VIEWS)
def test_either_paper_lies_where_the_box_takes_it_to_lie(
    view: View, reason: str, paper: str
) -> None:
    mat = find_mat(Photo("mat.jpg", photograph_sheet(view, paper=paper)))
    assert mat is not None, reason
    corners = project(SHEET, SHEET, view).reshape(-1, 1, 2).astype(np.float64)
    sheet = cv2.perspectiveTransform(corners, mat.to_sheet).reshape(4, 2)
    offsets = np.abs(
        sheet
        - [[0, 0], [SHEET_WIDTH_MM, 0], [SHEET_WIDTH_MM, SHEET_HEIGHT_MM], [0, SHEET_HEIGHT_MM]]
    ).max()
    assert offsets < 2, "millimetres, of a row's 62"


def test_two_sheets_of_a4_make_the_sheet_of_a3() -> None:
    a3_sheet, two = print_sheet("a3"), print_sheet("a4")
    assert a3_sheet.shape == two.shape
    is_same = np.abs(a3_sheet.astype(int) - two) < 8  # of 256, at the rims of lines
    assert is_same[(4 * 40) : (4 * 256)].all(), "the rows run across"
    assert is_same[:, : 4 * 34].all(), "the left marks are where they were"
    assert is_same[:, -4 * 34 :].all(), "and so are the right ones"
