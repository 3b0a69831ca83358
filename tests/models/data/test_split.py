"""The split of the real photographs: whole scenes, and none on both sides."""

from __future__ import annotations

import csv
from importlib import resources

import pytest

from models.train.data.photos import (
    FOLDS,
    HOLD_OUTS,
    VALIDATION_SCENES,
    is_held_out,
    training_photos,
)


def rows() -> list[dict[str, str]]:
    table = resources.files("models.train.data") / "scenes.tsv"
    with table.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def test_every_photograph_has_one_scene() -> None:
    files = [row["file"] for row in rows()]
    assert len(files) == len(set(files)) == 1096


def test_the_scenes_held_out_exist_and_are_a_fair_share() -> None:
    scenes = [row["scene"] for row in rows()]
    assert set(scenes) >= VALIDATION_SCENES
    held_out_count = sum(scene in VALIDATION_SCENES for scene in scenes)
    assert 0.2 < held_out_count / len(scenes) < 0.4


def test_every_scene_is_held_out_by_just_one_fold() -> None:
    folds = [name for name in HOLD_OUTS if name.startswith("fold-")]
    assert len(folds) == len(FOLDS)
    for scene in {row["scene"] for row in rows()}:
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
