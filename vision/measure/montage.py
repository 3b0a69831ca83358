"""Draw contact sheets of tiles named wrong, missed and invented, the worst first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.measure.compare import PhotoResult, TileResult, _Outcome
from vision.photo import open_photo
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB, straighten

MAX_SHEET_TILES = 120
"""Most tiles on a sheet."""

SHEET_COLUMNS = 10
PICTURE_HEIGHT_PX = 96
"""Height of a tile's picture, and side of a picture with surroundings."""

CELL_WIDTH_PX, CAPTION_HEIGHT_PX, HEADING_HEIGHT_PX = 148, 50, 30
"""Width of a cell, height of the captions below a picture, and height of the heading."""

MAX_NAME_LETTERS = 19
"""Letters of a file name that fit below a picture; the last ones tell files apart."""

CONTEXT_TILE_HEIGHTS = 1.5
"""Surroundings shown on each side, in heights of the tile."""

GROUND_COLOUR, INK_COLOUR, FAINT_COLOUR, MARK_COLOUR = "#1d2321", "#f1efe6", "#a9b0ab", "#ff5fa2"

_Fault = tuple[PhotoResult, TileResult]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One contact sheet: its tiles, their order, and what is shown of each."""

    outcome: _Outcome
    heading: str
    badness: Callable[[TileResult], float]
    cut: Callable[[RGB, TileResult], Image.Image]
    caption: Callable[[TileResult], tuple[str, str]]


def write_montages(results: Sequence[PhotoResult], folder: Path) -> None:
    """Write every sheet as a PNG into a folder that exists; raise OSError where it cannot."""
    for sheet in SHEETS:
        faults = _sort_worst_first(sheet, results)
        shown_faults = faults[:MAX_SHEET_TILES]
        caption = f"{sheet.heading}: {len(faults) or 'none'}"
        caption += f", the worst {MAX_SHEET_TILES} shown" if len(faults) > MAX_SHEET_TILES else ""
        _draw(caption, shown_faults, sheet).save(folder / f"{sheet.outcome}.png")


def _sort_worst_first(sheet: Sheet, results: Sequence[PhotoResult]) -> list[_Fault]:
    faults = [(r, tile) for r in results for tile in r.tiles if tile.outcome == sheet.outcome]
    return sorted(faults, key=lambda fault: -sheet.badness(fault[1]))


def _draw(heading: str, faults: Sequence[_Fault], sheet: Sheet) -> Image.Image:
    """Return the sheet: rows of pictures with captions and the end of the file name."""
    pictures = _cut_pictures(faults, sheet.cut)
    rows = -(-len(faults) // SHEET_COLUMNS)
    tall = max((picture.height for picture in pictures), default=0) + CAPTION_HEIGHT_PX
    montage = Image.new(
        "RGB", (SHEET_COLUMNS * CELL_WIDTH_PX, HEADING_HEIGHT_PX + rows * tall), GROUND_COLOUR
    )
    draw = ImageDraw.Draw(montage)
    draw.text((8, 6), heading, INK_COLOUR, ImageFont.load_default(16))
    for place, ((result, tile), picture) in enumerate(zip(faults, pictures, strict=True)):
        row, column = divmod(place, SHEET_COLUMNS)
        x, y = column * CELL_WIDTH_PX, HEADING_HEIGHT_PX + row * tall
        montage.paste(picture, (x + (CELL_WIDTH_PX - picture.width) // 2, y))
        lines = (*sheet.caption(tile), result.path.stem[-MAX_NAME_LETTERS:])
        for line, words in enumerate(lines):
            colour = INK_COLOUR if line < 2 else FAINT_COLOUR
            middle, top = x + CELL_WIDTH_PX // 2, y + tall - CAPTION_HEIGHT_PX + 3 + 14 * line
            draw.text((middle, top), words, colour, ImageFont.load_default(12), anchor="ma")
    return montage


def _cut_pictures(
    faults: Sequence[_Fault], cut: Callable[[RGB, TileResult], Image.Image]
) -> list[Image.Image]:
    """Return a picture of each; a photograph is opened once, and one is kept at a time."""
    places: dict[Path, list[int]] = {}
    for place, (result, _) in enumerate(faults):
        places.setdefault(result.path, []).append(place)
    pictures: dict[int, Image.Image] = {}
    for path, here in places.items():
        rgb = open_photo(path.read_bytes(), path.name).rgb
        pictures.update({place: cut(rgb, faults[place][1]) for place in here})
    return [pictures[place] for place in range(len(faults))]


def _cut_crop(rgb: RGB, tile: TileResult) -> Image.Image:
    """Return the crop that the classifier saw, turned as it took it to lie."""
    crop = straighten(rgb, np.array(tile.quad, np.float32))
    width = round(PICTURE_HEIGHT_PX * CROP_WIDTH_PX / CROP_HEIGHT_PX)
    return Image.fromarray(crop).resize((width, PICTURE_HEIGHT_PX), Image.Resampling.LANCZOS)


def _cut_surroundings(rgb: RGB, tile: TileResult) -> Image.Image:
    """Return a square of the photograph with the tile outlined in its middle."""
    quad = np.array(tile.quad)
    low, high = quad.min(0), quad.max(0)
    reach = (0.5 + CONTEXT_TILE_HEIGHTS) * max(*(high - low), 1.0)
    corner = (low + high) / 2 - reach
    x0, y0, x1, y1 = (round(float(v)) for v in (*corner, *(corner + 2 * reach)))
    side = CELL_WIDTH_PX - 8
    picture = Image.fromarray(rgb).crop((x0, y0, x1, y1))
    picture = picture.resize((side, side), Image.Resampling.LANCZOS)
    outline = [(float(x), float(y)) for x, y in (quad - corner) * side / (2 * reach)]
    ImageDraw.Draw(picture).polygon(outline, outline=MARK_COLOUR, width=2)
    return picture


def _confidence_text(tile: TileResult) -> str:
    return f"{tile.confidence:.0%} sure{', asked' if tile.doubtful else ''}"


def _wrong_caption(tile: TileResult) -> tuple[str, str]:
    return f"{tile.label} read as {tile.read}", _confidence_text(tile)


def _missed_caption(tile: TileResult) -> tuple[str, str]:
    return f"{tile.label} missed", f"{_tile_size(tile):.0f} px"


def _invented_caption(tile: TileResult) -> tuple[str, str]:
    return f"{tile.read} invented", _confidence_text(tile)


def _tile_size(tile: TileResult) -> float:
    """Return the shorter side of the upright box around it, in pixels."""
    return float(np.ptp(np.array(tile.quad), axis=0).min())


def _unasked_confidence(tile: TileResult) -> float:
    """Return a rank that is worse for confident errors, and worst if nobody is asked."""
    return tile.confidence + (not tile.doubtful)


SHEETS = (
    Sheet("wrong", "Named wrongly, the surest first", _unasked_confidence, _cut_crop,
          _wrong_caption),
    Sheet("missed", "Missed, the largest first", _tile_size, _cut_surroundings, _missed_caption),
    Sheet("invented", "Invented, the surest first", _unasked_confidence, _cut_surroundings,
          _invented_caption),
)  # fmt: skip
