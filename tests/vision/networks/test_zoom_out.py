"""When a photograph is looked at from further back, and what gives way to what."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.tiles import FACE_DOWN
from vision.networks.classifier import Classification
from vision.networks.locator import Detection
from vision.networks.zoom_out import NamedDetection, drop_parts, may_be_parts

GATE = 0.9


def sight(
    x: float, y: float, wide: float, score: float, sure: float = 0.99, code: str = "C1"
) -> NamedDetection:
    """Return a tile seen around a place."""
    box = np.array([[-1, -1.35], [1, -1.35], [1, 1.35], [-1, 1.35]], np.float32) * (wide / 2)
    classification = Classification(code, sure, 1.0, (), 0, 0.0)
    detection = Detection(box + np.array([x, y], np.float32), score)
    return NamedDetection(detection, classification, np.zeros((80, 64, 3), np.uint8))


@pytest.mark.parametrize(
    ("codes", "sure", "steps_back", "reason"),
    [
        ([], 0.99, True, "nothing found"),
        (["C1"], 0.99, True, "one tile: a learner's"),
        (["B1", "B2", "B3", "C1", "C2", "C3", "WE"], 0.99, True, "seven may fill the frame"),
        (["B1", "B2", "B3", "C1", "C2", "C3", "WE", "WE"], 0.99, False, "part of a hand"),
        (["B1", "B2", "B3"] * 5, 0.6, True, "nothing but guesses"),
        (["O1"] * 9, 0.99, True, "the nine circles of one tile: no set holds nine 1s"),
        (["O1"] * 9 + ["F1"] * 3, 0.99, True, "nor three plum blossoms"),
        (["O1"] * 9 + ["B1"] * 4, 0.99, False, "four of each are two pungs and more"),
        ([FACE_DOWN] * 8, 0.99, False, "a wall"),
        (["JK"] * 8, 0.99, False, "jokers: as many as the maker liked"),
    ],
)
def test_when_to_step_back(codes: list[str], sure: float, steps_back: bool, reason: str) -> None:
    sights = [sight(40 * k, 0, 40, 0.9, sure, code) for k, code in enumerate(codes)]
    assert may_be_parts(sights, GATE) == steps_back, reason


LARGE = (200.0, 200.0, 200.0)
"""Around here, so wide."""


@pytest.mark.parametrize(
    ("sights", "kept_places", "reason"),
    [
        ([], [], "nothing"),
        ([sight(*LARGE, 0.8), sight(200, 150, 40, 0.6)], [200], "a part, less sure than its tile"),
        ([sight(*LARGE, 0.7), sight(200, 150, 40, 0.8)], [200], "a circle surer than its tile"),
        ([sight(*LARGE, 0.7, 0.5), sight(200, 150, 40, 0.8)], [40], "a tile on a box of tiles"),
        ([sight(*LARGE, 0.7, 0.5), sight(200, 150, 40, 0.6)], [200], "a doubtful tile and scraps"),
        ([sight(*LARGE, 0.6), sight(160, 150, 40, 0.8), sight(240, 150, 40, 0.7, code="C2")],
         [40, 40], "small tiles of two faces, taken for one large"),
        ([sight(*LARGE, 0.6), sight(160, 150, 40, 0.8), sight(240, 150, 40, 0.7)], [200],
         "two circles of one tile"),
        ([sight(*LARGE, 0.6), sight(150, 200, 110, 0.8)], [110], "half of it: two tiles as one"),
        ([sight(*LARGE, 0.8), sight(205, 200, 190, 0.9)], [190], "one tile in two looks"),
        ([sight(*LARGE, 0.8), sight(402, 200, 200, 0.7)], [200, 200], "two that touch"),
        ([sight(*LARGE, 0.8), sight(330, 200, 40, 0.7)], [200, 40], "a small one beside it"),
    ],
)  # fmt: skip
def test_parts_give_way_to_their_tile(
    sights: list[NamedDetection], kept_places: list[int], reason: str
) -> None:
    for given in (sights, sights[::-1]):
        wide = [float(np.ptp(s.detection.quad[:, 0])) for s in drop_parts(given, GATE)]
        assert [round(each) for each in wide] == kept_places, reason
