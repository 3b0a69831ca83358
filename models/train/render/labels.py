"""What is in a rendered picture: each tile's quad, turn and how much of it can be seen."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from models.train.render.arrays import Boxes, pack_boxes
from models.train.render.rays import nearest, unit
from models.train.render.scene import Floats, Scene, Solid, face_corners, face_points
from scorer.tiles import FACE_DOWN

MIN_VISIBLE = 0.4
"""A tile that shows less is not asked for."""
MIN_SIDE = 9.0
"""A tile with a shorter side than this, in pixels, is not asked for."""
MIN_FACING = 0.25
"""A tile seen more flatly is not asked for: sine of the angle between face and line of sight."""

_SAMPLES_PER_SIDE = 8


@dataclass(frozen=True, slots=True)
class Label:
    """One tile in one picture."""

    code: str
    quad: tuple[tuple[float, float], ...]
    """Four corners in pixels, clockwise from the tile's own top left."""
    turn: int
    """Clockwise rotation in the picture: 0, 90, 180 or 270 degrees."""
    visible: float
    """Share of the face inside the picture with nothing before it."""
    ignore: bool
    """Hidden, tiny, flat or part of a wall: neither asked for nor wrong to find."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values for `json.dumps`."""
        return asdict(self)


def quad_turn(quad: Floats) -> int:
    """Return the rotation, in quarter turns, of a quad (4, 2) given from its own top left."""
    up = (quad[0] + quad[1]) - (quad[2] + quad[3])
    return round(math.degrees(math.atan2(up[0], -up[1])) / 90) % 4 * 90


def _facing(solid: Solid, eye: Floats, back: bool) -> float:
    to_eye = eye - face_corners(solid, back).mean(axis=0)
    cosine = float(to_eye @ solid.axes[2] / np.linalg.norm(to_eye))
    return -cosine if back else cosine


def _visible(boxes: Boxes, i: int, points: Floats, scene: Scene, size: tuple[int, int]) -> float:
    """Share of the points on solid `i` that reach the camera and lie in the picture."""
    pixels = scene.view.project(points, size)
    inside = ((pixels >= 0) & (pixels <= size)).all(axis=1)
    eye = scene.view.position
    clear = 0
    for point in points[inside]:
        away = eye - point
        distance = float(np.linalg.norm(away))
        start = (float(point[0]), float(point[1]), float(point[2]))
        direction = unit((float(away[0]), float(away[1]), float(away[2])))
        clear += nearest(boxes, (start, direction), distance, i, True)[1] < 0
    return clear / len(points)


def label_scene(scene: Scene, size: tuple[int, int]) -> list[Label]:
    """Return a label for each tile whose face shows at all in a picture of `size` pixels.

    Of a tile that lies face down, its back counts.
    """
    boxes = pack_boxes(scene.solids)
    steps = (np.arange(_SAMPLES_PER_SIDE) + 0.5) / _SAMPLES_PER_SIDE * 1.8 - 0.9
    places = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    found = []
    for i, solid in enumerate(scene.solids):
        if not solid.code:
            continue
        back = solid.code == FACE_DOWN
        facing = _facing(solid, scene.view.position, back)
        if facing < 0.05:
            continue
        corners = scene.view.project(face_corners(solid, back), size)
        seen = _visible(boxes, i, face_points(solid, places, back), scene, size)
        if seen == 0.0:
            continue
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        poor = seen < MIN_VISIBLE or facing < MIN_FACING or sides.min() < MIN_SIDE
        quad = tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners)
        found.append(
            Label(solid.code, quad, quad_turn(corners), round(seen, 3), bool(solid.ignore or poor))
        )
    return found
