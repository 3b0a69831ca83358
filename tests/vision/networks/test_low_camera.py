"""Tiles that look flat, because the camera is low, are looked at again in a stretched picture."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.geometry.plane import measure_flatness
from vision.networks.classifier import Classification
from vision.networks.locator import Detection, LocatedTiles, Locator
from vision.networks.low_camera import locate_in_stretched
from vision.networks.zoom_out import NamedDetection
from vision.photo import Photo, open_photo
from vision.reader import Reader

GOLDENS = Path("tests/goldens")


def _quad(x: float, y: float, width: float, height: float) -> npt.NDArray[np.float32]:
    """Return the outline of an upright tile, x and y its upper left."""
    corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    return np.array(corners, np.float32)


ROW = [_quad(40 * k, 30, 30, 20) for k in range(4)]

FLATNESS = [
    pytest.param(ROW, 20 / 30 / 1.35, id="flat tiles of a row"),
    pytest.param([np.roll(_quad(0, 0, 40.5, 20), 1, axis=0)] * 3, 2 / 3, id="flat sideways ones"),
    pytest.param([_quad(0, 0, 30, 40.5)] * 3, 1.0, id="seen from above"),
    pytest.param([*ROW, _quad(0, 0, 9, 90)], 20 / 30 / 1.35, id="one false tile counts little"),
    pytest.param([_quad(0, 0, 20, 40.5)] * 3, 1.5, id="a photograph on its side"),
]


@pytest.mark.parametrize(("quads", "expected"), FLATNESS)
def test_how_flat_tiles_look(quads: list[npt.NDArray[np.float32]], expected: float) -> None:
    assert measure_flatness(np.stack(quads)) == pytest.approx(expected, abs=1e-3)


class _Locator:
    """Finds these outlines, given in shares of the picture; notes the pictures that it sees."""

    def __init__(self, outlines: list[npt.NDArray[np.float32]]) -> None:
        self._outlines = outlines
        self.shapes: list[tuple[int, ...]] = []

    def locate(self, photo: Photo) -> LocatedTiles:
        self.shapes.append(photo.rgb.shape[:2])
        size = np.array([photo.width, photo.height], np.float32)
        return LocatedTiles([Detection(each * size, 0.5) for each in self._outlines], [])


def _look(
    first: list[npt.NDArray[np.float32]], second: list[npt.NDArray[np.float32]]
) -> tuple[dict[int, Detection], _Locator]:
    """Return what becomes of outlines found first, given those of the stretched picture."""
    size = np.array([200, 100], np.float32)
    locator = _Locator([quad / size for quad in second])
    photo = Photo("photo", np.zeros((100, 200, 3), np.uint8))
    name = Classification("O4", 1.0, 1.0, (), 0, 0.0)
    sights = [NamedDetection(Detection(quad, 0.9), name, photo.rgb) for quad in first]
    return locate_in_stretched(cast("Locator", locator), photo, sights), locator


def test_a_narrow_outline_is_replaced_by_the_whole_tiles() -> None:
    narrow = [*ROW[:3], _quad(125, 30, 18, 20)]
    outlines, locator = _look(narrow, ROW)
    assert np.allclose(outlines[3].quad, ROW[3], atol=0.1)
    assert locator.shapes == [(160, 200)]


def test_a_part_of_a_tile_or_another_tile_replaces_none() -> None:
    outlines, _ = _look(ROW, [_quad(0, 30, 12, 20), _quad(57, 30, 30, 20), *ROW[2:]])
    assert outlines.keys() == {2, 3}


def test_tiles_that_look_high_enough_cost_no_second_look() -> None:
    outlines, locator = _look([_quad(40 * k, 30, 30, 35) for k in range(4)], [])
    assert (outlines, locator.shapes) == ({}, [])


@pytest.mark.parametrize(("name", "squash"), [("won-from-the-wall", 0.45), ("did-not-win", 0.35)])
def test_a_hand_that_looks_flat_is_read_as_it_lies(name: str, squash: float) -> None:
    (file,) = GOLDENS.rglob(f"{name}.jpg")
    photo, reader = open_photo(file.read_bytes(), name), Reader.load()
    size = photo.width, round(photo.height * squash)
    flat = cv2.resize(photo.rgb, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    assert reader.read(Photo(name, flat)).hand_text == reader.read(photo).hand_text
