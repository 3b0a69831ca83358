"""The montages of what went wrong, and the reliability diagram."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor, ImageDraw

from tests.vision.measure.test_evaluate import box, result, tile
from vision.measure.calibration import draw_reliability
from vision.measure.compare import TileResult
from vision.measure.evaluate import PhotoResult, reliability_bins
from vision.measure.montage import (  # fmt: skip
    CAPTION_HEIGHT_PX,
    CELL_WIDTH_PX,
    HEADING_HEIGHT_PX,
    MARK_COLOUR,
    MAX_SHEET_TILES,
    PICTURE_HEIGHT_PX,
    SHEET_COLUMNS,
    write_montages,
)

RED, BLUE = (200, 20, 20), (20, 20, 200)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Return a photograph of a red tile at 100 and a blue one at 200."""
    picture = Image.new("RGB", (300, 200), "green")
    for x, colour in ((100, RED), (200, BLUE)):
        ImageDraw.Draw(picture).rectangle((*box(x)[0], *box(x)[2]), colour)
    path = tmp_path / "hand.png"
    picture.save(path)
    return path


def sheet(folder: Path, name: str) -> Image.Image:
    with Image.open(folder / name) as picture:
        return picture.convert("RGB")


def colour_at(picture: Image.Image, place: int, tall: int = PICTURE_HEIGHT_PX) -> np.ndarray:
    """Return the colour in the middle of the picture at this place of a sheet."""
    x = place % SHEET_COLUMNS * CELL_WIDTH_PX + CELL_WIDTH_PX // 2
    y = HEADING_HEIGHT_PX + place // SHEET_COLUMNS * (tall + CAPTION_HEIGHT_PX) + tall // 2
    return np.array(picture.getpixel((x, y)))


def place_at(x: float, result_made: TileResult) -> TileResult:
    return replace(result_made, quad=box(x))


@pytest.mark.parametrize(
    ("red", "blue", "first", "reason"),
    [
        (tile("B1", "B2", 0.6), tile("B1", "B2", 0.9), BLUE, "the surer"),
        (tile("B1", "B2", 0.9), tile("B1", "B2", 0.6), RED, "the surer"),
        (tile("B1", "B2", 0.6), tile("B1", "B2", 0.9, doubtful=True), RED, "the one not asked"),
        (tile("B1", "B1", 0.9), tile("B1", "B2", 0.2), BLUE, "the only one wrong"),
    ],
)
def test_the_worst_named_tile_stands_first(
    red: TileResult, blue: TileResult, first: tuple[int, int, int], reason: str, photo: Path
) -> None:
    results = [replace(result(place_at(100, red), place_at(200, blue)), path=photo)]
    write_montages(results, photo.parent)
    assert np.abs(colour_at(sheet(photo.parent, "wrong.png"), 0) - first).max() < 40, reason


@pytest.mark.parametrize("tile_result", [tile("B1", None), tile(None, "B1")])
def test_missed_and_invented_tiles_are_outlined_where_they_lie(
    tile_result: TileResult, photo: Path
) -> None:
    write_montages([replace(result(place_at(200, tile_result)), path=photo)], photo.parent)
    picture = sheet(photo.parent, f"{tile_result.outcome}.png")
    assert np.abs(colour_at(picture, 0, CELL_WIDTH_PX - 8) - BLUE).max() < 40
    is_marked = (np.array(picture) == ImageColor.getrgb(MARK_COLOUR)).all(-1)
    assert is_marked[HEADING_HEIGHT_PX:, :CELL_WIDTH_PX].sum() > 50
    other = sheet(photo.parent, "invented.png" if tile_result.label else "missed.png")
    assert other.height == HEADING_HEIGHT_PX, "only its heading"


def test_a_sheet_is_bounded(photo: Path) -> None:
    results: list[PhotoResult] = [
        replace(result(*[place_at(100, tile("B1", "B2"))] * 50), path=photo) for _ in range(3)
    ]
    write_montages(results, photo.parent)
    rows = (sheet(photo.parent, "wrong.png").height - HEADING_HEIGHT_PX) / (
        PICTURE_HEIGHT_PX + CAPTION_HEIGHT_PX
    )
    assert rows == MAX_SHEET_TILES / SHEET_COLUMNS


def test_a_tile_at_the_edge_of_its_photograph_is_shown(photo: Path) -> None:
    write_montages([replace(result(place_at(290, tile(None, "B1"))), path=photo)], photo.parent)
    assert sheet(photo.parent, "invented.png").height > HEADING_HEIGHT_PX


def test_the_diagram_draws_each_bin_as_high_as_its_share_right() -> None:
    results = [result(*[tile("B1", "B1", 0.95)] * 3, tile("B1", "B2", 0.95), tile("B1", "B2", 0.5))]
    drawing = ET.fromstring(draw_reliability([("Hands", 0.2, reliability_bins(results))]))  # noqa: S314
    marks = list(drawing.iter("{http://www.w3.org/2000/svg}rect"))
    bars = [
        (float(m.attrib["x"]), float(m.attrib["height"]))
        for m in marks
        if "bar" in m.attrib["class"]
    ]
    assert bars == [(181.0, 0.0), (325.0, 270.0)], "bins 5 and 9 of 360: none and three quarters"
    words = [t.text for t in drawing.iterfind(".//{*}text")]
    assert {"Hands", "1", "4", "expected calibration error 20.0 %"} <= set(words)
    style = drawing.find("{*}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in (style.text or "")
