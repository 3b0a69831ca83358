"""What becomes of detections that the classifier takes for no tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest

from scorer.tiles import CODES
from vision.networks.classifier import Classification, Classifier, to_classification
from vision.networks.finder import PICTURE_BONUS_CHANCE, Finder
from vision.networks.locator import Detection, LocatedTiles, Locator
from vision.networks.prototypes import CLASS_NAMES
from vision.networks.zoom_out import NamedDetection
from vision.photo import Photo
from vision.preprocess import NO_TILE, RGB

PICTURE_LEVEL = 200
"""The brightness by which the fake classifier knows the picture."""


def _classify(code: str, chance: float) -> Classification:
    """Return a classification of what is `code` with this chance, and else no tile at all."""
    chances = np.zeros(len(CLASS_NAMES), np.float32)
    chances[CLASS_NAMES.index(NO_TILE)] = 1 - chance
    chances[CLASS_NAMES.index(code)] = chance
    zeros = np.zeros(4, np.float32), np.zeros(128, np.float32), np.zeros((), np.float32)
    return to_classification(chances, *zeros)


class _Classifier:
    """Takes bright crops for no tile, and the others for one face after another."""

    floor, gate, has_looks = 0.15, 0.95, False

    def classify(self, crops: Sequence[RGB], prototypes: object = None) -> list[Classification]:
        return [
            _classify("??", 0.05) if crop.mean() >= PICTURE_LEVEL - 1 else _classify(code, 1.0)
            for crop, code in zip(crops, CODES, strict=False)
        ]

    def agree(self, first: Sequence[Classification], *rest: object) -> Sequence[Classification]:
        return first


class _Locator:
    """Finds no larger tiles."""

    def locate_larger(self, photo: Photo) -> list[Detection]:
        return []


def _name_row(tiles: int, score: float, is_bare: bool) -> list[NamedDetection]:
    """Return what is found where a picture lies at the end of a row of tiles."""
    rgb = np.zeros((60, 500, 3), np.uint8)
    rgb[:, 400:] = PICTURE_LEVEL
    box = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    row = [Detection(box + np.array([40 * k, 10], np.float32), 1.0) for k in range(tiles)]
    picture = Detection(box + np.array([420, 10], np.float32), score)
    finder = Finder(cast("Locator", _Locator()), cast("Classifier", _Classifier()))
    return finder.name(Photo("row", rgb), LocatedTiles([*row, picture], []), is_bare=is_bare)


@pytest.mark.parametrize(
    ("reason", "tiles", "score", "is_bare", "is_kept"),
    [
        ("the locator is sure: a picture never seen", 10, 0.7, True, True),
        ("neither network is sure: something else", 10, 0.5, True, False),
        ("print of the mat", 10, 0.7, False, False),
        ("too few tiles to know their size: a part of a large one", 5, 0.7, True, False),
    ],
)
def test_what_the_classifier_does_not_know(
    reason: str, tiles: int, score: float, is_bare: bool, is_kept: bool
) -> None:
    pictures = _name_row(tiles, score, is_bare)[tiles:]
    assert len(pictures) == is_kept, reason
    for sight in pictures:
        chances = {
            sight.classification.code: sight.classification.confidence,
            **dict(sight.classification.alternatives),
        }
        assert {code[0] for code in chances} <= {"F", "S"}
        assert sight.classification.confidence < _Classifier.gate, "it is asked about"
        assert sum(sight.classification.raw_outputs[0]) == pytest.approx(PICTURE_BONUS_CHANCE)
