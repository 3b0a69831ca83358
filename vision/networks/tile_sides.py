"""Drop the sides of printed tiles that look like white dragons below them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.networks.blank_tiles import MIN_FACE_CONFIDENCE, find_blank_tiles
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import Float32s

MAX_SIDE_HEIGHT_SHARE = 0.9
"""A side is lower than this share of the face above it. Three in photographs had 0.79 to 0.84; a
tile that lies there is nearer than the face, so it is as high."""

MAX_CORNER_OFFSET_WIDTHS = 0.2
"""How far the upper corners of a side lie from the lower ones of its face; there 0.12 to 0.17."""


def drop_sides(sights: Sequence[NamedDetection]) -> list[NamedDetection]:
    """Return the detections without plain ones of the faces' ivory that are the side of a tile."""
    plain = find_blank_tiles(sights)
    plain_places = {tile.place for tile in plain}
    faces = [
        sight.upright_quad()
        for k, sight in enumerate(sights)
        if k not in plain_places and sight.classification.confidence >= MIN_FACE_CONFIDENCE
    ]
    sides = {
        tile.place
        for tile in plain
        if tile.is_ivory and any(_is_side(sights[tile.place].detection.quad, f) for f in faces)
    }
    return [sight for k, sight in enumerate(sights) if k not in sides]


def _is_side(quad: Float32s, face: Float32s) -> bool:
    """Return whether a quad (4, 2) lies below an end of a face, shares its edge, and is lower."""
    if face[0, 1] > face[3, 1]:  # upside down
        face = np.roll(face, 2, axis=0)
    _, _, right, left = face
    offsets = np.linalg.norm(quad[:, None] - [left, right], axis=2)
    first = int(offsets[:, 0].argmin())
    edge = np.roll(quad, -first, axis=0)
    width = float(np.linalg.norm(right - left))
    offset = max(offsets[first, 0], offsets[(first + 1) % 4, 1])
    return bool(
        offset <= MAX_CORNER_OFFSET_WIDTHS * width
        and _height(edge) <= MAX_SIDE_HEIGHT_SHARE * _height(face)
    )


def _height(quad: Float32s) -> float:
    """Return the distance of the lower edge of a quad (4, 2) from its upper one, in pixels."""
    return float(np.linalg.norm(quad[2:].sum(0) - quad[:2].sum(0)) / 2)
