"""The table seen straight from above: all tiles are alike, so their quads tell how it is tilted.

Nothing here looks at what the tiles are. Tiles are rectangles of one size and shape in the plane on
which they lie; the camera makes quads of them, smaller the farther away. The plane that makes them
alike again is fitted to all of them at once, so that no single corner counts for much, and
robustly, so that dice, and tiles standing on edge, count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.preprocess import Float64s
from vision.reading import TileReading

Quads = npt.NDArray[np.float32]
"""(N, 4, 2): corners clockwise from each tile's own top left, pixels."""


AS_HELD = (0.0, 1.0)
"""Where in a photograph whoever holds it is: below."""

SHAPE = 1.35
"""Height of a tile in widths; usual sets have 1.28 to 1.42. Where all tiles lie the same way, how
much the view is foreshortened cannot be told from the tiles' shape, and this stands in."""

_SHAPE_DEVIATES = 0.05

_HORIZON_DEVIATES = 0.03
"""Of the horizon's two figures, in 1 / tile widths: hands are seen from 15 to 40 widths away."""

_DEVIATES = np.array([0.035, 0.03, 0.025, 0.06, 0.05])
"""Of the five figures of `_misfits`, for corners that are 3 % of a tile's width off."""

_ODD = 25.0
"""Sum of squared deviations from which a tile counts for less, and soon for nothing."""

_ROUNDS = 6
_STEP = 1e-5
_TRIED = np.concatenate([np.zeros((1, 4)), _STEP * np.eye(4)])
"""(5, 4): the four figures as they are, and each of them a step further."""

_EXPECTED = np.array([_HORIZON_DEVIATES, _HORIZON_DEVIATES, np.inf, np.inf]) ** -2.0
_FIRM = np.diag(_EXPECTED + 1e-9)

_TO, _FROM = [1, 2, 2, 3], [0, 1, 3, 0]
"""Corners between which a tile's top, right, bottom and left side lie, rightward and downward."""

_ENOUGH = 1e-3
"""A change of the figures by less moves no tile of a hand by more than a hundredth of its width."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Tiles as from straight above, in tile widths, the row that was begun with along x."""

    quads: Float64s
    """(N, 4, 2), in the order of the photograph's quads."""
    held: Float64s
    """(2,): where in the plane the photograph's lower edge lies, seen from the tiles, or whatever
    other direction was asked for. Of length 1."""
    near: Float64s
    """(2,): the direction towards the camera, its length how fast tiles grow in the photograph,
    as a share of their size for every tile width."""


def flatten(quads: Quads, row: npt.NDArray[np.intp], held: tuple[float, float] = AS_HELD) -> Plane:
    """Return the tiles as they lie. Those in `row` are known to lie side by side.

    `held` is a direction in the photograph, to be told in the plane.
    """
    to_widths, middle = _begin(quads[row].astype(np.float64))
    local = (quads.astype(np.float64) - middle) @ to_widths.T
    figures = np.array([*_horizon(local[row]), 0.0, 0.0])
    weights = np.zeros(len(quads))
    weights[row] = 1.0
    for _ in range(_ROUNDS):
        change, off = _improve(local, figures, weights)
        figures += change
        if np.abs(change).max() < _ENOUGH:
            break
        weights = 1 / (1 + off / _ODD) ** 2
    flat = _straightened(local, figures[None])[:, 0].transpose(1, 2, 0)
    width = median(np.hypot(*(flat[row, 1] - flat[row, 0]).T))
    slant, stretch = figures[2], np.exp(figures[3])
    near = np.array([figures[0], (figures[1] - slant * figures[0]) / stretch])
    lower = to_widths @ np.array(held)
    along = _along(flat[row])
    return Plane(flat @ along / width, lower / np.hypot(*lower) @ along, near @ along)


def _along(row: Float64s) -> Float64s:
    """Return the matrix (2, 2) that turns points so that the tiles of a row lie along x."""
    across, _ = mean_sides(row)
    angle = np.angle(np.exp(2j * np.arctan2(across[:, 1], across[:, 0])).mean()) / 2
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _begin(row: Float64s) -> tuple[Float64s, Float64s]:
    """Return the matrix that makes the mean tile of a row upright and one wide, and its middle."""
    across, down = mean_sides(row)
    signs = np.where(across @ across[0] < 0, -1.0, 1.0)[:, None]
    usual = median(np.concatenate([across * signs, down * signs, row.sum(1) / 4], 1))
    sides = np.column_stack([usual[:2], usual[2:4] / SHAPE])
    return np.asarray(np.linalg.inv(sides), np.float64), usual[4:]


def median(values: Float64s) -> Float64s:
    """Return the median along the first axis: NumPy's takes ten times as long for a few.

    There must be a value, and none that is no number.
    """
    ranked, middle = np.sort(values, axis=0), len(values) // 2
    return np.asarray((ranked[-middle - 1] + ranked[middle]) / 2)


def mean_sides(quads: Float64s) -> tuple[Float64s, Float64s]:
    """Return each tile's mean rightward and downward side, both (N, 2)."""
    across = (quads[..., 1, :] - quads[..., 0, :] + quads[..., 2, :] - quads[..., 3, :]) / 2
    down = (quads[..., 3, :] - quads[..., 0, :] + quads[..., 2, :] - quads[..., 1, :]) / 2
    return across, down


def _horizon(row: Float64s) -> Float64s:
    """Return about where the horizon is: the cube root of a tile's area falls evenly towards it."""
    across, down = mean_sides(row)
    sizes = np.cbrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / SHAPE)
    centres = row.sum(1) / 4
    noise = 0.02
    prior = (noise / _HORIZON_DEVIATES) ** 2 * np.eye(2)
    return np.linalg.solve(centres.T @ centres + prior, centres.T @ (sizes - median(sizes)))


def _improve(local: Float64s, figures: Float64s, weights: Float64s) -> tuple[Float64s, Float64s]:
    """Return a step of least squares, and how far each tile (N,) now is from being like them."""
    off, shape = _misfits(_straightened(local, figures + _TRIED), weights)
    off /= _DEVIATES
    # The tiles' misfits, then that of their shape, then what was expected of the horizon.
    sides = np.concatenate([off.reshape(5, -1), shape[:, None] / _SHAPE_DEVIATES], 1)
    slopes = (sides[1:] - sides[:1]) / _STEP
    weighed = slopes * np.append(np.repeat(weights, off.shape[2]), 1.0)
    change = np.linalg.solve(weighed @ slopes.T + _FIRM, -weighed @ sides[0] - _EXPECTED * figures)
    return change, (off[0] ** 2).sum(1)


def _straightened(local: Float64s, figures: Float64s) -> Float64s:
    """Return x and y (2, K, N, 4) of the quads by K views (K, 4): horizon, slant and stretch."""
    x, y = local[..., 0], local[..., 1]
    to_x, to_y, slant, stretch = figures.T[:, :, None, None]
    nearer = 1 / np.maximum(1 + to_x * x + to_y * y, 0.05)
    lower = nearer * y
    return np.stack([nearer * x + slant * lower, np.exp(stretch) * lower])


def _misfits(flat: Float64s, weights: Float64s) -> tuple[Float64s, Float64s]:
    """Return by what each tile (K, N, 5) is no rectangle like the others, and their mean shape.

    The figures: how far its sides are from square to each other, how much wider and taller than the
    others it is, and how unlike its opposite sides are (logarithms). `flat` is (2, K, N, 4).
    """
    sides = flat[..., _TO] - flat[..., _FROM]
    means = (sides[..., :2] + sides[..., 2:]) / 2
    long = np.log(np.maximum(np.hypot(*np.concatenate([sides, means], -1)), 1e-6))
    sizes = long[..., 4:]
    skew = (means[..., 0] * means[..., 1]).sum(0) / np.exp(sizes.sum(-1))
    usual = (weights / weights.sum()) @ sizes  # (K, 2): width and height
    unlike = long[..., :2] - long[..., 2:4]
    off = np.concatenate([skew[..., None], sizes - usual[:, None], unlike], -1)
    return off, usual[:, 1] - usual[:, 0] - np.log(SHAPE)


def quads_of(tiles: Iterable[TileReading]) -> Quads:
    """Return the corners of tiles as read."""
    return np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2)
