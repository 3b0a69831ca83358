"""Compose training pictures: `python -m models.train.compose --out DIR --count N --seed S`."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from models.train.compose.canvas import bend_picture
from models.train.compose.labels import label_table
from models.train.compose.paint import compose
from models.train.compose.recipe import random_table
from models.train.render.camera import random_look
from models.train.render.recipe import Bank
from models.train.render.series import (
    PICTURES_PER_SET,
    Size,
    develop,
    make_series,
    series_bank,
)


def make_one(seed: int, number: int, size: Size, bank: Bank) -> tuple[bytes, str]:
    """Return picture `number` of a series as a JPEG file, and its line of labels."""
    rng = np.random.default_rng((seed, number, 25))
    table = random_table(rng, bank, size)
    look = random_look(rng)
    light, owner = compose(table, size)
    labels = label_table(table, owner, size)
    return develop(bend_picture(light, table.view), look, rng, labels, number)


def main(argv: Sequence[str] | None = None) -> None:
    """Compose what is missing of a series, so that a stopped run goes on where it was."""
    cv2.setNumThreads(1)
    make_series(
        lambda seed, number, size: make_one(
            seed, number, size, series_bank(seed, number // PICTURES_PER_SET, 43)
        ),
        "models.train.compose",
        __doc__,
        argv,
    )


if __name__ == "__main__":
    main()
