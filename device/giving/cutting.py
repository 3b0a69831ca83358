"""Cut a hand's tiles out of their photograph and paint over everything else."""

from __future__ import annotations

import io
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from vision.preprocess import RGB

QuadArray = npt.NDArray[np.float32]
"""Corners of N tiles, shape (N, 4, 2), in pixels."""

MARGIN = 0.15
"""Margin of the table kept around a tile, in tile widths: it shows the tile's sides and end.
The networks read the picture as well with this as with 0.3 or 0.5 (tests/README.md)."""

PAINT = 128
"""Grey painted over everything else, the same in every picture."""

LONGEST = 1600
"""A tile of eighteen in a row is then 80 pixels wide; the classifier takes 64."""

QUALITY = 92


@dataclass(frozen=True, slots=True, eq=False)
class Cutting:
    """A picture of a hand's tiles and nothing else."""

    rgb: RGB
    quads: QuadArray
    """The corners of the tiles in the picture."""

    def jpeg(self) -> bytes:
        """Return a newly encoded JPEG without any metadata."""
        out = io.BytesIO()
        Image.fromarray(self.rgb).save(out, "JPEG", quality=QUALITY, subsampling=0)
        return out.getvalue()


class OutsideError(ValueError):
    """A tile lies outside the photograph."""


def cut(rgb: RGB, tiles: QuadArray, others: QuadArray) -> Cutting:
    """Return the tiles with a margin, everything else painted over.

    `others` are tiles that are not the hand's. They are hidden even in the margins. Raises
    TileOutsidePhotoError.
    """
    width = _tile_width(tiles)
    _check(tiles, rgb, width)
    margin = max(1, round(MARGIN * width))
    low = np.floor(tiles.min((0, 1))).astype(int) - margin
    high = np.ceil(tiles.max((0, 1))).astype(int) + margin
    shown = _shown((high - low)[::-1], tiles - low, others - low, margin)
    picture = np.where(shown[:, :, None], _part(rgb, low, high), np.uint8(PAINT))
    return _shrunk(picture, (tiles - low).astype(np.float32))


def _tile_width(tiles: QuadArray) -> float:
    """Return the median length of the tiles' shorter sides, in pixels."""
    sides = np.linalg.norm(tiles - np.roll(tiles, -1, axis=1), axis=2)
    return float(np.median(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3])) / 2)


def _check(tiles: QuadArray, rgb: RGB, width: float) -> None:
    """Refuse corners more than one tile width outside the photograph."""
    size = np.array([rgb.shape[1], rgb.shape[0]])
    if not ((tiles > -width) & (tiles < size + width)).all():
        raise OutsideError


def _part(rgb: RGB, low: npt.NDArray[np.int_], high: npt.NDArray[np.int_]) -> RGB:
    """Return a region of the photograph, painted where it reaches outside."""
    (x0, y0), (x1, y1) = low, high
    height, width = rgb.shape[:2]
    inner = rgb[max(y0, 0) : min(y1, height), max(x0, 0) : min(x1, width)]
    beyond = ((max(-y0, 0), max(y1 - height, 0)), (max(-x0, 0), max(x1 - width, 0)), (0, 0))
    return np.pad(inner, beyond, constant_values=PAINT)


def _shown(
    shape: npt.NDArray[np.int_], tiles: QuadArray, others: QuadArray, margin: int
) -> npt.NDArray[np.bool_]:
    """Return a mask (height, width) of the pixels that show the tiles or their margins."""
    shown = np.zeros(shape, np.uint8)
    own = list(np.round(tiles).astype(np.int32))
    cv2.polylines(shown, own, True, [1], thickness=2 * margin - 1)
    cv2.fillPoly(shown, list(np.round(others).astype(np.int32)), [0])
    for quad in own:  # one at a time: filled together, overlapping tiles cancel out
        cv2.fillPoly(shown, [quad], [1])
    return shown.astype(bool)


def _shrunk(picture: RGB, tiles: QuadArray) -> Cutting:
    height, width = picture.shape[:2]
    scale = LONGEST / max(height, width)
    if scale >= 1:
        return Cutting(picture, tiles)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    ratio = np.array([size[0] / width, size[1] / height], np.float32)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return Cutting(small.astype(np.uint8), tiles * ratio)
