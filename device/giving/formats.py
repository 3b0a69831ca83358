"""Labelled photographs as JSON lines, COCO and YOLO, and the folder's README.

All are derived from the rows of `labels.jsonl`, which `vision.labels` reads.
docs/dataset.md describes their fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from device.giving.given import HandToGive
from device.giving.licences import Licence
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.labels import FACE_DOWN_LABEL

LabelRow = dict[str, Any]
"""One photograph as a row of `labels.jsonl`."""

CLASSES = (*CODES, FACE_DOWN_LABEL, JOKER)
"""Labels of tiles, numbered from 1 in COCO and from 0 in YOLO."""


def row_of(hand: HandToGive, file: str, licence: Licence) -> LabelRow:
    """Return the row of a hand whose picture is in this file."""
    height, width = hand.cutting.rgb.shape[:2]
    return {
        "file": file,
        "w": width,
        "h": height,
        "kind": "photo",
        "source": "tongbox",
        "group": f"set-{hand.tile_set}",
        "licence": licence.spdx,
        "complete": True,
        "tiles": [
            {
                "code": _label(tile.code),
                "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in quad],
                "up": 0,
                "i": place,
                "row": tile.row,
                "set": tile.set,
                "stands_for": _label(tile.stands_for),
                "read": _label(tile.read),
            }
            for place, (tile, quad) in enumerate(zip(hand.tiles, hand.cutting.quads, strict=True))
        ],
    }


def _label(code: str) -> str:
    return FACE_DOWN_LABEL if code == FACE_DOWN else code


def lines(rows: Iterable[LabelRow]) -> str:
    """Return the rows as JSON lines."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def coco(rows: Sequence[LabelRow], licence: Licence) -> str:
    """Return the photographs in COCO's detection format, each quad as a polygon."""
    numbers = {code: number for number, code in enumerate(CLASSES, 1)}
    images: list[LabelRow] = []
    annotations: list[LabelRow] = []
    for image, row in enumerate(rows, 1):
        images.append(
            {
                "id": image,
                "file_name": row["file"],
                "width": row["w"],
                "height": row["h"],
                "license": 1,
            }
        )
        for tile in row["tiles"]:
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image,
                    "category_id": numbers[tile["code"]],
                    "segmentation": [[number for point in tile["quad"] for number in point]],
                    "area": round(_area(tile["quad"]), 2),
                    "bbox": _bounds(tile["quad"]),
                    "iscrowd": 0,
                }
            )
    whole = {
        "info": {"description": "Mah-Jong tiles, given by players", "version": "1"},
        "licenses": [{"id": 1, "name": licence.name, "url": licence.url}],
        "images": images,
        "annotations": annotations,
        "categories": [
            {"id": number, "name": code, "supercategory": "tile"}
            for code, number in numbers.items()
        ],
    }
    return json.dumps(whole) + "\n"


def _area(quad: Sequence[Sequence[float]]) -> float:
    """Return the area of a polygon (Gauss's shoelace)."""
    pairs = zip(quad, (*quad[1:], quad[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def _bounds(quad: Sequence[Sequence[float]]) -> list[float]:
    """Return left, top, width and height."""
    xs, ys = zip(*quad, strict=True)
    sides = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return [round(side, 1) for side in sides]


def yolo(row: LabelRow) -> str:
    """Return a photograph's tiles as YOLO's oriented boxes: class, then relative corners."""
    numbers = {code: number for number, code in enumerate(CLASSES)}
    return "".join(
        " ".join(
            [
                str(numbers[tile["code"]]),
                *(f"{x / row['w']:.6f} {y / row['h']:.6f}" for x, y in tile["quad"]),
            ]
        )
        + "\n"
        for tile in row["tiles"]
    )


def yolo_data() -> str:
    """Return YOLO's configuration: where the pictures are and the names of the classes."""
    names = "".join(f"  {number}: {code}\n" for number, code in enumerate(CLASSES))
    return (
        "# Paths are from this file. For figures that mean something, hold whole sets or matches\n"
        "# out (`group` and `scene` in labels.jsonl) and name them under `val`.\n"
        f"train: images\nval: images\nnames:\n{names}"
    )
