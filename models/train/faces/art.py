"""Free art from the shared data folder: which styles may be used, and their faces as pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from models.train.data.photos import data_folder
from scorer.tiles import CODES

from .layers import Pixels

ART_HEIGHT = 216
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
    """By how many pixels of `ART_HEIGHT` its lines may grow; real tiles are bold."""
    share: float = 1.0
    """How often it is chosen beside the others."""
    numbered: str = ""
    """Families whose faces carry a Western number already."""


ART_STYLES: tuple[ArtStyle, ...] = (
    ArtStyle("shizhao-colour", mono=False, bolder=3, share=0.5),
    ArtStyle("shizhao-mono", mono=True, bolder=3, share=0.5),
    ArtStyle("imahjong-hk", mono=True, bolder=2, numbered="FS"),
    ArtStyle("imahjong-tw", mono=True, bolder=2, numbered="FS"),
    ArtStyle("imahjong-can", mono=True, bolder=2, numbered="F"),
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
        return code[0] in self.style.numbered


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
            pictures[code] = _reduced(Image.open(file).convert("RGBA"))
    if not pictures:
        raise ValueError(f"there is no tile art in {folder}")
    left, top, right, bottom = _common_box(list(pictures.values()))
    return {
        code: ArtFace(picture[top:bottom, left:right], style)
        for code, picture in pictures.items()
        if picture[..., 3].any()
    }


def _reduced(picture: Image.Image) -> Pixels:
    """Return a picture no higher than faces need it: all that follows takes less time."""
    if picture.height > ART_HEIGHT:
        width = round(picture.width * ART_HEIGHT / picture.height)
        picture = picture.resize((width, ART_HEIGHT), Image.Resampling.BOX)
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
