"""Find every tile in a photograph, whatever its face, as a quad."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks import outline
from vision.networks.model import Model
from vision.networks.windows import Window, closer, picture_side
from vision.photo import Photo
from vision.preprocess import (
    CELL,
    OFFSET_UNIT,
    RGB,
    Float32s,
    shrink_for_locator,
    step_back,
    to_input,
)

OVERLAP = 0.35
"""Two quads that share more than this part of the smaller one are the same tile."""

AGREES = 0.1
"""Share of a centre's heat from which a neighbouring cell has a say in how the tile lies."""

_AROUND = np.array([(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1)])
"""A cell and the eight about it, (9, 2)."""

_CENTRE = 4
"""Where the cell itself stands in `_AROUND`."""

FAINT = 0.5
"""Share of the threshold from which a find says where to look closer, if no more than that."""

FURTHER = (256, 112)
"""Longer side of the picture, in pixels, for a tile too large at the first look: from a quarter of
the frame to most of it; and to all of it."""

LARGE = 32.0
"""Short side of a tile, in pixels of such a picture, from which it counts: a smaller one was seen
better in the picture before."""


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
    def load(cls, folder: Path | None = None) -> Locator:
        """Load the network; raise ModelError when it is missing or altered."""
        return cls(Model.load("locator", folder))

    def locate(self, photo: Photo) -> list[Located]:
        """Return the tiles in the photo, surest first; look closer where they are small."""
        found = self._look(*photo.shrunk)
        quads = [tile.quad for tile in found]
        windows = closer(quads, photo.width, photo.height)
        if windows:
            closer_up = [
                tile
                for window in windows
                for tile in self._look_at(photo, window, picture_side(window, quads))
            ]
            found = _each_once(sorted(closer_up, key=lambda tile: -tile.score)) or found
        return [t for t in found if t.score >= self._threshold and centre_inside(t.quad, photo)]

    def locate_larger(self, photo: Photo) -> list[Located]:
        """Return tiles too large for `locate`, as they look from further back; some twice."""
        found = []
        for side in FURTHER:
            picture, scale, border = step_back(photo.rgb, side)
            corner = (round(-border / scale), round(-border / scale))
            seen = self._look(picture, scale, corner)
            found += [tile for tile in seen if _short_side(tile.quad) * scale >= LARGE]
        return [t for t in found if t.score >= self._threshold and centre_inside(t.quad, photo)]

    def glance(self, photo: Photo) -> list[Located]:
        """Return the tiles that one look at the whole photo shows, surest first."""
        return [tile for tile in self._look(*photo.shrunk) if tile.score >= self._threshold]

    def _look_at(self, photo: Photo, window: Window, side: int) -> list[Located]:
        """Return what may be tiles in a part of the photo."""
        x0, y0, x1, y1 = window
        return self._look(*shrink_for_locator(photo.rgb[y0:y1, x0:x1], side), (x0, y0))

    def _look(self, picture: RGB, scale: float, corner: tuple[int, int] = (0, 0)) -> list[Located]:
        """Return what may be tiles, in the photo's pixels; `corner` is the picture's upper left."""
        logits, outlines = self._model.run(to_input(picture[None]))
        found = decode(logits[0, 0], outlines[0], FAINT * self._threshold)
        shift = np.array(corner, np.float32)
        return [Located(tile.quad / np.float32(scale) + shift, tile.score) for tile in found]


def decode(logits: Float32s, outlines: Float32s, threshold: float) -> list[Located]:
    """Turn maps (rows, columns) and (NUMBERS, rows, columns) into tiles, each once, surest first.

    The second are outlines as `vision.networks.outline` encodes them, in OFFSET_UNITs.
    """
    likely = logits >= math.log(threshold / (1 - threshold))
    rows, columns = np.nonzero(likely & (logits >= cv2.dilate(logits, np.ones((3, 3), np.uint8))))
    quads, scores = _agreed(logits, outlines, rows, columns)
    order = np.argsort(-scores)
    order = order[_tile_shaped(quads[order])]
    return _each_once([Located(quads[i], float(scores[i])) for i in order])


def _agreed(
    logits: Float32s, outlines: Float32s, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
) -> tuple[Float32s, Float32s]:
    """Return the quads (N, 4, 2) of the tiles centred in these cells, input pixels, and scores.

    The cells around a centre have learned the same outline: their mean, each weighed by how sure
    it is to be the centre, is steadier than what one says.
    """
    r = np.clip(rows[:, None] + _AROUND[:, 0], 0, logits.shape[0] - 1)
    c = np.clip(columns[:, None] + _AROUND[:, 1], 0, logits.shape[1] - 1)
    said = np.moveaxis(outlines[:, r, c], 0, -1) * np.float32(OFFSET_UNIT)
    said[..., outline.CENTRE] += (np.stack([c, r], -1) + 0.5) * CELL
    heat = np.asarray(1 / (1 + np.exp(-logits[r, c])), np.float32)
    score = heat[:, _CENTRE, None]
    weights = np.where(heat >= AGREES * score, heat, 0)[..., None]
    return outline.decode((said * weights).sum(1) / weights.sum(1)), score[:, 0]


def _each_once(tiles: list[Located]) -> list[Located]:
    """Return the tiles, surest first, without those that lie mostly on a surer one."""
    if not tiles:
        return []
    quads = np.stack([tile.quad for tile in tiles])
    low, high = quads.min(1), quads.max(1)
    meet = ((low[:, None] < high) & (high[:, None] > low)).all(2)
    kept: list[int] = []
    for k, tile in enumerate(tiles):
        near = (j for j in kept if meet[k, j])
        if all(shared_area(tile.quad, tiles[j].quad) <= OVERLAP for j in near):
            kept.append(k)
    return [tiles[k] for k in kept]


def shared_area(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    """Return what part of the smaller of two convex quads lies in the other, 0 to 1."""
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area / smaller) if smaller > 0 else 0.0


def _short_side(quad: npt.NDArray[np.float32]) -> float:
    """Return the length of the shortest side of a quad (4, 2)."""
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).min())


def _tile_shaped(quads: Float32s) -> npt.NDArray[np.bool_]:
    """Return which quads (N, 4, 2) are convex, clockwise on the picture (y down) and no slivers."""
    edges = np.roll(quads, -1, axis=1) - quads
    after = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * after[..., 1] - edges[..., 1] * after[..., 0]
    lengths = np.linalg.norm(edges, axis=2)
    return np.asarray((turns > 0).all(1) & (lengths.min(1) > 0.2 * lengths.max(1)))


def centre_inside(quad: npt.NDArray[np.float32], photo: Photo) -> bool:
    """Return whether the middle of a quad (4, 2) lies in the photo."""
    x, y = quad.mean(0).tolist()
    return bool(0 <= x < photo.width and 0 <= y < photo.height)
