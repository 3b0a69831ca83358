"""Where things lie in the photograph, for the drawing that is laid over it, never into it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from device.hands.hand import HandRecord
from device.i18n.words import say
from device.views.left_out import NEARBY, left_out_places
from vision.reading import Point, Quad

LABEL_SHARE = 0.032
"""Height of the numbers as a share of the picture's width: about 11 CSS pixels on a phone."""

CLOSER_FROM = 0.8
"""The tiles are shown closer when they take up less than this share of the photo's area."""

FLATTEST = 0.36
"""Least height of the closer view as a share of its width: some table stays in sight."""


@dataclass(frozen=True, slots=True)
class OverlayWindow:
    """A rectangle of the photograph, in its pixels; as text, an SVG viewBox."""

    x: float
    y: float
    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.x:.0f} {self.y:.0f} {self.width:.0f} {self.height:.0f}"


@dataclass(frozen=True, slots=True)
class OverlayBox:
    """One tile's outline, with its number outside it so that the face stays clear."""

    place: int
    points: str
    label_x: float
    label_y: float
    marks: str
    """Style classes: `doubtful`, `changed`, and `left-out` for a tile that is in no set."""
    number: str
    """Its number; of a tile left out also why, in a word, unless it lies far off."""
    why: str = ""
    """Why it is not taken for one of the hand's, in a sentence; empty for those that are."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A window on one tile, and how to turn the photograph so that it stands upright."""

    window: OverlayWindow
    turn: float
    """Degrees, clockwise, about the tile's centre."""
    centre: Point


def whole(record: HandRecord) -> OverlayWindow:
    """Return all of the photograph; an empty window for a hand without one."""
    if record.photo is None:
        return OverlayWindow(0, 0, 0, 0)
    return OverlayWindow(0, 0, record.photo.width, record.photo.height)


def close_up(record: HandRecord) -> OverlayWindow:
    """Return the part of the photograph with the hand's tiles, or all of it if that is most.

    Tiles beside the hand that were left out are shown, too: they may be the player's.
    """
    full = whole(record)
    shown = [place for laid in record.sets for place in laid.tiles]
    shown += [place for place, why in left_out_places(record).items() if why in NEARBY]
    quads = [tile.read.quad for tile in (record.tiles[place] for place in shown) if tile.read]
    near = around(quads, record)
    if near is None:
        return full
    height = min(max(near.height, FLATTEST * near.width), full.height)
    top = min(max(near.y - (height - near.height) / 2, 0.0), full.height - height)
    closer = near.width * height < CLOSER_FROM * full.width * full.height
    return OverlayWindow(near.x, top, near.width, height) if closer else full


def boxes(record: HandRecord, size: float) -> tuple[OverlayBox, ...]:
    """Return the outline of every tile that was found and not struck out.

    `size` is the height of the numbers in pixels of the photograph.
    """
    left_out = left_out_places(record)
    drawn = []
    for place, tile in enumerate(record.tiles):
        if tile.read and tile.code is not None:
            named = {"doubtful": tile.doubtful, "changed": tile.changed}
            marks = [name for name, holds in named.items() if holds]
            x, y = _label(tile.read.quad, size)
            number, sentence = f"{place + 1}{'?' if tile.doubtful else ''}", ""
            if why := left_out.get(place):
                marks.append("left-out")
                number = f"{place + 1} {say(f'left-out.{why}.mark')}" if why in NEARBY else ""
                sentence = say(f"left-out.{why}.this")
            marked = " ".join(marks)
            drawn.append(OverlayBox(place, points(tile.read.quad), x, y, marked, number, sentence))
    return tuple(drawn)


def crop(quad: Quad) -> Crop:
    """Return a window on one tile, with a little of what lies around it."""
    (ax, ay), (bx, by), _, (dx, dy) = quad
    width, height = math.dist((ax, ay), (bx, by)) * 1.5, math.dist((ax, ay), (dx, dy)) * 1.4
    x, y = _centre(quad)
    turn = -math.degrees(math.atan2(by - ay, bx - ax))
    return Crop(OverlayWindow(x - width / 2, y - height / 2, width, height), turn, (x, y))


def around(quads: Sequence[Quad], record: HandRecord) -> OverlayWindow | None:
    """Return the part of the photograph that shows these tiles; None for no tiles."""
    if not quads or record.photo is None:
        return None
    xs, ys = zip(*(point for quad in quads for point in quad), strict=True)
    margin = 0.5 * max(math.dist(quads[0][0], quads[0][1]), 1.0)
    left, top = max(min(xs) - margin, 0.0), max(min(ys) - margin, 0.0)
    right = min(max(xs) + margin, float(record.photo.width))
    bottom = min(max(ys) + margin, float(record.photo.height))
    return OverlayWindow(left, top, right - left, bottom - top)


def points(quad: Iterable[Point]) -> str:
    """Return the corners as an SVG polygon has them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in quad)


def _label(quad: Quad, size: float) -> Point:
    """Return a point just outside the edge that is uppermost in the photograph."""
    cx, cy = _centre(quad)
    ends = zip(quad, (*quad[1:], quad[0]), strict=True)
    ex, ey = min((((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in ends), key=lambda p: p[1])
    away = max(math.dist((cx, cy), (ex, ey)), 1.0)
    reach = 0.75 * size / away
    return round(ex + (ex - cx) * reach, 1), round(ey + (ey - cy) * reach, 1)


def _centre(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4
