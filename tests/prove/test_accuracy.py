"""The reading's accuracy on the real photographs that nothing was trained on.

`make prove`, with TONGBOX_DATA naming the shared data (default ../shared). The figures themselves
are in the model cards; here stand the bounds that they may not fall below.
"""

from __future__ import annotations

import sys

import pytest

from models.train.data.photos import photos_by_scene
from vision.measure.evaluate import MeasureSummary, evaluate
from vision.reader import Reader

MIN_FOUND_SHARE = 0.95
"""Share of the tiles on the photographs."""
MAX_INVENTED_SHARE = 0.02
"""Share of detections that are no tile."""
LEAST_RIGHT = 0.90
"""Of the tiles found, and of single tiles of makers that no training saw."""


@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_tiles_are_found_and_named_rightly() -> None:
    scenes = photos_by_scene(wants_held_out=True)
    report = evaluate([photo for photos in scenes.values() for photo in photos], Reader.load())
    lines = "\n".join(report.lines())
    sys.stdout.write(lines)
    photos, crops = MeasureSummary(tuple(report.photos)), MeasureSummary(tuple(report.crops))
    assert photos.tiles_found / photos.labelled_count >= MIN_FOUND_SHARE, lines
    assert photos.invented_count / photos.read <= MAX_INVENTED_SHARE, lines
    assert photos.right / photos.tiles_found >= LEAST_RIGHT, lines
    assert crops.right / len(report.crops) >= LEAST_RIGHT, lines
