"""Read corner numerals, characters and words on tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.errors import ModelError
from vision.networks.ink import Ink, ink
from vision.networks.model import Model, verified
from vision.networks.signs import CHINESE, NUMERALS, SIGNS
from vision.networks.words import spelt
from vision.preprocess import CROP_MARGIN, RGB, Float32s, straighten, to_input

WIDTH = 136
"""Width of the straightened tile that is read; sharper print is read better."""

SIDE = 48
"""Side of a window, given by the network."""

BATCH = 64
"""Windows per run of the network; limits the memory for a full table."""

_Box = tuple[float, float, float]
"""Left and upper edge and side of a square window, in tile widths."""

STRIP = (112, 48)
"""Width and height of a strip, which spans the tile; larger strips read no word better."""

STRIPS = (0.92, 0.47, 0.02)
"""Upper edges of the strips, in tile widths: words stand at the foot, in the middle or at the
top."""

LEFT: tuple[_Box, ...] = ((0.06, 0.06, 0.36), (0.04, 0.04, 0.42), (0.03, 0.03, 0.48))
RIGHT: tuple[_Box, ...] = tuple((1 - x - side, y, side) for x, y, side in LEFT)
MIDDLE: tuple[_Box, ...] = ((0.15, 0.32, 0.7), (0.075, 0.24, 0.85))
"""Windows where signs stand. Measured by `tests.prove.printed`."""

_STRIP = 0.4
"""Height of a strip in tile widths."""

_GLANCE = (LEFT[1], RIGHT[1], MIDDLE[0])
"""Windows for a quick look."""

_BOXES = (*LEFT, *RIGHT, *MIDDLE)
_HIGH = 4 / 3
"""Height of a tile in tile widths."""

_NUMERALS = [SIGNS.index(sign) for sign in (*NUMERALS, *CHINESE)]


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """Print in one of a tile's upper corners."""

    numerals: Float32s
    """(8,) chances of NUMERALS and CHINESE_NUMERALS nearest to the tile's edge."""
    signs: Float32s
    """Chance of each of SIGNS."""
    ink: Ink


_NO_SIGN = np.zeros(len(SIGNS), np.float32)
_EMPTY = Corner(np.zeros(len(_NUMERALS), np.float32), _NO_SIGN, Ink(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """Print on a tile."""

    left: Corner = _EMPTY
    right: Corner = _EMPTY
    middle: Float32s = field(default_factory=_NO_SIGN.copy)
    """Chance of each of SIGNS, the mean of both window sizes."""
    words: Mapping[str, float] = field(default_factory=dict)
    """Chances of the tiles that words name, where words were read."""


class PrintReader:
    """Reads print with the network `models/printed.onnx`, loaded on first use."""

    @classmethod
    def checked(cls) -> PrintReader:
        """Return a reader with a verified model; raise ModelError if it is missing or altered.

        A damaged model is thus reported when the box starts, not at the first flower weeks later.
        """
        card, _ = verified("printed")
        if card.labels != SIGNS:
            raise ModelError("The signs of the model “printed” are not those that stand on tiles.")
        return cls()

    @cached_property
    def _model(self) -> Model:
        return Model.load("printed")

    def read(self, rgb: RGB, quads: Sequence[Float32s]) -> list[Printed]:
        """Read tiles of a photograph; each quad (4, 2) starts at its tile's own upper left."""
        tiles = [straighten(rgb, quad, WIDTH) for quad in quads]
        answers = self._answers([_windows(tile, _BOXES) for tile in tiles])
        return [printed(tile, answer) for tile, answer in zip(tiles, answers, strict=True)]

    def glance(self, rgb: RGB, quads: Sequence[Float32s]) -> list[Printed]:
        """Read tiles as `read` does, with one window size per corner and middle."""
        tiles = [straighten(rgb, quad, WIDTH) for quad in quads]
        answers = self._answers([_windows(tile, _GLANCE) for tile in tiles])
        return [_printed(t, *each[:, None]) for t, each in zip(tiles, answers, strict=True)]

    def read_words(self, rgb: RGB, quads: Sequence[Float32s]) -> list[Printed]:
        """Read only the words on tiles."""
        tiles = [straighten(rgb, quad, WIDTH) for quad in quads]
        lines = self._answers([_strips(tile) for tile in tiles])
        return [Printed(words=spelt(of_one)) for of_one in lines]

    def _answers(self, tiles: Sequence[Sequence[RGB]]) -> list[Float32s]:
        """Return the network's answers (parts, steps, SIGNS) for the parts of each tile."""
        parts = [part for tile in tiles for part in tile]
        runs = [
            self._model.run(to_input(np.stack(parts[start : start + BATCH])))[0]
            for start in range(0, len(parts), BATCH)
        ]
        return np.split(np.concatenate(runs), len(tiles)) if runs else []


def _windows(tile: RGB, boxes: Sequence[_Box]) -> list[RGB]:
    return [_scaled(_part(tile, x, y, side, side), (SIDE, SIDE)) for x, y, side in boxes]


def _strips(tile: RGB) -> list[RGB]:
    return [_scaled(_part(tile, 0, y, 1, _STRIP), STRIP) for y in STRIPS]


def _scaled(part: RGB, size: tuple[int, int]) -> RGB:
    return cv2.resize(part, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def _part(tile: RGB, x: float, y: float, wide: float, high: float) -> RGB:
    """Return a part of a straightened tile, measured in tile widths."""
    height, width = tile.shape[:2]
    within = 1 - 2 * CROP_MARGIN
    across = [round(width * (CROP_MARGIN + within * at)) for at in (x, x + wide)]
    down = [round(height * (CROP_MARGIN + within * at / _HIGH)) for at in (y, y + high)]
    return tile[down[0] : down[1], across[0] : across[1]]


def printed(tile: RGB, answers: Float32s) -> Printed:
    """Return the print that the network's answers (windows, steps, SIGNS) to a tile mean."""
    return _printed(tile, *np.split(answers, [len(LEFT), len(LEFT) + len(RIGHT)]))


def _printed(tile: RGB, left: Float32s, right: Float32s, middle: Float32s) -> Printed:
    return Printed(
        left=_corner(tile, left, LEFT[1]),
        right=_corner(tile, right[:, ::-1], RIGHT[1]),
        middle=middle.max(1).mean(0),
    )


def _corner(tile: RGB, answers: Float32s, box: _Box) -> Corner:
    """Return the print in a corner; answers start at the tile's edge."""
    x, y, side = box
    return Corner(_first(answers), answers.max(1).mean(0), ink(tile, _part(tile, x, y, side, side)))


def _first(answers: Float32s) -> Float32s:
    """Return the chance that each numeral comes first; later marks may be part of a picture.

    The cane of the flower bamboo reads like a 1 after its 4.
    """
    chances = np.zeros(len(_NUMERALS), np.float32)
    for window in answers:
        none_yet = 1.0
        for step in window[:, _NUMERALS]:
            chances += none_yet * step / len(answers)
            none_yet *= max(1 - float(step.sum()), 0.0)
    return chances
