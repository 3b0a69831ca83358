"""The tile sets of the pictures and their faces as textures. No network was trained on any.

A texture is ink on white, to be multiplied with the colour of a tile's body.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from models.train.cycles.drawn_faces import DRAWINGS, draw_face, write_index
from scorer.tiles import CODES

Corner = Literal["", "left", "right"]
Ink = Literal["", "black", "colours"]


@dataclass(frozen=True, slots=True)
class Style:
    """One set's faces."""

    name: str
    art: str = ""
    """A folder of the shared art that is for tests alone; empty for faces drawn here."""
    index: Corner = ""
    """Where a Western index is added."""
    ink: Ink = ""
    """How art in one ink is coloured; empty for art with colours of its own."""
    trim: float = 0.0
    """Share of the art's width that is cut off all round: a drawn frame or shaded edge."""
    missing: tuple[str, ...] = ()
    """Codes without art."""
    blank: bool = False
    """Its white dragon is a bare face, so that its backs must be of another colour."""
    drawing: str = ""
    """Of `drawn.DRAWINGS`, for faces drawn here."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The faces that the set has."""
        return tuple(code for code in CODES if code not in self.missing)

    @property
    def bonus(self) -> tuple[str, ...]:
        """Its flowers and seasons."""
        return tuple(code for code in self.codes if code[0] in "FS")


_FLOWERS = ("F1", "F2", "F3", "F4")

STYLES: tuple[Style, ...] = (
    Style("kde-default", art="kde-default", blank=True),
    Style("kde-traditional", art="kde-traditional"),
    Style("gnome-smooth", art="gnome-smooth", trim=0.05),
    Style("gnome-postmodern", art="gnome-postmodern", index="left"),
    Style("taksuyu", art="taksuyu", trim=0.045, index="right", missing=_FLOWERS, blank=True),
    Style("freeserif", art="freeserif", ink="colours", index="left", missing=("F4",)),
    Style("xmahjongg-real", art="xmahjongg-real", trim=0.03),
    Style("navy", drawing="navy", blank=True),
    Style("club", drawing="club"),
    Style("spare", drawing="spare", blank=True),
)


RGB = npt.NDArray[np.uint8]

TEXTURE_SIZE_PX = (330, 440)
"""Width and height of a texture, pixels."""
MARGIN_SHARE = 0.07
"""Share of a texture's width that is left free around the art."""

_INKS = {
    "B": (18, 92, 48), "C": (22, 22, 26), "O": (28, 44, 120), "W": (20, 20, 24),
    "DR": (170, 24, 30), "DG": (16, 96, 50), "DW": (30, 50, 130),
    "F": (150, 30, 34), "S": (28, 50, 130),
}  # fmt: skip


@cache
def face_texture(style: Style, code: str) -> RGB:
    """Return a face; raise FileNotFoundError where the shared art is not there."""
    if style.drawing:
        return draw_face(DRAWINGS[style.drawing], code, TEXTURE_SIZE_PX)
    art = _load_art(style, code)
    wide = round(TEXTURE_SIZE_PX[0] * (1 - 2 * MARGIN_SHARE))
    tall = round(TEXTURE_SIZE_PX[1] * (1 - 2 * MARGIN_SHARE * 0.8))
    scale = min(wide / art.shape[1], tall / art.shape[0])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    fitted = cv2.resize(art, None, fx=scale, fy=scale, interpolation=how)
    canvas = np.full((TEXTURE_SIZE_PX[1], TEXTURE_SIZE_PX[0], 3), 255, np.uint8)
    y, x = (TEXTURE_SIZE_PX[1] - fitted.shape[0]) // 2, (TEXTURE_SIZE_PX[0] - fitted.shape[1]) // 2
    canvas[y : y + fitted.shape[0], x : x + fitted.shape[1]] = fitted
    return _add_index(canvas, code, style.index)


def shrink_texture(art: RGB, tall: int) -> RGB:
    """Return a face no more than `tall` pixels tall."""
    share = tall / art.shape[0]
    if share >= 1:
        return art
    small = cv2.resize(art, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _load_art(style: Style, code: str) -> RGB:
    shared = Path(os.environ.get("TONGBOX_DATA", "../shared"))
    path = shared / "art" / style.art / f"{code}.png"
    read = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if read is None:
        raise FileNotFoundError(path)
    trim = round(style.trim * read.shape[1])
    read = read[trim : read.shape[0] - trim, trim : read.shape[1] - trim]
    rgb = np.asarray(read[:, :, 2::-1], np.float32)
    cover = np.asarray(read[:, :, 3:], np.float32) / 255 if read.shape[2] == 4 else np.float32(1)
    flat = rgb * cover + 255 * (1 - cover)
    paper = np.percentile(flat.reshape(-1, 3), 92, axis=0).clip(60, 255)
    flat = (flat / paper * 255).clip(0, 255)
    return np.asarray(_colour_ink(flat, code, style.ink), np.uint8)


def _colour_ink(flat: npt.NDArray[np.float32], code: str, ink: Ink) -> npt.NDArray[np.float32]:
    """Return art in one ink in the colour of its kind."""
    if ink != "colours":
        return flat
    colour = np.array(_INKS.get(code, _INKS.get(code[0], (20, 20, 20))), np.float32)
    shade = flat.mean(axis=2, keepdims=True) / 255
    return np.asarray(colour + (255 - colour) * shade, np.float32)


def _add_index(canvas: RGB, code: str, corner: Corner) -> RGB:
    """Return the face with a Western index in a corner: figures for suits, letters for honours."""
    if not corner or code == "DW":
        return canvas
    sign = {"DR": "C", "DG": "F"}.get(code, code[1])
    return write_index(canvas, sign, corner)
