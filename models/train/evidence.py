"""What the networks say of places whose truth is known: what thresholds are fitted on."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.labels import LabelledPhoto
from vision.measure.evaluate import match_tiles
from vision.networks.classifier import chances_of
from vision.networks.locator import Detection, Locator
from vision.networks.model import Model
from vision.photo import open_photo
from vision.preprocess import LABELS, NO_TILE, straighten, to_input

Array = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the networks say of N places in the photographs, and what lies there."""

    logits: Array
    """(N, 44)."""
    scores: Array
    """(N,): the locator's."""
    truth: npt.NDArray[np.int64]
    """(N,): place in LABELS."""
    photo: npt.NDArray[np.int64]
    """(N,): number of the photograph."""

    @property
    def tiles(self) -> npt.NDArray[np.bool_]:
        """(N,): whether a tile lies there."""
        return np.asarray(self.truth != LABELS.index(NO_TILE))

    def save(self, path: Path) -> None:
        """Write an .npz file."""
        np.savez_compressed(path, **{f.name: getattr(self, f.name) for f in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Evidence:
        """Read what `save` wrote."""
        with np.load(path) as arrays:
            return cls(**{f.name: arrays[f.name] for f in fields(cls)})


def gather(photos: list[LabelledPhoto], folder: Path | None = None) -> Evidence:
    """Return what the networks in `folder`, or the box's own, say of these photographs."""
    locator, classifier = Locator.load(folder), Model.load("classifier", folder)
    crops, scores, truth, numbers = [], [], [], []
    for number, labelled in enumerate(photos):
        photo = open_photo(labelled.path.read_bytes(), labelled.path.name)
        found = [Detection(tile.quad, 1.0) for tile in labelled.tiles]
        if labelled.kind == "photo":
            found = locator.locate(photo)
        match = {j: i for i, j in match_tiles(labelled, [tile.quad for tile in found])}
        for j, tile in enumerate(found):
            if j in match or labelled.is_known(*tile.quad.mean(0)):
                crops.append(straighten(photo.rgb, tile.quad))
                scores.append(tile.score)
                code = labelled.tiles[match[j]].code if j in match else NO_TILE
                truth.append(LABELS.index(code))
                numbers.append(number)
    inputs = to_input(np.stack(crops))
    logits = [classifier.run(inputs[k : k + 64])[0] for k in range(0, len(inputs), 64)]
    return Evidence(
        np.concatenate(logits), np.array(scores, np.float32), np.array(truth), np.array(numbers)
    )


def best_temperature(logits: Array, truth: npt.NDArray[np.int64]) -> float:
    """Return the temperature of least log loss (Guo et al. 2017)."""
    rows = np.arange(len(truth))

    def log_loss(temperature: float) -> float:
        chances = chances_of(logits, temperature)[rows, truth]
        return float(-np.log(np.maximum(chances, 1e-9)).mean())

    return float(min(np.round(np.arange(0.3, 3.0, 0.02), 2), key=log_loss))
