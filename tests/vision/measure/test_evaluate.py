"""Measuring a reading against its labels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.labels import LabelledPhoto, LabelledTile, read_labels
from vision.measure.compare import TileResult
from vision.measure.evaluate import (
    PhotoResult,
    Report,
    Share,
    compare,
    expected_calibration_error,
    reliability_bins,
)
from vision.measure.shares import bootstrap_interval
from vision.measure.summary import MeasureSummary, face_kind
from vision.reading import Quad, TileReading


def box(x: float, y: float = 100, width: float = 30) -> Quad:
    """Return an upright tile's corners."""
    return ((x, y), (x + width, y), (x + width, y + 40), (x, y + 40))


def read(code: str, x: float, y: float = 100, *, doubtful: bool = False) -> TileReading:
    """Return a tile as read."""
    return TileReading(code, 0.5 if doubtful else 0.99, box(x, y), 0, (), doubtful)


def label_photo(*codes: str) -> LabelledPhoto:
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
    ("tiles", "counts", "reason"),
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
    tiles: list[TileReading], counts: tuple[int, int, int, int], reason: str
) -> None:
    photo = replace(label_photo("B1", "B2"), unlabelled_boxes=((240, 50, 300, 200),))
    result_of_one = compare(photo, tiles, 1.0)
    summary = MeasureSummary((result_of_one,))
    assert (
        summary.tiles_found,
        summary.invented_count,
        summary.right,
        result_of_one.unflagged_errors,
    ) == counts, reason
    assert (summary.labelled_count, summary.read) == (
        2,
        summary.tiles_found + summary.invented_count,
    ), reason
    assert result_of_one.all_right == (counts[:3] == (2, 0, 2)), reason


def test_all_questions_are_counted_but_those_beyond_the_labels() -> None:
    asked_tiles = [read("B1", 101, doubtful=True), read("WE", 200, doubtful=True)]
    beyond_labels = [read("WS", 200, 400, doubtful=True)]
    assert compare(label_photo("B1", "B2"), asked_tiles + beyond_labels, 1.0).questions == 2


@pytest.mark.parametrize(
    ("widths", "median", "reason"),
    [
        ((30, 30, 80), 30, "the middle one"),
        ((30, 36), 33, "between the two"),
        ((90,), 40, "lying on its side, it is as wide as it is high"),
        ((), 0, "no tile"),
    ],
)
def test_a_photographs_tiles_have_a_median_width(
    widths: tuple[int, ...], median: float, reason: str
) -> None:
    tiles = [
        LabelledTile("B1", np.array(box(0, 0, width), np.float32), False, False) for width in widths
    ]
    photo = replace(label_photo(), tiles=tuple(tiles))
    assert compare(photo, [], 1.0).tile_width == pytest.approx(median), reason


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
    summary = MeasureSummary((first, second))
    assert (
        summary.labelled_count,
        summary.tiles_found,
        summary.invented_count,
        summary.read,
        summary.right,
    ) == (
        6,
        5,
        1,
        6,
        2,
    )
    shares = [
        summary.named_right("base"),
        summary.named_right("bonus"),
        summary.named_right("face_down"),
    ]
    assert [(s.part, s.total) for s in shares] == [(1, 2), (0, 2), (1, 1)]
    assert (summary.wrong_flagged.part, summary.wrong_flagged.total) == (1, 3)
    assert (summary.all_right, summary.unflagged_count, summary.questions) == (0, 2, 0.5)
    miscounted_summary = MeasureSummary((first, replace(second, is_miscounted=True)))
    assert (miscounted_summary.unflagged_count, miscounted_summary.unasked_count) == (2, 1), (
        "the count points at what was missed"
    )
    assert summary.confusions() == [("F1", "F3", 2), ("B1", "F3", 1)]
    assert (summary.milliseconds(50), summary.milliseconds(95)) == (20, 29)
    assert summary.advised_photos.results == (second,), "60 pixels are as wide as asked"


def test_labels_are_read_and_a_bad_line_is_named(tmp_path: Path) -> None:
    marked_tile = {"code": "BACK", "quad": [list(p) for p in box(1, 2)], "approx": True}
    row = {"file": "a.jpg", "w": 90, "h": 60, "kind": "crop", "tiles": [marked_tile]}
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
    ("extra_fields", "group", "roi", "reason"),
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
    extra_fields: dict[str, object], group: str, roi: tuple[int, ...], reason: str, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps({"file": "a.jpg", "w": 90, "h": 60, "tiles": [], **extra_fields}))
    (photo,) = read_labels(labels, tmp_path / "photos")
    assert (photo.group, photo.roi) == (group, roi), reason


def test_a_set_of_nothing_is_refused(tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text("")
    with pytest.raises(ValueError, match="names no photographs"):
        read_labels(labels)


@pytest.mark.parametrize(
    ("part", "total", "low", "high", "reason"),
    [
        (81, 263, 0.2553, 0.3662, "Newcombe 1998, table I"),
        (15, 148, 0.0624, 0.1605, "Newcombe 1998, table I"),
        (0, 20, 0.0, 0.1611, "Newcombe 1998, table I"),
        (1, 29, 0.0061, 0.1718, "Newcombe 1998, table I"),
        (0, 10, 0.0, 3.8415 / 13.8415, "of none: z² / (n + z²)"),
        (10, 10, 10 / 13.8415, 1.0, "of all: n / (n + z²)"),
        (5, 10, 0.5 - 0.2634, 0.5 + 0.2634, "1.96/1.384146 × √(0.025 + 3.841459/400) each way"),
        (0, 0, 0.0, 1.0, "of nothing it may be anything"),
    ],
)
def test_wilsons_interval(part: int, total: int, low: float, high: float, reason: str) -> None:
    assert Share(part, total).interval == pytest.approx((low, high), abs=6e-5), reason


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_more_tiles_narrow_it(counts: tuple[int, int]) -> None:
    part, total = counts
    share, larger_share = Share(part, total), Share(10 * part, 10 * total)
    (low, high), value = share.interval, share.value
    assert value is not None
    assert 0 <= low <= value <= high <= 1
    assert larger_share.interval[1] - larger_share.interval[0] < high - low


@pytest.mark.parametrize(
    ("clusters", "expected", "reason"),
    [
        ([(0, 10), (10, 10)], (0, 1), "a quarter of the draws has twice the same"),
        ([(9, 10)], None, "one photograph says nothing of others"),
        ([(9, 10), (18, 20)], None, "no two differ: not a width of nought"),
        ([(9, 10), (0, 0)], None, "a photograph without tiles tells nothing"),
        ([], None, "nothing at all"),
    ],
)
def test_whole_photographs_are_drawn(
    clusters: list[tuple[int, int]], expected: tuple[float, float] | None, reason: str
) -> None:
    assert bootstrap_interval([Share(*c) for c in clusters]) == expected, reason


def test_errors_that_come_together_widen_the_interval() -> None:
    clustered_shares = [Share(0, 10)] * 2 + [Share(10, 10)] * 18
    spread_out = [Share(9, 10)] * 19 + [Share(10, 10)]
    wide, narrow = bootstrap_interval(clustered_shares), bootstrap_interval(spread_out)
    assert wide is not None
    assert narrow is not None
    low, high = Share(180, 200).interval
    assert wide[1] - wide[0] > high - low > narrow[1] - narrow[0]
    assert wide[0] <= 0.9 <= wide[1]
    assert bootstrap_interval(clustered_shares) == wide, "the same draws every time"


def confident_results(confidence: float, right: int, wrong: int) -> PhotoResult:
    rights, wrongs = [tile("B1", "B1", confidence)] * right, [tile("B1", "B7", confidence)] * wrong
    return result(*rights, *wrongs, tile("B1", None), tile(None, "B1", 0.2))


@pytest.mark.parametrize(
    ("results", "error", "reason"),
    [
        ([confident_results(0.75, 75, 25)], 0, "right as often as said"),
        ([confident_results(0.95, 50, 50)], 0.45, "far too sure"),
        ([confident_results(0.25, 50, 50)], 0.25, "not sure enough"),
        ([confident_results(0.95, 50, 50), confident_results(0.5, 50, 50)], 0.225,
         "half of the tiles, far too sure"),
        ([confident_results(0.92, 10, 0), confident_results(0.98, 9, 1)], 0,
         "one bin, 0.95 said and 0.95 right"),
        ([confident_results(0.89, 0, 10), confident_results(0.91, 10, 0)], 0.49,
         "two bins: (0.89 + 0.09) / 2"),
        ([], 0, "nothing said"),
    ],
)  # fmt: skip
def test_calibration_error(results: list[PhotoResult], error: float, reason: str) -> None:
    assert expected_calibration_error(results) == pytest.approx(error), reason


def test_the_reliability_table_sorts_tiles_by_what_was_said() -> None:
    table = reliability_bins(
        [confident_results(1.0, 3, 0), confident_results(0.9, 1, 1), confident_results(0.0, 0, 1)]
    )
    assert [(b.low, b.high) for b in table] == [(i / 10, (i + 1) / 10) for i in range(10)]
    assert [b.right.total for b in table] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 5], "found tiles alone"
    assert table[9].right.part == 4
    assert table[9].confidence == pytest.approx(0.96)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30))
def test_every_confidence_is_in_one_bin(pairs: list[tuple[float, bool]]) -> None:
    results = [result(*(tile("B1", "B1" if right else "B2", c) for c, right in pairs))]
    table = reliability_bins(results)
    assert sum(b.right.total for b in table) == len(pairs)
    assert 0 <= expected_calibration_error(results) <= 1
    assert all(b.low - 1e-9 <= b.confidence <= b.high + 1e-9 for b in table if b.right.total)


RIGHT = result(tile("B1", "B1"), group="felt", ms=4.0)
WRONG = result(tile("B1", "B7"), group="felt", width=60, ms=8.0)
MISSED_RESULT = result(tile("S1", None), tile("??", "??"), group="cloth", width=80)
CROP = result(tile("F1", "F3", 0.6, doubtful=True), kind="crop", width=200, group="shop")


@pytest.mark.parametrize(
    ("photos", "line"),
    [
        ([RIGHT, WRONG], "photographs, all: 2, with 2 labelled tiles"),
        ([RIGHT, WRONG], "hands all right 50.00 % [9.5–90.5] (1 of 2)"),
        ([RIGHT, WRONG], "flowers and seasons –"),
        ([RIGHT, WRONG], "found and named right 50.00 % [9.5–90.5] (1 of 2)"),
        ([RIGHT, WRONG], "by whole photographs [0.0–100.0]"),
        ([RIGHT, WRONG], "calibration error 49.00 %"),
        ([RIGHT, WRONG], "said 0.9 to 1.0 99.00 % sure, right 50.00 % [9.5–90.5] (1 of 2)"),
        ([RIGHT, WRONG], "milliseconds 6 median, 8 at the 95th percentile"),
        ([RIGHT, WRONG], "most often wrong B1 as B7 × 1"),
        ([RIGHT, WRONG], "60 px wide or wider 50.00 % [9.5–90.5] (1 of 2)"),
        ([RIGHT, WRONG], "photographs, all, 60 px wide or wider: 1, with 1 labelled tiles"),
        ([RIGHT, MISSED_RESULT], "photographs, cloth: 1, with 2 labelled tiles"),
        ([RIGHT, MISSED_RESULT], "tiles found 50.00 % [9.5–90.5] (1 of 2)"),
        ([RIGHT], "most often wrong none"),
    ],
)
def test_lines(photos: list[PhotoResult], line: str) -> None:
    lines = [" ".join(line.split()) for line in Report(photos=photos).lines()]
    assert line in lines


@pytest.mark.parametrize(
    ("report", "absent", "reason"),
    [
        (Report(photos=[RIGHT, WRONG]), "felt", "a group alone is the same as all"),
        (Report(photos=[RIGHT]), "by whole photographs", "one photograph says nothing of others"),
        (Report(photos=[RIGHT]), "all, 60 px", "no photograph is as asked"),
        (Report(photos=[MISSED_RESULT]), "all, 60 px", "all photographs are as asked"),
        (Report(crops=[CROP]), "tiles found", "nobody has to find a single tile"),
        (Report(crops=[CROP]), "60 px", "nor is it photographed as asked"),
        (Report(crops=[CROP]), "photographs", "there are none"),
    ],
)
def test_what_would_say_nothing_is_left_out(report: Report, absent: str, reason: str) -> None:
    assert absent not in "\n".join(report.lines()), reason


def test_the_object_has_everything_under_stable_names() -> None:
    report = Report(photos=[RIGHT, WRONG, MISSED_RESULT], crops=[CROP])
    report_json = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert report_json.keys() == {"photographs", "single_tiles", "errors"}
    assert report_json["photographs"].keys() == {"all", "groups"}
    assert report_json["photographs"]["groups"].keys() == {"felt", "cloth"}
    figures = report_json["photographs"]["all"]
    plain = {"pictures", "tiles", "right_by_photograph", "questions", "calibration_error"}
    shares = {"found", "invented", "named_right", "right", "all_right", "unflagged", "unasked"}
    faces = {"named_right_base", "named_right_bonus", "named_right_face_down", "wrong_flagged"}
    expected_keys = plain | shares | faces | {"reliability", "ms", "confusions"}
    assert figures.keys() == expected_keys | {"as_asked"}
    assert figures["as_asked"].keys() == expected_keys | {"px", "share"}
    assert figures["found"] == {
        "share": 0.75, "low": pytest.approx(0.3006, abs=1e-4),
        "high": pytest.approx(0.9544, abs=1e-4), "part": 3, "whole": 4,
    }  # fmt: skip
    assert (figures["as_asked"]["share"]["part"], figures["as_asked"]["pictures"]) == (2, 2)
    assert figures["named_right_bonus"]["share"] is None, "none was found"
    assert figures["confusions"] == [{"label": "B1", "read": "B7", "count": 1}]
    assert [len(figures["reliability"]), figures["reliability"][0]["confidence"]] == [10, None]
    assert [error["outcome"] for error in report_json["errors"]] == ["wrong", "missed", "wrong"]
    assert report_json["errors"][0]["label"] == "B1"
    assert report_json["errors"][0]["file"] == "hand.jpg"


def test_a_report_of_nothing_is_an_object_too() -> None:
    report_json = json.loads(json.dumps(Report().to_json(), allow_nan=False))
    assert report_json["photographs"]["all"]["pictures"] == 0
    assert report_json["photographs"]["all"]["ms"] == {"median": None, "p95": None}
    assert Report().lines() == []


def test_the_worst_photographs_have_the_most_errors() -> None:
    bad = result(tile("B1", "B1"), tile("B1", None), tile(None, "B1"))
    report = Report(photos=[RIGHT, WRONG, bad])
    assert report.worst(5) == [bad, WRONG], "one without errors is not among them"
    assert report.worst(1) == [bad]
    assert report.worst(0) == []
