"""Pictures with their tiles for the locator: real photographs and rendered scenes alike."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.train.tiled_picture import TiledPicture
from vision.labels import LabelledPhoto, PixelBox
from vision.preprocess import NO_TILE


def read_rgb(path: Path) -> npt.NDArray[np.uint8]:
    """Return the picture's pixels; raise FileNotFoundError when it cannot be read."""
    bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if bgr is None:
        raise FileNotFoundError(path)
    return np.ascontiguousarray(bgr[:, :, ::-1], dtype=np.uint8)


def load_photo(photo: LabelledPhoto) -> TiledPicture:
    """Read a real photograph; where tiles may lie that have no label nothing is known."""
    rgb = read_rgb(photo.path)
    known_mask = np.zeros(rgb.shape[:2], np.uint8)
    _fill(known_mask, photo.roi, 1)
    for box in photo.unlabelled_boxes:
        _fill(known_mask, box, 0)
    return TiledPicture(
        rgb,
        np.array([tile.quad for tile in photo.tiles], np.float32).reshape(-1, 4, 2),
        tuple(tile.code for tile in photo.tiles),
        np.array([tile.exact for tile in photo.tiles], bool),
        known_mask,
    )


def _fill(known_mask: npt.NDArray[np.uint8], box: PixelBox, value: int) -> None:
    x0, y0, x1, y1 = (max(round(edge), 0) for edge in box)
    known_mask[y0:y1, x0:x1] = value


def load_scenes(folder: Path) -> list[TiledPicture]:
    """Read every scene that `models.train.drawing.compose` has written into a folder."""
    labels = folder / "labels.jsonl"
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    return [_load_scene(folder, row) for row in rows if (folder / row["file"]).exists()]


def _load_scene(folder: Path, row: dict[str, Any]) -> TiledPicture:
    rgb = read_rgb(folder / row["file"])
    known_mask = np.ones(rgb.shape[:2], np.uint8)
    visible_labels = [label for label in row["tiles"] if not label["ignore"]]
    tiles = [label for label in visible_labels if label["code"] != NO_TILE]
    for label in row["tiles"]:
        if label["ignore"] and label["code"] != NO_TILE:
            cv2.fillPoly(known_mask, [np.round(label["quad"]).astype(np.int32)], [0])
    codes = tuple(str(tile["code"]) for tile in tiles)
    other_quads = _quads(label for label in visible_labels if label["code"] == NO_TILE)
    return TiledPicture(
        rgb, _quads(tiles), codes, np.ones(len(tiles), bool), known_mask, other_quads
    )


def _quads(labels: Iterable[dict[str, Any]]) -> npt.NDArray[np.float32]:
    return np.array([label["quad"] for label in labels], np.float32).reshape(-1, 4, 2)
