"""A small display list: filled and stroked paths, circles and named groups on a 60 x 80 face.

A smooth contour runs through its points as a spline; a point given twice is a corner. Splines are
cubic Bézier pieces, the same for the SVG and for the raster.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, radians, sin, sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Contour = tuple[Point, ...]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""
Ink = Colour | None
"""None is paper: it clears what lies below."""

PAPER: Ink = None
FACE_WIDTH, FACE_HEIGHT = 60.0, 80.0
"""The face in drawing units: x to the right, y down."""


@dataclass(frozen=True, slots=True)
class Path:
    """One or more contours, filled by the even-odd rule, or stroked when `width` is not 0."""

    contours: tuple[Contour, ...]
    ink: Ink
    width: float = 0.0
    smooth: bool = False
    is_closed: bool = True


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc, or a ring of line width `width` when that is not 0."""

    centre: Point
    radius: float
    ink: Ink
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes under a name, which becomes the class of an SVG group."""

    name: str
    shapes: tuple[Shape, ...]


Shape = Path | Circle | Group
Picture = tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes from the bottom up on a face of 60 x 80 units."""

    shapes: tuple[Shape, ...]


class Transform(Protocol):
    """Where points go, and how much lengths grow on the way."""

    @property
    def scale(self) -> float:
        """Return the mean factor on lengths."""

    def __call__(self, point: Point) -> Point:
        """Return where a point goes."""


@dataclass(frozen=True, slots=True)
class Affine:
    """x' = a x + c y + e, y' = b x + d y + f, in SVG's order."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __call__(self, point: Point) -> Point:
        """Return where a point goes."""
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    @property
    def scale(self) -> float:
        """How much lengths grow, on average over directions."""
        return sqrt(abs(self.a * self.d - self.b * self.c))


def place(
    x: float, y: float, scale: float = 1.0, turn: float = 0.0, mirror: bool = False
) -> Affine:
    """Move the origin to (x, y), after scaling, mirroring left-right and turning clockwise."""
    c, s = cos(radians(turn)) * scale, sin(radians(turn)) * scale
    sign = -1.0 if mirror else 1.0
    return Affine(sign * c, sign * s, -s, c, x, y)


def fit(box: Box, size: Point = (100.0, 100.0)) -> Affine:
    """Map (0, 0) to `size` onto the box left, top, right, bottom."""
    left, top, right, bottom = box
    return Affine(a=(right - left) / size[0], d=(bottom - top) / size[1], e=left, f=top)


def move(shapes: Iterable[Shape], transform: Transform) -> tuple[Shape, ...]:
    """Return the shapes under a transform; line widths and radii follow its mean scale."""
    return tuple(_move_one(shape, transform) for shape in shapes)


def _move_one(shape: Shape, transform: Transform) -> Shape:
    match shape:
        case Path(contours=contours, width=width):
            points = tuple(tuple(transform(p) for p in contour) for contour in contours)
            return replace(shape, contours=points, width=width * transform.scale)
        case Circle(centre=centre, radius=radius, width=width):
            return replace(
                shape,
                centre=transform(centre),
                radius=radius * transform.scale,
                width=width * transform.scale,
            )
        case Group(shapes=shapes):
            return replace(shape, shapes=move(shapes, transform))


def blob(points: Sequence[Point], ink: Ink) -> Path:
    """Return a filled smooth closed contour."""
    return Path((tuple(points),), ink, smooth=True)


def polygon(points: Sequence[Point], ink: Ink) -> Path:
    """Return a filled polygon."""
    return Path((tuple(points),), ink)


def line(points: Sequence[Point], ink: Ink, width: float, smooth: bool = False) -> Path:
    """Return a stroked open line with round ends."""
    return Path((tuple(points),), ink, width, smooth, is_closed=False)


def round_box(box: Box, radius: float) -> Contour:
    """Return a rounded rectangle (left, top, right, bottom) for a smooth path."""
    left, top, right, bottom = box
    points: list[Point] = []
    corners = (
        (right - radius, top + radius, -90),
        (right - radius, bottom - radius, 0),
        (left + radius, bottom - radius, 90),
        (left + radius, top + radius, 180),
    )
    for x, y, start in corners:
        # The first and last point of each corner stand twice so that the sides stay straight.
        angles = (start, start, start + 30, start + 60, start + 90, start + 90)
        points += [(x + radius * cos(radians(t)), y + radius * sin(radians(t))) for t in angles]
    return tuple(points)


def polar(centre: Point, radius: float, turn: float) -> Point:
    """Return the point at `radius` from `centre`, `turn` degrees clockwise from the top."""
    angle = radians(turn)
    return centre[0] + radius * sin(angle), centre[1] - radius * cos(angle)


def distance(p: Point, q: Point) -> float:
    """Return the distance between two points."""
    return hypot(p[0] - q[0], p[1] - q[1])


Array = NDArray[np.float64]


def beziers(contour: Contour, is_closed: bool) -> Array:
    """Return the spline through a contour as cubic pieces, (n, 4, 2).

    The tangent at a point is parallel to the chord between its neighbours. Each handle is a third
    of its piece, so uneven spacing does not overshoot. A doubled point makes a corner.
    """
    points = np.asarray(contour, dtype=np.float64)
    if is_closed:
        before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    else:
        before = np.vstack([points[:1], points[:-1]])
        after = np.vstack([points[1:], points[-1:]])
    chord = after - before
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-9)
    tangent = chord / length[:, None]
    start, end = points, after
    last = np.roll(tangent, -1, axis=0)
    if not is_closed:
        start, end, tangent, last = points[:-1], after[:-1], tangent[:-1], tangent[1:]
    step = np.hypot(*(end - start).T)[:, None] / 3
    pieces: Array = np.stack([start, start + tangent * step, end - last * step, end], axis=1)
    return np.asarray(pieces[step[:, 0] > 1e-6])


def flatten(path: Path, steps: int = 6) -> list[Array]:
    """Return each contour of a path as the points of a polygon or an open line, (n, 2)."""
    if not path.smooth:
        return [np.asarray(contour, dtype=np.float64) for contour in path.contours]
    return [_sample(beziers(contour, path.is_closed), steps) for contour in path.contours]


def _sample(pieces: Array, steps: int) -> Array:
    t = np.arange(steps) / steps
    basis = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3], axis=1)
    points: Array = (basis @ pieces).reshape(-1, 2)
    return np.vstack([points, pieces[-1:, 3]])
