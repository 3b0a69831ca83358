"""Look again at tiles photographed from low down, in a picture stretched to the height they have.

From low down tiles look flat. The locator then draws many outlines too narrow, and what is left of
a 4 of circles is a 2. All tiles of a table lie in one plane, so how flat they look together says
how far to stretch the picture.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.plane import measure_flatness
from vision.networks.locator import Detection, Locator, shared_area
from vision.networks.zoom_out import NamedDetection
from vision.photo import Photo
from vision.preprocess import LINEAR

MAX_FLATNESS = 0.7
"""Share of their usual height up to which tiles look flat."""

MIN_LIKELY_CONFIDENCE = 0.7
"""Below this confidence in its name a detection may be print on paper, which lies otherwise."""

MAX_STRETCH = 1.6
"""Stretched by 1.8 or more, tiles are invented."""

MAX_SIDE_PX = 2000
"""Longer side of a stretched picture; larger ones are shrunk, to save memory."""

MIN_SAME_TILE_SHARE = 0.6
"""Two outlines are of one tile if they share this part of the smaller one or more."""

MIN_AREA_RATIO = 0.75
"""A second outline that is smaller than this part of the first shows a part of the tile."""


def locate_in_stretched(
    locator: Locator, photo: Photo, sights: Sequence[NamedDetection]
) -> dict[int, Detection]:
    """Return how tiles are seen in a picture stretched until they look less flat.

    Keys are positions in `sights`. What is not found there is left out; all is where those with a
    likely name look high enough.
    """
    likely_tiles = [s for s in sights if s.classification.confidence >= MIN_LIKELY_CONFIDENCE]
    if not likely_tiles:
        return {}
    flatness = measure_flatness(np.stack([s.detection.quad for s in likely_tiles]))
    if MAX_FLATNESS < flatness < 1 / MAX_FLATNESS:
        return {}
    larger_photo, scale = _stretch(photo, np.clip([flatness, 1 / flatness], 1.0, MAX_STRETCH))
    candidates = [
        Detection(np.asarray(tile.quad / scale, np.float32), tile.score)
        for tile in locator.locate(larger_photo).tiles
    ]
    outlines = {k: _find_same(s.detection.quad, candidates) for k, s in enumerate(sights)}
    return {k: outline for k, outline in outlines.items() if outline}


def _find_same(quad: npt.NDArray[np.float32], candidates: list[Detection]) -> Detection | None:
    """Return the outline that is most certainly of the tile in this quad (4, 2), if any is."""
    min_area = MIN_AREA_RATIO * cv2.contourArea(quad)
    shares = [shared_area(quad, candidate.quad) for candidate in candidates]
    best = int(np.argmax(shares)) if shares else 0
    if not shares or shares[best] < MIN_SAME_TILE_SHARE:
        return None
    return candidates[best] if cv2.contourArea(candidates[best].quad) >= min_area else None


def _stretch(
    photo: Photo, factors: npt.NDArray[np.float64]
) -> tuple[Photo, npt.NDArray[np.float32]]:
    """Return the photo with both sides, width and height, multiplied, and its scale (2,)."""
    size = np.array([photo.width, photo.height]) * factors
    width, height = np.maximum(np.round(size * min(1.0, MAX_SIDE_PX / size.max())), 1).astype(int)
    rgb = cv2.resize(photo.rgb, (int(width), int(height)), interpolation=LINEAR)
    scale = np.array([width / photo.width, height / photo.height], np.float32)
    return Photo(photo.name, rgb.astype(np.uint8, copy=False)), scale
