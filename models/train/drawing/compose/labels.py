"""What is in a composed picture: each tile's quad and how much of it can be seen."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.drawing.compose.bodies import Floats
from models.train.drawing.compose.canvas import fill, window
from models.train.drawing.compose.lofts import Loft
from models.train.drawing.compose.paint import Table
from vision.preprocess import NO_TILE

MIN_VISIBLE = 0.4
"""A tile that shows less is not asked for."""
MIN_SIDE = 9.0
"""A tile with a shorter side than this, in pixels, is not asked for."""
MIN_FACING = 0.25
"""A tile seen more flatly is not asked for: sine of the angle between face and line of sight."""

_MIN_SEEN_FACING = 0.05


@dataclass(frozen=True, slots=True)
class Label:
    """One tile in one picture."""

    code: str
    quad: tuple[tuple[float, float], ...]
    """Four corners in pixels, clockwise from the tile's own top left."""
    visible: float
    """Share of the face inside the picture with nothing before it."""
    ignore: bool
    """Hidden, tiny, flat or part of a wall: neither asked for nor wrong to find."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return asdict(self)


def _facing_cosine(face: Floats, eye: Floats) -> float:
    """Return the sine of the angle between a face (4, 3) and the line of sight to it."""
    normal = np.cross(face[3] - face[0], face[1] - face[0])
    to_eye = eye - face.mean(axis=0)
    lengths = np.linalg.norm(normal) * np.linalg.norm(to_eye)
    return float(normal @ to_eye / lengths)


def _visible(owner: NDArray[np.int16], number: int, corners: Floats) -> float:
    """Return the share of a quad (4, 2), in the owner map's pixels, that body `number` shows."""
    part = window(corners, owner.shape[::-1])
    if part is None:
        return 0.0
    visible_mask = (owner[part] == number).astype(np.uint8)
    mask = np.zeros_like(visible_mask)
    fill(mask, corners - (part[1].start, part[0].start), 1)
    total_area = float(cv2.contourArea(corners.astype(np.float32)))
    return min(1.0, np.count_nonzero(visible_mask & mask) / max(total_area, 1.0))


def _label(
    loft: Loft, number: int, table: Table, owner: NDArray[np.int16], size: tuple[int, int]
) -> Label | None:
    if loft.face is None:
        return None
    facing_cosine = _facing_cosine(loft.face, table.view.position)
    if facing_cosine < _MIN_SEEN_FACING:
        return None
    straight = replace(table.view, distortion=0.0)
    visible_share = _visible(owner, number, straight.project(loft.face, owner.shape[::-1]))
    if visible_share == 0.0:
        return None
    corners = table.view.project(loft.face, size)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    poor = visible_share < MIN_VISIBLE or facing_cosine < MIN_FACING or sides.min() < MIN_SIDE
    quad = tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners)
    ignore = bool(loft.ignore or poor)
    return Label(loft.code or NO_TILE, quad, round(visible_share, 3), ignore)


def label_table(table: Table, owner: NDArray[np.int16], size: tuple[int, int]) -> list[Label]:
    """Return a label for each visible tile and for the visible top of each other thing.

    `owner` is what `compose` returned. What is no tile has the code NO_TILE.
    """
    labels = (_label(loft, i, table, owner, size) for i, loft in enumerate(table.lofts))
    return [label for label in labels if label is not None]
