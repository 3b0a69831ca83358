"""A pinhole camera that sees laid tiles as the locator and the classifier report them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scorer.tiles import FACE_DOWN
from tests.vision.laid_tiles import LaidTile, Rng

SIZE = (1600.0, 1200.0)
"""Of the photograph, pixels."""

FOCAL = 1.1
"""Focal length in widths of the photograph: a telephone's main camera has about as much."""

NOISE = 0.03
"""Deviation of a corner's x and y, in tile widths: a little more than the locator's."""

Quads = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class View:
    """Where the camera is."""

    elevation: float
    """Degrees above the table."""
    bearing: float = 0.0
    """Degrees from the player's own side, anticlockwise round the table."""
    roll: float = 0.0
    """Degrees that the photograph is turned."""
    bend: float = 0.0
    """Radial distortion at the photograph's corner, as a share of the distance: below 0, barrel."""
    fill: float = 0.85
    """Share of the photograph's width or height that the hand takes up."""


def random_view(rng: Rng, elevation: float, max_bearing: float = 180.0) -> View:
    """Look from within `max_bearing` degrees of the player's side, the camera turned anyhow."""
    return View(
        elevation + rng.uniform(-2, 2) if elevation < 88 else rng.uniform(86, 90),
        rng.uniform(-max_bearing, max_bearing),
        rng.uniform(0, 360),
        rng.uniform(-0.06, 0.03),
        rng.uniform(0.4, 0.85),
    )


@dataclass(frozen=True, slots=True, eq=False)
class PhotoOfTiles:
    """What a camera saw: the tiles in the picture and their quads."""

    tiles: tuple[LaidTile, ...]
    quads: Quads

    @property
    def codes(self) -> list[str]:
        """What each tile shows."""
        return [tile.shows for tile in self.tiles]


def photograph(
    rng: Rng,
    tiles_laid: Sequence[LaidTile],
    view: View,
    noise: float = NOISE,
    missed_count: int = 0,
) -> PhotoOfTiles:
    """Return the tiles as they are found, in no order, `missed_count` of the hand's not at all."""
    own_places = [k for k, tile in enumerate(tiles_laid) if tile.part != "out"]
    missed_places = (
        set(rng.choice(own_places, missed_count, replace=False)) if missed_count else set()
    )
    target = np.concatenate([tiles_laid[k].corners for k in own_places])
    points = np.concatenate([tile.corners for tile in tiles_laid])
    projected_quads = project(points, target, view).reshape(-1, 4, 2)
    tiles, quads = [], []
    for k in rng.permutation(len(tiles_laid)):
        quad = projected_quads[k]
        if k in missed_places or not ((quad > 0) & (quad < SIZE)).all():
            continue
        width = np.linalg.norm(quad[1] - quad[0])
        quad = quad + rng.normal(0, noise, (4, 2)) * width
        if rng.random() < _turns_round(tiles_laid[k]):
            quad = np.roll(quad, 2, axis=0)
        tiles.append(tiles_laid[k])
        quads.append(quad)
    return PhotoOfTiles(tuple(tiles), np.array(quads, np.float32).reshape(-1, 4, 2))


def _turns_round(tile: LaidTile) -> float:
    """How likely a quad begins at the tile's lower right: backs and sideways tiles do anyhow."""
    if tile.shows == FACE_DOWN or tile.is_winning:
        return 0.5
    return 0.05  # faces that look much alike either way up


def project(points: np.ndarray, target: np.ndarray, view: View) -> np.ndarray:
    """Return where points (N, 3) come out in the photograph, (N, 2) pixels.

    The camera looks at the middle of `target` from as near as it can with all of that in sight.
    """
    middle = (target.min(0) + target.max(0)) / 2
    axes = _axes(view)
    distance = 30.0
    for _ in range(20):
        reach = np.abs(_pinhole(target, middle, axes, distance)) / (np.array(SIZE) / 2)
        distance *= float(reach.max()) / view.fill
    flat = _pinhole(points, middle, axes, distance)
    r2 = (flat**2).sum(1, keepdims=True) / (np.array(SIZE) ** 2).sum() * 4
    return np.asarray(flat * (1 + view.bend * r2) + np.array(SIZE) / 2)


def _axes(view: View) -> np.ndarray:
    """Return the camera's right, down and forward directions, rows of (3, 3)."""
    elevation, round_, roll = (math.radians(a) for a in (view.elevation, view.bearing, view.roll))
    outward = np.array([math.sin(round_), -math.cos(round_), 0.0])
    forward = -(outward * math.cos(elevation) + np.array([0, 0, 1.0]) * math.sin(elevation))
    right = np.array([math.cos(round_), math.sin(round_), 0.0])
    downward = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    return np.stack([c * right + s * downward, c * downward - s * right, forward])


def _pinhole(
    points: np.ndarray, middle: np.ndarray, axes: np.ndarray, distance: float
) -> np.ndarray:
    local = (points - middle) @ axes.T
    depth = local[:, 2:] + distance
    depth[depth < 0.2 * distance] = np.nan  # behind the camera, or in its face
    return np.asarray(local[:, :2] / depth * FOCAL * SIZE[0])
