"""Find every tile in a photograph as a quad, whatever its face.

Where the tiles are too small for the locator, it looks again at enlarged windows of the photo.
"""

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
"""Two quads are the same tile if they share more than this part of the smaller one."""

AGREES = 0.1
"""A neighbouring cell counts if its heat is at least this share of the centre's."""

_AROUND = np.array([(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1)])
"""Offsets of a cell and its eight neighbours, (9, 2)."""

_CENTRE = 4
"""Position of the cell itself in `_CELL_NEIGHBOURS`."""

FAINT = 0.5
"""Detections from this share of the threshold only say where to look closer."""

FURTHER = (256, 112)
"""Longer side of the shrunk picture for tiles too large at the first look. The first size suits
tiles from a quarter of the frame to most of it, the second those that fill it."""

LARGE = 32.0
"""Short side, in pixels of such a picture, from which a tile counts. Smaller ones were seen better
before."""


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A tile that the locator found."""

    quad: npt.NDArray[np.float32]
    """(4, 2), in pixels of the photograph, clockwise; the first two corners span a short side."""
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
        """Return the tiles in the photo, most confident first; look closer where they are small."""
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
        """Return tiles too large for `locate`, some of them twice."""
        found = []
        for side in FURTHER:
            picture, scale, border = step_back(photo.rgb, side)
            corner = (round(-border / scale), round(-border / scale))
            seen = self._look(picture, scale, corner)
            found += [tile for tile in seen if _short_side(tile.quad) * scale >= LARGE]
        return [t for t in found if t.score >= self._threshold and centre_inside(t.quad, photo)]

    def glance(self, photo: Photo) -> list[Located]:
        """Return the tiles that one look at the whole photo shows, most confident first."""
        return [tile for tile in self._look(*photo.shrunk) if tile.score >= self._threshold]

    def _look_at(self, photo: Photo, window: Window, side: int) -> list[Located]:
        """Return possible tiles in a part of the photo."""
        x0, y0, x1, y1 = window
        return self._look(*shrink_for_locator(photo.rgb[y0:y1, x0:x1], side), (x0, y0))

    def _look(self, picture: RGB, scale: float, corner: tuple[int, int] = (0, 0)) -> list[Located]:
        """Return possible tiles in the photo's pixels; `corner` is the picture's upper left."""
        logits, outlines = self._model.run(to_input(picture[None]))
        found = decode(logits[0, 0], outlines[0], FAINT * self._threshold)
        shift = np.array(corner, np.float32)
        return [Located(tile.quad / np.float32(scale) + shift, tile.score) for tile in found]


def decode(logits: Float32s, outlines: Float32s, threshold: float) -> list[Located]:
    """Turn heat (rows, columns) and outline maps into tiles, most confident first.

    The outline map (OUTLINE_NUMBERS, rows, columns) is encoded by `vision.networks.outline`, in
    units of OFFSET_UNIT_PX.
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
    """Return quads (N, 4, 2) in input pixels, and scores, of tiles centred in these cells.

    The cells around a centre learned the same outline. Their mean, weighted by heat, is steadier
    than one cell's answer.
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
    """Drop tiles that lie mostly on a more confident one; tiles come most confident first."""
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
    """Return the share of the smaller of two convex quads that lies in the other, 0 to 1."""
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area / smaller) if smaller > 0 else 0.0


def _short_side(quad: npt.NDArray[np.float32]) -> float:
    """Return the length of the shortest side of a quad (4, 2)."""
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).min())


def _tile_shaped(quads: Float32s) -> npt.NDArray[np.bool_]:
    """Return which quads (N, 4, 2) are convex, clockwise (y down) and not too narrow."""
    edges = np.roll(quads, -1, axis=1) - quads
    after = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * after[..., 1] - edges[..., 1] * after[..., 0]
    lengths = np.linalg.norm(edges, axis=2)
    return np.asarray((turns > 0).all(1) & (lengths.min(1) > 0.2 * lengths.max(1)))


def centre_inside(quad: npt.NDArray[np.float32], photo: Photo) -> bool:
    """Return whether the middle of a quad (4, 2) lies in the photo."""
    x, y = quad.mean(0).tolist()
    return bool(0 <= x < photo.width and 0 <= y < photo.height)
