"""Read the print on tiles: corner numerals, characters and words, and the colour of the ink.

It can name a flower or season that looks unfamiliar. Both networks answer step by step across what
they are given: square windows of the straightened tile in two or three sizes, because print varies
in size, and for words strips across the tile. The large one reads lines of text
(`models/printed.json` names its origin); the small one learned from it and reads first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import ModelError
from vision.networks.model import Model, verify_model
from vision.networks.pips import read_pips
from vision.networks.print_signs import (
    CHINESE_NUMERALS,
    CODE_BY_CHARACTER,
    NUMERALS,
    SIGNS,
    find_words,
    likeliest_words,
)
from vision.preprocess import (
    CROP_MARGIN_SHARE,
    LINEAR,
    RGB,
    Float32s,
    Float64s,
    measure_paper,
    straighten,
    to_input,
)

MIN_INK_DARKNESS = 0.3
"""A pixel is ink if one of its colours is this much darker than the tile's paper."""

MIN_INK_SATURATION = 0.18
"""Ink is coloured if its strongest colour exceeds the weakest by this."""

MIN_COLOUR_LEAD = 0.1
"""Ink is red or blue if that colour exceeds both others by this."""

PAPER_STEP_PX = 4
"""One pixel in so many, each way, is looked at for a tile's paper."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Ink of a part of a tile, as shares from 0 to 1."""

    ink_share: float
    """Share of the part that is ink."""
    red: float
    """Share of the ink that is red."""
    blue: float
    """Share of the ink that is blue."""


def _measure_ink(part: RGB, paper: Float64s) -> Ink:
    """Return the ink of a part of a tile, relative to the tile's paper and so to the light."""
    # NumPy compares rows ten times as fast as three neighbouring numbers.
    colours = np.ascontiguousarray(part.reshape(-1, 3).T)
    light = np.minimum(colours / paper[:, None], 1.2).astype(np.float32)
    red, green, blue = light
    darkest, lightest = light.min(0), light.max(0)
    is_ink = 1 - darkest > MIN_INK_DARKNESS
    is_coloured = is_ink & (lightest - darkest > MIN_INK_SATURATION)
    is_red = is_coloured & (red - np.maximum(green, blue) > MIN_COLOUR_LEAD)
    is_blue = is_coloured & (blue - np.maximum(red, green) > MIN_COLOUR_LEAD)
    of_ink, of_red, of_blue = (int(each.sum()) for each in (is_ink, is_red, is_blue))
    return Ink(of_ink / is_ink.size, of_red / max(of_ink, 1), of_blue / max(of_ink, 1))


TILE_WIDTH_PX = 136
"""Width of the straightened tile that is read; sharper print is read better."""

WINDOW_SIDE_PX = 48
"""Side of a window, given by the network."""

MAX_BATCH_WINDOWS = 64
"""Windows per run of the network; limits the memory for a full table."""

_SquareBox = tuple[float, float, float]
"""Left and upper edge and side of a square window, in tile widths."""

STRIP_SIZE_PX = (112, 48)
"""Width and height of a strip, which spans the tile; larger strips read no word better."""

STRIP_TOPS_WIDTHS = (0.92, 0.47, 0.02)
"""Upper edges of the strips, in tile widths: words stand at the foot, in the middle or at the
top."""

LEFT_BOXES: tuple[_SquareBox, ...] = ((0.04, 0.04, 0.42), (0.06, 0.06, 0.36), (0.03, 0.03, 0.48))
RIGHT_BOXES: tuple[_SquareBox, ...] = tuple((1 - x - side, y, side) for x, y, side in LEFT_BOXES)
MIDDLE_BOXES: tuple[_SquareBox, ...] = ((0.15, 0.32, 0.7), (0.075, 0.24, 0.85))
"""Windows where signs stand, the best first. Measured by `tests/prove/print_gain.py`."""

TOP_BOXES: tuple[_SquareBox, ...] = ((0.2, 0.02, 0.6), (0.14, 0.0, 0.72))
"""Windows of the numeral of a tile of characters. In the first one 889 of 1,251 were read in
photographs, three of them wrongly."""

_STRIP_HEIGHT_WIDTHS = 0.4
"""Height of a strip in tile widths."""

TilePart = Literal["left", "right", "middle", "top"]
"""Part of a tile where a sign may stand: an upper corner, the middle, or above a character."""

TILE_BOXES: dict[TilePart, tuple[_SquareBox, ...]] = {
    "left": LEFT_BOXES,
    "right": RIGHT_BOXES,
    "middle": MIDDLE_BOXES,
    "top": TOP_BOXES,
}
"""Windows of each part of a tile."""

_FIRST_WINDOW, _OTHER_SIZES = slice(1), slice(1, None)
"""Windows of a part: the best one, and its other sizes."""

IsUnsure = Callable[[Float32s], npt.NDArray[np.bool_]]
"""Returns which of the small network's answers (parts, steps, SIGNS) leave room for a doubt."""

_Place = tuple[int, TilePart]
"""Position of a tile, and a part of it."""

MIN_SIGN_TRACE = 0.2
"""Chance of any sign in a part's first window from which its other windows are read, too. Of 327
parts of tiles in photographs with 0.05 to 0.2, none became legible by them."""

_TILE_HEIGHT_WIDTHS = 4 / 3
"""Height of a tile in tile widths."""

NUMERAL_INDEXES = [SIGNS.index(sign) for sign in (*NUMERALS, *CHINESE_NUMERALS)]
NAMING_INDEXES = [*NUMERAL_INDEXES, *map(SIGNS.index, CODE_BY_CHARACTER)]
"""The signs that name a tile."""


SMALL_NETWORK, LARGE_NETWORK = "signs", "printed"
"""Names in `models/` of the network of our own and of the one that taught it."""

MIN_WORD_CHANCE = 1e-3
"""Chance of a word by the small network from which the large one reads a strip. Of 19 strips of
words in photographs none had less than 0.003; 2 % of 1,626 had as much as this."""

MIN_SIGN_CHANCE, MIN_SURE_CHANCE = 0.05, 0.97
"""Chances of a naming sign by the small network between which the large one reads a window. Of
3,925 tiles in photographs none lost its name by it; with 0.1 two did."""


@dataclass(frozen=True, slots=True, eq=False)
class CornerPrint:
    """Print in one of a tile's upper corners."""

    numerals: Float32s
    """(18,) chances of NUMERALS and CHINESE_NUMERALS nearest to the tile's edge."""
    signs: Float32s
    """Chance of each of SIGNS."""
    ink: Ink


_NO_SIGN = np.zeros(len(SIGNS), np.float32)
_EMPTY_CORNER = CornerPrint(
    np.zeros(len(NUMERAL_INDEXES), np.float32), _NO_SIGN, Ink(0.0, 0.0, 0.0)
)


@dataclass(frozen=True, slots=True, eq=False)
class TilePrint:
    """Print on a tile."""

    left: CornerPrint = _EMPTY_CORNER
    right: CornerPrint = _EMPTY_CORNER
    middle: Float32s = field(default_factory=_NO_SIGN.copy)
    """Chance of each of SIGNS, the mean of the windows read."""
    top: Float32s = field(default_factory=_NO_SIGN.copy)
    """Chance of each of SIGNS above the middle."""
    words: Mapping[str, float] = field(default_factory=dict)
    """Chances of the tiles that words name, where words were read."""
    pips: frozenset[str] = frozenset()
    """The tiles whose pips lie like these; empty where none are clear."""


class PrintReader:
    """Reads print with two networks, each loaded on first use.

    The small network reads first, at a twelfth of the cost. The large network reads the windows
    where the small one is unsure, and the strips that may show a word.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @classmethod
    def load_verified(cls, folder: Path | None = None) -> PrintReader:
        """Return a reader with a verified model; raise ModelError if it is missing or altered.

        A damaged model is thus reported when the box starts, not at the first flower weeks later.
        `folder` holds another model than the built-in one.
        """
        for name in (SMALL_NETWORK, LARGE_NETWORK):
            card, _ = verify_model(name, folder)
            if card.labels != SIGNS:
                reason = f"The signs of the model “{name}” are not those that stand on tiles."
                raise ModelError(reason)
        return cls(folder)

    @cached_property
    def _small(self) -> Model:
        return Model.load(SMALL_NETWORK, self._folder)

    @cached_property
    def _large(self) -> Model:
        return Model.load(LARGE_NETWORK, self._folder)

    def read(
        self,
        rgb: RGB,
        quads: Sequence[Float32s],
        parts: Sequence[Collection[TilePart]],
        with_pips: Collection[int] = (),
    ) -> list[TilePrint]:
        """Read tiles of a photograph; each quad (4, 2) starts at its tile's own upper left.

        `parts` are those of each tile to read. One window of each is read, and the others where it
        shows a trace of a sign. `with_pips` are the positions of the tiles whose pips are counted.
        """
        tiles = [straighten(rgb, quad, TILE_WIDTH_PX) for quad in quads]
        prints = [_begin_print(tile, k in with_pips) for k, tile in enumerate(tiles)]
        places = [(k, part) for k, of_tile in enumerate(parts) for part in of_tile]
        answers = self._run_windows(tiles, places, _FIRST_WINDOW)
        places_to_read = [
            place
            for place, answer in answers.items()
            if TILE_BOXES[place[1]][_OTHER_SIZES]
            and answer[..., NAMING_INDEXES].max() >= MIN_SIGN_TRACE
        ]
        for place, answer in self._run_windows(tiles, places_to_read, _OTHER_SIZES).items():
            answers[place] = np.concatenate([answers[place], answer])
        for (k, part), answer in answers.items():
            prints[k] = add_part(prints[k], part, answer)
        return prints

    def glance(
        self,
        rgb: RGB,
        quads: Sequence[Float32s],
        orders: Sequence[Sequence[TilePart]],
        is_enough: Callable[[int, TilePrint], bool],
        with_pips: Collection[int] = (),
    ) -> list[TilePrint]:
        """Read tiles as `read` does, with one window a part, until what was read is enough.

        `orders` are the parts of each tile to read, the first one first. `is_enough` gets the
        position of a tile and what was read of it so far.
        """
        tiles = [straighten(rgb, quad, TILE_WIDTH_PX) for quad in quads]
        prints = [_begin_print(tile, k in with_pips) for k, tile in enumerate(tiles)]
        for turn in range(max(map(len, orders), default=0)):
            places = [
                (k, orders[k][turn])
                for k, printed in enumerate(prints)
                if turn < len(orders[k]) and not is_enough(k, printed)
            ]
            for (k, part), answer in self._run_windows(tiles, places, _FIRST_WINDOW).items():
                prints[k] = add_part(prints[k], part, answer)
        return prints

    def read_words(self, rgb: RGB, quads: Sequence[Float32s]) -> list[TilePrint]:
        """Read only the words on tiles."""
        tiles = [straighten(rgb, quad, TILE_WIDTH_PX) for quad in quads]
        strips = [[cut_strip(tile, top) for top in STRIP_TOPS_WIDTHS] for tile in tiles]
        lines = self._read_tiles(strips, _may_show_word)
        return [TilePrint(words=find_words(of_one)) for of_one in lines]

    def read_indexes(self, rgb: RGB, quads: Sequence[Float32s]) -> list[tuple[str, float]]:
        """Return the likeliest Western numeral in each tile's upper left, with its chance.

        The small network reads it. Below 0.8 it may be a mark of the picture.
        """
        if not quads:
            return []
        box = LEFT_BOXES[0]
        windows = [cut_window(straighten(rgb, quad, TILE_WIDTH_PX), box) for quad in quads]
        answers = self._read_parts(windows, _is_never_unsure)
        numerals = [_first_numeral(answer[None])[: len(NUMERALS)] for answer in answers]
        return [(NUMERALS[int(of.argmax())], float(of.max())) for of in numerals]

    def _run_windows(
        self, tiles: Sequence[RGB], places: Sequence[_Place], windows_of_place: slice
    ) -> dict[_Place, Float32s]:
        """Return the answers (windows, steps, SIGNS) for some windows of each place."""
        windows = [
            [cut_window(tiles[k], box) for box in TILE_BOXES[part][windows_of_place]]
            for k, part in places
        ]
        return dict(zip(places, self._read_tiles(windows, _is_window_unsure), strict=True))

    def _read_tiles(self, tiles: Sequence[Sequence[RGB]], is_unsure: IsUnsure) -> list[Float32s]:
        """Return the answers (parts, steps, SIGNS) for the windows or strips of each tile."""
        parts = [part for tile in tiles for part in tile]
        ends = np.cumsum([len(tile) for tile in tiles])
        return np.split(self._read_parts(parts, is_unsure), ends[:-1]) if parts else []

    def _read_parts(self, parts: Sequence[RGB], is_unsure: IsUnsure) -> Float32s:
        """Return answers (parts, steps, SIGNS): the small network's, the large one's if unsure."""
        answers = run_batches(self._small, parts)
        places = np.flatnonzero(is_unsure(answers))
        if len(places):
            answers[places] = run_batches(self._large, [parts[int(k)] for k in places])
        return answers


def _is_window_unsure(answers: Float32s) -> npt.NDArray[np.bool_]:
    """Return for each window (N, steps, SIGNS) whether a naming sign is neither absent nor sure."""
    chances = answers[..., NAMING_INDEXES].max((1, 2))
    return np.asarray((chances >= MIN_SIGN_CHANCE) & (chances < MIN_SURE_CHANCE))


def _is_never_unsure(answers: Float32s) -> npt.NDArray[np.bool_]:
    """Return for each window (N, steps, SIGNS) that the small network's answer will do."""
    return np.zeros(len(answers), np.bool_)


def _may_show_word(answers: Float32s) -> npt.NDArray[np.bool_]:
    """Return for each strip (N, steps, SIGNS) whether there is a trace of a word."""
    return np.asarray(likeliest_words(answers) >= MIN_WORD_CHANCE)


def run_batches(model: Model, parts: Sequence[RGB]) -> Float32s:
    """Return a network's answers (parts, steps, SIGNS) to pictures of one size."""
    starts = range(0, len(parts), MAX_BATCH_WINDOWS)
    batches = (np.stack(parts[start : start + MAX_BATCH_WINDOWS]) for start in starts)
    return np.concatenate([model.run(to_input(batch))[0] for batch in batches])


def cut_window(tile: RGB, box: _SquareBox) -> RGB:
    """Return a square window of a straightened tile as the network gets it."""
    x, y, side = box
    return _scale(_cut_part(tile, x, y, side, side), (WINDOW_SIDE_PX, WINDOW_SIDE_PX))


def cut_strip(tile: RGB, top: float) -> RGB:
    """Return a strip across a straightened tile, `top` tile widths below its upper edge."""
    return _scale(_cut_part(tile, 0, top, 1, _STRIP_HEIGHT_WIDTHS), STRIP_SIZE_PX)


def _scale(part: RGB, size: tuple[int, int]) -> RGB:
    return cv2.resize(part, size, interpolation=LINEAR).astype(np.uint8)


def _cut_part(tile: RGB, x: float, y: float, wide: float, high: float) -> RGB:
    """Return a part of a straightened tile, measured in tile widths."""
    height, width = tile.shape[:2]
    tile_share = 1 - 2 * CROP_MARGIN_SHARE
    columns = [round(width * (CROP_MARGIN_SHARE + tile_share * at)) for at in (x, x + wide)]
    rows = [
        round(height * (CROP_MARGIN_SHARE + tile_share * at / _TILE_HEIGHT_WIDTHS))
        for at in (y, y + high)
    ]
    return tile[rows[0] : rows[1], columns[0] : columns[1]]


def _begin_print(tile: RGB, is_counted: bool) -> TilePrint:
    """Return the ink of a tile's corners, and its pips if counted, as a print without any sign."""
    paper = measure_paper(tile, PAPER_STEP_PX)
    left, right = (
        replace(_EMPTY_CORNER, ink=_measure_ink(_cut_part(tile, x, y, side, side), paper))
        for x, y, side in (LEFT_BOXES[0], RIGHT_BOXES[0])
    )
    return TilePrint(left, right, pips=read_pips(tile) if is_counted else frozenset())


def add_part(tile_print: TilePrint, part: TilePart, answers: Float32s) -> TilePrint:
    """Return the print with what the answers (windows, steps, SIGNS) to one part's windows mean."""
    signs = answers.max(1).mean(0)
    match part:
        case "left":
            numerals = _first_numeral(answers)
            return replace(
                tile_print, left=replace(tile_print.left, numerals=numerals, signs=signs)
            )
        case "right":
            numerals = _first_numeral(answers[:, ::-1])
            return replace(
                tile_print, right=replace(tile_print.right, numerals=numerals, signs=signs)
            )
        case "middle":
            return replace(tile_print, middle=signs)
        case "top":
            return replace(tile_print, top=signs)


def _first_numeral(answers: Float32s) -> Float32s:
    """Return the chance that each numeral comes first; later marks may be part of a picture.

    The cane of the flower bamboo reads like a 1 after its 4.
    """
    chances = np.zeros(len(NUMERAL_INDEXES), np.float32)
    for window in answers:
        no_mark_chance = 1.0
        for step in window[:, NUMERAL_INDEXES]:
            chances += no_mark_chance * step / len(answers)
            no_mark_chance *= max(1 - float(step.sum()), 0.0)
    return chances
