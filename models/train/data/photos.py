"""The real photographs, the scene of each and the one split between them.

A scene is a table, room and camera position. Whole scenes are held out for validation, never
single photographs or crops, so that what is measured is how the reading carries over.

`python -m models.train.data.photos OUT.jsonl` writes the labels of the validation photographs,
for `tongbox evaluate OUT.jsonl --photos ../shared/data/tiles`.
"""

from __future__ import annotations

import csv
import os
import sys
from importlib import resources
from pathlib import Path

from vision.labels import LabelledPhoto, read_labels

VALIDATION_SCENES = frozenset(
    {
        "dark-felt",  # 115 hands on other tables, with their own tile sets and light
        "white-table",  # a set of thick tiles, met nowhere else
        *(f"web-photo-{n:02d}" for n in (2, 6, 7, 8, 10, 13, 14)),  # seven sets of seven makers
        *(f"shop-set-{n:02d}" for n in (3, 6, 9, 12)),  # every third maker of the single tiles
    }
)
"""Never trained on: what the model cards report is measured here."""


def data_folder() -> Path:
    """Return the folder of shared data: `TONGBOX_DATA`, or `../shared` beside the checkout."""
    return Path(os.environ.get("TONGBOX_DATA", "../shared"))


def labels_file() -> Path:
    """Return the label file of the real photographs."""
    return data_folder() / "data/tiles/labels.jsonl"


def photos_by_scene(*, held_out: bool) -> dict[str, list[LabelledPhoto]]:
    """Return the photographs to train on, or those never trained on, scene by scene.

    Raises FileNotFoundError without the shared data.
    """
    scenes = _scenes()
    found: dict[str, list[LabelledPhoto]] = {}
    for photo in read_labels(labels_file()):
        scene = scenes[photo.path.name]
        if (scene in VALIDATION_SCENES) == held_out:
            found.setdefault(scene, []).append(photo)
    return found


def training_photos() -> list[LabelledPhoto]:
    """Return all photographs to train on."""
    return [photo for photos in photos_by_scene(held_out=False).values() for photo in photos]


def validation_lines() -> list[str]:
    """Return the label lines of the photographs that are never trained on."""
    scenes = _scenes()
    held_out = {name for name, scene in scenes.items() if scene in VALIDATION_SCENES}
    lines = labels_file().read_text(encoding="utf-8").splitlines()
    photos = read_labels(labels_file())
    return [line for line, photo in zip(lines, photos, strict=True) if photo.path.name in held_out]


def _scenes() -> dict[str, str]:
    table = resources.files("models.train.data") / "scenes.tsv"
    with table.open(encoding="utf-8") as lines:
        return {row["file"]: row["scene"] for row in csv.DictReader(lines, delimiter="\t")}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(validation_lines()) + "\n", encoding="utf-8")
