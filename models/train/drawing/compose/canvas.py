"""The canvas: what has been painted so far, brushes that know the perspective, and the lens."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.drawing.compose.bodies import Floats
from models.train.drawing.compose.colours import F32
from models.train.drawing.compose.views import View

_FRACTION_BITS = 4
_MAX_COORDINATE_PX = 16000.0
_MIN_DEPTH_CM = 1.0
"""Nothing nearer to the lens than this is painted."""


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """A picture in the making. Its buffers are painted in place."""

    eye: Floats
    """(3,) where the lens is."""
    lens: Floats
    """(3, 3): world directions from the eye to homogeneous pixels; planes stay planes."""
    light: F32
    """(H, W, 3) linear light."""
    gloss: F32
    """(H, W): how strongly a level surface seen here mirrors a lamp."""
    owner: NDArray[np.int16]
    """(H, W): number of the body seen here, or -1."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.light.shape[1], self.light.shape[0]

    def project(self, points: Floats) -> Floats:
        """Return the pixels (..., 2) of world points (..., 3)."""
        in_view = (points - self.eye) @ self.lens.T
        return np.asarray(in_view[..., :2] / np.maximum(in_view[..., 2:], 1e-6))

    def plane(self, origin: Floats, u_axis: Floats, v_axis: Floats) -> Floats:
        """Return the homography (3, 3) from `origin + u u_axis + v v_axis` to the pixel."""
        return np.asarray(self.lens @ np.column_stack((u_axis, v_axis, origin - self.eye)))

    def scale(self, level: float) -> float:
        """Return how many pixels a centimetre spans on a level in the middle of the picture."""
        forward = np.linalg.solve(self.lens, (self.size[0] / 2, self.size[1] / 2, 1.0))
        distance = (
            (level - self.eye[2]) / min(float(forward[2]), -0.05) * float(np.linalg.norm(forward))
        )
        focal = float(np.linalg.norm(self.lens[0] - self.size[0] / 2 * self.lens[2]))
        return focal / max(float(distance), 1.0)

    def outline(self, polygon: Floats) -> Floats:
        """Return the pixels (M, 2) of a flat world polygon (N, 3), cut off before the lens."""
        depth = (polygon - self.eye) @ self.lens[2] - _MIN_DEPTH_CM
        visible_points: list[Floats] = []
        for a, b, da, db in zip(
            polygon, np.roll(polygon, -1, axis=0), depth, np.roll(depth, -1), strict=True
        ):
            if da > 0:
                visible_points.append(a)
            if (da > 0) != (db > 0):
                visible_points.append(a + (b - a) * da / (da - db))
        return (
            self.project(np.array(visible_points)) if len(visible_points) > 2 else np.zeros((0, 2))
        )


def lens_matrix(view: View, size: tuple[int, int]) -> Floats:
    """Return the matrix (3, 3) from world directions to homogeneous pixels."""
    focal = view.focal * max(size)
    lens = np.array(((focal, 0.0, size[0] / 2), (0.0, focal, size[1] / 2), (0.0, 0.0, 1.0)))
    return np.asarray(lens @ view.frame())


def blank_canvas(view: View, size: tuple[int, int]) -> Canvas:
    """Return an empty canvas of `size` pixels for a view, whose distortion is left out."""
    shape = (size[1], size[0])
    return Canvas(
        view.position,
        lens_matrix(view, size),
        np.full((*shape, 3), 0.05, np.float32),
        np.zeros(shape, np.float32),
        np.full(shape, -1, np.int16),
    )


def to_fixed_point(pixels: Floats, scale: float = 1.0) -> NDArray[np.int32]:
    """Return pixel coordinates as OpenCV's fixed-point numbers, 16 to the pixel."""
    spot = np.clip(pixels * scale - 0.5, -_MAX_COORDINATE_PX, _MAX_COORDINATE_PX)
    return np.asarray(np.round(spot * (1 << _FRACTION_BITS)), dtype=np.int32)


def fill(buffer: NDArray[np.generic], pixels: Floats, value: object, scale: float = 1.0) -> None:
    """Fill a convex polygon (N, 2) of a buffer with one value."""
    if len(pixels) > 2:
        cv2.fillConvexPoly(buffer, to_fixed_point(pixels, scale), value, cv2.LINE_8, _FRACTION_BITS)  # type: ignore[call-overload]


def hull(pixels: Floats) -> Floats:
    """Return the convex hull (M, 2) of points (N, 2)."""
    return np.asarray(cv2.convexHull(pixels.astype(np.float32))[:, 0], dtype=np.float64)


def window(pixels: Floats, size: tuple[int, int]) -> tuple[slice, slice] | None:
    """Return the rows and columns of the picture that these pixels span, if any."""
    low = np.clip(np.floor(pixels.min(axis=0)), 0, size).astype(int)
    high = np.clip(np.ceil(pixels.max(axis=0)), 0, size).astype(int)
    if (high <= low).any():
        return None
    return slice(low[1], high[1]), slice(low[0], high[0])


def warp_picture(
    picture: F32, to_pixel: Floats, rows: slice, columns: slice, border: int = cv2.BORDER_CONSTANT
) -> F32:
    """Return the part of the canvas in which `picture` appears under a homography."""
    half = np.array(((1.0, 0.0, 0.5), (0.0, 1.0, 0.5), (0.0, 0.0, 1.0)))
    shift = np.array(((1.0, 0.0, -columns.start - 0.5), (0.0, 1.0, -rows.start - 0.5), (0, 0, 1)))
    size = (columns.stop - columns.start, rows.stop - rows.start)
    shifted = shift @ to_pixel @ half
    warped = cv2.warpPerspective(picture, shifted, size, flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(warped, dtype=np.float32)


def bend_picture(light: F32, view: View) -> F32:
    """Return the picture (H, W, 3) as the view's distortion shows it (`View.project` inverted)."""
    if abs(view.distortion) < 1e-4:
        return light
    height, width = light.shape[:2]
    focal = view.focal * max(width, height)
    x = (np.arange(width, dtype=np.float32) + 0.5 - width / 2) / focal
    y = (np.arange(height, dtype=np.float32)[:, None] + 0.5 - height / 2) / focal
    stretch = 1.0 + view.distortion * (x * x + y * y)
    from_x = (x * stretch * focal + width / 2 - 0.5).astype(np.float32)
    from_y = (y * stretch * focal + height / 2 - 0.5).astype(np.float32)
    bent_picture = cv2.remap(
        light, from_x, from_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(bent_picture, dtype=np.float32)
