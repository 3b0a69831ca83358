"""Reconstruct the table as seen from straight above, from the quads of the tiles.

Faces play no part here. Tiles are equal rectangles in one plane; the camera makes quads of them
that shrink with distance. The plane in which they are equal again is fitted to all tiles at once.
The fit is robust, so dice and tiles standing on edge do not disturb it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.preprocess import Float64s
from vision.reading import TileReading

Quads = npt.NDArray[np.float32]
"""(N, 4, 2): corners in pixels, clockwise from each tile's own top left."""

Complexes = npt.NDArray[np.complex128]
"""Points as complex numbers x + iy. With few tiles NumPy's time goes into steps, and these take
fewer."""


DOWN_DIRECTION = (0.0, 1.0)
"""Direction in a photograph towards the person who holds it: down."""

HEIGHT_PER_WIDTH = 1.35
"""Height of a tile divided by its width; usual sets have 1.28 to 1.42. Where all tiles lie the same
way, their shape does not reveal the foreshortening, and this value is used."""

_SHAPE_DEVIATION = 0.05

_HORIZON_DEVIATION = 0.03
"""Standard deviation of the horizon's two parameters, in 1 / tile widths. Hands are seen from 15 to
40 widths away."""

_MISFIT_DEVIATIONS = np.array([0.035, 0.03, 0.025, 0.06, 0.05])
"""Standard deviations of the five values of `_misfits`, for corner errors of 3 % of a tile's
width."""

_OUTLIER_SQUARED_DEVIATION = 25.0
"""Sum of squared deviations from which a tile counts less, and soon not at all."""

_MAX_FIT_ROUNDS = 6
_DERIVATIVE_STEP = 1e-5
_DERIVATIVE_OFFSETS = np.concatenate([np.zeros((1, 4)), _DERIVATIVE_STEP * np.eye(4)])
"""(5, 4): the four parameters unchanged, and with a small step in each."""

_PRIOR_PRECISION = np.array([_HORIZON_DEVIATION, _HORIZON_DEVIATION, np.inf, np.inf]) ** -2.0
_PRIOR_MATRIX = np.diag(_PRIOR_PRECISION + 1e-9)

_SIDES_OF_CORNERS = np.array(
    [[-1.0, 1.0, 0.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 0.0, 1.0, -1.0],
     [-1.0, 0.0, 0.0, 1.0], [-0.5, 0.5, 0.5, -0.5], [-0.5, -0.5, 0.5, 0.5]]
)  # fmt: skip
"""(6, 4): from the corners of a tile to its top, right, bottom and left side, and to the means of
both opposite ones. All go rightward or downward."""

_MEAN_SIDES = _SIDES_OF_CORNERS[4:]
"""(2, 4): from the corners to the mean rightward and downward side."""

_MIN_DIVISOR = 0.05
"""Points beyond the horizon, and those near it, are taken to lie 20 times as far as the row."""

_MAX_LAST_CHANGE = 1e-3
"""A smaller change of the parameters moves no tile by more than a hundredth of its width."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The plane in which tiles lie, seen from above: in tile widths, with the first row along x."""

    from_photo: Float64s
    """Homography (3, 3) from pixels. The divisor that it gives is 1 at the first row."""
    owner_direction: Float64s
    """(2,): unit vector in the plane towards the photograph's lower edge, or in another requested
    direction."""
    near_direction: Float64s
    """(2,): direction towards the camera. Its length is the growth of the tiles in the photograph,
    as a share of their size per tile width."""

    def flatten(self, quads: Quads) -> Float64s:
        """Return quads (N, 4, 2) of the photograph as they lie."""
        rotation, shift = self.from_photo[:, :2], self.from_photo[:, 2]
        rotated_quads = quads.astype(np.float64) @ rotation.T + shift
        return np.asarray(rotated_quads[..., :2] / np.maximum(rotated_quads[..., 2:], _MIN_DIVISOR))


UNSEEN_PLANE = Plane(np.eye(3), np.array(DOWN_DIRECTION), np.zeros(2))
"""The photograph itself, where there are no tiles to fit a plane to."""


def fit_plane(
    quads: Quads, row: npt.NDArray[np.intp], owner_direction: tuple[float, float] = DOWN_DIRECTION
) -> Plane:
    """Return the plane in which these tiles lie; those in `row` are known to be adjacent.

    `owner_direction` is a direction in the photograph that is converted to the plane.
    """
    to_widths, middle = _initial_view(quads[row].astype(np.float64))
    local = _to_complex((quads.astype(np.float64) - middle) @ to_widths.T)
    figures = np.array([*_estimate_horizon(local[row]), 0.0, 0.0])
    weights = np.zeros(len(quads))
    weights[row] = 1.0
    for _ in range(_MAX_FIT_ROUNDS):
        change, misfits = _improve_fit(local, figures, weights)
        figures += change
        if np.abs(change).max() < _MAX_LAST_CHANGE:
            break
        weights = 1 / (1 + misfits / _OUTLIER_SQUARED_DEVIATION) ** 2
    flat = _to_points(_straighten(local[row], figures[None])[0])
    width = median(np.hypot(*(flat[:, 1] - flat[:, 0]).T))
    to_x, to_y, slant, log_stretch = figures
    stretch = np.exp(log_stretch)
    near_direction = np.array([to_x, (to_y - slant * to_x) / stretch])
    lower = to_widths @ np.array(owner_direction)
    rotation = rotation_to_row(flat)
    turn_matrix = np.empty((3, 2))
    turn_matrix[:2] = rotation.T @ np.array([[1.0, slant], [0.0, stretch]]) / width
    turn_matrix[2] = to_x, to_y
    from_photo = np.empty((3, 3))
    from_photo[:, :2] = turn_matrix @ to_widths
    from_photo[:, 2] = (0.0, 0.0, 1.0) - from_photo[:, :2] @ middle
    return Plane(from_photo, lower / np.hypot(*lower) @ rotation, near_direction @ rotation)


def rotation_to_row(row: Float64s) -> Float64s:
    """Return the matrix (2, 2) that turns points so that the tiles of a row lie along x."""
    horizontal, _ = mean_sides(row)
    angle = np.angle(np.exp(2j * np.arctan2(horizontal[:, 1], horizontal[:, 0])).mean()) / 2
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _initial_view(row: Float64s) -> tuple[Float64s, Float64s]:
    """Return the matrix that makes a row's mean tile upright and one wide, and its middle."""
    horizontal, vertical = mean_sides(row)
    signs = np.where(horizontal @ horizontal[0] < 0, -1.0, 1.0)[:, None]
    usual = median(np.concatenate([horizontal * signs, vertical * signs, row.sum(1) / 4], 1))
    sides = np.column_stack([usual[:2], usual[2:4] / HEIGHT_PER_WIDTH])
    return np.asarray(np.linalg.inv(sides), np.float64), usual[4:]


def median(values: Float64s) -> Float64s:
    """Return the median along the first axis, ten times faster than NumPy for few values.

    There must be at least one value and no nan.
    """
    sorted_values, middle = np.sort(values, axis=0), len(values) // 2
    return np.asarray((sorted_values[-middle - 1] + sorted_values[middle]) / 2)


def mean_sides(quads: npt.NDArray[np.floating]) -> tuple[Float64s, Float64s]:
    """Return each tile's mean rightward and downward side, both (N, 2)."""
    sides = _MEAN_SIDES @ quads
    return sides[..., 0, :], sides[..., 1, :]


def _to_complex(points: Float64s) -> Complexes:
    """Return points (..., 2) as complex numbers x + iy (...)."""
    return points.view(np.complex128)[..., 0]


def _to_points(numbers: Complexes) -> Float64s:
    """Return complex numbers (...) as points (..., 2)."""
    return numbers[..., None].view(np.float64)


def _estimate_horizon(row: Complexes) -> Float64s:
    """Return an estimate of the horizon: the cube root of a tile's area falls evenly towards it."""
    horizontal, vertical = _MEAN_SIDES @ row.T
    sizes = np.cbrt(np.abs((horizontal.conj() * vertical).imag) / HEIGHT_PER_WIDTH)
    centres = _to_points(row.sum(1) / 4)
    noise = 0.02
    prior = (noise / _HORIZON_DEVIATION) ** 2 * np.eye(2)
    return np.linalg.solve(centres.T @ centres + prior, centres.T @ (sizes - median(sizes)))


def _improve_fit(
    local: Complexes, figures: Float64s, weights: Float64s
) -> tuple[Float64s, Float64s]:
    """Return a least-squares step, and how far each tile (N,) is from fitting."""
    misfits, shape = _misfits(_straighten(local, figures + _DERIVATIVE_OFFSETS), weights)
    # Residuals: the tiles' misfits, their mean shape, and the prior of the horizon.
    sides = np.concatenate([misfits.reshape(5, -1), shape[:, None]], 1)
    slopes = (sides[1:] - sides[0]) / _DERIVATIVE_STEP
    weighted_slopes = slopes.copy()
    weighted_slopes[:, :-1] *= weights.repeat(misfits.shape[2])
    change = np.linalg.solve(
        weighted_slopes @ slopes.T + _PRIOR_MATRIX,
        -weighted_slopes @ sides[0] - _PRIOR_PRECISION * figures,
    )
    return change, (misfits[0] ** 2).sum(1)


def _straighten(local: Complexes, figures: Float64s) -> Complexes:
    """Return the quads (K, N, 4) in K views (K, 4): horizon, slant and stretch."""
    x, y = local.real, local.imag
    to_x, to_y, slant, stretch = figures.T[:, :, None, None]
    divisor = np.maximum(1 + to_x * x + to_y * y, _MIN_DIVISOR)
    return np.asarray((x + (slant + 1j * np.exp(stretch)) * y) / divisor)


def _misfits(flat: Complexes, weights: Float64s) -> tuple[Float64s, Float64s]:
    """Return how far each tile (K, N, 5) is from a rectangle like the others, and the mean shape.

    The values are: the deviation from right angles; the relative width and height; the inequality
    of opposite sides, twice. All but the first are logarithms, and all are in their standard
    deviations. `flat` is (K, N, 4).
    """
    sides = flat @ _SIDES_OF_CORNERS.T
    lengths = np.maximum(np.abs(sides), 1e-6)
    long, (horizontal, vertical) = np.log(lengths), (sides[..., 4], sides[..., 5])
    usual = (weights / weights.sum()) @ long[..., 4:]  # (K, 2): width and height
    misfits = np.empty((*long.shape[:2], 5))
    misfits[..., 0] = (horizontal * vertical.conj()).real / (lengths[..., 4] * lengths[..., 5])
    misfits[..., 1:3] = long[..., 4:] - usual[:, None]
    misfits[..., 3:] = long[..., :2] - long[..., 2:4]
    misfits /= _MISFIT_DEVIATIONS
    shape = usual[:, 1] - usual[:, 0] - np.log(HEIGHT_PER_WIDTH)
    return misfits, shape / _SHAPE_DEVIATION


def quads_of(tiles: Iterable[TileReading]) -> Quads:
    """Return the corners of tiles as read."""
    return np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2)


def size_ratios(quads: Quads, tiles: Quads, row: Sequence[int]) -> Float64s:
    """Return the factor, 1 or more, by which each quad (N,) differs in width or height.

    `tiles` are certainly tiles and alone determine the plane. Those in `row`, which are adjacent,
    give the usual size. The turn of a quad does not matter.
    """
    plane = fit_plane(tiles, np.array(row))
    usual = [float(median(sides)) for sides in _side_lengths(plane.flatten(tiles[list(row)]))]
    wide, tall = _side_lengths(plane.flatten(quads))
    return np.minimum(_worst_ratio(wide, tall, usual), _worst_ratio(tall, wide, usual))


def _side_lengths(quads: Float64s) -> tuple[Float64s, Float64s]:
    horizontal, vertical = mean_sides(quads)
    return np.hypot(*horizontal.T), np.hypot(*vertical.T)


def _worst_ratio(wide: Float64s, tall: Float64s, usual: Sequence[float]) -> Float64s:
    sides = np.maximum(np.stack([wide / usual[0], tall / usual[1]]), 1e-6)
    return np.asarray(np.maximum(sides, 1 / sides).max(0))


def measure_flatness(quads: npt.NDArray[np.float32]) -> float:
    """Return how high tiles (N, 4, 2) look in a photograph by their width, as a share of the usual.

    More than 1 means narrow tiles, as in a photograph that lies on its side. It is the median, so a
    few false tiles do not count.
    """
    horizontal, vertical = mean_sides(quads.astype(np.float64))
    ratios = np.hypot(*vertical.T) / np.maximum(np.hypot(*horizontal.T), 1e-6) / HEIGHT_PER_WIDTH
    is_upright = np.abs(horizontal[:, 0]) >= np.abs(horizontal[:, 1])
    return float(median(np.where(is_upright, ratios, 1 / np.maximum(ratios, 1e-6))))
