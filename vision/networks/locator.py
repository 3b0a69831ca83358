"""Find every tile in a photograph as a quad, whatever its face.

Where the tiles are too small for the locator, it looks again at enlarged windows of the photo.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks import outline
from vision.networks.model import Model
from vision.photo import Photo
from vision.preprocess import (
    CELL_SIDE_PX,
    LOCATOR_SIDE_PX,
    OFFSET_UNIT_PX,
    RGB,
    Float32s,
    shrink_for_locator,
    shrink_with_border,
    to_input,
)

MAX_SHARED_AREA = 0.35
"""Two quads are the same tile if they share more than this part of the smaller one."""

MIN_NEIGHBOUR_HEAT_SHARE = 0.1
"""A neighbouring cell counts if its heat is at least this share of the centre's."""

_CELL_NEIGHBOURS = np.array([(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1)])
"""Offsets of a cell and its eight neighbours, (9, 2)."""

_CENTRE_INDEX = 4
"""Position of the cell itself in `_CELL_NEIGHBOURS`."""

FAINT_THRESHOLD_SHARE = 0.5
"""Detections from this share of the threshold only say where to look closer."""

MIN_FAINT_SCORE = 0.075
"""From this score a detection may be a blank tile, if all around it says so."""

ZOOM_OUT_SIDES_PX = (256, 112)
"""Longer side of the shrunk picture for tiles too large at the first look. The first size suits
tiles from a quarter of the frame to most of it, the second those that fill it."""

MIN_LARGE_TILE_PX = 32.0
"""Short side, in pixels of such a picture, from which a tile counts. Smaller ones were seen better
before."""


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A tile that the locator found."""

    quad: npt.NDArray[np.float32]
    """(4, 2), in pixels of the photograph, clockwise; the first two corners span a short side."""
    score: float
    """The locator's confidence that a tile is there, 0 to 1."""


class LocatedTiles(NamedTuple):
    """What the locator made of a photograph, most confident first."""

    tiles: list[Detection]
    faint: list[Detection]
    """What is less likely a tile than its threshold asks for."""


class Locator:
    """Finds tiles with the network `models/locator.onnx`."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._threshold = model.card.settings["threshold"]

    @classmethod
    def load(cls, folder: Path | None = None) -> Locator:
        """Load the network; raise ModelError when it is missing or altered."""
        return cls(Model.load("locator", folder))

    def locate(self, photo: Photo) -> LocatedTiles:
        """Return the tiles in the photo; look closer where they are small."""
        detections = self._look(*photo.locator_input)
        faint_threshold = FAINT_THRESHOLD_SHARE * self._threshold
        quads = [tile.quad for tile in detections if tile.score >= faint_threshold]
        windows = choose_windows(quads, photo.width, photo.height)
        if windows:
            closer_up = [
                tile
                for window in windows
                for tile in self._look_at(photo, window, picture_side(window, quads))
            ]
            if any(tile.score >= faint_threshold for tile in closer_up):
                detections = _drop_overlapping(sorted(closer_up, key=lambda tile: -tile.score))
        detections = [tile for tile in detections if is_centre_inside(tile.quad, photo)]
        sure = [tile for tile in detections if tile.score >= self._threshold]
        return LocatedTiles(sure, detections[len(sure) :])

    def locate_larger(self, photo: Photo) -> list[Detection]:
        """Return tiles too large for `locate`, some of them twice."""
        large_tiles = []
        for side in ZOOM_OUT_SIDES_PX:
            picture, scale, border = shrink_with_border(photo.rgb, side)
            corner = (round(-border / scale), round(-border / scale))
            detections = self._look(picture, scale, corner, self._threshold)
            large_tiles += [
                tile
                for tile in detections
                if _short_sides(tile.quad[None]).item() * scale >= MIN_LARGE_TILE_PX
            ]
        return [tile for tile in large_tiles if is_centre_inside(tile.quad, photo)]

    def glance(self, photo: Photo) -> list[Detection]:
        """Return the tiles that one look at the whole photo shows, most confident first."""
        return self._look(*photo.locator_input, min_score=self._threshold)

    def _look_at(self, photo: Photo, window: Window, side: int) -> list[Detection]:
        """Return possible tiles in a part of the photo."""
        x0, y0, x1, y1 = window
        return self._look(*shrink_for_locator(photo.rgb[y0:y1, x0:x1], side), (x0, y0))

    def _look(
        self,
        picture: RGB,
        scale: float,
        corner: tuple[int, int] = (0, 0),
        min_score: float = MIN_FAINT_SCORE,
    ) -> list[Detection]:
        """Return possible tiles in the photo's pixels, most confident first, down to a score.

        `corner` is the picture's upper left.
        """
        logits, outlines = self._model.run(to_input(picture[None]))
        detections = decode(logits[0, 0], outlines[0], min_score)
        shift = np.array(corner, np.float32)
        return [Detection(tile.quad / np.float32(scale) + shift, tile.score) for tile in detections]


def decode(logits: Float32s, outlines: Float32s, threshold: float) -> list[Detection]:
    """Turn heat (rows, columns) and outline maps into tiles, most confident first.

    The outline map (OUTLINE_NUMBERS, rows, columns) is encoded by `vision.networks.outline`, in
    units of OFFSET_UNIT_PX.
    """
    likely = logits >= math.log(threshold / (1 - threshold))
    rows, columns = np.nonzero(likely & (logits >= cv2.dilate(logits, np.ones((3, 3), np.uint8))))
    quads, scores = _average_outlines(logits, outlines, rows, columns)
    order = np.argsort(-scores)
    order = order[_is_tile_shaped(quads[order])]
    return _drop_overlapping([Detection(quads[i], float(scores[i])) for i in order])


def _average_outlines(
    logits: Float32s, outlines: Float32s, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
) -> tuple[Float32s, Float32s]:
    """Return quads (N, 4, 2) in input pixels, and scores, of tiles centred in these cells.

    The cells around a centre learned the same outline. Their mean, weighted by heat, is steadier
    than one cell's answer.
    """
    r = np.clip(rows[:, None] + _CELL_NEIGHBOURS[:, 0], 0, logits.shape[0] - 1)
    c = np.clip(columns[:, None] + _CELL_NEIGHBOURS[:, 1], 0, logits.shape[1] - 1)
    cell_outlines = np.moveaxis(outlines[:, r, c], 0, -1) * np.float32(OFFSET_UNIT_PX)
    cell_outlines[..., outline.CENTRE_SLICE] += (np.stack([c, r], -1) + 0.5) * CELL_SIDE_PX
    heat = np.asarray(1 / (1 + np.exp(-logits[r, c])), np.float32)
    score = heat[:, _CENTRE_INDEX, None]
    weights = np.where(heat >= MIN_NEIGHBOUR_HEAT_SHARE * score, heat, 0)[..., None]
    return outline.decode((cell_outlines * weights).sum(1) / weights.sum(1)), score[:, 0]


def _drop_overlapping(tiles: list[Detection]) -> list[Detection]:
    """Drop tiles that lie mostly on a more confident one; tiles come most confident first."""
    if not tiles:
        return []
    quads = np.stack([tile.quad for tile in tiles])
    low, high = quads.min(1), quads.max(1)
    meet = ((low[:, None] < high) & (high[:, None] > low)).all(2).tolist()
    kept_places: list[int] = []
    for k, tile in enumerate(tiles):
        overlapping = (j for j in kept_places if meet[k][j])
        if all(shared_area(tile.quad, tiles[j].quad) <= MAX_SHARED_AREA for j in overlapping):
            kept_places.append(k)
    return [tiles[k] for k in kept_places]


def shared_area(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float:
    """Return the share of the smaller of two convex quads that lies in the other, 0 to 1."""
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area / smaller) if smaller > 0 else 0.0


def _is_tile_shaped(quads: Float32s) -> npt.NDArray[np.bool_]:
    """Return which quads (N, 4, 2) are convex, clockwise (y down) and not too narrow."""
    edges = np.roll(quads, -1, axis=1) - quads
    after = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * after[..., 1] - edges[..., 1] * after[..., 0]
    lengths = np.linalg.norm(edges, axis=2)
    return np.asarray((turns > 0).all(1) & (lengths.min(1) > 0.2 * lengths.max(1)))


def is_centre_inside(quad: npt.NDArray[np.float32], photo: Photo) -> bool:
    """Return whether the middle of a quad (4, 2) lies in the photo."""
    x, y = quad.mean(0).tolist()
    return bool(0 <= x < photo.width and 0 <= y < photo.height)


Window = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the photograph."""

MIN_LOCATOR_TILE_PX = 24.0
"""Tiles narrower than this, in pixels of the locator's input, need a closer look."""

TARGET_TILE_PX = 30.0
"""Width of a tile in a closer look, in pixels of the locator's input."""

TARGET_TABLE_TILE_PX = 50.0
"""The same where several windows are needed and the photograph shows the tiles so large. On a table
in play at 12 megapixels (`tests/prove/table_in_play.py`) 55 of 78 tiles are found at 30 pixels, 70
at 40 and all at 50. Enlarging a smaller photograph so far loses tiles."""

MAX_TARGET_TILE_PX = 60.0
"""Widest that a closer look makes a few tiles. Enlarged further, the circles of a single tile would
be found as tiles."""

MAX_FEW_TILES = 3
"""At most this many tiles are a few. Some of a larger group are found only at full enlargement."""

WINDOW_MARGIN_WIDTHS = 2.5
"""Space around the tiles found, in tile widths: missed tiles mostly lie beside found ones."""

WINDOW_OVERLAP_WIDTHS = 2.5
"""Overlap of neighbouring windows, in tile widths, so that no tile is cut by both."""

MAX_WINDOWS = 16
"""Windows per photograph; limits the time for a whole table."""


def choose_windows(
    quads: Sequence[npt.NDArray[np.float32]], width: int, height: int
) -> list[Window]:
    """Return the windows to look at again; empty where the tiles (4, 2) are large enough.

    `width` and `height` are the photograph's; the quads are in its pixels.
    """
    if not quads:
        return []
    tile = float(np.median(_short_sides(np.stack(quads))))
    shrink = LOCATOR_SIDE_PX / max(width, height)
    if tile * shrink >= MIN_LOCATOR_TILE_PX:
        return []
    windows = _cover_with_windows(quads, tile, TARGET_TILE_PX, (width, height))
    if len(windows) > 1 and tile > TARGET_TILE_PX:
        windows = _cover_with_windows(quads, tile, min(tile, TARGET_TABLE_TILE_PX), (width, height))
    return windows


def _cover_with_windows(
    quads: Sequence[npt.NDArray[np.float32]], tile: float, shown_px: float, size: tuple[int, int]
) -> list[Window]:
    """Return windows around the quads that show a tile of `tile` pixels at `shown_px` pixels."""
    corners = np.concatenate(quads)
    low = np.maximum(corners.min(0) - WINDOW_MARGIN_WIDTHS * tile, 0)
    high = np.minimum(corners.max(0) + WINDOW_MARGIN_WIDTHS * tile, size)
    longest = max(LOCATOR_SIDE_PX * tile / shown_px, (WINDOW_OVERLAP_WIDTHS + 2) * tile)
    longest = min(longest, 0.8 * max(size))
    stretches, overlap = list(zip(low, high, strict=True)), WINDOW_OVERLAP_WIDTHS * tile
    columns, rows = (_cut_stretch(*ends, longest, overlap) for ends in stretches)
    if len(columns) * len(rows) > MAX_WINDOWS:
        longest = longest * math.sqrt(len(columns) * len(rows) / MAX_WINDOWS) * 1.2
        columns, rows = (_cut_stretch(*ends, longest, overlap) for ends in stretches)
    right, foot = size
    return [(x0, y0, min(x1, right), min(y1, foot)) for y0, y1 in rows for x0, x1 in columns]


def picture_side(window: Window, quads: Sequence[npt.NDArray[np.float32]]) -> int:
    """Return the longer side, in pixels, of the locator's input for a window on these tiles."""
    if len(quads) > MAX_FEW_TILES:
        return LOCATOR_SIDE_PX
    x0, y0, x1, y1 = window
    enlarge = MAX_TARGET_TILE_PX / float(np.median(_short_sides(np.stack(quads))))
    return min(LOCATOR_SIDE_PX, math.ceil(enlarge * max(x1 - x0, y1 - y0)))


def _short_sides(quads: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the length (N,) of the shortest side of each quad (N, 4, 2)."""
    sides = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)
    return np.asarray(sides.min(1), np.float32)


def _cut_stretch(low: float, high: float, longest: float, overlap: float) -> list[tuple[int, int]]:
    """Return the fewest equal, overlapping pieces of a stretch, none longer than `longest`."""
    length = high - low
    count = 1 if length <= longest else math.ceil((length - overlap) / max(longest - overlap, 1.0))
    piece = (length + (count - 1) * overlap) / count
    starts = [low + k * (piece - overlap) for k in range(count)]
    return [(math.floor(start), math.ceil(start + piece)) for start in starts]
