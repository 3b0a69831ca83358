"""Draw contact sheets of tiles named wrong, missed and invented, the worst first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.measure.compare import PhotoResult, TileResult, _Outcome
from vision.photo import open_photo
from vision.preprocess import CROP_HEIGHT, CROP_WIDTH, RGB, straighten

MOST = 120
"""Most tiles on a sheet."""

COLUMNS = 10
PICTURE = 96
"""Height of a tile's picture, and side of a picture with surroundings."""

CELL, CAPTION, HEADING = 148, 50, 30
"""Width of a cell, height of the captions below a picture, and height of the heading."""

NAME = 19
"""Letters of a file name that fit below a picture; the last ones tell files apart."""

CONTEXT = 1.5
"""Surroundings shown on each side, in heights of the tile."""

GROUND, INK, FAINT, MARK = "#1d2321", "#f1efe6", "#a9b0ab", "#ff5fa2"

_Fault = tuple[PhotoResult, TileResult]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One contact sheet: its tiles, their order, and what is shown of each."""

    file: str
    outcome: _Outcome
    heading: str
    badness: Callable[[TileResult], float]
    cut: Callable[[RGB, TileResult], Image.Image]
    caption: Callable[[TileResult], tuple[str, str]]


def write_montages(results: Sequence[PhotoResult], folder: Path) -> None:
    """Write every sheet as a PNG into a folder that exists; raise OSError where it cannot."""
    for sheet in SHEETS:
        faults = _worst_first(sheet, results)
        shown = faults[:MOST]
        said = f"{sheet.heading}: {len(faults) or 'none'}"
        said += f", the worst {MOST} shown" if len(faults) > MOST else ""
        _draw(said, shown, sheet).save(folder / sheet.file)


def _worst_first(sheet: Sheet, results: Sequence[PhotoResult]) -> list[_Fault]:
    faults = [(r, tile) for r in results for tile in r.tiles if tile.outcome == sheet.outcome]
    return sorted(faults, key=lambda fault: -sheet.badness(fault[1]))


def _draw(heading: str, faults: Sequence[_Fault], sheet: Sheet) -> Image.Image:
    """Return the sheet: rows of pictures with captions and the end of the file name."""
    pictures = _pictures(faults, sheet.cut)
    rows = -(-len(faults) // COLUMNS)
    tall = max((picture.height for picture in pictures), default=0) + CAPTION
    montage = Image.new("RGB", (COLUMNS * CELL, HEADING + rows * tall), GROUND)
    draw = ImageDraw.Draw(montage)
    draw.text((8, 6), heading, INK, ImageFont.load_default(16))
    for place, ((result, tile), picture) in enumerate(zip(faults, pictures, strict=True)):
        x, y = place % COLUMNS * CELL, HEADING + place // COLUMNS * tall
        montage.paste(picture, (x + (CELL - picture.width) // 2, y))
        lines = zip(
            (*sheet.caption(tile), result.path.stem[-NAME:]), (INK, INK, FAINT), strict=True
        )
        for line, (words, colour) in enumerate(lines):
            middle, top = x + CELL // 2, y + tall - CAPTION + 3 + 14 * line
            draw.text((middle, top), words, colour, ImageFont.load_default(12), anchor="ma")
    return montage


def _pictures(
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


def _upright(rgb: RGB, tile: TileResult) -> Image.Image:
    """Return the crop that the classifier saw, turned as it took it to lie."""
    crop = straighten(rgb, np.array(tile.quad, np.float32))
    width = round(PICTURE * CROP_WIDTH / CROP_HEIGHT)
    return Image.fromarray(crop).resize((width, PICTURE), Image.Resampling.LANCZOS)


def _around(rgb: RGB, tile: TileResult) -> Image.Image:
    """Return a square of the photograph with the tile outlined in its middle."""
    quad = np.array(tile.quad)
    low, high = quad.min(0), quad.max(0)
    reach = (0.5 + CONTEXT) * max(*(high - low), 1.0)
    corner = (low + high) / 2 - reach
    x0, y0, x1, y1 = (round(float(v)) for v in (*corner, *(corner + 2 * reach)))
    side = CELL - 8
    picture = (
        Image.fromarray(rgb).crop((x0, y0, x1, y1)).resize((side, side), Image.Resampling.LANCZOS)
    )
    outline = [(float(x), float(y)) for x, y in (quad - corner) * side / (2 * reach)]
    ImageDraw.Draw(picture).polygon(outline, outline=MARK, width=2)
    return picture


def _sure(tile: TileResult) -> str:
    return f"{tile.confidence:.0%} sure{', asked' if tile.doubtful else ''}"


def _named(tile: TileResult) -> tuple[str, str]:
    return f"{tile.label} read as {tile.read}", _sure(tile)


def _missed(tile: TileResult) -> tuple[str, str]:
    return f"{tile.label} missed", f"{_size(tile):.0f} px"


def _invented(tile: TileResult) -> tuple[str, str]:
    return f"{tile.read} invented", _sure(tile)


def _size(tile: TileResult) -> float:
    """Return the shorter side of the upright box around it, in pixels."""
    return float(np.ptp(np.array(tile.quad), axis=0).min())


def _silence(tile: TileResult) -> float:
    """Return a rank that is worse for confident errors, and worst if nobody is asked."""
    return tile.confidence + (not tile.doubtful)


SHEETS = (
    Sheet("wrong.png", "wrong", "Named wrongly, the surest first", _silence, _upright, _named),
    Sheet("missed.png", "missed", "Missed, the largest first", _size, _around, _missed),
    Sheet("invented.png", "invented", "Invented, the surest first", _silence, _around, _invented),
)
