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
    readings = {}
    for side, reading in hands.items():
        left, top = (SIDE - reading.width) // 2, SIDE - reading.height
        strip = Image.open(io.BytesIO(picture(reading)))
        turned_strip = strip.rotate(90 * _TURNS[side], expand=True)
        table.paste(turned_strip, _corner(side, left, top, turned_strip.size))
        tiles = tuple(
            structs.replace(t, quad=_move_quad(t.quad, left, top, side)) for t in reading.tiles
        )
        readings[side] = structs.replace(reading, width=SIDE, height=SIDE, tiles=tiles)
    output = io.BytesIO()
    table.save(output, "JPEG")
    return readings, output.getvalue()


def _corner(side: Side, left: int, top: int, size: tuple[int, int]) -> tuple[int, int]:
    if side in ("bottom", "top"):
        return left, top if side == "bottom" else 0
    return (SIDE - size[0] if side == "right" else 0), left


def _move_quad(quad: Quad, left: int, top: int, side: Side) -> Quad:
    def turn_point(point: Point) -> Point:
        x, y = point[0] + left, point[1] + top
        for _ in range(_TURNS[side]):
            x, y = y, SIDE - x
        return x, y

    first, second, third, fourth = (turn_point(point) for point in quad)
    return first, second, third, fourth
