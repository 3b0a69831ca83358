"""Faces as textures: ink on white, to be multiplied with the colour of a tile's body."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.train.cycles.drawn import DRAWINGS, draw, lettering
from models.train.cycles.styles import Corner, Ink, Style

RGB = npt.NDArray[np.uint8]

SIZE = (330, 440)
"""Width and height of a texture, pixels."""
MARGIN = 0.07
"""Of a texture's width, left free around the art."""

_INKS = {
    "B": (18, 92, 48), "C": (22, 22, 26), "O": (28, 44, 120), "W": (20, 20, 24),
    "DR": (170, 24, 30), "DG": (16, 96, 50), "DW": (30, 50, 130),
    "F": (150, 30, 34), "S": (28, 50, 130),
}  # fmt: skip


@cache
def face(style: Style, code: str) -> RGB:
    """Return a face; raise FileNotFoundError where the shared art is not there."""
    if style.drawing:
        return draw(DRAWINGS[style.drawing], code, SIZE)
    art = _art(style, code)
    wide = round(SIZE[0] * (1 - 2 * MARGIN))
    tall = round(SIZE[1] * (1 - 2 * MARGIN * 0.8))
    scale = min(wide / art.shape[1], tall / art.shape[0])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    fitted = cv2.resize(art, None, fx=scale, fy=scale, interpolation=how)
    canvas = np.full((SIZE[1], SIZE[0], 3), 255, np.uint8)
    y, x = (SIZE[1] - fitted.shape[0]) // 2, (SIZE[0] - fitted.shape[1]) // 2
    canvas[y : y + fitted.shape[0], x : x + fitted.shape[1]] = fitted
    return _indexed(canvas, code, style.index)


def shrunk(art: RGB, tall: int) -> RGB:
    """Return a face so many pixels tall, if it is taller."""
    share = tall / art.shape[0]
    if share >= 1:
        return art
    small = cv2.resize(art, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _art(style: Style, code: str) -> RGB:
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
    return np.asarray(_coloured(flat, code, style.ink), np.uint8)


def _coloured(flat: npt.NDArray[np.float32], code: str, ink: Ink) -> npt.NDArray[np.float32]:
    """Return art in one ink in the colour of its kind."""
    if ink != "colours":
        return flat
    colour = np.array(_INKS.get(code, _INKS.get(code[0], (20, 20, 20))), np.float32)
    shade = flat.mean(axis=2, keepdims=True) / 255
    return np.asarray(colour + (255 - colour) * shade, np.float32)


def _indexed(canvas: RGB, code: str, corner: Corner) -> RGB:
    """Return the face with a Western index in a corner: figures for suits, letters for honours."""
    if not corner or code == "DW":
        return canvas
    sign = {"DR": "C", "DG": "F"}.get(code, code[1])
    return lettering(canvas, sign, corner)
