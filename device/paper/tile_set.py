"""Print a tile set as the box has learnt it: picture, number and name of each tile."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from PIL import Image
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table

from device.i18n.words import say, tile_name
from device.paper.sheet import BOLD_STYLE, PLAIN_STYLE, TEXT_WIDTH_MM, paragraph, print_sheet
from scorer.tiles import FACE_DOWN, JOKER, TILE_FAMILIES
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB

PICTURE_WIDTH_MM, PICTURE_HEIGHT_MM = 28.0, 35.0
"""Size of a tile on paper, in the proportions of its picture: about that of the tile itself."""

TILES_PER_LINE = 5

_ENLARGEMENT_FACTOR = 4
"""How many times the picture is enlarged, to 232 dots per inch; printers would show its pixels."""

_JPEG_QUALITY = 90
_FRAME_GREY_SHARE = 0.6
"""Grey of the frame, 0 black to 1 white."""

_NUMBER_STYLE = ParagraphStyle("number", BOLD_STYLE, fontSize=15, leading=18, alignment=TA_CENTER)
_NAME_STYLE = ParagraphStyle("name", PLAIN_STYLE, fontSize=11, leading=13, alignment=TA_CENTER)


def print_tile_set(name: str, pictures: Mapping[str, RGB]) -> bytes:
    """Return the sheet as PDF. `pictures` has one of each tile that was learnt, by its code.

    Tiles that were not learnt have an empty frame.
    """
    families = [(say(f"family.{family}"), codes) for family, codes in TILE_FAMILIES]
    extra_codes = tuple(code for code in (JOKER, FACE_DOWN) if code in pictures)
    if extra_codes:
        families.append((say("register.others"), extra_codes))
    story = [_family_flowables(title, codes, pictures) for title, codes in families]
    return print_sheet(name, say("paper.set-lead"), story)


def _family_flowables(
    title: str, codes: Sequence[str], pictures: Mapping[str, RGB]
) -> KeepTogether:
    """Return the title and the lines of a family, which stay on one page."""
    cells: list[list[Flowable] | str] = [
        [_PictureFlowable(pictures.get(code)), *_caption_paragraphs(code)] for code in codes
    ]
    cells += [""] * (-len(cells) % TILES_PER_LINE)
    lines = [cells[at : at + TILES_PER_LINE] for at in range(0, len(cells), TILES_PER_LINE)]
    column = TEXT_WIDTH_MM / TILES_PER_LINE * mm
    table = Table(lines, colWidths=[column] * TILES_PER_LINE, style=_TABLE_STYLE, hAlign="LEFT")
    return KeepTogether([Spacer(0, 3 * mm), paragraph(title, BOLD_STYLE), table])


def _caption_paragraphs(code: str) -> list[Flowable]:
    """Return the number of a tile that has one, and its name."""
    rank = code[1]
    number = [paragraph(rank, _NUMBER_STYLE)] if rank.isdigit() else []
    return [Spacer(0, mm), *number, paragraph(tile_name(code), _NAME_STYLE)]


class _PictureFlowable(Flowable):  # type: ignore[misc] # reportlab's classes are untyped
    """The picture of a tile in its frame, or an empty frame."""

    def __init__(self, picture: RGB | None) -> None:
        super().__init__()
        self._picture = picture

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Return the width and height in points."""
        return PICTURE_WIDTH_MM * mm, PICTURE_HEIGHT_MM * mm

    def draw(self) -> None:
        """Draw it on the flowable's canvas."""
        width, height = self.wrap(0, 0)
        if self._picture is not None:
            self.canv.drawImage(ImageReader(_enlarge(self._picture)), 0, 0, width, height)
        self.canv.setStrokeGray(_FRAME_GREY_SHARE)
        self.canv.rect(0, 0, width, height)


def _enlarge(picture: RGB) -> io.BytesIO:
    """Return the picture as JPEG, with more pixels between its own."""
    size = CROP_WIDTH_PX * _ENLARGEMENT_FACTOR, CROP_HEIGHT_PX * _ENLARGEMENT_FACTOR
    image = Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=_JPEG_QUALITY)
    buffer.seek(0)
    return buffer


_TABLE_STYLE = [
    ("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 2), ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ("ALIGN", (0, 0), (-1, -1), "CENTER"), ("VALIGN", (0, 0), (-1, -1), "TOP"),
]  # fmt: skip
