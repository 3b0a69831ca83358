"""The split of the real photographs: whole scenes, and none on both sides."""

from __future__ import annotations

import csv
from importlib import resources

from models.train.data.photos import VALIDATION_SCENES


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
    held_out = sum(scene in VALIDATION_SCENES for scene in scenes)
    assert 0.2 < held_out / len(scenes) < 0.4
