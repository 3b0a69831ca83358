"""A pinhole camera that sees laid tiles as the locator and the classifier report them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scorer.tiles import FACE_DOWN
from tests.vision.laid import Laid, Rng

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


def random_view(rng: Rng, elevation: float, around: float = 180.0) -> View:
    """Look from anywhere within `around` degrees of the player's side, the camera turned anyhow."""
    return View(
        elevation + rng.uniform(-2, 2) if elevation < 88 else rng.uniform(86, 90),
        rng.uniform(-around, around),
        rng.uniform(0, 360),
        rng.uniform(-0.06, 0.03),
        rng.uniform(0.4, 0.85),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a camera saw: the tiles in the picture and their quads."""

    tiles: tuple[Laid, ...]
    quads: Quads

    @property
    def codes(self) -> list[str]:
        """What each tile shows."""
        return [tile.shows for tile in self.tiles]


def photograph(
    rng: Rng, laid: Sequence[Laid], view: View, noise: float = NOISE, missed: int = 0
) -> Seen:
    """Return the tiles as they are found, in no order, `missed` of the hand's not at all."""
    own = [k for k, tile in enumerate(laid) if tile.part != "out"]
    gone = set(rng.choice(own, missed, replace=False)) if missed else set()
    target = np.concatenate([laid[k].corners for k in own])
    points = np.concatenate([tile.corners for tile in laid])
    projected = project(points, target, view).reshape(-1, 4, 2)
    tiles, quads = [], []
    for k in rng.permutation(len(laid)):
        quad = projected[k]
        if k in gone or not ((quad > 0) & (quad < SIZE)).all():
            continue
        width = np.linalg.norm(quad[1] - quad[0])
        quad = quad + rng.normal(0, noise, (4, 2)) * width
        if rng.random() < _turns_round(laid[k]):
            quad = np.roll(quad, 2, axis=0)
        tiles.append(laid[k])
        quads.append(quad)
    return Seen(tuple(tiles), np.array(quads, np.float32).reshape(-1, 4, 2))


def _turns_round(tile: Laid) -> float:
    """How likely a quad begins at the tile's lower right: backs and sideways tiles do anyhow."""
    if tile.shows == FACE_DOWN or tile.won:
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
    up, round_, roll = (math.radians(a) for a in (view.elevation, view.bearing, view.roll))
    away = np.array([math.sin(round_), -math.cos(round_), 0.0])
    forward = -(away * math.cos(up) + np.array([0, 0, 1.0]) * math.sin(up))
    right = np.array([math.cos(round_), math.sin(round_), 0.0])
    down = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    return np.stack([c * right + s * down, c * down - s * right, forward])


def _pinhole(
    points: np.ndarray, middle: np.ndarray, axes: np.ndarray, distance: float
) -> np.ndarray:
    local = (points - middle) @ axes.T
    depth = local[:, 2:] + distance
    depth[depth < 0.2 * distance] = np.nan  # behind the camera, or in its face
    return np.asarray(local[:, :2] / depth * FOCAL * SIZE[0])
