"""The printed mat is found in a photograph and says which row is which."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.laid import Group, Habit, Laid, line
from tests.vision.seen import SIZE, View, project
from vision.arrange import arrange
from vision.mat import BANDS, HEIGHT, MARKS, WIDTH, find_mat
from vision.photo import Photo

DEPLOY = Path(__file__).parents[2] / "deploy"
TILE = 26.0
"""Width of a tile, millimetres: the laid tiles' unit."""

SHEET = np.array([[0, 0, 0], [WIDTH, 0, 0], [WIDTH, -HEIGHT, 0], [0, -HEIGHT, 0]]) / TILE
Picture = npt.NDArray[np.uint8]


def drawing() -> str:
    return "\n".join(runpy.run_path(str(DEPLOY / "mat.py"))["svg"]())


def printed(scale: int = 4) -> Picture:
    """Return the sheet, with the black squares of its drawing, at so many pixels a millimetre."""
    sheet = np.full((round(HEIGHT * scale), round(WIDTH * scale), 3), 250, np.uint8)
    for found in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v", drawing()):
        x, y, side = (round(float(each) * scale) for each in found)
        sheet[y : y + side, x : x + side] = 20
    return sheet


def photographed(view: View, covered: int = 0) -> Picture:
    """Return a photograph of the sheet on green baize, its first marks `covered`."""
    sheet = printed()
    for x, y in MARKS[:covered]:
        sheet[round(4 * y) - 9 : round(4 * y) + 120, round(4 * x) - 9 : round(4 * x) + 120] = 90
    height, width = sheet.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = project(SHEET, SHEET, view).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    size = (int(SIZE[0]), int(SIZE[1]))
    photo = cv2.warpPerspective(sheet, matrix, size, borderValue=(40, 90, 50))
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), 1.2), np.uint8)


def on_the_mat(rows: dict[str, list[str]]) -> list[Laid]:
    """Lay sets in the middle of the named rows, as a tidy player does."""
    rng = np.random.default_rng(4)
    laid = []
    for meaning, top, low in BANDS:
        groups = [Group(tuple(text.split()), "concealed") for text in rows.get(meaning, [])]
        y = -(top + low) / 2 / TILE - 1.35 / 2
        laid += line(rng, groups, Habit(gap=0.5), x=1.5, y=y)
    return laid


VIEWS = [
    (View(90), "straight from above"),
    (View(60, bearing=30, roll=20), "as one stands"),
    (View(38, bearing=-15), "as one sits"),
    (View(50, bearing=180), "by a camera across the table"),
    (View(70, roll=90), "the photograph turned"),
]


@pytest.mark.parametrize(("view", "why"), VIEWS)
@pytest.mark.parametrize(
    "rows",
    [
        {"exposed": ["B2 B2 B2"], "concealed": ["C1 C2 C3", "WE WE"], "bonus": ["F1"]},
        {"exposed": ["B2 B2 B2", "C1 C2 C3"]},
        {"concealed": ["B2 B2 B2", "C1 C2 C3", "WE WE"]},
        {"exposed": ["B2 B2 B2"], "bonus": ["F1 S2"]},
    ],
)
def test_the_mat_names_the_rows(view: View, why: str, rows: dict[str, list[str]]) -> None:
    mat = find_mat(Photo("mat.jpg", photographed(view)))
    assert mat is not None, why
    laid = on_the_mat(rows)
    quads = np.array([project(tile.corners, SHEET, view) for tile in laid], np.float32)
    layout = mat.lay_out(quads)
    assert [row.meaning for row in layout.rows] == list(rows), why
    hand = arrange([tile.code for tile in laid], layout.rows, "bmja")
    assert [" ".join(codes) for codes in hand.exposed] == rows.get("exposed", []), why
    assert " ".join(hand.concealed) == " ".join(rows.get("concealed", [])), why
    assert " ".join(hand.bonus) == " ".join(rows.get("bonus", [])), why


@pytest.mark.parametrize(("covered", "found"), [(0, True), (2, True), (3, False), (4, False)])
def test_two_marks_are_enough(covered: int, found: bool) -> None:
    assert (find_mat(Photo("mat.jpg", photographed(View(60), covered))) is not None) == found


def test_a_table_without_a_mat_has_none() -> None:
    assert find_mat(Photo("bare.jpg", np.full((300, 400, 3), 120, np.uint8))) is None


def test_the_drawing_is_the_one_that_is_printed() -> None:
    assert (DEPLOY / "mat.svg").read_text() == drawing() + "\n"
