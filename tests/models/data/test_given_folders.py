"""Folders that players gave are learnt from as they are, whole."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train.classifier.crops import NO_FACE, from_pictures, random_crop
from models.train.data.photos import given_photos, is_held_out, parse_hold_out
from models.train.data.scenes import load_photo
from models.train.locator.views import make_target
from vision.preprocess import CELL_SIDE_PX


def folder(path: Path, *codes: str) -> Path:
    """Write a folder of one picture with these tiles, as `tongbox export --dataset` does."""
    (path / "images").mkdir(parents=True)
    cv2.imwrite(str(path / "images" / "a.jpg"), np.full((64, 192, 3), 128, np.uint8))
    tiles = [
        {"code": code, "quad": [[x, 8], [x + 28, 8], [x + 28, 48], [x, 48]], "up": 0, "i": n}
        for n, (code, x) in enumerate(zip(codes, range(10, 190, 44), strict=False))
    ]
    row = {"file": "images/a.jpg", "w": 192, "h": 64, "kind": "photo", "complete": True}
    line = json.dumps({**row, "group": "set-1", "tiles": tiles})
    (path / "labels.jsonl").write_text(line + "\n", encoding="utf-8")
    return path


def test_every_folder_that_is_named_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TONGBOX_DATASETS", raising=False)
    assert given_photos() == []
    first, other = folder(tmp_path / "one", "B1", "BACK"), folder(tmp_path / "other", "JK")
    monkeypatch.setenv("TONGBOX_DATASETS", f"{first}{os.pathsep}{other}{os.pathsep}")
    codes = [tuple(tile.code for tile in photo.tiles) for photo in given_photos()]
    assert codes == [("B1", "??"), ("JK",)]
    assert given_photos("all") == [], "of drawn pictures alone"


def test_a_folder_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TONGBOX_DATASETS", str(tmp_path / "nowhere"))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        given_photos()


def test_both_networks_take_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TONGBOX_DATASETS", str(folder(tmp_path / "given", "B1", "BACK", "JK")))
    (photo,) = given_photos()
    picture = load_photo(photo)
    assert picture.known_mask.all(), "what is painted over is known to be no tile"
    assert picture.exact.all(), "outlines, from the tile's own top left"
    rng = np.random.default_rng(1)
    faces = {code: random_crop(picture, n, rng)[1] for n, code in enumerate(picture.codes)}
    assert faces == {"B1": 0, "??": 42, "JK": NO_FACE}
    assert from_pictures([picture])(rng)[0].shape == (80, 64, 3)
    heat = make_target(picture.quads, picture.exact, picture.known_mask, 0.0).heat
    assert (heat == 1).sum() == 3
    assert heat.shape == (64 // CELL_SIDE_PX, 192 // CELL_SIDE_PX)


@pytest.mark.parametrize(
    ("hold_out", "expected"),
    [
        ("validation", {"dark-felt"}),
        ("fold-1", {"green-mat"}),
        ("fold-1+validation", {"green-mat", "dark-felt"}),
        ("nothing", set[str]()),
    ],
)
def test_several_may_be_held_out_at_once(hold_out: str, expected: set[str]) -> None:
    scenes = ("dark-felt", "green-mat", "wood")
    assert {scene for scene in scenes if is_held_out(scene, parse_hold_out(hold_out))} == expected


def test_what_there_is_not_cannot_be_held_out() -> None:
    with pytest.raises(ValueError, match="fold-9"):
        parse_hold_out("validation+fold-9")
