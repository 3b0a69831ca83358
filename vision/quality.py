"""Find what is wrong with a photograph, measured on the tiles and not on the table.

Each measure is taken on a tile's straightened crop. A dark cloth does not make the photo dark, and
a lamp beside the hand is not glare. Each threshold lies where readings begin to fail: `python -m
tests.prove.degraded_photos` prints the figures.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.message import message
from vision.geometry.places import RowsOfTiles, describe_places, find_rows
from vision.geometry.plane import measure_flatness
from vision.photo import Photo
from vision.preprocess import RGB, Float32s
from vision.reading import BLANK_CODES, Problem, SetReading, TileReading, make_problem

MIN_LIGHT_LEVEL = 55.0
"""The photo is too dark when its median tile's light parts (90th percentile, of 255) are below
this. At 48 one tile in ten is missed, at 35 one in four. Usual photographs have 120 to 255."""

MAX_BLUR_SIGMA_PX = 2.9
"""The photo is blurred when the sharpest edges of its median tile spread more than this. The unit
is the sigma of a Gaussian in pixels of the crop, which is 64 wide. Usual photographs have 1.5 to
2.6. At 3.6 one tile in fifteen is misread or asked about, at 5 one in three."""

MAX_GLARE_SHARE = 0.05
"""A doubtful tile suffers from glare when its burnt-out share exceeds the median tile's by this.
Many tiles are half burnt out and still read well, so confident readings are not reported."""

MIN_TILE_WIDTH_PX = 14.0
"""The photo is too far away when its median tile is narrower, in pixels of the photo. At 13 one
tile in twenty is misread, at 9 one in five."""

MAX_OUTSIDE_SHARE = 0.2
"""A tile is cut off when more than this share of it lies outside the picture. A tenth does no harm;
with four tenths missing nearly all tiles are misread."""

MIN_TILES_JUDGED, MANY_UNSURE_SHARE = 8, 0.2
"""From this share of a hand's tiles in doubt, of so many or more, the photograph is judged by
UNSURE_LIMITS."""

MAX_HAND_TILES = 26
"""Most tiles that a hand can hold: four kongs, a pair and eight bonus tiles."""


@dataclass(frozen=True, slots=True)
class PhotoQuality:
    """How a photograph's median tile looks, or must look at the worst."""

    light: float
    width: float
    blur: float
    flatness: float
    """Least height, as a share of the usual, of tiles seen from low down."""


USUAL_LIMITS = PhotoQuality(MIN_LIGHT_LEVEL, MIN_TILE_WIDTH_PX, MAX_BLUR_SIGMA_PX, 0.0)

UNSURE_LIMITS = PhotoQuality(light=115.0, width=22.0, blur=2.3, flatness=0.72)
"""Most photographs beyond these are read well, so they count where many tiles are in doubt. A set
never seen is in doubt in a fit photograph, too, and another one would not help. Of 132 photographs
of the tables learned from nine in ten keep each limit."""

_MIN_BURNT_COLOUR, _WHITE_COLOUR = np.full(3, 250, np.uint8), np.full(3, 255, np.uint8)
"""A pixel between these colours is burnt out and shows nothing."""

_MIN_CONTRAST_LEVELS = 40.0
"""Below this contrast (levels of 255 at full light) a tile has no edges to measure."""

_EDGE_MARGIN_PX = 5
"""Pixels at the crop's edge that show neighbouring tiles and gaps."""

_NOISE_SIGMA_PX = 0.8
"""Sigma of the smoothing that removes noise before edges are measured."""

_STEP_SPANS_PX = np.array([2.0, 2.0, math.sqrt(8), math.sqrt(8)], np.float32)
"""Pixels over which the four steps at a pixel go: along each side and along each diagonal."""


@dataclass(frozen=True, slots=True)
class TileLook:
    """How one tile appears in a photograph."""

    light: float
    """Brightness of the light parts, 0 to 255."""
    blur: float
    """Spread of the sharpest edges in pixels of the crop; nan without edges."""
    burnt_share: float
    """Share that is burnt out, 0 to 1."""
    width: float
    """Shorter side in pixels of the photograph."""
    outside: float
    """Share outside the picture, 0 to 1."""


def measure_looks(
    photo: Photo, tiles: Sequence[TileReading], crops: Sequence[RGB]
) -> tuple[TileLook, ...]:
    """Measure how each tile appears; `crops` are the straightened tiles, either way up."""
    if not tiles:
        return ()
    quads = np.array([tile.quad for tile in tiles], np.float32)
    inner = slice(_EDGE_MARGIN_PX, -_EDGE_MARGIN_PX)
    strip = np.concatenate([crop[inner, inner] for crop in crops])  # below each other
    grey = cv2.cvtColor(strip, cv2.COLOR_RGB2GRAY).astype(np.uint8, copy=False)
    greys = grey.reshape(len(crops), -1, grey.shape[1])
    low, light, high = _quantiles(greys, 0.02, 0.9, 0.98)
    blurs = [_measure_blur(face, float(span)) for face, span in zip(greys, high - low, strict=True)]
    widths = np.linalg.norm(np.diff(quads[:, :3], axis=1), axis=2).min(1)
    white_mask = cv2.inRange(strip, _MIN_BURNT_COLOUR, _WHITE_COLOUR)
    burnt_shares = white_mask.reshape(len(tiles), -1).mean(1) / 255
    outside_shares = [share_outside(quad, photo.width, photo.height) for quad in quads]
    columns = (light.tolist(), blurs, burnt_shares.tolist(), widths.tolist(), outside_shares)
    return tuple(TileLook(*values) for values in zip(*columns, strict=True))


def _measure_blur(grey: npt.NDArray[np.uint8], contrast: float) -> float:
    """Return the spread of the sharpest edges of a face; nan without ink.

    An edge of this contrast blurred by a Gaussian is steepest in its middle: contrast / (sigma *
    sqrt(2 pi)). Camera shake blurs in one direction, so the worst of four directions counts.
    """
    if contrast < _MIN_CONTRAST_LEVELS * grey.max() / 255:
        return float("nan")
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _NOISE_SIGMA_PX)
    horizontal = smooth[1:-1, 2:] - smooth[1:-1, :-2]
    vertical = smooth[2:, 1:-1] - smooth[:-2, 1:-1]
    steps = np.abs(np.stack([horizontal, vertical, horizontal + vertical, horizontal - vertical]))
    steepest = float((_quantiles(steps, 0.99)[0] / _STEP_SPANS_PX).min())
    return contrast / (max(steepest, 1e-3) * math.sqrt(2 * math.pi))


def _quantiles(pictures: npt.NDArray[Any], *shares: float) -> list[Float32s]:
    """Return, for each share, the value (N,) below which that share of the pixels lies.

    `pictures` has shape (N, H, W).
    """
    flat = pictures.reshape(len(pictures), -1)
    ranks = [round(share * (flat.shape[1] - 1)) for share in shares]
    # A stable sort of bytes counts them and is ten times as fast.
    is_bytes = flat.dtype == np.uint8
    ordered_pixels = np.sort(flat, 1, kind="stable") if is_bytes else np.partition(flat, ranks, 1)
    return [ordered_pixels[:, rank].astype(np.float32) for rank in ranks]


def share_outside(quad: Float32s, right: int, bottom: int) -> float:
    """Return the share of a quad (4, 2) outside a picture of this width and height, in pixels."""
    if all(0 <= x <= right and 0 <= y <= bottom for x, y in quad.tolist()):
        return 0.0
    frame = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], np.float32)
    inside_area, _ = cv2.intersectConvexConvex(quad, frame)
    return float(1 - inside_area / max(cv2.contourArea(quad), 1.0))


def find_faults(
    photo: Photo,
    tiles: Sequence[TileReading],
    sets: Sequence[SetReading],
    crops: Sequence[RGB],
    unsure_limits: PhotoQuality = UNSURE_LIMITS,
) -> tuple[Problem, ...]:
    """Return what is wrong with the photograph of a hand, most important first.

    `crops` are all tiles straightened, either way up. Only the hand's own tiles count. Consequences
    are not reported with their cause: a dark photo is not also called blurred. `unsure_limits` hold
    where many tiles are in doubt and nothing else tells why.
    """
    hand_places = sorted({place for laid in sets for place in laid.tiles})
    if not hand_places:
        return (_TOO_DARK,) if _is_night(photo) else ()
    measured_looks = measure_looks(
        photo, [tiles[place] for place in hand_places], [crops[place] for place in hand_places]
    )
    look_by_place = dict(zip(hand_places, measured_looks, strict=True))
    unsure = [place for place in hand_places if tiles[place].doubtful]
    problems = [NOT_A_HAND] if len(hand_places) > MAX_HAND_TILES else []
    rows = partial(find_rows, tiles, sets)  # computed only if a problem names a tile
    problems += _locate_problem(
        "cut-off", rows, [p for p in hand_places if look_by_place[p].outside > MAX_OUTSIDE_SHARE]
    )
    inked_places = [
        p
        for p in hand_places
        if tiles[p].code not in BLANK_CODES and not math.isnan(look_by_place[p].blur)
    ]
    flatness = measure_flatness(np.array([tiles[p].quad for p in hand_places], np.float32))
    median_tile = PhotoQuality(
        light=_median(look.light for look in look_by_place.values()),
        width=_median(look.width for look in look_by_place.values()),
        blur=_median(look_by_place[p].blur for p in inked_places),
        flatness=min(flatness, 1 / max(flatness, 1e-6)),
    )
    if photo_fault := _find_photo_fault(median_tile, USUAL_LIMITS):
        return (*problems, photo_fault)
    usual = _median(look.burnt_share for look in look_by_place.values())
    glaring = [p for p in unsure if look_by_place[p].burnt_share > usual + MAX_GLARE_SHARE]
    blurred_places = [
        p
        for p in unsure
        if p in inked_places and look_by_place[p].blur > MAX_BLUR_SIGMA_PX and p not in glaring
    ]
    problems += _locate_problem("glare", rows, glaring) + _locate_problem(
        "blurred-tile", rows, blurred_places
    )
    if not problems and _are_many([tiles[p] for p in unsure], len(hand_places)):
        photo_fault = _find_photo_fault(median_tile, unsure_limits)
    return tuple(problems) if photo_fault is None else (*problems, photo_fault)


def _find_photo_fault(median_tile: PhotoQuality, limits: PhotoQuality) -> Problem | None:
    """Return the first fault of the whole photograph, by its median tile."""
    if median_tile.light < limits.light:
        return _TOO_DARK
    if median_tile.flatness < limits.flatness:
        return _TOO_LOW_PROBLEM
    if median_tile.width < limits.width:
        return _TOO_FAR_PROBLEM
    return _BLURRED_PROBLEM if median_tile.blur > limits.blur else None


def _are_many(unsure: Sequence[TileReading], count: int) -> bool:
    """Return whether many of a hand's `count` tiles are in doubt; equal looks count once."""
    doubts = {tile.alike or tile.quad for tile in unsure}
    return MIN_TILES_JUDGED <= count <= MAX_HAND_TILES and len(doubts) >= MANY_UNSURE_SHARE * count


_TOO_DARK = make_problem("too-dark", message("seen.too-dark"))
_TOO_FAR_PROBLEM = make_problem("too-far", message("seen.too-far"))
_BLURRED_PROBLEM = make_problem("blurred", message("seen.blurred"))
_TOO_LOW_PROBLEM = make_problem("too-low", message("seen.too-low"))
NO_TILES = make_problem("no-tiles", message("seen.no-tiles"))
NOT_A_HAND = make_problem("not-a-hand", message("seen.not-a-hand", most=MAX_HAND_TILES))


def _locate_problem(code: str, rows: Callable[[], RowsOfTiles], places: list[int]) -> list[Problem]:
    """Return the problem with the places of its tiles; empty without tiles."""
    if not places:
        return []
    return [make_problem(code, message(f"seen.{code}", places=describe_places(rows(), places)))]


def _median(values: Iterable[float]) -> float:
    numbers = list(values)
    return statistics.median(numbers) if numbers else math.nan


def _is_night(photo: Photo) -> bool:
    """Return whether even the lightest parts of a photograph without tiles are dark."""
    return bool(np.percentile(photo.rgb[::8, ::8].max(2), 90) < MIN_LIGHT_LEVEL)
