"""What the labels leave out is not counted as invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.labels import LabelledPhoto

PHOTO = LabelledPhoto(Path("hand.jpg"), "photo", (10, 10, 200, 100), (), ((0, 0, 200, 40),))


@pytest.mark.parametrize(
    ("x", "y", "is_known", "reason"),
    [
        (50, 70, True, "in the region whose tiles are labelled"),
        (50, 20, False, "among discards that nobody labelled"),
        (50, 150, False, "beyond the region"),
    ],
)
def test_where_labels_tell(x: float, y: float, is_known: bool, reason: str) -> None:
    assert PHOTO.is_known(x, y) == is_known, reason
