"""The real networks on tiles that fill little of the frame or all of it, cut from the samples.

`python -m tests.prove.scale` does the same with real photographs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from device.samples import Sample, load_samples
from tests.prove.scale import FRAMES, CountedModel, judge_case, laid_on_cloth
from vision.networks.classifier import Classifier
from vision.networks.locator import Locator
from vision.networks.model import Model
from vision.photo import open_photo
from vision.preprocess import RGB
from vision.reader import Reader

LOCATOR = CountedModel(Model.load("locator"))


@cache
def _reader() -> Reader:
    return Reader(Locator(LOCATOR), Classifier.load())  # type: ignore[arg-type]


@cache
def _faces() -> dict[str, RGB]:
    """Return one picture of each face that lies in the samples' hands, as `test_samples` proves."""
    corners = np.array([[0, 0], [240, 0], [240, 320], [0, 320]], np.float32)
    faces: dict[str, RGB] = {}
    for sample in load_samples():
        photo = open_photo(sample.path.read_bytes(), sample.name)
        reading = _reader().read(photo)
        for tile in (reading.tiles[k] for laid in reading.sets for k in laid.tiles):
            matrix = cv2.getPerspectiveTransform(np.array(tile.quad, np.float32), corners)
            if not tile.doubtful and tile.code not in faces:
                face = cv2.warpPerspective(photo.rgb, matrix, (240, 320), flags=cv2.INTER_CUBIC)
                faces[tile.code] = face.astype(np.uint8)
    return faces


@pytest.mark.parametrize(
    ("codes", "reason"),
    [
        (["C7"], "strokes"),
        (["O9"], "nine circles, each like a tile"),
        (["O6"], "six"),
        (["B8"], "sticks"),
        (["B2"], "two sticks"),
        (["DR"], "one character"),
        (["DW"], "next to nothing"),
        (["WS"], "a wind"),
        (["F2"], "a picture"),
        (["B3", "B4"], "two"),
        (["C4", "C5", "C6"], "a chow"),
        (["O2", "DR"], "circles beside a dragon"),
    ],
)
@pytest.mark.parametrize("share", [0.06, pytest.param(0.33, marks=pytest.mark.prove), 1.0])
def test_a_few_tiles_are_found_whatever_they_fill(
    codes: Sequence[str], share: float, reason: str
) -> None:
    rng = np.random.default_rng(round(100 * share))
    singles = [(code, _faces()[code]) for code in codes]
    frame = FRAMES[len(reason) % 2]
    outcome = judge_case(laid_on_cloth("drawn", singles, share, frame, rng), _reader())
    assert (outcome["found"], outcome["invented"]) == (len(codes), 0), reason
    assert outcome["right"] == len(codes), reason


@pytest.mark.parametrize("sample", load_samples(), ids=lambda sample: sample.name)
def test_a_usual_hand_is_not_looked_at_from_further_back(sample: Sample) -> None:
    photo = open_photo(sample.path.read_bytes(), sample.name)
    LOCATOR.runs = 0
    Locator(LOCATOR).locate(photo)  # type: ignore[arg-type]
    expected_runs, LOCATOR.runs = LOCATOR.runs, 0
    _reader().read(photo)
    assert LOCATOR.runs == expected_runs > 0


@pytest.mark.parametrize("code", ["O9", "B8", "C7", "DR"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_large_tile_before_the_camera_counts_as_one(code: str, share: float) -> None:
    rng = np.random.default_rng(round(100 * share))
    case = laid_on_cloth("drawn", [(code, _faces()[code])], share, FRAMES[0], rng)
    assert _reader().count(case.photo) == 1


@pytest.mark.parametrize("sample", load_samples(), ids=lambda sample: sample.name)
def test_a_hand_before_the_camera_is_counted_at_one_glance(sample: Sample) -> None:
    photo = open_photo(sample.path.read_bytes(), sample.name)
    LOCATOR.runs = 0
    assert _reader().count(photo) >= 13
    assert LOCATOR.runs == 1
