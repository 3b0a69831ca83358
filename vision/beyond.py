"""Find tiles that lie mostly outside the picture.

The locator does not find such tiles, so nothing else reports them as missing. Where a row reaches
the picture's edge, one more tile may lie beyond its last one. A tile is assumed there when the
visible part has the tiles' colour and the rest of the table does not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import cv2
import numpy as np

from scorer.tiles import FACE_DOWN
from vision.networks.locate import shared_area
from vision.photo import Photo
from vision.preprocess import Float32s
from vision.quality import share_outside
from vision.reading import TileReading

STEP = 1.04
"""Distance from one tile of a set to the next, in tile widths."""

TAKEN = 0.12
"""A place is taken where another tile covers more than this share of it."""

INSIDE, LEAST, MOST = 0.05, 0.3, 0.93
"""Shares of a place that lie outside the picture. Up to the first, the place counts as fully seen.
Between the other two, a tile there is hardly ever found but still shows its colour."""

ALIKE = 20.0
"""Greatest distance of a pixel's colour from the tiles' colour, in CIE L*a*b*. Ink and shade
account for it."""

COVERED = 0.75
"""A place holds a tile when this share of its visible part has the tiles' colour. Chosen with
`python -m tests.prove.asking_again`."""

PLAIN = 0.35
"""The table is too similar to the tiles when this share of the empty places has their colour."""

_FACE = 0.8
"""Share of a tile's width and height that is its face, without the edges."""

_LIT = 60
"""Percentile of brightness above which a pixel of a face is not ink."""

_FEWEST = 12
"""Fewest pixels from which a place can be judged."""


def mostly_outside(
    photo: Photo, tiles: Sequence[TileReading], own: Collection[int]
) -> list[Float32s]:
    """Return the quads (4, 2) of the hand's tiles that lie mostly outside the picture.

    Quads are in the photo's pixels. `own` holds the positions of the hand's tiles in `tiles`.
    """
    rgb, scale = photo.shrunk
    width, height = round(photo.width * scale), round(photo.height * scale)
    light = rgb[:height, :width].astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(light, cv2.COLOR_RGB2LAB), np.float32)
    quads = [np.array(tile.quad, np.float32) * np.float32(scale) for tile in tiles]
    faces = [_face(lab, quads[place]) for place in own if tiles[place].code != FACE_DOWN]
    if not (known := [face for face in faces if face is not None]):
        return []
    colour = np.median(known, axis=0)
    empty, beyond = [], []
    for place, in_row in _places(quads, own):
        outside, covered = share_outside(place, width, height), _covered(lab, place, colour)
        if outside < INSIDE and covered is not None:
            empty.append(covered)
        if in_row and LEAST < outside < MOST and covered is not None and covered > COVERED:
            beyond.append(place / np.float32(scale))
    return beyond if empty and np.median(empty) < PLAIN else []


def _places(quads: Sequence[Float32s], own: Collection[int]) -> Iterator[tuple[Float32s, bool]]:
    """Yield the free places around the hand's tiles, and whether each continues a row."""
    for tile in own:
        (a, b, c, d) = quads[tile]
        along, across = (np.float32(STEP) * side / 2 for side in (b - a + c - d, d - a + c - b))
        for step, in_row in ((-along, True), (along, True), (-across, False), (across, False)):
            place = quads[tile] + step
            if all(shared_area(place, other) <= TAKEN for other in quads):
                yield place, in_row


def _face(lab: Float32s, quad: Float32s) -> Float32s | None:
    """Return the colour of a tile's face; None where too little of it is visible."""
    middle = quad.mean(0)
    pixels = _pixels(lab, middle + (quad - middle) * np.float32(_FACE))
    if len(pixels) < _FEWEST:
        return None
    lit = pixels[:, 0] >= np.percentile(pixels[:, 0], _LIT)
    return np.asarray(np.median(pixels[lit], axis=0), np.float32)


def _covered(lab: Float32s, place: Float32s, colour: Float32s) -> float | None:
    """Return the share of a place that has a colour; None where too little of it is visible."""
    pixels = _pixels(lab, place)
    if len(pixels) < _FEWEST:
        return None
    return float((np.linalg.norm(pixels - colour, axis=1) < ALIKE).mean())


def _pixels(lab: Float32s, quad: Float32s) -> Float32s:
    """Return the pixels (N, 3) of a picture that lie inside a quad (4, 2)."""
    height, width = lab.shape[:2]
    x0, y0 = np.clip(np.floor(quad.min(0)), 0, (width, height)).astype(int)
    x1, y1 = np.clip(np.ceil(quad.max(0)), 0, (width, height)).astype(int)
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    if mask.size:
        cv2.fillConvexPoly(mask, np.round(quad - (x0, y0)).astype(np.int32), 1)
    return lab[y0:y1, x0:x1][mask > 0]
