"""Measuring readings against labels."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision.evaluate import PhotoResult, Report, calibration_error, compare
from vision.labels import LabelledPhoto, LabelledTile, read_labels
from vision.reading import Quad, TileReading


def box(x: float, y: float) -> Quad:
    return ((x, y), (x + 30, y), (x + 30, y + 40), (x, y + 40))


def read(code: str, x: float, y: float = 100, *, doubtful: bool = False) -> TileReading:
    return TileReading(code, 0.5 if doubtful else 0.99, box(x, y), 0, (), doubtful)


def labelled(*codes: str) -> LabelledPhoto:
    tiles = (
        LabelledTile(code, np.array(box(100 + 30 * i, 100), np.float32), False, False)
        for i, code in enumerate(codes)
    )
    return LabelledPhoto(Path("hand.jpg"), "photo", (50, 50, 300, 200), tuple(tiles))


@pytest.mark.parametrize(
    ("tiles", "found", "invented", "right", "unflagged", "why"),
    [
        ([read("B1", 101), read("B2", 131)], 2, 0, 2, 0, "all right"),
        ([read("B2", 131), read("B1", 101)], 2, 0, 2, 0, "in any order"),
        ([read("B1", 101)], 1, 0, 1, 1, "one missed, and nobody asked"),
        ([read("B1", 101), read("B3", 131)], 2, 0, 1, 1, "one misnamed, and nobody asked"),
        ([read("B1", 101), read("B3", 131, doubtful=True)], 2, 0, 1, 0, "misnamed, but asked"),
        ([read("B1", 101), read("B2", 131), read("WE", 200)], 2, 1, 2, 1, "one invented"),
        ([read("B1", 101), read("B2", 131), read("WE", 200, 400)], 2, 0, 2, 0, "beyond the roi"),
        ([read("B1", 101), read("B1", 103), read("B2", 131)], 2, 1, 2, 1, "one found twice"),
        ([read("B1", 120), read("B2", 131)], 1, 1, 1, 2, "too far off to be the same tile"),
    ],
)
def test_a_photograph_is_judged(
    tiles: list[TileReading], found: int, invented: int, right: int, unflagged: int, why: str
) -> None:
    result = compare(labelled("B1", "B2"), tiles, 1.0)
    got = (result.found, result.invented, result.right, result.unflagged_errors)
    assert got == (found, invented, right, unflagged), why
    assert result.all_right == (why in ("all right", "in any order", "beyond the roi"))


def test_confidence_is_calibrated_when_it_is_the_share_right() -> None:
    def result(confidence: float, right: int, wrong: int) -> PhotoResult:
        said = ((confidence, True),) * right + ((confidence, False),) * wrong
        return PhotoResult("", 0, 0, 0, 0, 0, 0, (), said, 0.0)

    assert calibration_error([result(0.75, 75, 25)]) == pytest.approx(0)
    assert calibration_error([result(0.95, 50, 50)]) == pytest.approx(0.45)
    assert calibration_error([result(0.95, 50, 50), result(0.5, 50, 50)]) == pytest.approx(0.225)


def test_a_report_says_how_many_hands_were_all_right() -> None:
    right = compare(labelled("B1"), [read("B1", 101)], 4.0)
    wrong = compare(labelled("B1"), [read("B7", 101)], 8.0)
    lines = "\n".join(Report(photos=[right, wrong]).lines())
    assert "hands all right    50.00 % (1 of 2)" in lines
    assert "B1 as B7 ×1" in lines


def test_labels_are_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    tile = {"code": "BACK", "quad": [list(p) for p in box(1, 2)], "approx": True}
    row = {"file": "a.jpg", "w": 90, "h": 60, "kind": "crop", "tiles": [tile]}
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps(row) + "\n")
    (photo,) = read_labels(labels)
    assert (photo.path, photo.roi, photo.tiles[0].code) == (
        tmp_path / "a.jpg",
        (0, 0, 90, 60),
        "??",
    )
    labels.write_text(json.dumps(row) + '\n{"file": "b.jpg"}\n')
    with pytest.raises(ValueError, match="line 2"):
        read_labels(labels)
