"""Filled drawings turned into line engravings, as most birds and flowers on real tiles are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .shapes import PAPER, Circle, Group, Ink, Path, Shape

_SMALL = 1.7
"""Shapes less than this many line widths broad stay solid."""


def engraved(shapes: Iterable[Shape], width: float) -> tuple[Shape, ...]:
    """Return the shapes as outlines of a line width; what was cut out of ink becomes a line."""
    drawn: list[Shape] = []
    cut: Ink = PAPER
    for shape in shapes:
        if isinstance(shape, Group):
            drawn.append(replace(shape, shapes=engraved(shape.shapes, width)))
        elif shape.ink is PAPER:
            # A line cut into a solid shape stays a cut; in an outlined one it is drawn instead.
            drawn.append(replace(shape, ink=cut) if shape.width else shape)
        elif shape.width or _breadth(shape) < _SMALL * width:
            drawn.append(shape)
            cut = PAPER
        else:
            drawn += (replace(shape, ink=PAPER), replace(shape, width=width))
            cut = shape.ink
    return tuple(drawn)


def _breadth(shape: Path | Circle) -> float:
    """Return about how wide a filled shape is: its area over half its outline."""
    if isinstance(shape, Circle):
        return shape.radius
    area = outline = 0.0
    for contour in shape.contours:
        for (x, y), (u, v) in zip(contour, contour[1:] + contour[:1], strict=True):
            area += (x * v - u * y) / 2
            outline += ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    return 2 * abs(area) / max(outline, 1e-6)
