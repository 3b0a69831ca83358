"""Reads COCO's detection format and YOLO's oriented boxes, by what is published of them alone.

COCO: cocodataset.org/#format-data, "Object Detection". YOLO: docs.ultralytics.com/datasets/obb,
"YOLO OBB Format", and the layout of folders that goes with it. Nothing of the box's is used.
"""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

Corners = list[tuple[float, float]]
"""Pixels."""

LabelledTiles = dict[str, list[tuple[str, Corners]]]
"""What each picture shows, by its path in the folder: names and corners, in order."""


def read_coco(file: Path) -> LabelledTiles:
    """Return what an annotation file says; assert that it is one."""
    document = json.loads(file.read_text("utf-8"))
    assert {"info", "licenses", "images", "annotations", "categories"} <= document.keys()
    by_id = {}
    for kind in ("images", "annotations", "categories", "licenses"):
        by_id[kind] = {each["id"]: each for each in document[kind]}
        assert len(by_id[kind]) == len(document[kind]), "every id once"
        assert all(type(each) is int for each in by_id[kind])
    labels: LabelledTiles = {}
    for image in document["images"]:
        with Image.open(file.parent / image["file_name"]) as picture:
            assert picture.size == (image["width"], image["height"])
        assert image["license"] in by_id["licenses"]
        labels[image["file_name"]] = []
    for tile in document["annotations"]:
        image = by_id["images"][tile["image_id"]]
        name = by_id["categories"][tile["category_id"]]["name"]
        assert tile["iscrowd"] == 0, "so that the segmentation is polygons"
        (polygon,) = tile["segmentation"]
        corners = list(zip(polygon[::2], polygon[1::2], strict=True))
        assert len(corners) >= 3
        _check_box(tile["bbox"], corners, image)
        assert abs(tile["area"] - _area(corners)) <= 0.01 * tile["area"]
        labels[image["file_name"]].append((name, corners))
    return labels


def _check_box(box: list[float], corners: Corners, image: dict[str, int]) -> None:
    x, y, width, height = box
    xs, ys = zip(*corners, strict=True)
    for side, wanted in ((x, min(xs)), (y, min(ys)), (x + width, max(xs)), (y + height, max(ys))):
        assert abs(side - wanted) < 0.11
    assert 0 <= x <= x + width <= image["width"]
    assert 0 <= y <= y + height <= image["height"]


def _area(corners: Corners) -> float:
    """Return the area of a convex quadrilateral: of the two triangles that it falls into."""
    (ax, ay), (bx, second_y), (cx, cy), (dx, dy) = corners
    first_half = (bx - ax) * (cy - ay) - (cx - ax) * (second_y - ay)
    two = (cx - ax) * (dy - ay) - (dx - ax) * (cy - ay)
    return (abs(first_half) + abs(two)) / 2


def read_yolo(file: Path) -> LabelledTiles:
    """Return what a data file and the label files beside the pictures say."""
    paths, names = _data(file.read_text("utf-8"))
    assert {"train", "val"} <= paths.keys()
    tiles_by_picture: LabelledTiles = {}
    for picture in sorted((file.parent / paths["train"]).iterdir()):
        # The labels of .../images/x.jpg are .../labels/x.txt.
        assert picture.parent.name == "images"
        labels = picture.parents[1] / "labels" / f"{picture.stem}.txt"
        with Image.open(picture) as image:
            width, height = image.size
        tiles = []
        for line in labels.read_text("utf-8").splitlines():
            class_index, *shares = line.split(" ")
            assert len(shares) == 8
            numbers = list(map(float, shares))
            assert all(0 <= number <= 1 for number in numbers)
            corners = [
                (x * width, y * height) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            ]
            tiles.append((names[int(class_index)], corners))
        tiles_by_picture[f"{paths['train']}/{picture.name}"] = tiles
    return tiles_by_picture


def _data(text: str) -> tuple[dict[str, str], dict[int, str]]:
    """Return a data file's paths and names: as much of YAML as it needs."""
    paths: dict[str, str] = {}
    names: dict[int, str] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        key, _, value = line.partition(":")
        if line.startswith("  "):
            names[int(key)] = value.strip()
        elif value:
            paths[key] = value.strip()
    assert sorted(names) == list(range(len(names)))
    return paths, names
