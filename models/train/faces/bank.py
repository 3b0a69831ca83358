"""Banks of the 42 faces as pixels, for training: our own drawings and free art, half and half."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.tiles import CODES

from .art import ArtFace, art_folders, load_art
from .face import draw_face, index_shapes, picture_box
from .random_style import random_style
from .raster import Pixels, raster
from .recolour import recoloured
from .shapes import HEIGHT, WIDTH, Drawing
from .style import Style

Matrix = NDArray[np.float64]

SIZE = (192, 256)
"""Width and height of a face in pixels."""

_FINE = 2
"""Drawn twice as large and averaged: faces are seen at half their size at most."""

_BLANK_CHANCE = 0.6
"""How often a white dragon that the art leaves blank stays so."""

_INDEX_CHANCE = 0.7
"""How often art gets a Western index: British sets nearly always have one."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceBank(Mapping[str, Pixels]):
    """The 42 faces of one set: code to RGBA (256, 192, 4), straight alpha, no tile below."""

    source: str
    """The art's name, or `procedural`."""
    faces: dict[str, Pixels]

    def __getitem__(self, code: str) -> Pixels:
        return self.faces[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self.faces)

    def __len__(self) -> int:
        return len(self.faces)


def procedural_bank(style: Style) -> FaceBank:
    """Return a style's faces."""
    rng = np.random.default_rng(style.seed)
    faces = {
        code: _worn(raster(draw_face(code, style), *SIZE, _FINE), style.wear, rng) for code in CODES
    }
    return FaceBank("procedural", faces)


def art_bank(folder: Path, rng: np.random.Generator) -> FaceBank:
    """Return the faces of a folder of art in a random style's colours, with its index.

    What the art lacks is drawn, except that a white dragon without a picture mostly stays blank.
    """
    art = load_art(folder)
    style = random_style(rng)
    press = _press(rng)
    indexed = rng.random() < _INDEX_CHANCE
    blank = rng.random() < _BLANK_CHANCE
    faces = {}
    for code in CODES:
        if code not in art and not (code == "DW" and blank):
            face = raster(draw_face(code, style), *SIZE, _FINE)
        else:
            face = np.zeros((SIZE[1], SIZE[0], 4), dtype=np.uint8)
            if code in art:
                face = _placed(_inked(code, art[code], style, press, rng), style, press)
            if indexed and not (code in art and art[code].has_number(code)):
                face = _over(face, raster(Drawing(index_shapes(code, style)), *SIZE, _FINE))
        faces[code] = _worn(face, style.wear, rng)
    return FaceBank(folder.name, faces)


def training_banks(rng: np.random.Generator, count: int) -> Iterator[FaceBank]:
    """Yield `count` banks, art and our own in turn at random; all our own where no art is found."""
    folders = art_folders()
    shares = np.array(list(folders.values()))
    for _ in range(count):
        if folders and rng.random() < 0.5:
            chosen = int(rng.choice(len(folders), p=shares / shares.sum()))
            yield art_bank(list(folders)[chosen], rng)
        else:
            yield procedural_bank(random_style(rng))


@dataclass(frozen=True, slots=True)
class _Press:
    """How one maker prints the same art: tint, heavier lines, stretch."""

    tint: Matrix
    """3 x 3, near the identity."""
    bolder: float
    """How far lines grow, as a part of what the art bears."""
    stretch: tuple[float, float]


def _press(rng: np.random.Generator) -> _Press:
    tint = np.eye(3) * rng.uniform(0.75, 1.15) + rng.normal(0, 0.05, (3, 3))
    wide, high = rng.uniform(0.9, 1.0, 2).tolist()
    return _Press(tint, float(rng.choice([0, 0.5, 1])), (wide, high))


def _inked(
    code: str, art: ArtFace, style: Style, press: _Press, rng: np.random.Generator
) -> Pixels:
    bold = _bolder(art.pixels, round(press.bolder * art.style.bolder))
    if art.style.mono or code in art.style.by_rule:
        return recoloured(code, bold, style, rng)
    colour = np.clip(bold[..., :3] @ press.tint, 0, 255)
    return np.concatenate([colour, bold[..., 3:]], axis=2).astype(np.uint8)


def _bolder(art: Pixels, growth: int) -> Pixels:
    """Let the lines of art grow by some pixels; where colours meet the darker one spreads."""
    if not growth:
        return art
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (growth + 1, growth + 1))
    alpha = cv2.dilate(art[..., 3], kernel)
    on_white = np.where(art[..., 3:] > 40, art[..., :3], np.uint8(255))
    colour = cv2.erode(on_white, kernel)
    return np.dstack([colour, alpha]).astype(np.uint8)


def _placed(art: Pixels, style: Style, press: _Press) -> Pixels:
    """Fit art (the whole set cropped alike) into the style's picture box."""
    size = np.array(SIZE)
    left, top, right, bottom = np.array(picture_box(style)) / np.tile([WIDTH, HEIGHT], 2)
    room = np.array([right - left, bottom - top]) * size
    shape = np.array([art.shape[1], art.shape[0]])
    scale = float(np.min(room / shape)) * np.array(press.stretch)
    shift = np.array([left, top]) * size + (room - scale * shape) / 2
    # Half a pixel, since OpenCV's coordinates are those of pixel centres.
    shift += (scale - 1) / 2
    matrix = np.array([[scale[0], 0, shift[0]], [0, scale[1], shift[1]]])
    alpha = art[..., 3:].astype(np.float32)
    clear = np.concatenate([art[..., :3] * (alpha / 255), alpha], axis=2)
    placed = np.asarray(cv2.warpAffine(clear, matrix, SIZE, flags=cv2.INTER_AREA))
    colour = placed[..., :3] * (255 / np.maximum(placed[..., 3:], 1.0))
    straight = np.concatenate([colour, placed[..., 3:]], axis=2)
    return np.clip(straight + 0.5, 0, 255).astype(np.uint8)


def _over(below: Pixels, above: Pixels) -> Pixels:
    """Lay one straight-alpha picture over another."""
    a, b = above[..., 3:] / np.float32(255), below[..., 3:] / np.float32(255)
    alpha = a + b * (1 - a)
    colour = (above[..., :3] * a + below[..., :3] * b * (1 - a)) / np.maximum(alpha, 1e-6)
    return np.concatenate([colour + 0.5, alpha * 255 + 0.5], axis=2).astype(np.uint8)


def _worn(face: Pixels, wear: float, rng: np.random.Generator) -> Pixels:
    """Take paint away in soft patches, `wear` of it at most."""
    if wear <= 0:
        return face
    noise = rng.random((16, 12), dtype=np.float32)
    fine = rng.random((SIZE[1] // 2, SIZE[0] // 2), dtype=np.float32)
    patches = cv2.resize(noise, SIZE, interpolation=cv2.INTER_CUBIC)
    grain = cv2.resize(fine, SIZE, interpolation=cv2.INTER_LINEAR)
    kept = np.clip(1 - wear * (patches + grain - 0.2), 0, 1)
    worn: Pixels = face.copy()
    worn[..., 3] = (face[..., 3] * kept).astype(np.uint8)
    return worn
