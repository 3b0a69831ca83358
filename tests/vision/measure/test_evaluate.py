"""Measuring a reading against its labels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from vision.labels import LabelledPhoto, LabelledTile, read_labels
from vision.measure.compare import PhotoResult, TileResult
from vision.measure.evaluate import compare
from vision.measure.summary import MeasureSummary, face_kind
from vision.reading import Quad, TileReading


def box(x: float, y: float = 100, width: float = 30) -> Quad:
    """Return an upright tile's corners."""
    return ((x, y), (x + width, y), (x + width, y + 40), (x, y + 40))


def read(code: str, x: float, y: float = 100, *, doubtful: bool = False) -> TileReading:
    """Return a tile as read."""
    return TileReading(code, 0.5 if doubtful else 0.99, box(x, y), 0, (), doubtful)


def labelled(*codes: str) -> LabelledPhoto:
    """Return a photograph in which these tiles lie in a row, from (100, 100) on."""
    tiles = (
        LabelledTile(code, np.array(box(100 + 30 * i), np.float32), False, False)
        for i, code in enumerate(codes)
    )
    return LabelledPhoto(Path("hand.jpg"), "photo", (50, 50, 300, 200), tuple(tiles))


def tile(
    label: str | None, name: str | None, confidence: float = 0.99, *, doubtful: bool = False
) -> TileResult:
    """Return what became of a tile."""
    return TileResult(label, name, confidence if name else 0.0, doubtful, box(100))


def result(
    *tiles: TileResult,
    group: str = "",
    width: float = 30,
    ms: float = 1.0,
    kind: Literal["photo", "crop"] = "photo",
) -> PhotoResult:
    """Return what became of a photograph."""
    return PhotoResult(Path("hand.jpg"), kind, tiles, ms, group, width)


@pytest.mark.parametrize(
    ("tiles", "counts", "why"),
    [
        ([read("B1", 101), read("B2", 131)], (2, 0, 2, 0), "all right"),
        ([read("B2", 131), read("B1", 101)], (2, 0, 2, 0), "in any order"),
        ([read("B1", 101)], (1, 0, 1, 1), "one missed, and nobody asked"),
        ([read("B1", 101), read("B3", 131)], (2, 0, 1, 1), "one misnamed, and nobody asked"),
        ([read("B1", 101), read("B3", 131, doubtful=True)], (2, 0, 1, 0), "misnamed, but asked"),
        ([read("B1", 101), read("B2", 131), read("WE", 200)], (2, 1, 2, 1), "one invented"),
        (
            [read("B1", 101), read("B2", 131), read("WE", 200, doubtful=True)],
            (2, 1, 2, 0),
            "invented, but asked",
        ),
        ([read("B1", 101), read("B2", 131), read("WE", 200, 400)], (2, 0, 2, 0), "beyond the roi"),
        ([read("B1", 101), read("B2", 131), read("WE", 240)], (2, 0, 2, 0), "not labelled there"),
        ([read("B1", 101), read("B1", 103), read("B2", 131)], (2, 1, 2, 1), "one found twice"),
        ([read("B1", 120), read("B2", 131)], (1, 1, 1, 2), "too far off to be the same tile"),
        ([], (0, 0, 0, 2), "nothing read"),
    ],
)
def test_a_photograph_is_judged(
    tiles: list[TileReading], counts: tuple[int, int, int, int], why: str
) -> None:
    photo = replace(labelled("B1", "B2"), unlabelled=((240, 50, 300, 200),))
    one = compare(photo, tiles, 1.0)
    of = MeasureSummary((one,))
    assert (of.tiles_found, of.invented, of.right, one.unflagged_errors) == counts, why
    assert (of.labelled, of.read) == (2, of.tiles_found + of.invented), why
    assert one.all_right == (counts[:3] == (2, 0, 2)), why


def test_all_questions_are_counted_but_those_beyond_the_labels() -> None:
    asked = [read("B1", 101, doubtful=True), read("WE", 200, doubtful=True)]
    beyond = [read("WS", 200, 400, doubtful=True)]
    assert compare(labelled("B1", "B2"), asked + beyond, 1.0).questions == 2


@pytest.mark.parametrize(
    ("widths", "median", "why"),
    [
        ((30, 30, 80), 30, "the middle one"),
        ((30, 36), 33, "between the two"),
        ((90,), 40, "lying on its side, it is as wide as it is high"),
        ((), 0, "no tile"),
    ],
)
def test_a_photographs_tiles_have_a_median_width(
    widths: tuple[int, ...], median: float, why: str
) -> None:
    tiles = [
        LabelledTile("B1", np.array(box(0, 0, width), np.float32), False, False) for width in widths
    ]
    photo = replace(labelled(), tiles=tuple(tiles))
    assert compare(photo, [], 1.0).tile_width == pytest.approx(median), why


@pytest.mark.parametrize(
    ("code", "face"),
    [
        ("B1", "base"),
        ("DR", "base"),
        ("WS", "base"),
        ("F1", "bonus"),
        ("S4", "bonus"),
        ("??", "face_down"),
    ],
)
def test_faces_are_measured_apart(code: str, face: str) -> None:
    assert face_kind(code) == face


def test_a_summary_adds_up_its_photographs() -> None:
    first = result(
        tile("B1", "B1"),
        tile("F1", "F3", 0.6, doubtful=True),
        tile("F1", "F3"),
        tile("??", "??"),
        ms=10,
    )
    second = result(tile("B2", None), tile(None, "WE"), tile("B1", "F3"), width=60, ms=30)
    of = MeasureSummary((first, second))
    assert (of.labelled, of.tiles_found, of.invented, of.read, of.right) == (6, 5, 1, 6, 2)
    shares = [of.named_right("base"), of.named_right("bonus"), of.named_right("face_down")]
    assert [(s.part, s.whole) for s in shares] == [(1, 2), (0, 2), (1, 1)]
    assert (of.wrong_flagged.part, of.wrong_flagged.whole) == (1, 3)
    assert (of.all_right, of.unflagged, of.questions) == (0, 2, 0.5)
    told = MeasureSummary((first, replace(second, miscounted=True)))
    assert (told.unflagged, told.unasked) == (2, 1), "the count points at what was missed"
    assert of.confusions() == [("F1", "F3", 2), ("B1", "F3", 1)]
    assert (of.milliseconds(50), of.milliseconds(95)) == (20, 29)
    assert of.as_asked.results == (second,), "60 pixels are as wide as asked"


def test_labels_are_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    marked = {"code": "BACK", "quad": [list(p) for p in box(1, 2)], "approx": True}
    row = {"file": "a.jpg", "w": 90, "h": 60, "kind": "crop", "tiles": [marked]}
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


@pytest.mark.parametrize(
    ("more", "group", "roi", "why"),
    [
        ({}, "", (0, 0, 90, 60), "no group"),
        ({"group": "felt"}, "felt", (0, 0, 90, 60), "a group"),
        ({"group": "felt", "scene": "felt-2"}, "felt-2", (0, 0, 90, 60), "a scene says more"),
        ({"roi": [5, 6, 7, 8]}, "", (5, 6, 7, 8), "not said to be complete"),
        ({"roi": [5, 6, 7, 8], "complete": None}, "", (5, 6, 7, 8), "not checked"),
        ({"roi": [5, 6, 7, 8], "complete": True}, "", (0, 0, 90, 60), "every tile is labelled"),
    ],
)
def test_a_set_knows_its_groups_and_where_labels_are_complete(
    more: dict[str, object], group: str, roi: tuple[int, ...], why: str, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps({"file": "a.jpg", "w": 90, "h": 60, "tiles": [], **more}))
    (photo,) = read_labels(labels, tmp_path / "photos")
    assert (photo.group, photo.roi) == (group, roi), why


def test_a_set_of_nothing_is_refused(tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text("")
    with pytest.raises(ValueError, match="names no photographs"):
        read_labels(labels)
