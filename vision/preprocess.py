"""What the networks are given and what their outputs mean: one truth for training and serving."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import CODES, FACE_DOWN

RGB = npt.NDArray[np.uint8]
"""A picture, shape (height, width, 3)."""

STRIDE = 32
"""The locator's input must be a multiple of this on both sides."""

LOCATOR_SIDE = 640
"""The longer side of the picture that the locator is given, in pixels."""

CELL = 4
"""Pixels of the locator's input to one cell of its output maps."""

OFFSET_UNIT = 32.0
"""Pixels of the locator's input to one unit of its corner offsets, so that these are near 1."""

LABELS: tuple[str, ...] = (*CODES, FACE_DOWN)
"""The 43 names in the order of the classifier's outputs."""

CROP_WIDTH, CROP_HEIGHT = 64, 80
"""The straightened tile that the classifier is given, in pixels."""

CROP_MARGIN = 0.06
"""How much of the tile's surroundings the crop keeps, as a share of the tile on each side."""


def shrink_for_locator(rgb: RGB, side: int = LOCATOR_SIDE) -> tuple[RGB, float]:
    """Return the photo with its longer side at `side`, padded to the stride, and the scale used.

    The picture lies at the top left; the padding at the right and bottom is mid grey.
    """
    height, width = rgb.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    shrunk = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    padded = np.full((-(-size[1] // STRIDE) * STRIDE, -(-size[0] // STRIDE) * STRIDE, 3), 128)
    padded = padded.astype(np.uint8)
    padded[: size[1], : size[0]] = shrunk
    return padded, scale


def straighten(rgb: RGB, quad: npt.NDArray[np.float32]) -> RGB:
    """Cut a tile out of a photo, shape (CROP_HEIGHT, CROP_WIDTH, 3).

    `quad` has shape (4, 2): the corners, in pixels, that become top left, top right, bottom right
    and bottom left. Large tiles are shrunk before they are warped, so that ink does not alias.
    """
    side = max(float(np.linalg.norm(quad[i] - quad[i - 1])) for i in range(4))
    shrink = min(1.0, 1.6 * CROP_HEIGHT / max(side, 1.0))
    if shrink < 1:
        x0, y0 = np.maximum(np.floor(quad.min(0) - 0.2 * side), 0).astype(int)
        x1, y1 = np.ceil(quad.max(0) + 0.2 * side).astype(int)
        part = rgb[y0:y1, x0:x1]
        if part.size:
            size = (max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink)))
            ratio = np.array([size[0] / part.shape[1], size[1] / part.shape[0]])
            quad = ((quad - (x0, y0)) * ratio).astype(np.float32)
            rgb = cv2.resize(part, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), _CROP_CORNERS)
    crop = cv2.warpPerspective(
        rgb,
        matrix,
        (CROP_WIDTH, CROP_HEIGHT),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return crop.astype(np.uint8)


def _crop_corners() -> npt.NDArray[np.float32]:
    """Where a tile's corners lie in its crop, the margin being outside them."""
    left, top = CROP_WIDTH * CROP_MARGIN, CROP_HEIGHT * CROP_MARGIN
    right, bottom = CROP_WIDTH - left, CROP_HEIGHT - top
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


_CROP_CORNERS = _crop_corners()


def to_input(pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return pictures of shape (N, H, W, 3) as network input of shape (N, 3, H, W), 0 to 1."""
    return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), dtype=np.float32) / np.float32(255)
