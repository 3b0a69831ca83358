"""A pointed brush, and the Chinese characters written with it on a 100 x 100 grid.

A stroke is a centre line and how its width swells and tapers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.train.drawing.faces.shapes import Ink, Path, Point, flatten, line

CHARACTERS: dict[str, str] = {
    # Numerals
    "一": "h 8,54 92,47",
    "二": "h 24,30 76,25; h 8,78 92,72",
    "三": "h 18,22 80,17; h 25,50 74,46; h 7,83 93,78",
    "四": "s 17,26 26,82; h 18,29 82,25; s 82,24 74,82; p 42,29 41,46 31,62;"
    " s 58,28 58,50 63,57 76,55; h 26,78 75,76",
    "五": "h 19,20 80,16; s 49,19 38,80; h 24,48 72,44; s 71,43 66,80; h 7,84 93,80",
    "伍": "p 32,7 24,30 6,52; s 21,38 21,95; h 40,22 90,18; s 64,21 54,82; h 42,52 85,48;"
    " s 84,47 80,82; h 33,87 97,83",
    "六": "d 45,6 57,23; h 7,40 93,34; p 40,50 32,70 10,92; d 56,49 72,66 88,91",
    "七": "h 7,49 93,37; b 45,9 43,72 53,85 85,82; g 85,83 88,63",
    "八": "p 40,22 34,54 6,87; a 50,14 62,50 96,86",
    "九": "p 41,7 38,52 6,92; h 14,37 68,31; b 67,31 61,72 70,85 91,82; g 91,83 93,62",
    "萬": "h 8,14 92,10; s 33,3 36,24; p 67,2 65,12 61,24; s 27,30 30,56; h 27,32 74,28;"
    " s 74,28 71,55; h 31,42 71,40; h 30,54 71,52; s 50,31 50,79; s 15,64 16,97;"
    " h 15,66 86,61; s 86,61 83,94; g 83,96 69,86; t 29,85 67,77; d 61,69 71,84",
    "万": "h 8,19 92,14; p 44,18 38,58 8,93; h 40,46 78,42; s 78,42 71,88; g 71,90 54,78",
    # Winds
    "東": "h 15,20 85,16; s 24,33 28,62; h 24,35 76,31; s 76,31 72,61; h 27,47 72,45;"
    " h 28,60 72,58; s 50,3 50,97; p 48,61 34,77 7,92; a 52,61 66,76 96,91",
    "南": "h 13,21 87,16; s 50,4 47,37; s 15,37 17,96; h 15,40 86,35; s 86,35 84,94; g 84,96 70,87;"
    " d 34,45 42,57; p 66,43 63,50 56,57; h 31,62 69,59; h 26,76 74,73; n 50,60 50,96",
    "西": "h 12,20 88,15; s 16,42 23,92; h 17,45 83,40; s 83,40 77,92; p 41,19 40,44 28,67;"
    " s 58,18 58,56 63,63 76,61; h 23,87 78,84",
    "北": "h 6,36 35,31; s 36,9 36,92; t 5,82 36,64; p 89,26 76,40 58,49;"
    " b 58,8 57,72 64,84 89,81; g 89,82 92,61",
    # Dragons
    "中": "s 15,30 22,64; h 16,33 83,28; s 84,27 78,62; h 23,60 77,57; n 50,2 50,99",
    "發": "h 17,14 40,11; p 41,11 30,34 4,50; d 15,25 29,36; a 54,5 66,30 98,48;"
    " p 75,3 70,10 61,16; p 91,14 86,21 74,28; h 16,49 43,46; s 43,46 42,59; h 18,60 42,58;"
    " s 18,60 15,74; h 15,74 43,71; s 43,71 38,94; g 38,96 23,87; p 58,49 57,60 47,69;"
    " h 58,50 77,47; b 77,47 77,58 81,62 92,60; g 92,61 93,51; h 52,74 82,71;"
    " p 82,70 70,86 44,98; a 55,76 70,88 98,97",
    "白": "p 54,3 48,15 38,26; s 21,26 23,96; h 21,28 79,24; s 79,24 77,95; h 23,59 77,56;"
    " h 23,90 77,87",
    # Seasons
    "春": "h 20,16 80,12; h 26,28 74,25; h 8,43 92,38; p 50,3 42,40 5,68; a 54,41 68,55 97,68;"
    " s 34,56 34,97; h 34,58 67,55; s 68,55 68,96; h 35,74 67,72; h 35,92 67,90",
    "夏": "h 12,10 88,7; p 52,9 49,15 43,21; s 29,22 29,57; h 29,24 71,21; s 71,21 71,56;"
    " h 30,34 70,32; h 30,44 70,43; h 30,55 70,53; p 44,57 34,68 14,78; h 40,67 70,63;"
    " p 71,62 52,84 9,98; a 34,70 56,87 95,98",
    "秋": "p 45,7 30,14 13,18; h 5,36 52,31; s 29,14 29,97; p 28,39 20,57 4,73; d 33,43 46,58;"
    " d 57,31 65,49; p 91,27 87,38 78,49; p 73,6 72,50 66,74 46,96; a 73,48 79,72 98,94",
    "冬": "p 43,4 33,26 10,46; h 38,20 70,16; p 71,15 50,44 7,66; a 32,27 58,48 97,64;"
    " d 41,62 57,74; d 34,80 62,96",
    # Flowers
    "梅": "h 4,31 42,27; s 23,5 23,97; p 22,34 16,52 3,68; d 27,42 39,54; p 57,4 51,18 42,30;"
    " h 52,19 94,15; s 55,35 48,75; h 55,36 88,32; s 87,32 83,88; g 83,90 71,81; h 49,75 84,72;"
    " h 40,55 98,51; d 65,38 71,48; d 63,59 69,69",
    "蘭": "h 6,13 94,9; s 33,2 35,22; s 67,1 65,22; s 12,28 13,98; h 12,30 40,28; s 40,28 40,47;"
    " h 13,38 39,37; h 13,47 39,46; s 60,29 60,46; h 60,29 88,27; s 88,27 88,95; g 88,97 78,89;"
    " h 61,37 87,36; h 61,46 87,45; h 25,57 75,54; s 31,63 33,78; h 31,64 69,62; s 69,62 67,77;"
    " h 33,77 67,75; s 50,50 50,97; p 48,79 40,87 24,94; d 53,79 74,92",
    "菊": "h 6,16 94,12; s 33,4 36,26; s 67,3 64,26; p 35,26 27,42 7,57; h 28,40 86,35;"
    " s 86,35 81,94; g 81,96 65,87; d 31,47 40,58; p 64,45 61,52 54,58; h 21,66 74,62;"
    " s 48,44 48,94; p 46,67 36,81 20,90; a 50,67 60,79 76,88",
    "竹": "p 28,5 22,24 6,45; h 20,29 47,24; s 33,28 33,95; p 67,5 61,24 51,40; h 60,27 96,22;"
    " s 79,26 79,92; g 79,94 64,84",
}


Array = NDArray[np.float64]

_PROFILES: dict[str, tuple[float, ...]] = {
    "h": (0.86, 0.66, 0.60, 0.66, 1.12),
    "s": (1.22, 0.94, 0.88, 0.90, 1.02),
    "n": (1.20, 0.98, 0.95, 0.80, 0.04),
    "b": (1.20, 0.94, 0.90, 0.94, 0.96),
    "p": (1.20, 1.00, 0.88, 0.60, 0.04),
    "a": (0.30, 0.62, 0.92, 1.42, 0.04),
    "d": (0.16, 0.80, 1.22, 1.36, 0.90),
    "t": (1.15, 1.00, 0.78, 0.46, 0.04),
    "g": (1.10, 0.86, 0.62, 0.34, 0.04),
}
"""Width along a stroke, start to end in equal steps, as a part of the hand's weight."""

_PEN = np.array([0.64, 0.77])
"""Direction of the brush's edge where a stroke is set down: from upper left to lower right, which
gives the slanted heads of regular script."""

_MAX_POINT_WIDTH = 0.3
"""An end narrower than this is left sharp, in grid units."""

_SAMPLES_PER_STROKE = 7


@dataclass(frozen=True, slots=True)
class Hand:
    """One writer: brush weight in grid units, thick-thin contrast, slant and unsteadiness."""

    weight: float = 9.0
    contrast: float = 1.0
    slant: float = 0.0
    """Degrees to the right."""
    wobble: float = 0.0
    """Standard deviation of each control point in grid units."""
    seed: int = 0


def character_strokes(sign: str, hand: Hand, ink: Ink) -> tuple[Path, ...]:
    """Return one of `CHARACTERS` on its 100 x 100 grid; raise KeyError for any other."""
    rng = np.random.default_rng([hand.seed, ord(sign)])
    paths = []
    # Characters of many strokes are written with a finer brush.
    strokes = [text.split() for text in CHARACTERS[sign].split(";")]
    weight = hand.weight * (1.12 - 0.022 * len(strokes))
    for kind, *texts in strokes:
        points = np.array([text.split(",") for text in texts], dtype=np.float64)
        points += rng.normal(0, hand.wobble, points.shape)
        points[:, 0] -= np.tan(np.radians(hand.slant)) * (points[:, 1] - 50)
        widths = weight * np.asarray(_PROFILES[kind]) ** hand.contrast
        places = [(x, y) for x, y in points.tolist()]
        paths.append(brush(places, tuple(widths), ink, pen=kind != "d"))
    return tuple(paths)


def brush(points: list[Point], widths: tuple[float, ...], ink: Ink, pen: bool = False) -> Path:
    """Return the outline of a brush drawn through the points; `widths` are spread along it.

    With `pen` the start is cut along the brush's slanted edge; other ends are round or pointed.
    """
    centre = _resample(points)
    tangents = np.gradient(centre, axis=0)
    tangents /= np.maximum(np.hypot(tangents[:, 0], tangents[:, 1]), 1e-9)[:, None]
    normal = np.stack([-tangents[:, 1], tangents[:, 0]], axis=1)
    places = np.linspace(0, 1, len(centre))
    half = np.interp(places, np.linspace(0, 1, len(widths)), widths)[:, None] / 2
    side = normal * half
    if pen:
        side[0] = _edge(normal[0], half[0, 0])
    start = _end(centre[0], -tangents[0], half[0, 0])
    end = _end(centre[-1], tangents[-1], half[-1, 0])
    outline = np.vstack([start, centre + side, end, (centre - side)[::-1]])
    return Path((tuple((x, y) for x, y in outline.tolist()),), ink, smooth=True)


def taper(points: list[Point], start: float, end: float, ink: Ink) -> Path:
    """Return a stem or blade whose width runs evenly from `start` to `end`."""
    return brush(points, (start, end), ink)


def _edge(normal: Array, half: float) -> Array:
    """Return the half edge of a stroke's start, along the pen where that is not too slanted."""
    pen_offset = float(normal @ _PEN)
    if abs(pen_offset) < 0.5:
        return normal * half
    edge: Array = _PEN * half / pen_offset
    return edge


def _end(point: Array, outwards: Array, half: float) -> Array:
    """Return what closes a stroke: a point given twice, or the bulge of a round end."""
    if half < _MAX_POINT_WIDTH:
        return np.stack([point, point])
    return (point + outwards * half * 0.55)[None]


def _resample(points: list[Point]) -> Array:
    """Return `_SAMPLES_PER_STROKE` points equally spaced along the spline through `points`."""
    if len(points) == 2:
        dense = np.linspace(points[0], points[1], 2)
    else:
        dense = flatten(line(points, None, 1.0, smooth=True), steps=8)[0]
    lengths = np.r_[0, np.cumsum(np.hypot(*np.diff(dense, axis=0).T))]
    count = _SAMPLES_PER_STROKE if len(points) > 2 else 4
    marks = np.linspace(0, lengths[-1], count)
    return np.stack([np.interp(marks, lengths, dense[:, axis]) for axis in (0, 1)], axis=1)
