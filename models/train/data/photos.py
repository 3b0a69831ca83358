"""The real photographs, their scenes and how these are split; and photographs that players gave.

A scene is a table, room and camera position. Whole scenes are held out for validation, never single
photographs or crops. So the figures say how the reading carries over to other tables.

`TONGBOX_DATASETS` names folders that players gave (`tongbox export --dataset`). All in them is
learned from: hold out before what is to be measured.

`python -m models.train.data.photos OUT.jsonl` writes the labels of the validation photographs,
for `tongbox evaluate OUT.jsonl --photos ../shared/data/tiles`.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from dataclasses import replace
from importlib import resources
from pathlib import Path

from vision.labels import LabelledPhoto, PixelBox, read_labels

VALIDATION_SCENES = frozenset(
    {
        "dark-felt",  # 115 hands on other tables, with their own tile sets and light
        "white-table",  # a set of thick tiles, met nowhere else
        *(f"web-photo-{n:02d}" for n in (2, 6, 7, 8, 10, 13, 14)),  # seven sets of seven makers
        *(f"shop-set-{n:02d}" for n in (3, 6, 9, 12)),  # every third maker of the single tiles
    }
)
"""Never trained on: what the model cards report is measured here."""


FOLDS: tuple[frozenset[str], ...] = (
    frozenset({"green-mat", "green-mat-near", "green-mat-diagonal"}),
    frozenset({"dark-felt", *(f"shop-set-{n:02d}" for n in (2, 6, 10))}),
    frozenset({"white-table", "wood", "wood-discards", "kch3coo-set", "shop-set-01"}),
    frozenset({"web-crops", *(f"shop-set-{n:02d}" for n in (4, 5, 8, 12, 13))}),
)
"""Scenes held out together in cross-validation. Tables that may share a tile set share a fold; the
scenes not named here are dealt to the folds in turn, by their number."""

HOLD_OUTS = ("validation", *(f"fold-{n}" for n in range(1, len(FOLDS) + 1)), "all", "nothing")
"""What a training can be kept from seeing; join several with a plus."""


def is_held_out(scene: str, hold_out: str) -> bool:
    """Whether a training that keeps `hold_out`, of HOLD_OUTS, unseen must not see the scene."""
    if "+" in hold_out:
        return any(is_held_out(scene, each) for each in hold_out.split("+"))
    if hold_out == "validation":
        return scene in VALIDATION_SCENES
    if hold_out in ("all", "nothing"):
        return hold_out == "all"
    return f"fold-{_fold(scene) + 1}" == hold_out


def parse_hold_out(text: str) -> str:
    """Return what is to be held out; raise ValueError for what is none of HOLD_OUTS."""
    if not set(text.split("+")) <= set(HOLD_OUTS):
        raise ValueError(text)
    return text


def _fold(scene: str) -> int:
    for fold, scenes in enumerate(FOLDS):
        if scene in scenes:
            return fold
    return int(scene.rsplit("-", 1)[1]) % len(FOLDS)


def data_folder() -> Path:
    """Return the folder of shared data: `TONGBOX_DATA`, or `../shared` beside the checkout."""
    return Path(os.environ.get("TONGBOX_DATA", "../shared"))


def labels_file() -> Path:
    """Return the label file of the real photographs."""
    return data_folder() / "data/tiles/labels.jsonl"


def photos_by_scene(
    *, wants_held_out: bool, hold_out: str = "validation"
) -> dict[str, list[LabelledPhoto]]:
    """Return the photographs to train on, or those held out of the training, scene by scene.

    Raises FileNotFoundError without the shared data.
    """
    scenes, boxes_by_photo = _scenes(), _unlabelled_boxes()
    photos_by_name: dict[str, list[LabelledPhoto]] = {}
    for photo in read_labels(labels_file()):
        scene = scenes[photo.path.name]
        if is_held_out(scene, hold_out) == wants_held_out:
            boxes = tuple(boxes_by_photo.get(photo.path.name, ()))
            photos_by_name.setdefault(scene, []).append(replace(photo, unlabelled_boxes=boxes))
    return photos_by_name


def training_photos(hold_out: str = "validation") -> list[LabelledPhoto]:
    """Return all photographs to train on; held out `all`, no shared data is needed."""
    if hold_out == "all":
        return []
    scenes = photos_by_scene(wants_held_out=False, hold_out=hold_out)
    return [photo for photos in scenes.values() for photo in photos]


def given_photos(hold_out: str = "validation") -> list[LabelledPhoto]:
    """Return the photographs that players gave: of each folder in `TONGBOX_DATASETS`, all.

    Folders stand there as in `PATH`. Held out `all`, there are none. Raises FileNotFoundError for
    a folder without labels, and ValueError.
    """
    folder_list = os.environ.get("TONGBOX_DATASETS", "") if hold_out != "all" else ""
    folders = [Path(folder) for folder in folder_list.split(os.pathsep) if folder]
    return [photo for folder in folders for photo in read_labels(folder / "labels.jsonl")]


def validation_lines() -> list[str]:
    """Return the label lines of the photographs that are never trained on."""
    scenes, boxes_by_photo = _scenes(), _unlabelled_boxes()
    rows = map(json.loads, labels_file().read_text(encoding="utf-8").splitlines())
    lines = []
    for row in rows:
        name = Path(row["file"]).name
        if scenes[name] in VALIDATION_SCENES:
            extra_fields = {"scene": scenes[name], "unlabelled": boxes_by_photo.get(name, [])}
            lines.append(json.dumps({**row, **extra_fields}))
    return lines


def _scenes() -> dict[str, str]:
    return {row["file"]: row["scene"] for row in _read_rows("scenes.tsv")}


def _unlabelled_boxes() -> dict[str, list[PixelBox]]:
    """Return the boxes, found by eye, where discards or walls lie that the labels leave out."""
    boxes: dict[str, list[PixelBox]] = {}
    for row in _read_rows("unlabelled.tsv"):
        box = (float(row["x0"]), float(row["y0"]), float(row["x1"]), float(row["y1"]))
        boxes.setdefault(row["file"], []).append(box)
    return boxes


def _read_rows(name: str) -> list[dict[str, str]]:
    with (resources.files("models.train.data") / name).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(validation_lines()) + "\n", encoding="utf-8")
