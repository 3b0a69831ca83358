"""Banks of the 42 faces as pixels, for training: our own drawings and free art."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.drawing.faces.art import ArtFace, art_folders, load_art, recolour
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.face import draw_face, index_shapes, picture_box
from models.train.drawing.faces.odd_tiles import odd_faces
from models.train.drawing.faces.random_style import random_style
from models.train.drawing.faces.raster import (
    Pixels,
    lay_over,
    premultiply,
    rasterise,
    unpremultiply,
)
from models.train.drawing.faces.shapes import FACE_HEIGHT, FACE_WIDTH, Affine, Drawing
from models.train.drawing.faces.style import Style
from models.train.drawing.faces.variation import random_lean
from models.train.drawing.faces.wear import random_weathering, weather
from scorer.tiles import CODES

Matrix = NDArray[np.float64]

FACE_SIZE_PX = (192, 256)
"""Width and height of a face in pixels."""

_OVERSAMPLING_FACTOR = 2
"""Drawn twice as large and averaged: faces are seen at half their size at most."""

_BLANK_CHANCE = 0.6
"""How often a white dragon that the art leaves blank stays so."""

_INDEX_CHANCE = 0.7
"""How often art gets a Western index: British sets nearly always have one."""

ART_SHARE = 0.4
"""How many of the sets are free art; the others are our own drawings."""

_REWRITTEN_CHANCE = 0.3
_OWN_BIRD_CHANCE = 0.35

_WRITTEN_CODES = {code for code in CODES if code[0] in "CW"} | {"DR", "DG"}
_PICTURES = {"B1"} | {code for code in CODES if code[0] in "FS"}
"""What every maker draws otherwise, so that art of it may lean."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceBank(Mapping[str, Pixels]):
    """The 42 faces of one set: code to RGBA (256, 192, 4), straight alpha, no tile below."""

    source: str
    """The art's name, or `procedural`."""
    faces: dict[str, Pixels]
    odd: tuple[Pixels, ...] = ()
    """Real tiles of the set that are none of the 42: jokers, animals, makers' marks."""

    def __getitem__(self, code: str) -> Pixels:
        return self.faces[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self.faces)

    def __len__(self) -> int:
        return len(self.faces)


def procedural_bank(style: Style) -> FaceBank:
    """Return a style's faces."""
    faces = {code: _draw(draw_face(code, style)) for code in CODES}
    return _finish("procedural", faces, style)


def art_bank(folder: Path, rng: np.random.Generator) -> FaceBank:
    """Return the faces of a folder of art in a random style's colours, with its index.

    What the art lacks is drawn, except that a white dragon without a picture mostly stays blank.
    Some makers take another's pictures and write in their own hand, or show a bird of their own.
    """
    art = load_art(folder)
    style = random_style(rng)
    index = style.index if style.index != "none" else "left"
    style = replace(style, index=index if rng.random() < _INDEX_CHANCE else "none")
    press = _press(rng)
    own_codes = set() if rng.random() < _BLANK_CHANCE or "DW" in art else {"DW"}
    own_codes |= _WRITTEN_CODES if rng.random() < _REWRITTEN_CHANCE else set()
    own_codes |= {"B1"} if rng.random() < _OWN_BIRD_CHANCE else set()
    own_codes |= set(CODES) - set(art) - {"DW"}
    faces = {}
    for code in CODES:
        if code in own_codes:
            faces[code] = _draw(draw_face(code, style))
            continue
        face = np.zeros((FACE_SIZE_PX[1], FACE_SIZE_PX[0], 4), dtype=np.uint8)
        if code in art:
            lean = _random_lean(rng) if code in _PICTURES else Affine()
            face = _place_art(_ink_art(code, art[code], style, press, rng), style, press, lean)
        if not (code in art and art[code].has_number(code)):
            face = lay_over(face, _draw(Drawing(index_shapes(code, style))))
        faces[code] = face
    return _finish(folder.name, faces, style)


def training_banks(rng: np.random.Generator, count: int) -> Iterator[FaceBank]:
    """Yield `count` banks, art and our own in turn at random; all our own where no art is found."""
    for _ in range(count):
        art = art_folders() and rng.random() < ART_SHARE
        yield any_art_bank(rng) if art else own_bank(rng)


def any_art_bank(rng: np.random.Generator) -> FaceBank:
    """Return the faces of one of the folders of art, as `art_bank` does."""
    folders = art_folders()
    shares = np.array(list(folders.values()))
    return art_bank(list(folders)[int(rng.choice(len(folders), p=shares / shares.sum()))], rng)


def own_bank(rng: np.random.Generator) -> FaceBank:
    """Return a set of our own drawing."""
    return procedural_bank(random_style(rng))


def _draw(drawing: Drawing) -> Pixels:
    return rasterise(drawing, *FACE_SIZE_PX, _OVERSAMPLING_FACTOR)


def _finish(source: str, faces: dict[str, Pixels], style: Style) -> FaceBank:
    """Add the tiles beside the 42 and let the years go over them all."""
    rng = np.random.default_rng([style.seed, 6])
    weathering = random_weathering(style.wear, Dice(rng))
    odd = [_draw(drawing) for drawing in odd_faces(style)]
    return FaceBank(
        source,
        {code: weather(face, weathering, rng) for code, face in faces.items()},
        tuple(weather(face, weathering, rng) for face in odd),
    )


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


def _ink_art(
    code: str, art: ArtFace, style: Style, press: _Press, rng: np.random.Generator
) -> Pixels:
    bold = _grow_lines(art.pixels, round(press.bolder * art.style.bolder))
    other_ink = code == "DG" and style.fortune_ink is not None
    if art.style.mono or code in art.style.by_rule or other_ink:
        return recolour(code, bold, style, rng)
    colour = np.clip(bold[..., :3] @ press.tint, 0, 255)
    if style.has_one_ink:
        shade = colour.mean(axis=2, keepdims=True) / 255
        colour = np.array(style.dark) * (1 - shade) + 255 * shade
    return np.concatenate([colour, bold[..., 3:]], axis=2).astype(np.uint8)


def _grow_lines(art: Pixels, growth: int) -> Pixels:
    """Let the lines of art grow by some pixels; where colours meet the darker one spreads."""
    if not growth:
        return art
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (growth + 1, growth + 1))
    alpha = cv2.dilate(art[..., 3], kernel)
    clear = np.where(art[..., 3] <= 40, np.uint8(255), np.uint8(0))
    on_white = cv2.bitwise_or(art[..., :3], cv2.cvtColor(clear, cv2.COLOR_GRAY2RGB))
    red, green, blue = cv2.split(cv2.erode(on_white, kernel))
    return np.asarray(cv2.merge([red, green, blue, alpha]), dtype=np.uint8)


def _place_art(art: Pixels, style: Style, press: _Press, lean: Affine) -> Pixels:
    """Fit art (the whole set cropped alike) into the style's picture box."""
    size = np.array(FACE_SIZE_PX)
    left, top, right, bottom = np.array(picture_box(style)) / np.tile([FACE_WIDTH, FACE_HEIGHT], 2)
    room = np.array([right - left, bottom - top]) * size
    shape = np.array([art.shape[1], art.shape[0]])
    scale = float(np.min(room / shape)) * np.array(press.stretch)
    shift = np.array([left, top]) * size + (room - scale * shape) / 2
    # Half a pixel, since OpenCV's coordinates are those of pixel centres.
    shift += (scale - 1) / 2
    matrix = np.array([[scale[0], 0, shift[0]], [0, scale[1], shift[1]]])
    turned_matrix = np.array([[lean.a, lean.c], [lean.b, lean.d]]) @ matrix
    turned_matrix[:, 2] += (lean.e, lean.f)
    placed_art = cv2.warpAffine(premultiply(art), turned_matrix, FACE_SIZE_PX, flags=cv2.INTER_AREA)
    return unpremultiply(np.asarray(placed_art, dtype=np.uint8))


def _random_lean(rng: np.random.Generator) -> Affine:
    return random_lean(Dice(rng), (FACE_SIZE_PX[0] / 2, FACE_SIZE_PX[1] / 2), 0.7)
