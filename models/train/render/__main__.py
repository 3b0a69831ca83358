"""Renders training pictures: `python -m models.train.render --out DIR --count N --seed S`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from models.train.faces.bank import training_banks
from models.train.render.camera import expose, random_look, to_jpeg
from models.train.render.labels import labels
from models.train.render.recipe import Bank, random_scene
from models.train.render.render import render
from models.train.render.series import PICTURES_PER_SET, Size, file_name, make_series


@lru_cache(maxsize=2)
def _bank(seed: int, which: int) -> Bank:
    """Return the faces of one set; drawing them takes about as long as rendering a picture."""
    return next(iter(training_banks(np.random.default_rng((seed, which, 42)), 1)))


def make_one(seed: int, number: int, size: Size) -> tuple[bytes, str]:
    """Return picture `number` of a series as a JPEG file, and its line of labels."""
    rng = np.random.default_rng((seed, number))
    scene = random_scene(rng, _bank(seed, number // PICTURES_PER_SET), size)
    look = random_look(rng)
    photo = to_jpeg(expose(render(scene, size), look, rng), look.jpeg)
    tiles = [label.to_json() for label in labels(scene, size)]
    line = {"file": file_name(number), "w": size[0], "h": size[1], "tiles": tiles}
    return photo, json.dumps(line)


def main(argv: Sequence[str] | None = None) -> None:
    """Render what is missing of a series, so that a stopped run goes on where it was."""
    make_series(make_one, "models.train.render", __doc__, argv)


if __name__ == "__main__":
    main()
