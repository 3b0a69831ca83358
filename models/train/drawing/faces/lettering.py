"""Letters, digits and Chinese signs: outlines of the machine's fonts, or strokes of our own.

`models/train/drawing/fonts.txt` names the font packages and their licences. A font has a sign only
if the sign has ink and is not the box that stands for what the font lacks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path as File

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from models.train.drawing.faces.brush import CHARACTERS, Hand, character_strokes
from models.train.drawing.faces.shapes import Contour, Ink, Path, Point, line

Pixels = NDArray[np.uint8]

FONTS_FOLDER = File("/usr/share/fonts")
GRID_SIZE = 100.0
"""A sign lies on a grid of this size, as those of `brush` do."""

_EM_PX = 144
_MARGIN_PX = 44
_REFERENCE = {True: "東", False: "H"}
"""The sign that a font's size is measured by: for Chinese writing, for letters."""
_MAX_SIGN_SIZE = 104.0
"""Signs that would grow larger than this are squeezed."""
_NO_SIGN = "\U0010fffe"
_MIN_INK_PX = 30
"""Pixels of a sign at `_EM_PX`: less than any dash."""


@dataclass(frozen=True, slots=True)
class Font:
    """One font file and how a maker cuts its signs. Lengths are in parts of the grid."""

    file: str
    """Below `FONTS_FOLDER`."""
    face: int = 0
    """Which of the faces in a collection: the same sign differs from country to country."""
    share: float = 1.0
    """How often it is chosen beside the others."""
    growth: float = 0.0
    """How much bolder than the font its lines are; real tiles are bold."""
    max_growth: float = 8.0
    """The growth at which its finest signs run together."""
    stretch: float = 1.0
    """Width of a sign over its own."""
    slant: float = 0.0
    """Degrees to the right."""
    hollow: float = 0.0
    """Width of the rim of a sign that is cut in outline; 0 for a solid one."""


WRITING: tuple[Font, ...] = (
    Font("truetype/arphic/ukai.ttc", 0, 3),
    Font("truetype/arphic/ukai.ttc", 2, 2),
    Font("truetype/arphic-bkai00mp/bkai00mp.ttf", 0, 3),
    Font("truetype/cwtex/cwkai.ttf", 0, 3),
    Font("truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", 0, 3, max_growth=5.0),
    Font("truetype/lxgw-wenkai/LXGWWenKai-Regular.ttf", 0, 2),
    Font("truetype/kouzan-mouhitsu/kouzan-mouhitsu.ttf", 0, 3, max_growth=6.0),
    Font("truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf", 0, 1.5, max_growth=5.0),
    Font("truetype/aoyagi-kouzan-t/AoyagiKouzanT.ttf", 0, 2),
    Font("truetype/aoyagi-soseki/aoyagi-soseki.ttf", 0, 0.5, max_growth=9.0),
    Font("truetype/arphic/uming.ttc", 0, 0.7),
    Font("truetype/arphic/uming.ttc", 2, 0.7),
    Font("truetype/cwtex/cwming.ttf", 0, 0.7),
    Font("truetype/cwtex/cwfs.ttf", 0, 1.5),
    Font("opentype/noto/NotoSerifCJK-Bold.ttc", 0, 1, max_growth=4.0),
    Font("opentype/noto/NotoSerifCJK-Bold.ttc", 2, 0.7, max_growth=4.0),
    Font("opentype/noto/NotoSerifCJK-Bold.ttc", 3, 1, max_growth=4.0),
    Font("opentype/noto/NotoSerifCJK-Black.ttc", 3, 1, max_growth=2.0),
    Font("truetype/cwtex/cwheib.ttf", 0, 0.7, max_growth=2.0),
    Font("truetype/wqy/wqy-microhei.ttc", 0, 0.5, max_growth=4.0),
    Font("truetype/wqy/wqy-zenhei.ttc", 0, 0.5, max_growth=5.0),
    Font("opentype/noto/NotoSansCJK-Bold.ttc", 3, 0.7, max_growth=2.0),
)
"""Chinese writing: regular script most of all, as on real tiles."""

FLOWING: tuple[Font, ...] = (
    Font("truetype/kouzan-mouhitsu/KouzanBrushFontSousyo.ttf", 0, 2, max_growth=5.0),
    Font("truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf", 0, 3, max_growth=5.0),
    Font("truetype/aoyagi-kouzan-t/AoyagiKouzanT.ttf", 0, 2),
    Font("truetype/aoyagi-soseki/aoyagi-soseki.ttf", 0, 1, max_growth=9.0),
    Font("truetype/cwtex/cwkai.ttf", 0, 1),
    Font("opentype/noto/NotoSerifCJK-Black.ttc", 3, 1, max_growth=2.0),
)
"""Running and cursive script, and some print: many sets write the green dragon alone so."""

LETTERS: tuple[Font, ...] = (
    Font("truetype/liberation2/LiberationSans-Bold.ttf", 0, 3),
    Font("truetype/liberation2/LiberationSans-Regular.ttf", 0, 2),
    Font("truetype/liberation2/LiberationSerif-Bold.ttf", 0, 3),
    Font("truetype/liberation2/LiberationSerif-Regular.ttf", 0, 2),
    Font("truetype/liberation2/LiberationSerif-BoldItalic.ttf", 0, 0.5),
    Font("truetype/liberation2/LiberationMono-Bold.ttf", 0, 1),
    Font("truetype/dejavu/DejaVuSans-Bold.ttf", 0, 2),
    Font("truetype/dejavu/DejaVuSans.ttf", 0, 1),
    Font("truetype/dejavu/DejaVuSansCondensed-Bold.ttf", 0, 1.5),
    Font("truetype/dejavu/DejaVuSerif-Bold.ttf", 0, 1.5),
    Font("truetype/dejavu/DejaVuSerifCondensed.ttf", 0, 1),
)
"""Western numbers and letters."""


def installed_fonts(fonts: tuple[Font, ...], text: str = "") -> tuple[Font, ...]:
    """Return those of the fonts that are on this machine and have every sign of a text."""
    on_machine = (font for font in fonts if (FONTS_FOLDER / font.file).is_file())
    return tuple(font for font in on_machine if has_signs(font, text))


def has_signs(font: Font, text: str) -> bool:
    """Say whether a font has every sign of a text."""
    return all(_has_sign(font.file, font.face, sign) for sign in text)


def sign_outline(sign: str, font: Font, ink: Ink) -> tuple[Path, ...]:
    """Return one sign, its middle at the middle of the grid; raise KeyError if there is none."""
    if not has_signs(font, sign):
        raise KeyError(f"{font.file} has no {sign}")
    contours, high, wide = _outline(sign, font, writing=True)
    x_scale, y_scale = (min(1.0, _MAX_SIGN_SIZE / length) for length in (wide, high))
    x, y = (GRID_SIZE - wide * x_scale) / 2, (GRID_SIZE - high * y_scale) / 2
    placed_contours = (
        tuple((x + u * x_scale, y + v * y_scale) for u, v in contour) for contour in contours
    )
    return (Path(tuple(placed_contours), ink),)


def text_outline(text: str, height: float, font: Font, ink: Ink) -> tuple[Path, ...]:
    """Return a text whose capitals are `height` high, its top left corner at the origin."""
    contours, _, _ = _outline(text, font, writing=False)
    scale = height / GRID_SIZE
    return (Path(tuple(tuple((x * scale, y * scale) for x, y in c) for c in contours), ink),)


def outline_width(text: str, height: float, font: Font) -> float:
    """Return the width of a text whose capitals are `height` high."""
    return _outline(text, font, writing=False)[2] * height / GRID_SIZE


def _outline(text: str, font: Font, *, writing: bool) -> tuple[tuple[Contour, ...], float, float]:
    return _trace(text, replace(font, share=1.0, max_growth=0.0), writing)


@cache
def _has_sign(file: str, face: int, sign: str) -> bool:
    sign_glyph, missing_glyph = (render_glyph(file, face, text) for text in (sign, _NO_SIGN))
    missing = sign_glyph.shape == missing_glyph.shape and bool((sign_glyph == missing_glyph).all())
    return not missing and int((sign_glyph > 127).sum()) >= _MIN_INK_PX


@cache
def _size(file: str, face: int, writing: bool) -> float:
    """Return grid units per pixel."""
    glyph = render_glyph(file, face, _REFERENCE[writing])
    extent: int = max(glyph.shape) if writing else glyph.shape[0]
    return (0.96 if writing else 1.0) * GRID_SIZE / extent


@cache
def _open_font(file: str, face: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS_FOLDER / file), _EM_PX, index=face)


@cache
def render_glyph(file: str, face: int, text: str) -> Pixels:
    """Return a text's ink, 0 to 255, cropped to its box; 1 x 1 where it has none."""
    font = _open_font(file, face)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(text))
    canvas = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(canvas).text((-left, -top), text, font=font, fill=255)
    pixels = np.asarray(canvas)
    ys, xs = np.nonzero(pixels > 127)
    return pixels[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] if len(ys) else pixels[:1, :1]


@lru_cache(maxsize=256)
def _trace(text: str, font: Font, writing: bool) -> tuple[tuple[Contour, ...], float, float]:
    """Return the outlines from the top left corner of the ink, its height and its width."""
    unit = _size(font.file, font.face, writing)
    mask = np.pad(render_glyph(font.file, font.face, text), _MARGIN_PX)
    mask = _shear(mask, font.stretch, font.slant)
    mask = np.where(_grow(mask, font.growth / unit) > 127, np.uint8(255), np.uint8(0))
    if font.hollow:
        mask = mask & ~_grow(mask, -font.hollow / unit * 2)
    ys, xs = np.nonzero(mask)
    mask = mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    outlines, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1)
    contours = tuple(
        tuple((float(x) * unit, float(y) * unit) for x, y in contour[:, 0])
        for contour in outlines
        if len(contour) > 2
    )
    return contours, mask.shape[0] * unit, mask.shape[1] * unit


def _shear(mask: Pixels, stretch: float, slant: float) -> Pixels:
    lean = float(np.tan(np.radians(slant)))
    height, width = mask.shape
    room = round(abs(lean) * height)
    matrix = np.array([[stretch, -lean, max(0.0, lean) * height], [0.0, 1.0, 0.0]])
    size = (round(width * stretch) + room, height)
    return np.asarray(cv2.warpAffine(mask, matrix, size), dtype=np.uint8)


def _grow(mask: Pixels, pixels: float) -> Pixels:
    """Return a mask whose lines are `pixels` wider, or thinner where that is negative."""
    kernel_side = 2 * round(abs(pixels) / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (kernel_side, kernel_side))
    change = cv2.dilate if pixels > 0 else cv2.erode
    return np.asarray(change(mask, kernel), dtype=np.uint8)


_SIGNS: dict[str, tuple[float, str]] = {
    "1": (4.0, "0.4,2.4 2.6,0 2.6,10"),
    "2": (6.0, "~0.3,2.4 1.2,0.6 3,0 4.9,0.6 5.7,2.5 4.9,4.6 0.2,10 0.2,10 5.8,10"),
    "3": (
        6.0,
        "~0.3,1.8 1.3,0.5 3,0 4.9,0.7 5.4,2.4 4.6,4.1 2.6,4.7 2.6,4.7 4.9,5.4 5.8,7.2"
        " 5,9.2 2.9,10 1,9.5 0,8",
    ),
    "4": (6.4, "4.6,10 4.6,0 0.1,7 6.2,7"),
    "5": (6.0, "5.3,0 1.0,0 0.6,4.6;~0.6,4.6 2.8,3.7 4.9,4.5 5.8,6.7 5,9.1 2.8,10 1.1,9.6 0,8.4"),
    "6": (
        6.0,
        "~4.9,0.4 2.6,1.6 0.8,4 0.2,6.7 0.9,9.1 3,10 5.1,9.1 5.9,6.8 5.1,4.7 3.1,3.9"
        " 1.1,4.8 0.2,6.7",
    ),
    "7": (6.0, "0.1,0 5.8,0 2,10"),
    "8": (
        6.0,
        "~3,4.6 1.1,3.9 0.5,2.3 1.2,0.6 3,0 4.8,0.6 5.5,2.3 4.9,3.9 3,4.6 1,5.5 0.1,7.3"
        " 0.9,9.3 3,10 5.1,9.3 5.9,7.3 5,5.5 3,4.6",
    ),
    "9": (
        6.0,
        "~1.1,9.6 3.4,8.4 5.2,6 5.8,3.3 5.1,0.9 3,0 0.9,0.9 0.1,3.2 0.9,5.3 2.9,6.1"
        " 4.9,5.2 5.8,3.3",
    ),
    "B": (
        6.0,
        "0.3,10 0.3,0 3,0;0.3,4.7 3,4.7;0.3,10 3,10;~3,0 4.9,0.7 5.5,2.3 4.8,4 3,4.7"
        " 3,4.7 5.1,5.5 5.9,7.3 5,9.3 3,10",
    ),
    "C": (7.0, "~6.6,2 5.4,0.6 3.7,0 1.6,0.8 0.4,2.8 0.1,5 0.4,7.2 1.6,9.2 3.7,10 5.4,9.4 6.6,8"),
    "E": (5.2, "5,0 0.3,0 0.3,10 5,10;0.3,4.8 4.4,4.8"),
    "F": (5.0, "4.9,0 0.3,0 0.3,10;0.3,4.8 4.2,4.8"),
    "G": (
        7.2,
        "~6.6,2 5.4,0.6 3.7,0 1.6,0.8 0.4,2.8 0.1,5 0.4,7.2 1.6,9.2 3.7,10 5.5,9.5"
        " 6.8,8.2;6.8,8.2 6.8,5.2 4,5.2",
    ),
    "N": (6.6, "0.3,10 0.3,0 6.2,10 6.2,0"),
    "P": (5.8, "0.3,10 0.3,0 3,0;0.3,5.3 3,5.3;~3,0 4.9,0.8 5.6,2.6 4.9,4.5 3,5.3"),
    "R": (6.2, "0.3,10 0.3,0 3,0;0.3,5.1 3,5.1 6,10;~3,0 4.9,0.7 5.6,2.5 4.9,4.4 3,5.1"),
    "S": (
        6.0,
        "~5.5,1.9 4.6,0.5 2.9,0 1.1,0.6 0.4,2.3 1.1,4.1 3,4.9 5,5.8 5.8,7.5 5,9.4 3,10"
        " 1.1,9.5 0.1,8",
    ),
    "W": (9.0, "0.1,0 2.3,10 4.5,2 6.7,10 8.9,0"),
    "h": (5.0, "0.3,0 0.3,10;~0.3,6 1.4,4.4 2.8,3.8 4.2,4.4 4.7,6 4.7,6 4.7,10"),
}

_SERIFS: dict[str, str] = {
    "1": "1,10 4.2,10",
    "4": "3.2,10 6,10",
    "7": "0.1,0 0.1,1.6",
    "E": "5,0 5,1.6;5,10 5,8.4;-0.7,0 1,0;-0.7,10 1,10",
    "F": "4.9,0 4.9,1.6;-0.7,0 1,0;-0.8,10 1.6,10",
    "N": "-0.8,0 0.8,0;-0.9,10 1.5,10;5.1,0 7.2,0",
    "P": "-0.7,0 1,0;-0.8,10 1.6,10",
    "R": "-0.7,0 1,0;-0.8,10 1.6,10;5.2,10 6.9,10",
    "B": "-0.7,0 1,0;-0.7,10 1,10",
    "W": "-0.9,0 1.3,0;7.8,0 9.9,0",
}
"""Short feet that turn the plain signs into a serif face."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """`weight` is the line width in grid units, `stretch` the width of a sign (1 is normal)."""

    weight: float = 1.9
    stretch: float = 1.0
    serif: bool = False


def text_width(text: str, height: float, typeface: Typeface | Font) -> float:
    """Return the width of a text whose capitals are `height` high."""
    if isinstance(typeface, Font):
        return outline_width(text, height, typeface)
    advance = sum(_SIGNS[sign][0] * typeface.stretch + _gap(typeface) for sign in text)
    return (advance - _gap(typeface) + typeface.weight) * _scale(height, typeface)


def text_shapes(text: str, height: float, typeface: Typeface | Font, ink: Ink) -> tuple[Path, ...]:
    """Return the text with its top left corner at the origin, ink to ink."""
    if isinstance(typeface, Font):
        return text_outline(text, height, typeface, ink)
    scale = _scale(height, typeface)
    half = typeface.weight / 2
    paths: list[Path] = []
    left = half
    for sign in text:
        width, lines = _SIGNS[sign]
        feet = _SERIFS.get(sign, "") if typeface.serif else ""
        for text_lines, thickness in ((lines, typeface.weight), (feet, typeface.weight * 0.6)):
            for row in filter(None, text_lines.split(";")):
                points = _points(row.removeprefix("~"), left, half, typeface.stretch, scale)
                paths.append(line(points, ink, thickness * scale, smooth=row.startswith("~")))
        left += width * typeface.stretch + _gap(typeface)
    return tuple(paths)


def _points(row: str, left: float, top: float, stretch: float, scale: float) -> list[Point]:
    pairs = (pair.split(",") for pair in row.split())
    return [((left + float(x) * stretch) * scale, (top + float(y)) * scale) for x, y in pairs]


def _gap(typeface: Typeface) -> float:
    return typeface.weight + 1.0


def _scale(height: float, typeface: Typeface) -> float:
    return height / (10 + typeface.weight)


_TRADITIONAL = {"东": "東", "发": "發", "発": "發", "兰": "蘭"}
_PLAIN_HAND = Hand(weight=11.5)


def can_write(sign: str, hand: Hand | Font) -> bool:
    """Say whether a hand has this very sign."""
    return has_signs(hand, sign) if isinstance(hand, Font) else sign in CHARACTERS


def sign_shapes(sign: str, hand: Hand | Font, ink: Ink) -> tuple[Path, ...]:
    """Return one sign on a 100 x 100 grid, in plain strokes where a font lacks it.

    Raises KeyError for a sign that neither has.
    """
    if isinstance(hand, Font):
        if has_signs(hand, sign):
            return sign_outline(sign, hand, ink)
        hand = _PLAIN_HAND
    return character_strokes(_TRADITIONAL.get(sign, sign), hand, ink)
