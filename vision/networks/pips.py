"""Read how the pips of circles and bamboos lie, whatever they look like.

Every maker lays them alike: four in a square, a fifth in its middle. A pip may be a circle, a cane
or a part of a chained cane. They are counted by shape alone, so an unfamiliar set is read, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from vision.preprocess import CROP_MARGIN_SHARE, LINEAR, RGB, Float64s, measure_paper

READ_WIDTH_PX = 64
"""Width of the tile's middle part in which pips are looked for."""

EDGE_SHARE = 0.05
"""Part of a tile's width and height at each edge where no pip stands."""

PAPER_STEP_PX = 3
"""One pixel in so many, each way, is looked at for a tile's paper."""

MIN_INK_DARKNESS = 0.2
"""A tile has pips if some ink is this much darker than its paper."""

INK_QUANTILE = 0.97
"""What is darker than this share of a tile is ink for certain."""

INK_SHARES = (0.35, 0.5, 0.65)
"""A pixel is ink from these shares of the darkness of certain ink: thin print, and pale print."""

PIP_SHRINKS_PX = (0, 1, 2)
"""Pips are shrunk by so much on all sides, to part those that touch."""

CIRCLE_SHRINKS_PX = (3, 4, 5, 6)
"""The same where they must be circles: other shapes come apart."""

MIN_PIP_AREA_PX = 5
"""Smaller blobs are specks."""

MAX_SIZE_RATIO = 1.5
"""Pips of a tile differ in width and in height by no more than this factor. Whole pixels are often
exactly so far apart: times 1.5 is exact, a logarithm differs by processor and release of NumPy."""

MIN_ROUNDNESS, MIN_DISC_FILL = 0.72, 0.68
"""Width and height of a circle differ by no more; it fills this share of its box."""

MIN_PIP_INK_SHARE = 0.8
"""Share of a tile's ink that is pips; the rest are corner numerals."""

MIN_SPREAD_SHARES = (0.2, 0.3)
"""Pips spread over this much of the width and of the height."""

MAX_ROUGH_OFFSET, MAX_OFFSET = 0.2, 0.09
"""How far a pip may lie from its place, as a share of all pips' spread: at first, and after the
layout was turned and slanted to fit."""

PIPS_THAT_ANY_SLANT_FITS, MAX_OFFSET_UNSLANTED = 3, 0.12
"""For so many pips a slant could always be found, so none is looked for: how far they may lie."""

MAX_SLANT = 0.3
"""How much a layout is stretched or slanted."""

MIN_AGREEING_LOOKS = 3
"""So many looks, each with its share of ink and shrinking, must see the same pips."""

MAX_DISAGREEING_SHARE = 1 / 3
"""Other pips are seen by no more looks than this share of those."""


@dataclass(frozen=True, slots=True, eq=False)
class PipLayout:
    """Where pips stand, and the tiles that have them so."""

    places: Float64s
    """(pips, 2), each axis from 0 to 1."""
    codes: frozenset[str]


def _grid(columns: Sequence[float], rows: Sequence[float]) -> list[tuple[float, float]]:
    return list(product(columns, rows))


_TWO, _THREE, _FOUR = (0, 1), (0, 0.5, 1), (0, 1 / 3, 2 / 3, 1)

_USUAL_LAYOUTS: list[tuple[str, list[tuple[float, float]]]] = [
    ("B3", [(0.5, 0), (0, 1), (1, 1)]),
    ("B3", [(0.5, 0), (0.5, 1 / 3), *_grid(_TWO, (2 / 3, 1))]),
    ("O3", [(0, 0), (0.5, 0.5), (1, 1)]),
    ("B4 O4", _grid(_TWO, _TWO)),
    ("B4 O8", _grid(_TWO, _FOUR)),
    ("B5 O5", [*_grid(_TWO, _TWO), (0.5, 0.5)]),
    ("B5", [*_grid(_TWO, _FOUR), (0.5, 1 / 3), (0.5, 2 / 3)]),
    ("B6", _grid(_THREE, _TWO)),
    ("B6", _grid(_THREE, _FOUR)),
    ("B6 O6", _grid(_TWO, _THREE)),
    ("B6 O6", _grid(_TWO, (0, 0.58, 1))),
    ("B7", [(0.5, 0), *_grid(_THREE, (0.5, 1))]),
    ("O7", [(0, 0), (0.5, 0.16), (1, 0.32), *_grid((0.16, 0.84), (0.65, 1))]),
    ("O7", [(0, 0), (0.42, 0.11), (0.83, 0.22), *_grid((0.25, 1), (0.62, 1))]),
    ("B9 O9", _grid(_THREE, _THREE)),
    ("B9", _grid(_THREE, (0, 0.2, 0.4, 0.6, 0.8, 1))),
]
"""Two pips one above the other stand for a cane in two parts, three canes for one column."""

CODES_WITH_PIPS = frozenset(code for codes, _ in _USUAL_LAYOUTS for code in codes.split())
"""One or two pips may be anything, and the canes of an 8 of bamboos touch."""


def _group_layouts() -> dict[int, list[PipLayout]]:
    """Return the layouts by their number of pips, also mirrored and upside down."""
    groups: dict[int, list[PipLayout]] = {}
    for codes, places in _USUAL_LAYOUTS:
        turned_layouts: dict[frozenset[tuple[float, float]], Float64s] = {}
        for flips in product((False, True), repeat=2):
            flipped_places = np.where(flips, 1 - np.array(places), places).round(3)
            turned_layouts[frozenset(map(tuple, flipped_places.tolist()))] = flipped_places
        layouts = [PipLayout(each, frozenset(codes.split())) for each in turned_layouts.values()]
        groups.setdefault(len(places), []).extend(layouts)
    return groups


_LAYOUTS_BY_PIPS: Mapping[int, Sequence[PipLayout]] = _group_layouts()


def read_pips(tile: RGB) -> frozenset[str]:
    """Return the tiles that have pips like this straightened one; none where none are clear."""
    darkness = _darkness(tile)
    certain = float(np.quantile(darkness, INK_QUANTILE))
    if certain < MIN_INK_DARKNESS:
        return frozenset()
    looks = Counter(
        codes for share in INK_SHARES for codes in _read_ink(darkness > share * certain) if codes
    )
    (first, agreeing), *other_looks = looks.most_common() or [(frozenset[str](), 0)]
    others_looks = sum(count for codes, count in other_looks if not codes & first)
    if agreeing < MIN_AGREEING_LOOKS or others_looks > MAX_DISAGREEING_SHARE * agreeing:
        return frozenset()
    return first


def _darkness(tile: RGB) -> Float64s:
    """Return how dark the middle part of a tile is, from 0 for its paper to 1."""
    height, width = tile.shape[:2]
    x, y = (round(side * (CROP_MARGIN_SHARE + EDGE_SHARE)) for side in (width, height))
    part = tile[y : height - y, x : width - x]
    size = (READ_WIDTH_PX, round(READ_WIDTH_PX * part.shape[0] / part.shape[1]))
    small = cv2.resize(part, size, interpolation=LINEAR)
    light = np.minimum(small / measure_paper(small.astype(np.uint8), PAPER_STEP_PX), 1.2)
    return np.asarray(1 - light.min(2), np.float64)


def _read_ink(ink: np.ndarray) -> Iterator[frozenset[str]]:
    """Yield the tiles that have the pips which shrunk ink shows, for each shrinking."""
    outlines, _ = cv2.findContours(ink.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled_ink = np.zeros(ink.shape, np.uint8)
    cv2.drawContours(filled_ink, outlines, -1, 1, cv2.FILLED)
    depth = cv2.distanceTransform(filled_ink, cv2.DIST_L2, 5)
    for shrink in (*PIP_SHRINKS_PX, *CIRCLE_SHRINKS_PX):
        pips = np.asarray(depth > shrink, np.uint8)
        if not pips.any():
            return
        yield _read_shrunk(pips, filled_ink, shrink)


def _read_shrunk(pips: np.ndarray, ink: np.ndarray, shrink: int) -> frozenset[str]:
    """Return the tiles that have these pips, if they are most of the ink."""
    _, labels, stats, centres = cv2.connectedComponentsWithStats(pips, connectivity=4)
    equal_blobs = _of_one_size(stats)
    if len(equal_blobs) not in _LAYOUTS_BY_PIPS:
        return frozenset()
    if shrink in CIRCLE_SHRINKS_PX and not _are_round(stats[equal_blobs]):
        return frozenset()
    codes = _match(centres[equal_blobs], ink.shape)
    if codes:
        pip_mask = np.isin(labels, equal_blobs).astype(np.uint8)
        side = 2 * shrink + 3
        grown_mask = cv2.dilate(
            pip_mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        )
        if np.count_nonzero(grown_mask & ink) >= MIN_PIP_INK_SHARE * np.count_nonzero(ink):
            return codes
    return frozenset()


def _of_one_size(stats: np.ndarray) -> np.ndarray:
    """Return the numbers of the blobs of one size that have most of the ink together."""
    blobs = 1 + np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= MIN_PIP_AREA_PX)
    if not len(blobs):
        return blobs
    sides = stats[blobs][:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    smaller, larger = np.minimum(sides[:, None], sides), np.maximum(sides[:, None], sides)
    is_similar = (larger <= MAX_SIZE_RATIO * smaller).all(2)
    best_size = (is_similar * stats[blobs, cv2.CC_STAT_AREA]).sum(1).argmax()
    return np.asarray(blobs[is_similar[best_size]])


def _are_round(stats: np.ndarray) -> bool:
    width, height, area = (
        stats[:, each] for each in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA)
    )
    aspect = float(np.median(width / height))
    is_fit = MIN_ROUNDNESS <= aspect <= 1 / MIN_ROUNDNESS
    return is_fit and bool(np.median(area / (width * height)) >= MIN_DISC_FILL)


def _match(centres: Float64s, shape: tuple[int, ...]) -> frozenset[str]:
    """Return the tiles whose layout the centres (pips, 2) of pips fit."""
    spread = np.ptp(centres, axis=0)
    if (spread < np.multiply(MIN_SPREAD_SHARES, shape[::-1])).any():
        return frozenset()
    pip_places = (centres - centres.min(0)) / spread
    layouts = _LAYOUTS_BY_PIPS[len(pip_places)]
    fitting = (each.codes for each in layouts if _fits(pip_places, each.places))
    return frozenset().union(*fitting)


def _fits(pip_places: Float64s, places: Float64s) -> bool:
    """Return whether pips (n, 2) lie in these places, but for a slight slant."""
    offsets = np.abs(pip_places[:, None] - places).max(2)
    nearest_places = offsets.argmin(1)
    if offsets.min(1).max() > MAX_ROUGH_OFFSET or len(set(nearest_places.tolist())) < len(places):
        return False
    if len(places) == PIPS_THAT_ANY_SLANT_FITS:
        return bool(offsets.min(1).max() <= MAX_OFFSET_UNSLANTED)
    targets = np.column_stack([places[nearest_places], np.ones(len(places))])
    slant = np.linalg.lstsq(targets, pip_places, rcond=None)[0]
    is_slight = np.abs(slant[:2] - np.eye(2)).max() <= MAX_SLANT
    return bool(is_slight and np.abs(targets @ slant - pip_places).max() <= MAX_OFFSET)
