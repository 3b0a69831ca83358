"""How the classifier's answers become chances: of names, and that there is a tile at all."""

from __future__ import annotations

import numpy as np
import pytest

from vision.networks.classifier import chances_of, softmax
from vision.preprocess import LABELS, NO_TILE

NONE = LABELS.index(NO_TILE)


def logits(**said: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array([said.get(code, 0.0) for code in LABELS], np.float32)


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.5])
def test_whether_it_is_a_tile_is_left_as_the_network_says(temperature: float) -> None:
    seen = logits(B1=3.0, B2=2.0) + np.eye(len(LABELS), dtype=np.float32)[NONE] * 4
    chances = chances_of(seen, temperature)
    assert chances[NONE] == pytest.approx(softmax(seen)[NONE])
    assert chances.sum() == pytest.approx(1.0, abs=1e-5)


def test_a_lower_temperature_makes_the_likeliest_name_surer() -> None:
    seen = np.stack([logits(B1=3.0, B2=2.0)] * 2)
    cool, warm = chances_of(seen, 0.5), chances_of(seen, 1.0)
    assert (cool[:, LABELS.index("B1")] > warm[:, LABELS.index("B1")]).all()
    assert warm == pytest.approx(softmax(seen), abs=1e-6)
