"""Read what is printed on a tile: numeral and character in its upper corners and middle, words.

A flower or season that looks like none met before can still be read. The network is one for
lines of text (`models/printed.json` says whose). It is given square windows of the straightened
tile, in two or three sizes, since what stands there may be larger or smaller, and for words strips
from edge to edge.
"""

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
"""Pixels across the straightened tile that is read: the sharper the print, the surer."""

SIDE = 48
"""Pixels on each side of a window, as the network was made for."""

BATCH = 64
"""Windows to one run of the network: bounds the memory that a full table takes."""

_Box = tuple[float, float, float]
"""Left and upper edge of a square window, and its side, in tile widths."""

STRIP = (112, 48)
"""Pixels of a strip, as wide as the tile: more reads no word better."""

STRIPS = (0.92, 0.47, 0.02)
"""Upper edges of the strips in tile widths: words stand along the foot, on the middle or above."""

LEFT: tuple[_Box, ...] = ((0.06, 0.06, 0.36), (0.04, 0.04, 0.42), (0.03, 0.03, 0.48))
RIGHT: tuple[_Box, ...] = tuple((1 - x - side, y, side) for x, y, side in LEFT)
MIDDLE: tuple[_Box, ...] = ((0.15, 0.32, 0.7), (0.075, 0.24, 0.85))
"""Where signs stand. Measured by `tests.prove.printed`."""

_STRIP = 0.4
"""Height of a strip in tile widths."""

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


_NO_SIGN = np.zeros(len(SIGNS), np.float32)
_EMPTY = Corner(np.zeros(len(_NUMERALS), np.float32), _NO_SIGN, Ink(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """What is printed on a tile."""

    left: Corner = _EMPTY
    right: Corner = _EMPTY
    middle: Float32s = field(default_factory=_NO_SIGN.copy)
    """Chances that each of SIGNS stands there, the mean of both sizes of window."""
    words: Mapping[str, float] = field(default_factory=dict)
    """Chances of the tiles that words name, where words were looked for."""


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
        answers = self._answers([_windows(tile) for tile in tiles])
        return [printed(tile, answer) for tile, answer in zip(tiles, answers, strict=True)]

    def read_words(self, rgb: RGB, quads: Sequence[Float32s]) -> list[Printed]:
        """Read the words on tiles, and nothing else."""
        tiles = [straighten(rgb, quad, WIDTH) for quad in quads]
        lines = self._answers([_strips(tile) for tile in tiles])
        return [Printed(words=spelt(of_one)) for of_one in lines]

    def _answers(self, tiles: Sequence[Sequence[RGB]]) -> list[Float32s]:
        """Return the network's answers (parts, steps, SIGNS) to the parts of each of the tiles."""
        parts = [part for tile in tiles for part in tile]
        runs = [
            self._model.run(to_input(np.stack(parts[start : start + BATCH])))[0]
            for start in range(0, len(parts), BATCH)
        ]
        return np.split(np.concatenate(runs), len(tiles)) if runs else []


def _windows(tile: RGB) -> list[RGB]:
    return [_scaled(_part(tile, x, y, side, side), (SIDE, SIDE)) for x, y, side in _BOXES]


def _strips(tile: RGB) -> list[RGB]:
    return [_scaled(_part(tile, 0, y, 1, _STRIP), STRIP) for y in STRIPS]


def _scaled(part: RGB, size: tuple[int, int]) -> RGB:
    return cv2.resize(part, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def _part(tile: RGB, x: float, y: float, wide: float, high: float) -> RGB:
    """Return a part of a straightened tile, given in tile widths."""
    height, width = tile.shape[:2]
    within = 1 - 2 * CROP_MARGIN
    across = [round(width * (CROP_MARGIN + within * at)) for at in (x, x + wide)]
    down = [round(height * (CROP_MARGIN + within * at / _HIGH)) for at in (y, y + high)]
    return tile[down[0] : down[1], across[0] : across[1]]


def printed(tile: RGB, answers: Float32s) -> Printed:
    """Return what the network's answers (windows, steps, SIGNS) to a tile's windows come to."""
    left, right, middle = np.split(answers, [len(LEFT), len(LEFT) + len(RIGHT)])
    return Printed(
        left=_corner(tile, left, LEFT[1]),
        right=_corner(tile, right[:, ::-1], RIGHT[1]),
        middle=middle.max(1).mean(0),
    )


def _corner(tile: RGB, answers: Float32s, box: _Box) -> Corner:
    """Return what stands in a corner; the step nearest to the tile's edge comes first."""
    x, y, side = box
    return Corner(_first(answers), answers.max(1).mean(0), ink(tile, _part(tile, x, y, side, side)))


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
