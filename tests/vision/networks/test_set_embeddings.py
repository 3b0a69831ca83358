"""How tile sets look: each crop is looked at once, however many tables play with different sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import pytest

from vision.networks import set_embeddings
from vision.networks.classifier import Classifier
from vision.networks.prototypes import CLASS_NAMES, VIEWS_PER_CROP
from vision.networks.set_embeddings import SetEmbeddings
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB

BLANK: RGB = np.zeros((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), np.uint8)


class Counting:
    """A classifier that counts what it is shown."""

    def __init__(self) -> None:
        self.looked = 0

    def look(self, crops: Sequence[RGB]) -> npt.NDArray[np.float32]:
        """Say that every crop looks alike."""
        self.looked += len(crops)
        return np.zeros((len(crops), VIEWS_PER_CROP, 128), np.float32)


def codes(tile_set: str, count: int) -> dict[str, str]:
    """Return names of a set's crops, and what they show."""
    return {f"{tile_set}-{n}": CLASS_NAMES[n % len(CLASS_NAMES)] for n in range(count)}


def test_sets_that_are_asked_for_in_turns_are_looked_at_once() -> None:
    """It was 1,600 for these: each set drove the other's out."""
    classifier = Counting()
    sets = SetEmbeddings(cast(Classifier, classifier))
    for _ in range(4):
        for tile_set in "ab":
            assert sets.load_prototypes(codes(tile_set, 200), lambda _: BLANK)
    assert classifier.looked == 400


@pytest.mark.parametrize("room", [400, 300, 10])
def test_no_more_is_remembered_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """But for the set in use, which is whole."""
    monkeypatch.setattr(set_embeddings, "MAX_CACHED_CROPS", room)
    sets = SetEmbeddings(cast(Classifier, Counting()))
    for tile_set in "abcab":
        found = sets.load_prototypes(codes(tile_set, 200), lambda _: BLANK)
        assert found
        assert len(found.codes) == 200
        assert len(sets._looks) <= max(room, 200)
