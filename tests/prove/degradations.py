"""Degrade photographs by known amounts: darkness, blur, glare, distance, a cut edge."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.labels import LabelledPhoto
from vision.photo import Photo
from vision.preprocess import RGB

GAMMA = 2.2

FULL_WELL, READ_NOISE = 4000.0, 4.0
"""Electrons of one pixel of a small sensor at high gain."""


def darken(rgb: RGB, stops: float, rng: np.random.Generator, *, is_brightened: bool = False) -> RGB:
    """Return the picture with fewer stops of light, and more noise.

    `is_brightened` brightens it again, as a phone does: the grain stays.
    """
    light = (rgb / np.float32(255)) ** GAMMA * 2.0**-stops
    electrons = rng.poisson(light * FULL_WELL) + rng.normal(0, READ_NOISE, light.shape)
    exposure = electrons / FULL_WELL * (2.0**stops if is_brightened else 1.0)
    return _save_as_jpeg(255 * np.clip(exposure, 0, 1) ** (1 / GAMMA))


def defocus(rgb: RGB, radius: float) -> RGB:
    """Return the picture with every point spread to a disc, radius in pixels."""
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return _convolve(rgb, np.clip(radius + 0.5 - np.hypot(x, y), 0, 1))


def move(rgb: RGB, length: float, angle: float) -> RGB:
    """Return the picture moved along a line, its length in pixels and angle in radians."""
    side = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((side, side), np.float32)
    way = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    # OpenCV draws lines to a sixteenth of a pixel, and smoothly.
    ends = [tuple(int(v) for v in np.round(16 * (side // 2 + s * way))) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return _convolve(rgb, kernel)


def shine(rgb: RGB, quad: npt.NDArray[np.float32], size: float, rng: np.random.Generator) -> RGB:
    """Return the picture with a lamp's reflection somewhere on the tile, `size` tile widths."""
    width = float(np.linalg.norm(quad[1] - quad[0]))
    centre = quad[0] + rng.uniform(0.2, 0.8, 2) @ np.stack([quad[1] - quad[0], quad[3] - quad[0]])
    angle = rng.uniform(0, np.pi)
    y, x = np.mgrid[: rgb.shape[0], : rgb.shape[1]].astype(np.float32)
    x, y = x - np.float32(centre[0]), y - np.float32(centre[1])
    long = x * np.cos(angle) + y * np.sin(angle)
    short = 1.6 * (y * np.cos(angle) - x * np.sin(angle))
    light = 2 * np.exp(-(long**2 + short**2) / (size * width) ** 2)
    return _save_as_jpeg(rgb + 255 * light[..., None])


def shrink(rgb: RGB, scale: float) -> RGB:
    """Return the picture from so far away that it is smaller by `scale`, below 1."""
    return cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8)


def cut_off_tile(
    photo: Photo, photo_labels: LabelledPhoto, edge: str, share: float
) -> tuple[Photo, LabelledPhoto]:
    """Return the photograph without a share of its outermost tile, and all that lies beyond."""
    quads = np.stack([tile.quad for tile in photo_labels.tiles])
    low, high = quads.min((0, 1)), quads.max((0, 1))
    shift = share * np.median(quads.max(1) - quads.min(1), axis=0)
    x0 = int(max(0, low[0] + shift[0])) if edge == "left" else 0
    y0 = int(max(0, low[1] + shift[1])) if edge == "top" else 0
    x1 = int(high[0] - shift[0]) if edge == "right" else photo.width
    y1 = int(high[1] - shift[1]) if edge == "bottom" else photo.height
    offset = np.array([x0, y0], np.float32)
    tiles = tuple(replace(t, quad=t.quad - offset, approximate=True) for t in photo_labels.tiles)
    a, b, c, d = photo_labels.roi
    left = replace(
        photo_labels, tiles=tiles, roi=(a - x0, b - y0, c - x0, d - y0), unlabelled_boxes=()
    )
    return Photo(photo.name, np.ascontiguousarray(photo.rgb[y0:y1, x0:x1])), left


def scale_labels(photo_labels: LabelledPhoto, scale: float) -> LabelledPhoto:
    """Return the labels of a photograph that was shrunk."""
    x0, y0, x1, y1 = (scale * edge for edge in photo_labels.roi)
    tiles = tuple(replace(tile, quad=tile.quad * np.float32(scale)) for tile in photo_labels.tiles)
    return replace(photo_labels, tiles=tiles, roi=(x0, y0, x1, y1), unlabelled_boxes=())


def _convolve(rgb: RGB, kernel: npt.NDArray[np.floating]) -> RGB:
    weights = (kernel / kernel.sum()).astype(np.float32)
    spread = cv2.filter2D(rgb, cv2.CV_32F, weights, borderType=cv2.BORDER_REPLICATE)
    return _save_as_jpeg(spread.astype(np.float32))


def _save_as_jpeg(picture: npt.NDArray[np.floating]) -> RGB:
    """Return the picture as a phone keeps it: a JPEG."""
    levels = np.clip(np.round(picture), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", levels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])
    jpeg = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert jpeg is not None
    return np.ascontiguousarray(jpeg[..., ::-1], np.uint8)
