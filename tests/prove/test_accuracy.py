"""The reading's accuracy on the real photographs that nothing was trained on.

`make prove`, with TONGBOX_DATA naming the shared data (default ../shared). The figures themselves
are in the model cards; here stand the bounds that they may not fall below.
"""

from __future__ import annotations

import pytest

from models.train.data.photos import photos_by_scene
from vision.measure.evaluate import MeasureSummary, Report, evaluate
from vision.read import Reader

pytestmark = [pytest.mark.prove, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def report() -> Report:
    scenes = photos_by_scene(held_out=True)
    return evaluate([photo for photos in scenes.values() for photo in photos], Reader.load())


def test_tiles_are_found_and_few_invented(report: Report) -> None:
    photos = MeasureSummary(tuple(report.photos))
    assert photos.found / photos.labelled >= 0.95, "\n".join(report.lines())
    assert photos.invented / photos.read <= 0.02, "\n".join(report.lines())


def test_found_tiles_are_named_rightly(report: Report) -> None:
    photos = MeasureSummary(tuple(report.photos))
    assert photos.right / photos.found >= 0.90, "\n".join(report.lines())


def test_single_tiles_of_unseen_makers_are_named_rightly(report: Report) -> None:
    right = MeasureSummary(tuple(report.crops)).right
    assert right / len(report.crops) >= 0.90, "\n".join(report.lines())
