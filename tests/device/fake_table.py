"""A photograph of a whole table that a reader says it saw: hands laid round it, and its picture."""

from __future__ import annotations

import io
from collections.abc import Mapping

from msgspec import structs
from PIL import Image

from tests.device.fake_reader import picture
from vision.reading import Point, Quad, Reading, Side

SIDE = 1500
"""Of the square picture, in pixels: a hand's picture of 1200 fits along each edge."""

_TURNS: dict[Side, int] = {"bottom": 0, "right": 1, "top": 2, "left": 3}
"""Quarters, anticlockwise, from the bottom to a side."""


def lay_round(hands: Mapping[Side, Reading]) -> tuple[dict[Side, Reading], bytes]:
    """Return the readings as they lie round the table, and a JPEG of it."""
    table = Image.new("RGB", (SIDE, SIDE), "#20573f")
    laid = {}
    for side, reading in hands.items():
        left, top = (SIDE - reading.width) // 2, SIDE - reading.height
        strip = Image.open(io.BytesIO(picture(reading)))
        turned = strip.rotate(90 * _TURNS[side], expand=True)
        table.paste(turned, _corner(side, left, top, turned.size))
        tiles = tuple(
            structs.replace(t, quad=_moved(t.quad, left, top, side)) for t in reading.tiles
        )
        laid[side] = structs.replace(reading, width=SIDE, height=SIDE, tiles=tiles)
    out = io.BytesIO()
    table.save(out, "JPEG")
    return laid, out.getvalue()


def _corner(side: Side, left: int, top: int, size: tuple[int, int]) -> tuple[int, int]:
    if side in ("bottom", "top"):
        return left, top if side == "bottom" else 0
    return (SIDE - size[0] if side == "right" else 0), left


def _moved(quad: Quad, left: int, top: int, side: Side) -> Quad:
    def turned(point: Point) -> Point:
        x, y = point[0] + left, point[1] + top
        for _ in range(_TURNS[side]):
            x, y = y, SIDE - x
        return x, y

    first, second, third, fourth = (turned(point) for point in quad)
    return first, second, third, fourth
