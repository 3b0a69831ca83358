"""Render training pictures: `python -m models.train.render --out DIR --count N --seed S`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.train.render.camera import random_look
from models.train.render.labels import label_scene
from models.train.render.recipe import random_scene
from models.train.render.render import render
from models.train.render.series import (
    PICTURES_PER_SET,
    Size,
    develop,
    make_series,
    series_bank,
)


def make_one(seed: int, number: int, size: Size) -> tuple[bytes, str]:
    """Return picture `number` of a series as a JPEG file, and its line of labels."""
    rng = np.random.default_rng((seed, number))
    scene = random_scene(rng, series_bank(seed, number // PICTURES_PER_SET, 42), size)
    look = random_look(rng)
    return develop(render(scene, size), look, rng, label_scene(scene, size), number)


def main(argv: Sequence[str] | None = None) -> None:
    """Render what is missing of a series, so that a stopped run goes on where it was."""
    make_series(make_one, "models.train.render", __doc__, argv)


if __name__ == "__main__":
    main()
