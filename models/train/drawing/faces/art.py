"""Free art from the shared data folder: which styles may be used, their faces, and their colours.

Art in black alone is coloured by the rules that real sets follow: each pixel takes one ink.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from models.train.drawing.faces.bamboo import stick_middles
from models.train.drawing.faces.circles import dot_centres
from models.train.drawing.faces.honours import fortune_ink
from models.train.drawing.faces.raster import Pixels
from models.train.drawing.faces.shapes import Colour, Point
from models.train.drawing.faces.style import BAMBOO_PLANS, CIRCLE_PLANS, Style
from models.train.shared_data import data_folder
from scorer.tiles import CODES

ART_HEIGHT_PX = 216
"""Pixels; a face is 256 high and its picture a little less."""


@dataclass(frozen=True, slots=True)
class ArtStyle:
    """One folder of art that a shipped model may learn from (licences: the art's own README)."""

    name: str
    mono: bool
    """Black ink only, to be coloured by rule."""
    by_rule: tuple[str, ...] = ()
    """Faces of coloured art that are black where real tiles are not."""
    bolder: int = 0
    """By how many pixels of `ART_HEIGHT_PX` its lines may grow; real tiles are bold."""
    share: float = 1.0
    """How often it is chosen beside the others."""
    numbered_pattern: str = ""
    """Families whose faces carry a Western number already."""


ART_STYLES: tuple[ArtStyle, ...] = (
    ArtStyle("shizhao-colour", mono=False, bolder=3, share=0.5),
    ArtStyle("shizhao-mono", mono=True, bolder=3, share=0.5),
    ArtStyle("imahjong-hk", mono=True, bolder=2, numbered_pattern="FS"),
    ArtStyle("imahjong-tw", mono=True, bolder=2, numbered_pattern="FS"),
    ArtStyle("imahjong-can", mono=True, bolder=2, numbered_pattern="F"),
    ArtStyle("imahjong-jp", mono=True, bolder=2),
    ArtStyle("noto-symbols2", mono=True, bolder=2),
    ArtStyle("lietxia", mono=False),
    # Holds the drawings of fluffystuff as pixels, and flowers and seasons beside them.
    ArtStyle("ffalt-riichi", mono=False, by_rule=("DG",)),
    ArtStyle("symbola", mono=True, bolder=3, share=0.5),
)
"""The styles whose licences allow it; every other folder is for tests alone."""


@dataclass(frozen=True, slots=True)
class ArtFace:
    """One face of a style: RGBA, the whole set cropped to the same box."""

    pixels: Pixels
    style: ArtStyle

    def has_number(self, code: str) -> bool:
        """Say whether the art of this face shows its number already."""
        return code[0] in self.style.numbered_pattern


def art_folders() -> dict[Path, float]:
    """Return the folders of the permitted styles that are there, each with its share."""
    folders = {data_folder() / "art" / style.name: style.share for style in ART_STYLES}
    return {folder: share for folder, share in folders.items() if folder.is_dir()}


@cache
def load_art(folder: Path) -> dict[str, ArtFace]:
    """Return a folder's faces by code; raise ValueError for a style that may not be used."""
    style = next((style for style in ART_STYLES if style.name == folder.name), None)
    if style is None:
        raise ValueError(f"the art in {folder} is not cleared for training")
    pictures = {}
    for code in CODES:
        file = folder / f"{code}.png"
        if file.is_file():
            pictures[code] = _reduce(Image.open(file).convert("RGBA"))
    if not pictures:
        raise ValueError(f"there is no tile art in {folder}")
    left, top, right, bottom = _common_box(list(pictures.values()))
    return {
        code: ArtFace(picture[top:bottom, left:right], style)
        for code, picture in pictures.items()
        if picture[..., 3].any()
    }


def _reduce(picture: Image.Image) -> Pixels:
    """Return a picture no higher than faces need it: all that follows takes less time."""
    if picture.height > ART_HEIGHT_PX:
        width = round(picture.width * ART_HEIGHT_PX / picture.height)
        picture = picture.resize((width, ART_HEIGHT_PX), Image.Resampling.BOX)
    return np.asarray(picture)


def _common_box(pictures: list[Pixels]) -> tuple[int, int, int, int]:
    """Return the box that holds the ink of every face, so that relative sizes are kept."""
    height = max(picture.shape[0] for picture in pictures)
    width = max(picture.shape[1] for picture in pictures)
    ink = np.zeros((height, width), dtype=bool)
    for picture in pictures:
        ink[: picture.shape[0], : picture.shape[1]] |= picture[..., 3] > 40
    ys, xs = np.nonzero(ink)
    return int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1


def recolour(code: str, art: Pixels, style: Style, rng: np.random.Generator) -> Pixels:
    """Return the art's alpha with the style's inks for this face. `art` is RGBA with ink in it."""
    inks = _ink_per_pixel(code, art[..., 3], style, rng)
    coloured_art = art.copy()
    coloured_art[..., :3] = inks
    return coloured_art


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
            return _nearest_ink(
                alpha, box, dot_centres(int(rank)), [style.plan_ink(p) for p in plan]
            )
        case "B" if rank != "1":
            plan = BAMBOO_PLANS[style.bamboo_plan].get(int(rank), "g" * int(rank))
            return _nearest_ink(
                alpha, box, stick_middles(int(rank)), [style.plan_ink(p) for p in plan]
            )
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


def _nearest_ink(
    alpha: Pixels, box: tuple[int, int, int, int], middles: list[Point], inks: list[Colour]
) -> Pixels:
    """Give each pixel the ink of the nearest dot or stick of the standard layout."""
    left, top, right, bottom = box
    y, x = (np.arange(length, dtype=np.float32) for length in alpha.shape)
    places = [(left + u * (right - left), top + v * (bottom - top)) for u, v in middles]
    squares = np.stack([(x - px)[None] ** 2 + (y - py)[:, None] ** 2 for px, py in places])
    nearest_ink = np.argmin(squares, axis=0)
    return np.asarray(np.array(inks, dtype=np.uint8)[nearest_ink])


def _components(alpha: Pixels, style: Style, rng: np.random.Generator) -> Pixels:
    count, labels = cv2.connectedComponents((alpha > 40).astype(np.uint8), connectivity=8)
    choices = np.array(
        [style.red, style.green, style.green, style.ink(style.numeral_ink)], dtype=np.uint8
    )
    table = choices[rng.integers(len(choices), size=count)]
    # Soft edges lie outside the components: they take the colour of what they touch.
    grown_labels = cv2.dilate(labels.astype(np.float32), np.ones((3, 3), np.uint8)).astype(np.int32)
    return np.asarray(table[np.where(labels > 0, labels, grown_labels)])
