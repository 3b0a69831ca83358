"""Tell wind markers from wind tiles: a marker has a coloured frame, which ends on the table.

A marker lies beside the hand and shows who is East. Its sign is a tile's, in the middle of a
frame, square or round. The ground around a tile goes on, to the next tile or beyond.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import WINDS
from vision.networks.blank_tiles import colour_shift, ivory_colour
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB, Float32s, Float64s

WIND_CODES = frozenset(f"W{wind}" for wind in WINDS)

VIEW_SIZES, MAX_VIEW_SIDE_PX = 2.2, 96
"""Side of the view in which a frame is looked for: in sizes of the outline, and in pixels."""

MIN_FRAME_HUE = 0.35
"""A frame's hue differs at least so much from the ivory's, as the length of three logarithms."""

MIN_HUE_SHARE, MIN_HUE_COSINE = 0.35, 0.92
"""Where a thin frame blends with ivory, its hue is weaker, down to this share, and of about the
same direction."""

MIN_MARKER_SHARE, MIN_SIGN_SHARE = 0.5, 0.25
"""A marker with its frame, and what the frame surrounds, are at least such shares of the outline's
area; what the strokes of a sign surround is less."""

MIN_OTHER_TILES, MAX_FRAMED_SHARE, MIN_RIM_SHARE = 4, 0.5, 0.5
"""A marker is told beside so many other tiles. Where more than the first share of them have its
frame's hue on so much of their rim, the frame is the set's print."""

_RAY_PLACES = np.multiply.outer(np.exp(2j * np.pi * np.arange(16) / 16), np.linspace(0.3, 0.9, 9))
"""(16, 9): where a frame's hue is looked for, of the way from the middle to the view's edge."""

_RIM = np.zeros((CROP_HEIGHT_PX, CROP_WIDTH_PX), np.bool_)
_RIM[6:-6, 6:-6] = True
_RIM[12:-12, 12:-12] = False
"""The pixels of a crop just inside of a tile's edge."""


def drop_wind_markers(rgb: RGB, sights: Sequence[NamedDetection]) -> list[NamedDetection]:
    """Return the detections without wind markers; none is one where the set's tiles have frames."""
    crops = [s.crop for s in sights if s.classification.code not in WIND_CODES and not s.is_blank]
    if len(crops) < MIN_OTHER_TILES:
        return list(sights)
    return [
        sight
        for sight in sights
        if sight.classification.code not in WIND_CODES
        or (hue := _find_frame(rgb, sight, sights)) is None
        or _is_print(hue, ivory_colour(sight.crop), crops)
    ]


def _is_print(hue: Float64s, ivory: Float64s, crops: Sequence[RGB]) -> bool:
    """Whether most tiles have this hue on their rim."""
    rims = [crop[_RIM].astype(np.float64) for crop in crops]
    matches = [_find_hue(_hues(rim, ivory), hue).mean() >= MIN_RIM_SHARE for rim in rims]
    return bool(np.mean(matches) > MAX_FRAMED_SHARE)


def _hues(colours: Float64s, ivory: Float64s) -> Float64s:
    """Return the hues of colours (..., 3) against ivory (3,), whatever their brightness."""
    shifts = colour_shift(colours, ivory)
    return np.asarray(shifts - shifts.mean(-1, keepdims=True))


def _find_frame(
    rgb: RGB, sight: NamedDetection, sights: Sequence[NamedDetection]
) -> Float64s | None:
    """Return the hue (3,) that surrounds a tile and ends before the next tile and the view's edge.

    None without one.
    """
    quad = sight.detection.quad
    corners = quad.mean(0) + VIEW_SIZES * (quad - quad.mean(0))
    (x0, y0), (x1, y1) = np.maximum(corners.min(0), 0).astype(int), corners.max(0).astype(int)
    part = rgb[y0:y1, x0:x1]
    if not part.size:
        return None
    scale = min(MAX_VIEW_SIDE_PX / max(part.shape[:2]), 1.0)
    view = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    stops = np.zeros(view.shape[:2], np.uint8)
    stops[[0, -1]] = stops[:, [0, -1]] = 1
    for other in sights:
        if other is not sight:
            outline = ((other.detection.quad - (x0, y0)) * scale).round().astype(np.int32)
            cv2.fillConvexPoly(stops, outline, 1)
    hues = _hues(view.astype(np.float64), ivory_colour(sight.crop))
    area = sight.area * scale**2
    middle = (quad.mean(0) - (x0, y0)) * scale
    frames = _frame_hues(hues, middle)
    return next((h for h in frames if _surrounds(_find_hue(hues, h), stops, area)), None)


def _frame_hues(hues: Float64s, middle: Float32s) -> list[Float64s]:
    """Return the hues (3,) on rays from the middle that may be a frame's, those alike once."""
    height, width = hues.shape[:2]
    reach = np.minimum((width, height) - middle, middle)
    xs = (middle[0] + _RAY_PLACES.real.ravel() * reach[0]).astype(int)
    ys = (middle[1] + _RAY_PLACES.imag.ravel() * reach[1]).astype(int)
    colours = hues[ys.clip(0, height - 1), xs.clip(0, width - 1)]
    different: list[Float64s] = []
    for colour in colours[np.argsort(-np.linalg.norm(colours, axis=1))]:
        if np.linalg.norm(colour) < MIN_FRAME_HUE:
            break
        if not any(_find_hue(colour, hue) for hue in different):
            different.append(colour)
    return different


def _find_hue(hues: Float64s, hue: Float64s) -> npt.NDArray[np.bool_]:
    """Return where hues (..., 3) are this one, or it blended with ivory."""
    length, lengths = np.linalg.norm(hue), np.linalg.norm(hues, axis=-1)
    is_strong = lengths >= MIN_HUE_SHARE * length
    return np.asarray(is_strong & (hues @ hue >= MIN_HUE_COSINE * length * lengths))


def _surrounds(
    mask: npt.NDArray[np.bool_], stops: npt.NDArray[np.uint8], outline_area: float
) -> bool:
    """Whether a connected part that stays away from `stops` has a hole as large as a sign."""
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    for label in set(range(1, count)) - set(labels[stops > 0].tolist()):
        part = np.pad((labels == label).astype(np.uint8), 1)
        frame_area = int(part.sum())
        cv2.floodFill(part, None, (0, 0), 1)
        inner_area = int((part == 0).sum())
        is_large = frame_area + inner_area >= MIN_MARKER_SHARE * outline_area
        if is_large and inner_area >= MIN_SIGN_SHARE * outline_area:
            return True
    return False
