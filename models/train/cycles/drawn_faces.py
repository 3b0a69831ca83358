"""Three tile sets drawn here, unlike those that the networks learned from; Pillow and fonts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

RGB = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

NAVY, RED, GREEN, BLUE, BLACK = (
    (20, 26, 74), (178, 26, 28), (20, 104, 56), (24, 60, 158), (20, 20, 20),
)  # fmt: skip
_OPENTYPE, _TRUETYPE = "/usr/share/fonts/opentype/noto/", "/usr/share/fonts/truetype/"
SIGNS = {
    "WE": "東", "WS": "南", "WW": "西", "WN": "北", "DR": "中", "DG": "發",
    "F1": "梅", "F2": "蘭", "F3": "菊", "F4": "竹", "S1": "春", "S2": "夏", "S3": "秋", "S4": "冬",
}  # fmt: skip
NUMERALS = "一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Drawing:
    """How one set is drawn."""

    font: str
    """For Chinese signs."""
    latin: str
    index: str
    """Corners that have one, `a` for top left, `b` for top right, `d` for bottom right."""
    ink: Colour
    """Winds, numerals, what has no colour of its own."""
    green_dragon: Colour
    white: str
    """The white dragon: `blank`, or `frame`."""
    pip: str
    """A circle: `rings`, `disc` or `cross`."""
    bonus: str
    """What flowers and seasons carry: `numeral`, `sign`, `both` or `plant` with a numeral."""
    flower: Colour = RED
    season: Colour = BLUE
    bird: bool = True


DRAWINGS = {
    "navy": Drawing(_TRUETYPE + "arphic/ukai.ttc",
                    _TRUETYPE + "liberation2/LiberationSerif-Bold.ttf",
                    "a", NAVY, NAVY, "blank", "rings", "both"),
    "club": Drawing(_OPENTYPE + "NotoSerifCJK-Bold.ttc",
                    _TRUETYPE + "dejavu/DejaVuSansCondensed-Bold.ttf",
                    "ad", BLACK, BLACK, "frame", "disc", "plant", flower=BLUE, season=RED),
    "spare": Drawing(_TRUETYPE + "cwtex/cwfs.ttf",
                     _TRUETYPE + "liberation2/LiberationSans-Bold.ttf",
                     "", BLACK, GREEN, "blank", "cross", "sign", bird=False),
}  # fmt: skip

_PIPS: dict[int, Sequence[tuple[float, float]]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.27), (0.5, 0.73)),
    3: ((0.24, 0.2), (0.5, 0.5), (0.76, 0.8)),
    4: ((0.28, 0.26), (0.72, 0.26), (0.28, 0.74), (0.72, 0.74)),
    5: ((0.24, 0.2), (0.76, 0.2), (0.5, 0.5), (0.24, 0.8), (0.76, 0.8)),
    6: ((0.3, 0.18), (0.7, 0.18), (0.3, 0.54), (0.7, 0.54), (0.3, 0.83), (0.7, 0.83)),
    7: ((0.2, 0.12), (0.5, 0.22), (0.8, 0.32), (0.3, 0.58), (0.7, 0.58), (0.3, 0.84), (0.7, 0.84)),
    8: tuple((x, y) for y in (0.14, 0.38, 0.62, 0.86) for x in (0.31, 0.69)),
    9: tuple((x, y) for y in (0.17, 0.5, 0.83) for x in (0.2, 0.5, 0.8)),
}
_STICKS: dict[int, Sequence[tuple[float, float]]] = {
    **_PIPS,
    3: ((0.5, 0.26), (0.27, 0.74), (0.73, 0.74)),
    5: ((0.2, 0.26), (0.8, 0.26), (0.5, 0.5), (0.2, 0.74), (0.8, 0.74)),
    6: tuple((x, y) for y in (0.27, 0.73) for x in (0.2, 0.5, 0.8)),
    7: ((0.5, 0.16), *((x, y) for y in (0.5, 0.83) for x in (0.2, 0.5, 0.8))),
    8: tuple((x, y) for y in (0.26, 0.74) for x in (0.1, 0.9)),
}
_LEANING = tuple(
    ((0.5 + side * 0.3, 0.5 + half * 0.06), (0.5 + side * 0.05, 0.5 + half * 0.36))
    for half in (-1, 1)
    for side in (-1, 1)
)
"""The inner four of eight sticks, an M above a W as on real sets: their ends."""


@cache
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def draw_face(drawing: Drawing, code: str, size: tuple[int, int]) -> RGB:
    """Return a face, ink on white; raise OSError where its fonts are not installed."""
    pen = _Pen(drawing, (size[0] * 2, size[1] * 2))
    family, rank = code[0], code[1]
    if family in "BOC":
        {"B": pen.sticks, "O": pen.circles, "C": pen.characters}[family](int(rank))
    elif family in "FS":
        pen.bonus(code)
    elif code == "DW":
        pen.white()
    else:
        inks = {"DR": RED, "DG": drawing.green_dragon}
        pen.sign(SIGNS[code], (0.5, 0.52), 0.72, inks.get(code, drawing.ink))
    if family in "BCOW" or code in ("DR", "DG"):
        pen.index({"DR": "R", "DG": "G"}.get(code, rank))
    return np.asarray(pen.image.resize(size, Image.Resampling.LANCZOS), np.uint8)


class _Pen:
    """One face while it is drawn; places and sizes are shares of its inner part."""

    def __init__(self, drawing: Drawing, size: tuple[int, int]) -> None:
        self.drawing = drawing
        self.size = size
        self.image = Image.new("RGB", size, (255, 255, 255))
        self.to = ImageDraw.Draw(self.image)
        self.inset = 0.17 if drawing.index else 0.1

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return pixels of a place."""
        inset = self.inset
        return ((inset + x * (1 - 2 * inset)) * self.size[0],
                (inset * 0.8 + y * (1 - 1.6 * inset)) * self.size[1])  # fmt: skip

    def sign(self, text: str, place: tuple[float, float], share: float, ink: Colour) -> None:
        """Write a sign as wide as `share` of the face."""
        font = _font(self.drawing.font, round(share * self.size[0]))
        self.to.text(self.at(*place), text, ink, font, anchor="mm")

    def disc(self, x: float, y: float, r: float, ink: Colour) -> None:
        """Fill a circle of `r` pixels about a pixel."""
        self.to.ellipse((x - r, y - r, x + r, y + r), ink)

    def circles(self, rank: int) -> None:
        """Draw 1 to 9 circles."""
        r = {1: 0.36, 2: 0.2, 3: 0.165, 4: 0.165, 5: 0.14}.get(rank, 0.12) * self.size[0]
        for k, place in enumerate(_PIPS[rank]):
            ink = (
                RED
                if rank in (5, 9) and abs(place[1] - 0.5) < 0.1
                else (BLUE, GREEN)[(k + rank) % 2 if rank < 4 else rank % 2]
            )
            x, y = self.at(*place)
            self.disc(x, y, r, ink)
            if self.drawing.pip == "rings":
                for n, share in enumerate((0.8, 0.6, 0.38)):
                    self.disc(x, y, r * share, ink if n % 2 else (255, 255, 255))
            elif self.drawing.pip == "disc":
                for n in range(6):
                    a = n * math.pi / 3
                    self.disc(x + 0.52 * r * math.cos(a), y + 0.52 * r * math.sin(a), 0.2 * r,
                              (255, 255, 255))  # fmt: skip
                self.disc(x, y, 0.2 * r, RED)
            else:
                self.disc(x, y, r * 0.78, (255, 255, 255))
                for dx, dy in ((r, r / 7), (r / 7, r)):
                    self.to.rectangle((x - dx * 0.8, y - dy * 0.8, x + dx * 0.8, y + dy * 0.8), ink)

    def sticks(self, rank: int) -> None:
        """Draw 2 to 9 sticks of bamboo; 1 is a bird, or a large stick."""
        if rank == 1:
            self.bird() if self.drawing.bird else self.stick((0.5, 0.5), (0.13, 0.36), RED)
            return
        long = 0.175 if rank < 7 or rank == 8 else 0.135
        for k, place in enumerate(_STICKS[rank]):
            middle = abs(place[0] - 0.5) < 0.1 and rank in (5, 7, 9)
            ink = (
                RED
                if middle and (rank != 7 or k == 0)
                else (GREEN, self.drawing.ink)[rank in (4, 6) and k % 2]
            )
            self.stick(place, (0.062, long * 1.2), ink)
        for k, (low, top) in enumerate(_LEANING if rank == 8 else ()):
            self.leaning(self.at(*low), self.at(*top), GREEN if k < 2 else self.drawing.ink)

    def stick(self, place: tuple[float, float], half: tuple[float, float], ink: Colour) -> None:
        """Draw one stick: two joints with a waist."""
        (x, y), (w, h) = self.at(*place), (half[0] * self.size[0], half[1] * self.size[1])
        h *= 1 - 1.6 * self.inset
        for top, low in ((y - h, y - h * 0.06), (y + h * 0.06, y + h)):
            self.to.rounded_rectangle((x - w, top, x + w, low), w * 0.9, ink)
            self.to.line((x, top + w, x, low - w), (255, 255, 255), max(2, round(w * 0.35)))

    def leaning(self, p: tuple[float, float], q: tuple[float, float], ink: Colour) -> None:
        """Draw one stick that leans, from pixel to pixel: two joints with a waist."""
        wide = 0.1 * self.size[0]
        for a, b in ((0.08, 0.42), (0.58, 0.92)):
            ends = [(p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t) for t in (a, b)]
            self.to.line([*ends[0], *ends[1]], ink, round(wide))
            for x, y in ends:
                self.disc(x, y, wide / 2, ink)
            self.to.line([*ends[0], *ends[1]], (255, 255, 255), max(2, round(wide * 0.18)))

    def bird(self) -> None:
        """Draw a bird of a few lines: a body, a fan of feathers, legs."""
        x, y = self.at(0.42, 0.66)
        u = self.size[0] * 0.1
        for k in range(7):
            a = math.radians(-100 + 17 * k)
            tip = (x + 4.6 * u * math.cos(a), y + 4.9 * u * math.sin(a))
            self.to.line((x, y, *tip), GREEN, round(u * 0.45))
            self.disc(*tip, u * 0.55, RED if k % 2 else self.drawing.ink)
        self.to.ellipse((x - 2.2 * u, y - u, x + 1.4 * u, y + 1.2 * u), self.drawing.ink)
        self.disc(x - 2.2 * u, y - 1.3 * u, 0.8 * u, RED)
        self.to.polygon(
            (x - 2.8 * u, y - 1.6 * u, x - 3.6 * u, y - 1.2 * u, x - 2.8 * u, y - u), GREEN
        )
        for dx in (-0.8, 0.3):
            self.to.line((x + dx * u, y + u, x + dx * u, y + 2.5 * u), RED, round(u * 0.3))

    def characters(self, rank: int) -> None:
        """Write the numeral over the sign for ten thousand."""
        self.sign(NUMERALS[rank - 1], (0.5, 0.23), 0.46, self.drawing.ink)
        self.sign("萬", (0.5, 0.74), 0.5, RED)

    def white(self) -> None:
        """Leave the face blank, or frame it."""
        if self.drawing.white == "frame":
            for share, width in ((0.02, 0.045), (0.13, 0.015)):
                box = (*self.at(share, share), *self.at(1 - share, 1 - share))
                self.to.rectangle(box, None, BLUE, round(width * self.size[0]))

    def bonus(self, code: str) -> None:
        """Write or draw a flower or a season."""
        ink = self.drawing.flower if code[0] == "F" else self.drawing.season
        number = _font(self.drawing.latin, round(0.3 * self.size[0]))
        kind = self.drawing.bonus
        if kind == "sign":
            self.sign(SIGNS[code], (0.5, 0.5), 0.66, ink)
            return
        self.to.text(self.at(0.12, 0.1), code[1], ink, number, anchor="mm")
        if kind == "both":
            self.sign(SIGNS[code], (0.58, 0.62), 0.6, ink)
            return
        x, y = self.at(0.56, 0.5)
        foot = self.at(0.5, 1.0)
        self.to.line((x, y, *foot), GREEN, round(0.03 * self.size[0]))
        r = 0.13 * self.size[0]
        petals = 5 if code[0] == "F" else 8
        for k in range(petals):
            a = 2 * math.pi * k / petals
            self.disc(
                x + 1.25 * r * math.cos(a),
                y + 1.25 * r * math.sin(a),
                r * (0.8 if petals == 5 else 0.5),
                ink,
            )
        self.disc(x, y, 0.55 * r, (214, 160, 30))
        self.to.ellipse((foot[0], foot[1] - 2.2 * r, foot[0] + 2.6 * r, foot[1] - 1.2 * r), GREEN)
        self.sign(SIGNS[code], (0.92, 0.08), 0.24, ink)

    def index(self, sign: str) -> None:
        """Write a Western index in this set's corners."""
        font = _font(self.drawing.latin, round(0.17 * self.size[0]))
        wide, tall = self.size
        for corner in self.drawing.index:
            x, y = {"a": (0.12, 0.1), "b": (0.88, 0.1), "d": (0.88, 0.9)}[corner]
            self.to.text((x * wide, y * tall), sign, self.drawing.ink, font, anchor="mm")


def write_index(face: RGB, sign: str, corner: str) -> RGB:
    """Return a face with an index written into its top left or right corner."""
    image = Image.fromarray(face)
    tall, wide = face.shape[:2]
    font = _font(_TRUETYPE + "dejavu/DejaVuSans-Bold.ttf", round(0.17 * wide))
    x = 0.11 if corner == "left" else 0.89
    ImageDraw.Draw(image).text((x * wide, 0.1 * tall), sign, (170, 24, 30), font, anchor="mm")
    return np.asarray(image, np.uint8)
