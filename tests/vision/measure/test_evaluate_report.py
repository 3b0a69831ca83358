"""The figures as they are printed, for people and for programs."""

from __future__ import annotations

import json

import pytest

from tests.vision.measure.test_evaluate import result, tile
from vision.measure.evaluate import PhotoResult, Report

RIGHT = result(tile("B1", "B1"), group="felt", ms=4.0)
WRONG = result(tile("B1", "B7"), group="felt", width=60, ms=8.0)
MISSED = result(tile("S1", None), tile("??", "??"), group="cloth", width=80)
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
        ([RIGHT, MISSED], "photographs, cloth: 1, with 2 labelled tiles"),
        ([RIGHT, MISSED], "tiles found 50.00 % [9.5–90.5] (1 of 2)"),
        ([RIGHT], "most often wrong none"),
    ],
)
def test_lines(photos: list[PhotoResult], line: str) -> None:
    lines = [" ".join(line.split()) for line in Report(photos=photos).lines()]
    assert line in lines


@pytest.mark.parametrize(
    ("report", "absent", "why"),
    [
        (Report(photos=[RIGHT, WRONG]), "felt", "a group alone is the same as all"),
        (Report(photos=[RIGHT]), "by whole photographs", "one photograph says nothing of others"),
        (Report(photos=[RIGHT]), "all, 60 px", "no photograph is as asked"),
        (Report(photos=[MISSED]), "all, 60 px", "all photographs are as asked"),
        (Report(crops=[CROP]), "tiles found", "nobody has to find a single tile"),
        (Report(crops=[CROP]), "60 px", "nor is it photographed as asked"),
        (Report(crops=[CROP]), "photographs", "there are none"),
    ],
)
def test_what_would_say_nothing_is_left_out(report: Report, absent: str, why: str) -> None:
    assert absent not in "\n".join(report.lines()), why


def test_the_object_has_everything_under_stable_names() -> None:
    report = Report(photos=[RIGHT, WRONG, MISSED], crops=[CROP])
    told = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert told.keys() == {"photographs", "single_tiles", "errors"}
    assert told["photographs"].keys() == {"all", "groups"}
    assert told["photographs"]["groups"].keys() == {"felt", "cloth"}
    figures = told["photographs"]["all"]
    plain = {"pictures", "tiles", "right_by_photograph", "questions", "calibration_error"}
    shares = {"found", "invented", "named_right", "right", "all_right", "unflagged", "unasked"}
    faces = {"named_right_base", "named_right_bonus", "named_right_face_down", "wrong_flagged"}
    every = plain | shares | faces | {"reliability", "ms", "confusions"}
    assert figures.keys() == every | {"as_asked"}
    assert figures["as_asked"].keys() == every | {"px", "share"}
    assert figures["found"] == {
        "share": 0.75, "low": pytest.approx(0.3006, abs=1e-4),
        "high": pytest.approx(0.9544, abs=1e-4), "part": 3, "whole": 4,
    }  # fmt: skip
    assert (figures["as_asked"]["share"]["part"], figures["as_asked"]["pictures"]) == (2, 2)
    assert figures["named_right_bonus"]["share"] is None, "none was found"
    assert figures["confusions"] == [{"label": "B1", "read": "B7", "count": 1}]
    assert [len(figures["reliability"]), figures["reliability"][0]["confidence"]] == [10, None]
    assert [error["outcome"] for error in told["errors"]] == ["wrong", "missed", "wrong"]
    assert told["errors"][0]["label"] == "B1"
    assert told["errors"][0]["file"] == "hand.jpg"


def test_a_report_of_nothing_is_an_object_too() -> None:
    told = json.loads(json.dumps(Report().to_json(), allow_nan=False))
    assert told["photographs"]["all"]["pictures"] == 0
    assert told["photographs"]["all"]["ms"] == {"median": None, "p95": None}
    assert Report().lines() == []


def test_the_worst_photographs_have_the_most_errors() -> None:
    bad = result(tile("B1", "B1"), tile("B1", None), tile(None, "B1"))
    report = Report(photos=[RIGHT, WRONG, bad])
    assert report.worst(5) == [bad, WRONG], "one without errors is not among them"
    assert report.worst(1) == [bad]
    assert report.worst(0) == []
