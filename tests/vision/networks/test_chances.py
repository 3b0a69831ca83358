"""How the classifier's answers become chances: of names, and that there is a tile at all."""

from __future__ import annotations

import numpy as np
import pytest

from vision.networks.classifier import chances_of, softmax
from vision.preprocess import LABELS, NO_TILE

NONE_INDEX = LABELS.index(NO_TILE)


def logits(**values: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array([values.get(code, 0.0) for code in LABELS], np.float32)


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.5])
def test_whether_it_is_a_tile_is_left_as_the_network_says(temperature: float) -> None:
    raw_logits = logits(B1=3.0, B2=2.0) + np.eye(len(LABELS), dtype=np.float32)[NONE_INDEX] * 4
    chances = chances_of(raw_logits, temperature)
    assert chances[NONE_INDEX] == pytest.approx(softmax(raw_logits)[NONE_INDEX])
    assert chances.sum() == pytest.approx(1.0, abs=1e-5)


def test_a_lower_temperature_makes_the_likeliest_name_surer() -> None:
    raw_logits = np.stack([logits(B1=3.0, B2=2.0)] * 2)
    cool, warm = chances_of(raw_logits, 0.5), chances_of(raw_logits, 1.0)
    assert (cool[:, LABELS.index("B1")] > warm[:, LABELS.index("B1")]).all()
    assert warm == pytest.approx(softmax(raw_logits), abs=1e-6)
