"""Composes training pictures: `python -m models.train.compose --out DIR --count N --seed S`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from models.train.compose.labels import labels
from models.train.compose.lens import bent
from models.train.compose.paint import compose
from models.train.compose.recipe import random_table
from models.train.faces.bank import training_banks
from models.train.render.camera import expose, random_look, to_jpeg
from models.train.render.recipe import Bank
from models.train.render.series import PICTURES_PER_SET, Size, file_name, make_series


@lru_cache(maxsize=2)
def _bank(seed: int, which: int) -> Bank:
    """Return the faces of one set, other ones than the ray tracer's for the same seed."""
    return next(iter(training_banks(np.random.default_rng((seed, which, 43)), 1)))


def make_one(seed: int, number: int, size: Size, bank: Bank) -> tuple[bytes, str]:
    """Return picture `number` of a series as a JPEG file, and its line of labels."""
    rng = np.random.default_rng((seed, number, 25))
    table = random_table(rng, bank, size)
    look = random_look(rng)
    light, owner = compose(table, size)
    photo = to_jpeg(expose(bent(light, table.view), look, rng), look.jpeg)
    tiles = [label.to_json() for label in labels(table, owner, size)]
    line = {"file": file_name(number), "w": size[0], "h": size[1], "tiles": tiles}
    return photo, json.dumps(line)


def main(argv: Sequence[str] | None = None) -> None:
    """Compose what is missing of a series, so that a stopped run goes on where it was."""
    cv2.setNumThreads(1)
    make_series(
        lambda seed, number, size: make_one(
            seed, number, size, _bank(seed, number // PICTURES_PER_SET)
        ),
        "models.train.compose",
        __doc__,
        argv,
    )


if __name__ == "__main__":
    main()
