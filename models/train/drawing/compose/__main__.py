"""Paint tables: `python -m models.train.drawing.compose --out DIR --count N --seed S`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from models.train.drawing.compose.camera import expose, random_look, to_jpeg
from models.train.drawing.compose.canvas import bend_picture
from models.train.drawing.compose.labels import label_table
from models.train.drawing.compose.paint import compose
from models.train.drawing.compose.recipe import Bank, random_table
from models.train.drawing.faces.bank import FaceBank, training_banks

PICTURES_PER_SET = 10
"""How many pictures in a row show tiles with the same faces."""

Size = tuple[int, int]
"""Width and height, pixels."""


def main(argv: Sequence[str] | None = None) -> None:
    """Compose what is missing of a series, so that a stopped run goes on where it was."""
    cv2.setNumThreads(1)
    args = _arguments(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    lines = args.out / "labels.jsonl"
    finished_files = set()
    if lines.exists():
        finished_files = {json.loads(line)["file"] for line in lines.read_text().splitlines()}
    with lines.open("a", encoding="utf-8") as label_file:
        for number in range(args.count):
            if file_name(number) in finished_files:
                continue
            bank = series_bank(args.seed, number // PICTURES_PER_SET)
            photo, line = make_one(args.seed, number, args.size, bank)
            (args.out / file_name(number)).write_bytes(photo)
            label_file.write(line + "\n")
            label_file.flush()


def make_one(seed: int, number: int, size: Size, bank: Bank) -> tuple[bytes, str]:
    """Return picture `number` of a series as a JPEG file, and its line of labels."""
    rng = np.random.default_rng((seed, number, 25))
    table = random_table(rng, bank, size)
    look = random_look(rng)
    light, owner = compose(table, size)
    tiles = [label.to_json() for label in label_table(table, owner, size)]
    photo = to_jpeg(expose(bend_picture(light, table.view), look, rng), look.jpeg)
    line = {"file": file_name(number), "w": size[0], "h": size[1], "tiles": tiles}
    return photo, json.dumps(line)


@lru_cache(maxsize=2)
def series_bank(seed: int, number: int) -> FaceBank:
    """Return the faces of set `number` of a series; drawing them takes as long as a picture."""
    return next(iter(training_banks(np.random.default_rng((seed, number, 43)), 1)))


def file_name(number: int) -> str:
    """Return a picture's name in its folder."""
    return f"{number:05d}.jpg"


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="models.train.drawing.compose", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for NNNNN.jpg")
    parser.add_argument("--count", type=int, required=True, help="how many pictures in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=_size, default=(640, 480), help="WIDTHxHEIGHT, 640x480")
    return parser.parse_args(argv)


def _size(text: str) -> Size:
    width, height = text.split("x")
    return int(width), int(height)


if __name__ == "__main__":
    main()
