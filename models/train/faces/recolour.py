"""Black-only art in colours, by the rules that real sets follow (each pixel takes one ink)."""

from __future__ import annotations

import cv2
import numpy as np

from .bamboo import stick_middles
from .circles import dot_centres
from .honours import fortune_ink
from .layers import Pixels
from .shapes import Colour, Point
from .style import BAMBOO_PLANS, CIRCLE_PLANS, Style


def recoloured(code: str, art: Pixels, style: Style, rng: np.random.Generator) -> Pixels:
    """Return the art's alpha with the style's inks for this face. `art` is RGBA with ink in it."""
    inks = _ink_per_pixel(code, art[..., 3], style, rng)
    coloured = art.copy()
    coloured[..., :3] = inks
    return coloured


def _ink_per_pixel(code: str, alpha: Pixels, style: Style, rng: np.random.Generator) -> Pixels:
    family, rank = code[0], code[1]
    ys, xs = np.nonzero(alpha > 40)
    if not len(ys):
        return np.zeros((*alpha.shape, 3), dtype=np.uint8)
    box = (int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)
    match family:
        case "C":
            return _split(alpha, box, style.ink(style.numeral_ink), style.ink(style.wan_ink))
        case "W":
            return _plain(alpha, style.ink(style.wind_ink))
        case "D":
            white = style.ink(style.white_ink)
            ink = {"R": style.red, "G": fortune_ink(style), "W": white}[rank]
            return _plain(alpha, ink)
        case "O" if rank == "1":
            return _heart(alpha, box, style)
        case "O":
            plan = CIRCLE_PLANS[style.circle_plan][int(rank)]
            return _nearest(alpha, box, dot_centres(int(rank)), [style.plan_ink(p) for p in plan])
        case "B" if rank != "1":
            plan = BAMBOO_PLANS[style.bamboo_plan].get(int(rank), "g" * int(rank))
            return _nearest(alpha, box, stick_middles(int(rank)), [style.plan_ink(p) for p in plan])
        case _:
            return _components(alpha, style, rng)


def _plain(alpha: Pixels, ink: Colour) -> Pixels:
    return np.broadcast_to(np.array(ink, dtype=np.uint8), (*alpha.shape, 3)).copy()


def _split(alpha: Pixels, box: tuple[int, int, int, int], upper: Colour, lower: Colour) -> Pixels:
    """Colour the numeral and the sign below it, parted at the emptiest row near the middle."""
    _, top, _, bottom = box
    rows = alpha.sum(axis=1)
    start, end = (round(top + (bottom - top) * part) for part in (0.25, 0.58))
    cut = start + int(np.argmin(rows[start:end])) if end > start else start
    colours = _plain(alpha, lower)
    colours[:cut] = upper
    return colours


def _heart(alpha: Pixels, box: tuple[int, int, int, int], style: Style) -> Pixels:
    left, top, right, bottom = box
    y, x = np.indices(alpha.shape)
    radius = np.hypot(x - (left + right) / 2, y - (top + bottom) / 2)
    part = radius / max(1.0, (right - left) / 2)
    colours = _plain(alpha, style.plan_ink("b"))
    colours[part < 0.72] = style.green
    colours[part < 0.48] = style.red
    return colours


def _nearest(
    alpha: Pixels, box: tuple[int, int, int, int], middles: list[Point], inks: list[Colour]
) -> Pixels:
    """Give each pixel the ink of the nearest dot or stick of the standard layout."""
    left, top, right, bottom = box
    y, x = (np.arange(length, dtype=np.float32) for length in alpha.shape)
    places = [(left + u * (right - left), top + v * (bottom - top)) for u, v in middles]
    squares = np.stack([(x - px)[None] ** 2 + (y - py)[:, None] ** 2 for px, py in places])
    chosen = np.argmin(squares, axis=0)
    return np.asarray(np.array(inks, dtype=np.uint8)[chosen])


def _components(alpha: Pixels, style: Style, rng: np.random.Generator) -> Pixels:
    count, labels = cv2.connectedComponents((alpha > 40).astype(np.uint8), connectivity=8)
    choices = np.array(
        [style.red, style.green, style.green, style.ink(style.numeral_ink)], dtype=np.uint8
    )
    table = choices[rng.integers(len(choices), size=count)]
    # Soft edges lie outside the components: they take the colour of what they touch.
    grown = cv2.dilate(labels.astype(np.float32), np.ones((3, 3), np.uint8)).astype(np.int32)
    return np.asarray(table[np.where(labels > 0, labels, grown)])
