"""Rendered pictures as the trainings read them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from models.train.data.scenes import load_scenes
from vision.preprocess import NO_TILE


def label(code: str, x: int, *, ignore: bool) -> dict[str, object]:
    quad = [[x, 10], [x + 20, 10], [x + 20, 40], [x, 40]]
    return {"code": code, "quad": quad, "visible": 1.0, "ignore": ignore}


def test_tiles_things_and_what_may_be_either_are_kept_apart(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.jpg"), np.full((60, 160, 3), 90, np.uint8))
    tiles = [
        label("C4", 0, ignore=False),
        label("??", 40, ignore=True),  # in a wall
        label(NO_TILE, 80, ignore=False),
        label(NO_TILE, 120, ignore=True),  # mostly hidden: neither shown as none nor unknown
    ]
    line = json.dumps({"file": "0.jpg", "tiles": tiles})
    (tmp_path / "labels.jsonl").write_text(line + "\n", encoding="utf-8")
    (picture,) = load_scenes(tmp_path)
    assert picture.codes == ("C4",)
    assert picture.quads[:, 0, 0].tolist() == [0]
    assert picture.other_quads[:, 0, 0].tolist() == [80]
    middles = (10, 50, 90, 130)
    assert [int(picture.known_mask[25, x]) for x in middles] == [1, 0, 1, 1]
