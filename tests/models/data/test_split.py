"""The split of the real photographs: whole scenes, and none on both sides."""

from __future__ import annotations

import csv
import json
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.train.data.photos import (
    FOLDS,
    HOLD_OUTS,
    SCENES_OF_GROUPS,
    SOURCES,
    VALIDATION_SCENES,
    is_held_out,
    photos_by_scene,
    training_photos,
    validation_lines,
)
from models.train.data.scenes import load_photo


def rows() -> list[dict[str, str]]:
    table = resources.files("models.train.data") / "scenes.tsv"
    with table.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def test_every_photograph_has_one_scene() -> None:
    files = [row["file"] for row in rows()]
    assert len(files) == len(set(files)) == 1096


def test_the_scenes_held_out_exist_and_are_a_fair_share() -> None:
    scenes = [row["scene"] for row in rows()]
    assert {*scenes, *SCENES_OF_GROUPS.values()} >= VALIDATION_SCENES
    held_out_count = sum(scene in VALIDATION_SCENES for scene in scenes)
    assert 0.2 < held_out_count / len(scenes) < 0.4


def test_every_scene_is_held_out_by_just_one_fold() -> None:
    folds = [name for name in HOLD_OUTS if name.startswith("fold-")]
    assert len(folds) == len(FOLDS)
    for scene in {row["scene"] for row in rows()} | {*SCENES_OF_GROUPS.values()}:
        assert sum(is_held_out(scene, fold) for fold in folds) == 1, scene


@pytest.mark.parametrize(
    "scenes",
    [
        pytest.param(("green-mat", "green-mat-near", "green-mat-diagonal"), id="one set of tiles"),
        pytest.param(("wood", "wood-discards"), id="one table"),
    ],
)
def test_scenes_that_may_share_a_set_share_a_fold(scenes: tuple[str, ...]) -> None:
    for fold in HOLD_OUTS:
        assert len({is_held_out(scene, fold) for scene in scenes}) == 1


def test_with_everything_held_out_no_photograph_is_needed() -> None:
    assert training_photos("all") == []


def test_both_sources_are_dealt_by_whole_tables_and_a_photograph_may_show_no_tile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = [[0, 0], [8, 0], [8, 9], [0, 9]]
    rows_by_source: dict[str, list[dict[str, Any]]] = {
        "tiles": [{"file": "images/kch3coo_1.jpg", "group": "kch3coo_set"}],
        "more": [
            {"file": "images/keys.jpg", "group": "keyboard_negatives", "tiles": []},
            {"file": "images/night.jpg", "group": "wood_night", "unlabelled": [[1, 2, 3, 4]]},
            {"file": "images/dim.jpg", "group": "wood_dim"},
        ],
    }
    monkeypatch.setenv("TONGBOX_DATA", str(tmp_path))
    for source, source_rows in rows_by_source.items():
        folder = tmp_path / "data" / source
        (folder / "images").mkdir(parents=True)
        tiles = [{"code": "B1", "quad": box}]
        lines = [{"w": 20, "h": 10, "tiles": tiles, "complete": True, **row} for row in source_rows]
        (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        for line in lines:
            cv2.imwrite(str(folder / line["file"]), np.zeros((10, 20, 3), np.uint8))
    learned_photos, held_out_photos = (
        photos_by_scene(wants_held_out=each) for each in (False, True)
    )
    assert {scene: len(photos) for scene, photos in learned_photos.items()} == {
        "kch3coo-set": 1,
        "keyboard-desk": 1,
    }
    assert {scene: len(photos) for scene, photos in held_out_photos.items()} == {"planks": 2}
    assert photos_by_scene(wants_held_out=False, sources=SOURCES[1:]).keys() == {"keyboard-desk"}
    assert [json.loads(line)["file"] for line in validation_lines()] == [
        "more/images/night.jpg",
        "more/images/dim.jpg",
    ]
    empty = load_photo(learned_photos["keyboard-desk"][0])
    assert empty.quads.shape == (0, 4, 2)
    assert empty.exact.dtype == bool
    night = load_photo(held_out_photos["planks"][0])
    assert night.known_mask[3, 2] == 0
    assert night.known_mask[3, 5] == 1
