"""Read what is printed on a tile: the numeral and the character in its upper corners and middle.

A flower or season that looks like none met before can still be read. The network is one for
lines of text (`models/printed.json` says whose); it is given square windows of the straightened
tile, in two or three sizes, since what stands there may be larger or smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.errors import ModelError
from vision.networks.ink import Ink, ink
from vision.networks.model import Model, verified
from vision.networks.signs import CHINESE, NUMERALS, SIGNS
from vision.preprocess import CROP_MARGIN, RGB, Float32s, straighten, to_input

WIDTH = 136
"""Pixels across the straightened tile that is read: the sharper the print, the surer."""

SIDE = 48
"""Pixels on each side of a window, as the network was made for."""

BATCH = 64
"""Windows to one run of the network: bounds the memory that a full table takes."""

_Box = tuple[float, float, float]
"""Left and upper edge of a square window, and its side, in tile widths."""

LEFT: tuple[_Box, ...] = ((0.06, 0.06, 0.36), (0.04, 0.04, 0.42), (0.03, 0.03, 0.48))
RIGHT: tuple[_Box, ...] = tuple((1 - x - side, y, side) for x, y, side in LEFT)
MIDDLE: tuple[_Box, ...] = ((0.15, 0.32, 0.7), (0.075, 0.24, 0.85))
"""Where signs stand. Measured by `tests.prove.printed`."""

_BOXES = (*LEFT, *RIGHT, *MIDDLE)
_HIGH = 4 / 3
"""A tile's height in its widths."""

_NUMERALS = [SIGNS.index(sign) for sign in (*NUMERALS, *CHINESE)]


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """What stands in one of a tile's upper corners."""

    numerals: Float32s
    """(8,) chances of NUMERALS and CHINESE, the one nearest to the tile's edge."""
    signs: Float32s
    """Chances that each of SIGNS stands there."""
    ink: Ink


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """What is printed on a tile."""

    left: Corner
    right: Corner
    middle: Float32s
    """Chances that each of SIGNS stands there."""


class PrintReader:
    """Reads print with the network `models/printed.onnx`, which is loaded when first needed."""

    @classmethod
    def checked(cls) -> PrintReader:
        """Return a reader whose network is whole; raise ModelError when it is missing or altered.

        That the first flower in weeks cannot be read is told when the box starts, not then.
        """
        card, _ = verified("printed")
        if card.labels != SIGNS:
            raise ModelError("The signs of the model “printed” are not those that stand on tiles.")
        return cls()

    @cached_property
    def _model(self) -> Model:
        return Model.load("printed")

    def read(self, rgb: RGB, quads: Sequence[Float32s]) -> list[Printed]:
        """Read tiles of a photograph; each quad (4, 2) begins at its tile's own upper left."""
        tiles = [straighten(rgb, quad, WIDTH) for quad in quads]
        windows = [window for tile in tiles for window in _windows(tile)]
        runs = [
            self._model.run(to_input(np.stack(windows[start : start + BATCH])))[0]
            for start in range(0, len(windows), BATCH)
        ]
        if not runs:
            return []
        answers = np.concatenate(runs)
        each = answers.reshape(len(tiles), len(_BOXES), *answers.shape[1:])
        return [printed(tile, answer) for tile, answer in zip(tiles, each, strict=True)]


def _windows(tile: RGB) -> list[RGB]:
    return [_window(tile, box) for box in _BOXES]


def _window(tile: RGB, box: _Box) -> RGB:
    """Return a window of a straightened tile, (SIDE, SIDE, 3)."""
    size = (SIDE, SIDE)
    return cv2.resize(_part(tile, box), size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def _part(tile: RGB, box: _Box) -> RGB:
    height, width = tile.shape[:2]
    within = 1 - 2 * CROP_MARGIN
    x, y, side = box
    across = [round(width * (CROP_MARGIN + within * at)) for at in (x, x + side)]
    down = [round(height * (CROP_MARGIN + within * at / _HIGH)) for at in (y, y + side)]
    return tile[down[0] : down[1], across[0] : across[1]]


def printed(tile: RGB, answers: Float32s) -> Printed:
    """Return what the network's answers (windows, steps, SIGNS) to a tile's windows come to."""
    left, right, middle = np.split(answers, [len(LEFT), len(LEFT) + len(RIGHT)])
    return Printed(
        left=_corner(tile, left, LEFT[1]),
        right=_corner(tile, right[:, ::-1], RIGHT[1]),
        middle=middle.max((0, 1)),
    )


def _corner(tile: RGB, answers: Float32s, box: _Box) -> Corner:
    """Return what stands in a corner; the step nearest to the tile's edge comes first."""
    return Corner(_first(answers), answers.max(1).mean(0), ink(tile, _part(tile, box)))


def _first(answers: Float32s) -> Float32s:
    """Return the chances that each numeral is the first; what follows may be a part of a picture.

    The cane of the flower bamboo reads like a 1 after its 4.
    """
    chances = np.zeros(len(_NUMERALS), np.float32)
    for window in answers:
        none_yet = 1.0
        for step in window[:, _NUMERALS]:
            chances += none_yet * step / len(answers)
            none_yet *= max(1 - float(step.sum()), 0.0)
    return chances
