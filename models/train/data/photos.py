"""The real photographs, their scenes and how these are split; and photographs that players gave.

A scene is a table, room and camera position. Whole scenes are held out for validation, never single
photographs or crops. So the figures say how the reading carries over to other tables.

`TONGBOX_DATASETS` names folders that players gave (`tongbox export --dataset`). All in them is
learned from: hold out before what is to be measured.

`python -m models.train.data.photos OUT.jsonl` writes the labels of the validation photographs,
for `tongbox evaluate OUT.jsonl --photos ../shared/data`.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

from models.train.shared_data import data_folder
from vision.labels import LabelledPhoto, PixelBox, read_labels

SOURCES = ("tiles", "more")
"""Folders of photographs in the shared data, in the order in which they came."""

FIRST_SOURCE = SOURCES[:1]
"""What the shipped networks learned from and were fitted by."""

SCENES_OF_GROUPS = {
    "couch": "couch",
    "couch_near": "couch",
    "laptop": "laptop",
    "wood_night": "planks",
    "wood_dim": "planks",
    "wood_light": "planks",
    "cutting_mat_yellow": "cutting-mat",
    "cutting_mat_white": "cutting-mat",
    "cream_table": "cream-table",
    "dark_rug": "dark-rug",
    "keyboard_negatives": "keyboard-desk",
    "keyboard_desk": "keyboard-desk",
    "desk_white": "white-desk",
    "desk_yellow": "white-desk",
}
"""The scene, a whole table, of each group in the second source. `scenes.tsv` has the first's."""

VALIDATION_SCENES = frozenset(
    {
        "dark-felt",  # 115 hands on other tables, with their own tile sets and light
        "white-table",  # a set of thick tiles, met nowhere else
        *(f"web-photo-{n:02d}" for n in (2, 6, 7, 8, 10, 13, 14)),  # seven sets of seven makers
        *(f"shop-set-{n:02d}" for n in (3, 6, 9, 12)),  # every third maker of the single tiles
        "planks",  # 78 photographs, very dim, some from low down
        "cutting-mat",  # one or two tiles a photograph
        "white-desk",  # standing rows and whole sets laid out
    }
)
"""Never trained on: what the model cards report is measured here."""


FOLDS: tuple[frozenset[str], ...] = (
    frozenset({"green-mat", "green-mat-near", "green-mat-diagonal", "keyboard-desk", "laptop"}),
    frozenset({"dark-felt", "planks", *(f"shop-set-{n:02d}" for n in (2, 6, 10))}),
    frozenset({"white-table", "wood", "wood-discards", "kch3coo-set", "shop-set-01", "couch"})
    | {"cutting-mat", "cream-table"},
    frozenset({"web-crops", "dark-rug", "white-desk"})
    | {f"shop-set-{n:02d}" for n in (4, 5, 8, 12, 13)},
)
"""Scenes held out together in cross-validation. Tables of the first source that may share a tile
set share a fold. The second source has three sets on eight tables, so its folds hold out tables
alone. Scenes not named here are dealt to the folds in turn, by their number."""

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


def labels_file(source: str) -> Path:
    """Return the label file of a source, one of SOURCES."""
    return data_folder() / "data" / source / "labels.jsonl"


def photos_by_scene(
    *, wants_held_out: bool, hold_out: str = "validation", sources: Sequence[str] = SOURCES
) -> dict[str, list[LabelledPhoto]]:
    """Return the photographs to train on, or those held out of the training, scene by scene.

    Raises FileNotFoundError without the shared data.
    """
    boxes_by_photo = _unlabelled_boxes()
    photos_by_name: dict[str, list[LabelledPhoto]] = {}
    for photo in (photo for source in sources for photo in read_labels(labels_file(source))):
        scene = _scene_of(photo.group, photo.path.name)
        if is_held_out(scene, hold_out) == wants_held_out:
            boxes = (*photo.unlabelled_boxes, *boxes_by_photo.get(photo.path.name, ()))
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
    boxes_by_photo = _unlabelled_boxes()
    lines = []
    for source in SOURCES:
        for row in map(json.loads, labels_file(source).read_text(encoding="utf-8").splitlines()):
            name = Path(row["file"]).name
            scene = _scene_of(row["group"], name)
            boxes = [*row.get("unlabelled", ()), *boxes_by_photo.get(name, ())]
            own_fields = {"file": f"{source}/{row['file']}", "scene": scene, "unlabelled": boxes}
            if scene in VALIDATION_SCENES:
                lines.append(json.dumps({**row, **own_fields}))
    return lines


def _scene_of(group: str, file: str) -> str:
    return SCENES_OF_GROUPS.get(group) or _scenes()[file]


@cache
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
