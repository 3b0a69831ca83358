"""Signs from the machine's fonts, as outlines: real calligraphy for our own faces.

The packages and their licences are named in `models/train/fonts.txt`. No font is trusted: a sign
counts as there only if it has ink and is not the box that stands for what a font lacks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path as File

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from .shapes import Contour, Ink, Path

Pixels = NDArray[np.uint8]

FOLDER = File("/usr/share/fonts")
GRID = 100.0
"""A sign lies on a grid of this size, as those of `strokes` do."""

_EM = 144
_MARGIN = 44
_REFERENCE = {True: "東", False: "H"}
"""What tells how large a font's signs are, for writing and for letters."""
_ROOM = 104.0
"""Signs that would grow larger than this are squeezed."""
_NO_SIGN = "\U0010fffe"
_LEAST_INK = 30
"""Pixels of a sign at `_EM`: less than any dash."""


@dataclass(frozen=True, slots=True)
class Font:
    """One font file and how a maker cuts its signs. Lengths are in parts of the grid."""

    file: str
    """Below `FOLDER`."""
    face: int = 0
    """Which of the faces in a collection: the same sign differs from country to country."""
    share: float = 1.0
    """How often it is chosen beside the others."""
    growth: float = 0.0
    """How much bolder than the font its lines are; real tiles are bold."""
    most: float = 8.0
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
    Font("truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", 0, 3, most=5.0),
    Font("truetype/lxgw-wenkai/LXGWWenKai-Regular.ttf", 0, 2),
    Font("truetype/kouzan-mouhitsu/kouzan-mouhitsu.ttf", 0, 3, most=6.0),
    Font("truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf", 0, 1.5, most=5.0),
    Font("truetype/aoyagi-kouzan-t/AoyagiKouzanT.ttf", 0, 2),
    Font("truetype/aoyagi-soseki/aoyagi-soseki.ttf", 0, 0.5, most=9.0),
    Font("truetype/arphic/uming.ttc", 0, 0.7),
    Font("truetype/arphic/uming.ttc", 2, 0.7),
    Font("truetype/cwtex/cwming.ttf", 0, 0.7),
    Font("truetype/cwtex/cwfs.ttf", 0, 1.5),
    Font("opentype/noto/NotoSerifCJK-Bold.ttc", 0, 1, most=4.0),
    Font("opentype/noto/NotoSerifCJK-Bold.ttc", 2, 0.7, most=4.0),
    Font("opentype/noto/NotoSerifCJK-Bold.ttc", 3, 1, most=4.0),
    Font("opentype/noto/NotoSerifCJK-Black.ttc", 3, 1, most=2.0),
    Font("truetype/cwtex/cwheib.ttf", 0, 0.7, most=2.0),
    Font("truetype/wqy/wqy-microhei.ttc", 0, 0.5, most=4.0),
    Font("truetype/wqy/wqy-zenhei.ttc", 0, 0.5, most=5.0),
    Font("opentype/noto/NotoSansCJK-Bold.ttc", 3, 0.7, most=2.0),
)
"""Chinese writing: regular script most of all, as on real tiles."""

FLOWING: tuple[Font, ...] = (
    Font("truetype/kouzan-mouhitsu/KouzanBrushFontSousyo.ttf", 0, 2, most=5.0),
    Font("truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf", 0, 3, most=5.0),
    Font("truetype/aoyagi-kouzan-t/AoyagiKouzanT.ttf", 0, 2),
    Font("truetype/aoyagi-soseki/aoyagi-soseki.ttf", 0, 1, most=9.0),
    Font("truetype/cwtex/cwkai.ttf", 0, 1),
    Font("opentype/noto/NotoSerifCJK-Black.ttc", 3, 1, most=2.0),
)
"""Running and cursive script, and some print: how a green dragon is written in many sets whose
other tiles are not."""

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


def installed(fonts: tuple[Font, ...]) -> tuple[Font, ...]:
    """Return those of the fonts that are on this machine."""
    return tuple(font for font in fonts if (FOLDER / font.file).is_file())


def has(font: Font, text: str) -> bool:
    """Say whether a font has every sign of a text."""
    return all(_is_there(font.file, font.face, sign) for sign in text)


def sign_outline(sign: str, font: Font, ink: Ink) -> tuple[Path, ...]:
    """Return one sign, its middle at the middle of the grid; raise KeyError if there is none."""
    if not has(font, sign):
        raise KeyError(f"{font.file} has no {sign}")
    contours, high, wide = _outline(sign, font, writing=True)
    across, down = (min(1.0, _ROOM / length) for length in (wide, high))
    x, y = (GRID - wide * across) / 2, (GRID - high * down) / 2
    placed = (tuple((x + u * across, y + v * down) for u, v in contour) for contour in contours)
    return (Path(tuple(placed), ink),)


def text_outline(text: str, height: float, font: Font, ink: Ink) -> tuple[Path, ...]:
    """Return a text whose capitals are `height` high, its top left corner at the origin."""
    contours, _, _ = _outline(text, font, writing=False)
    scale = height / GRID
    return (Path(tuple(tuple((x * scale, y * scale) for x, y in c) for c in contours), ink),)


def outline_width(text: str, height: float, font: Font) -> float:
    """Return the width of a text whose capitals are `height` high."""
    return _outline(text, font, writing=False)[2] * height / GRID


def _outline(text: str, font: Font, *, writing: bool) -> tuple[tuple[Contour, ...], float, float]:
    return _traced(text, replace(font, share=1.0, most=0.0), writing)


@cache
def _is_there(file: str, face: int, sign: str) -> bool:
    drawn, nothing = (_glyph(file, face, text) for text in (sign, _NO_SIGN))
    missing = drawn.shape == nothing.shape and bool((drawn == nothing).all())
    return not missing and int((drawn > 127).sum()) >= _LEAST_INK


@cache
def _size(file: str, face: int, writing: bool) -> float:
    """Return grid units per pixel."""
    glyph = _glyph(file, face, _REFERENCE[writing])
    across: int = max(glyph.shape) if writing else glyph.shape[0]
    return (0.96 if writing else 1.0) * GRID / across


@cache
def _opened(file: str, face: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FOLDER / file), _EM, index=face)


@cache
def _glyph(file: str, face: int, text: str) -> Pixels:
    """Return a text's ink, 0 to 255, cropped to its box; 1 x 1 where it has none."""
    opened = _opened(file, face)
    left, top, right, bottom = (round(edge) for edge in opened.getbbox(text))
    canvas = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(canvas).text((-left, -top), text, font=opened, fill=255)
    pixels = np.asarray(canvas)
    ys, xs = np.nonzero(pixels > 127)
    return pixels[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] if len(ys) else pixels[:1, :1]


@lru_cache(maxsize=256)
def _traced(text: str, font: Font, writing: bool) -> tuple[tuple[Contour, ...], float, float]:
    """Return the outlines from the top left corner of the ink, its height and its width."""
    unit = _size(font.file, font.face, writing)
    mask = np.pad(_glyph(font.file, font.face, text), _MARGIN)
    mask = _sheared(mask, font.stretch, font.slant)
    mask = np.where(_grown(mask, font.growth / unit) > 127, np.uint8(255), np.uint8(0))
    if font.hollow:
        mask = mask & ~_grown(mask, -font.hollow / unit * 2)
    ys, xs = np.nonzero(mask)
    mask = mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    found, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1)
    contours = tuple(
        tuple((float(x) * unit, float(y) * unit) for x, y in contour[:, 0])
        for contour in found
        if len(contour) > 2
    )
    return contours, mask.shape[0] * unit, mask.shape[1] * unit


def _sheared(mask: Pixels, stretch: float, slant: float) -> Pixels:
    lean = float(np.tan(np.radians(slant)))
    height, width = mask.shape
    room = round(abs(lean) * height)
    matrix = np.array([[stretch, -lean, max(0.0, lean) * height], [0.0, 1.0, 0.0]])
    size = (round(width * stretch) + room, height)
    return np.asarray(cv2.warpAffine(mask, matrix, size), dtype=np.uint8)


def _grown(mask: Pixels, pixels: float) -> Pixels:
    """Return a mask whose lines are `pixels` wider, or thinner where that is negative."""
    across = 2 * round(abs(pixels) / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    change = cv2.dilate if pixels > 0 else cv2.erode
    return np.asarray(change(mask, kernel), dtype=np.uint8)
