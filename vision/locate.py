"""Find every tile in a photograph, whatever its face, as a quad."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.model import Array, Model
from vision.photo import Photo
from vision.preprocess import CELL, OFFSET_UNIT, shrink_for_locator, to_input

OVERLAP = 0.35
"""Two quads that share more than this part of the smaller one are the same tile."""


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A tile found."""

    quad: npt.NDArray[np.float32]
    """(4, 2), pixels of the photograph, clockwise; the first two corners span a short side."""
    score: float
    """The locator's confidence that a tile is there, 0 to 1."""


class Locator:
    """Finds tiles with the network `models/locator.onnx`."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._threshold = model.card.settings["threshold"]

    @classmethod
    def load(cls) -> Locator:
        """Load the network; raise ModelError when it is missing or altered."""
        return cls(Model.load("locator"))

    def locate(self, photo: Photo) -> list[Located]:
        """Return the tiles in the photo, surest first."""
        picture, scale = shrink_for_locator(photo.rgb)
        logits, offsets = self._model.run(to_input(picture[None]))
        found = decode(logits[0, 0], offsets[0], self._threshold)
        located = [Located(tile.quad / np.float32(scale), tile.score) for tile in found]
        return [t for t in located if _centre_inside(t.quad, photo)]


def decode(logits: Array, offsets: Array, threshold: float) -> list[Located]:
    """Turn maps (rows, columns) and (8, rows, columns) into tiles, each once, surest first."""
    heat = 1 / (1 + np.exp(-logits))
    peak = heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(peak & (heat >= threshold))
    centres = (np.stack([columns, rows], 1) + 0.5) * CELL
    corners = offsets[:, rows, columns].T.reshape(-1, 4, 2) * OFFSET_UNIT + centres[:, None]
    scores = heat[rows, columns]
    order = np.argsort(-scores)
    tiles = [Located(corners[i].astype(np.float32), float(scores[i])) for i in order]
    return _each_once([tile for tile in tiles if _is_tile_shaped(tile.quad)])


def _each_once(tiles: list[Located]) -> list[Located]:
    kept: list[Located] = []
    for tile in tiles:
        if all(shared_area(tile.quad, other.quad) <= OVERLAP for other in kept):
            kept.append(tile)
    return kept


def shared_area(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    """Return what part of the smaller of two convex quads lies in the other, 0 to 1."""
    if np.any(a.min(0) > b.max(0)) or np.any(b.min(0) > a.max(0)):
        return 0.0
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area / smaller) if smaller > 0 else 0.0


def _is_tile_shaped(quad: npt.NDArray[np.float32]) -> bool:
    """Convex, clockwise on the picture (y down), and not a sliver."""
    edges = np.roll(quad, -1, axis=0) - quad
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    return bool((turns > 0).all() and lengths.min() > 0.2 * lengths.max())


def _centre_inside(quad: npt.NDArray[np.float32], photo: Photo) -> bool:
    x, y = quad.mean(0)
    return bool(0 <= x < photo.width and 0 <= y < photo.height)
