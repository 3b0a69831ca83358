"""Inputs and outputs of the networks, shared by training and serving."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import CODES, FACE_DOWN

Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]

RGB = npt.NDArray[np.uint8]
"""A picture, shape (height, width, 3)."""

INPUT_STRIDE_PX = 32
"""Both sides of the locator's input must be a multiple of this."""

LOCATOR_SIDE_PX = 640
"""Longer side of the locator's input."""

CELL_SIDE_PX = 4
"""Side of the square of the locator's input that one cell of its output maps covers."""

OFFSET_UNIT_PX = 32.0
"""Pixels of the locator's input per unit of its corner offsets, so that they are near 1."""

NO_TILE = "--"
"""Label of a crop that shows no tile."""

LABELS: tuple[str, ...] = (*CODES, FACE_DOWN, NO_TILE)
"""The 44 classes in the order of the classifier's outputs."""

CROP_WIDTH_PX, CROP_HEIGHT_PX = 64, 80
"""Size of the straightened tile that the classifier reads."""

SECOND_LOOK_SHIFT_SHARE = 0.05
"""How far a second look is shifted, as a share of the tile's width."""

CROP_MARGIN_SHARE = 0.06
"""Surroundings kept on each side of the tile, as a share of the tile."""


LINEAR = cv2.INTER_LINEAR_EXACT
"""Linear steps that give the same picture on every processor. OpenCV's plain ones round every
fourth pixel otherwise on arm64, and the locator then sees other tiles where it is in doubt."""


def shrink_for_locator(rgb: RGB, side: int = LOCATOR_SIDE_PX) -> tuple[RGB, float]:
    """Return the photo with its longer side at `side`, padded to the stride, and the scale.

    The picture is at the top left; the padding at the right and bottom is mid grey.
    """
    height, width = rgb.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    shape = (
        -(-size[1] // INPUT_STRIDE_PX) * INPUT_STRIDE_PX,
        -(-size[0] // INPUT_STRIDE_PX) * INPUT_STRIDE_PX,
        3,
    )
    canvas = np.full(shape, 128, np.uint8)
    canvas[: size[1], : size[0]] = _resize(rgb, size)
    return canvas, scale


def shrink_with_border(rgb: RGB, side: int) -> tuple[RGB, float, int]:
    """Return the photo inside a border, the scale and the border's width.

    The photo's longer side is `side` pixels. The border has the colour of the photo's edge, so that
    a tile that fills the photo has space around it.
    """
    height, width = rgb.shape[:2]
    scale, border = side / max(height, width), side // 4
    small = _resize(rgb, (max(1, round(width * scale)), max(1, round(height * scale))))
    edge = np.concatenate([small[0], small[-1], small[:, 0], small[:, -1]])
    rows, columns = (
        -(-(length + 2 * border) // INPUT_STRIDE_PX) * INPUT_STRIDE_PX for length in small.shape[:2]
    )
    picture = np.empty((rows, columns, 3), np.uint8)
    picture[:] = np.median(edge, axis=0)
    picture[border : border + small.shape[0], border : border + small.shape[1]] = small
    return picture, scale, border


def _resize(rgb: RGB, size: tuple[int, int]) -> RGB:
    """Return the picture resized to `size` (width, height) without aliasing the ink.

    Halving by areas and then one linear step looks the same as shrinking by areas. It takes a
    quarter of the time, because OpenCV is fast only at whole ratios.
    """
    height, width = rgb.shape[:2]
    halvings = max(1, min(width // size[0], height)).bit_length() - 1
    if halvings:
        part = (width >> halvings, height >> halvings)
        even = rgb[: part[1] << halvings, : part[0] << halvings]
        rgb = cv2.resize(even, part, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return cv2.resize(rgb, size, interpolation=LINEAR).astype(np.uint8, copy=False)


def measure_paper(tile: RGB, step: int) -> Float64s:
    """Return the colour (3,) of a tile's paper; one pixel in `step`, each way, is looked at."""
    sample = tile[::step, ::step].reshape(-1, 3)
    return np.asarray(np.maximum(np.percentile(sample, 75, axis=0), 1), np.float64)


def straighten(rgb: RGB, quad: npt.NDArray[np.float32], width: int = CROP_WIDTH_PX) -> RGB:
    """Cut a tile out of a photo: (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), scaled to `width`.

    `quad` (4, 2) holds the corners, in pixels, that become top left, top right, bottom right and
    bottom left. Large tiles are shrunk before they are warped, so that ink is not aliased.
    """
    corners = quad.tolist()  # NumPy is slow for four numbers
    side = max(math.dist(corners[i], corners[i - 1]) for i in range(4))
    larger = width / CROP_WIDTH_PX
    height = round(CROP_HEIGHT_PX * larger)
    shrink = min(1.0, 1.6 * height / max(side, 1.0))
    if shrink < 1:
        x0, y0 = np.maximum(np.floor(quad.min(0) - 0.2 * side), 0).astype(int)
        x1, y1 = np.ceil(quad.max(0) + 0.2 * side).astype(int)
        part = rgb[y0:y1, x0:x1]
        if part.size:
            size = (max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink)))
            ratio = np.array([size[0] / part.shape[1], size[1] / part.shape[0]])
            quad = ((quad - (x0, y0)) * ratio).astype(np.float32)
            rgb = cv2.resize(part, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    crop_corners = _CROP_CORNERS * np.float32(larger)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), crop_corners)
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    crop = cv2.warpPerspective(rgb, matrix, (width, height), flags=flags, borderMode=border)
    return crop.astype(np.uint8)


def _compute_crop_corners() -> npt.NDArray[np.float32]:
    """Return the corners (4, 2) of a tile inside its crop, within the margin."""
    left, top = CROP_WIDTH_PX * CROP_MARGIN_SHARE, CROP_HEIGHT_PX * CROP_MARGIN_SHARE
    right, bottom = CROP_WIDTH_PX - left, CROP_HEIGHT_PX - top
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


_CROP_CORNERS = _compute_crop_corners()


def cut_shifted_crops(rgb: RGB, quad: npt.NDArray[np.float32]) -> list[RGB]:
    """Return crops of the quad (4, 2) shifted slightly to each side."""
    step = np.float32(SECOND_LOOK_SHIFT_SHARE) * (quad[1] - quad[0])
    return [straighten(rgb, quad + shift) for shift in (step, -step)]


def to_input(pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return pictures (N, H, W, 3) as network input (N, 3, H, W), 0 to 1."""
    count, height, width, colours = pictures.shape
    planes = np.empty((count, colours, height, width), np.float32)
    # OpenCV splits colours three times as fast as NumPy transposes.
    for place, plane in enumerate(cv2.split(pictures.reshape(-1, width, colours))):
        np.divide(plane.reshape(count, height, width), np.float32(255), out=planes[:, place])
    return planes
