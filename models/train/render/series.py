"""A series of pictures in a folder, NNNNN.jpg and labels.jsonl: what every renderer makes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from models.train.faces.bank import FaceBank, training_banks
from models.train.render.camera import F32, Look, expose, to_jpeg
from models.train.render.labels import Label

PICTURES_PER_SET = 10
"""How many pictures in a row show tiles with the same faces."""

Size = tuple[int, int]
"""Width and height, pixels."""

MakeOne = Callable[[int, int, Size], tuple[bytes, str]]
"""Takes seed, number and size; returns that picture as a JPEG file, and its line of labels."""


def make_series(
    make_one: MakeOne, prog: str, description: str | None, argv: Sequence[str] | None
) -> None:
    """Make what is missing of a series, so that a stopped run goes on where it was."""
    args = _arguments(prog, description, argv)
    args.out.mkdir(parents=True, exist_ok=True)
    lines = args.out / "labels.jsonl"
    done = set()
    if lines.exists():
        done = {json.loads(line)["file"] for line in lines.read_text().splitlines()}
    with lines.open("a", encoding="utf-8") as out:
        for number in range(args.count):
            if file_name(number) in done:
                continue
            photo, line = make_one(args.seed, number, args.size)
            (args.out / file_name(number)).write_bytes(photo)
            out.write(line + "\n")
            out.flush()


@lru_cache(maxsize=2)
def series_bank(seed: int, number: int, renderer: int) -> FaceBank:
    """Return the faces of set `number` of a series; drawing them takes as long as a picture.

    `renderer` keeps the sets of the renderers apart.
    """
    return next(iter(training_banks(np.random.default_rng((seed, number, renderer)), 1)))


def develop(
    light: F32, look: Look, rng: np.random.Generator, labels: Sequence[Label], number: int
) -> tuple[bytes, str]:
    """Return light as picture `number` of a series: a JPEG file and its line of labels."""
    photo = to_jpeg(expose(light, look, rng), look.jpeg)
    height, width = light.shape[:2]
    tiles = [label.to_json() for label in labels]
    line = {"file": file_name(number), "w": width, "h": height, "tiles": tiles}
    return photo, json.dumps(line)


def file_name(number: int) -> str:
    """Return a picture's name in its folder."""
    return f"{number:05d}.jpg"


def _arguments(
    prog: str, description: str | None, argv: Sequence[str] | None
) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("--out", type=Path, required=True, help="folder for NNNNN.jpg")
    parser.add_argument("--count", type=int, required=True, help="how many pictures in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=_size, default=(640, 480), help="WIDTHxHEIGHT, 640x480")
    return parser.parse_args(argv)


def _size(text: str) -> Size:
    width, height = text.split("x")
    return int(width), int(height)
