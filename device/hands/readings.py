"""The interface of a reader, and readings to and from the log."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, starmap
from sys import intern
from types import MappingProxyType
from typing import Protocol

from msgspec import structs

from device.hands.record import parse_tile_code
from device.store.events import ReadingMade
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import (
    LooseTiles,
    Problem,
    Reading,
    Side,
    TileReading,
    make_problem,
)
from vision.stored_form import newest_form

STAGES = ("locate", "classify", "arrange")
"""Stages of a reading, in order, as reported to `progress`."""


class PhotoReader(Protocol):
    """Reads photographs: `vision.reader.Reader`, or a test double."""

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        """Read a photograph of a hand; `progress` gets each stage as it begins."""

    def read_table(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Mapping[Side, Reading]:
        """Read a photograph of the whole table; return the hand on each side that has one."""

    def use_tile_set(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Use these crops of the table's tile set from now on; `codes` is by crop name."""

    def read_set(self, photo: Photo, progress: Callable[[str], None] | None = None) -> LooseTiles:
        """Read a photograph of a tile set; return single tiles in no order."""

    def find_other_set(
        self,
        photo: Photo,
        tiles: Sequence[TileReading],
        sets: Mapping[str, Mapping[str, str]],
        chosen_set: str,
        crop: Callable[[str], RGB],
    ) -> str | None:
        """Return the name of the set that the tiles belong to, if clearly not the chosen one."""

    def count(self, photo: Photo) -> int:
        """Return a quick count of the tiles."""

    def read_crop(self, photo: Photo) -> Reading:
        """Read a picture of one upright tile."""


def load_reader() -> PhotoReader:
    """Return the reader with its models; raise ModelError for damaged models."""
    from vision.reader import Reader  # loads onnxruntime, so only when needed

    return Reader.load()


def check_reading(stored_reading: Reading) -> Reading:
    """Return the reading in an event, or that the event is; raise ValueError for an invalid one."""
    fields = {name: getattr(stored_reading, name) for name in Reading.__struct_fields__}
    tiles = tuple(map(check_tile, stored_reading.tiles))
    problems = tuple(map(check_problem, stored_reading.problems))
    reading = Reading(**{**fields, "tiles": tiles, "problems": problems})
    for place in _places(reading):
        if not 0 <= place < len(reading.tiles):
            raise ValueError(f"the reading has no tile {place}")
    if reading.form > newest_form():
        raise ValueError(f"a later version stored the reading, in form {reading.form}")
    if min(reading.width, reading.height) < 1:
        raise ValueError("the photograph has no size")
    return reading


def _places(reading: Reading) -> Iterator[int]:
    for laid in reading.sets:
        yield from laid.tiles
    yield from (each.tile for each in reading.left_out)
    yield from chain.from_iterable(block.tiles for block in reading.blocks)
    if reading.winning_tile is not None:
        yield reading.winning_tile


_PROBABILITY_TOLERANCE = 0.001
"""How far a network's probability may be outside 0 to 1."""


def check_tile(tile: TileReading) -> TileReading:
    """Return one tile of an event, its strings shared; raise ValueError for an invalid one."""
    for code in (tile.code, tile.seen or tile.code, *(code for code, _ in tile.alternatives)):
        parse_tile_code(code)
    for chance in (tile.confidence, *(chance for _, chance in tile.alternatives)):
        if not -_PROBABILITY_TOLERANCE <= chance <= 1 + _PROBABILITY_TOLERANCE:
            raise ValueError(f"{chance} is no probability")
    if not all(map(math.isfinite, chain.from_iterable(tile.quad))):
        raise ValueError("a corner lies nowhere")
    alternatives = tuple(starmap(_alternative, tile.alternatives))
    return structs.replace(tile, code=intern(tile.code), alternatives=alternatives)


@lru_cache(maxsize=4096)
def _alternative(code: str, chance: float) -> tuple[str, float]:
    """Return a shared value: nearly all tiles have the same few alternatives."""
    return intern(code), chance


def check_problem(stored_problem: Problem) -> Problem:
    """Return the problem in an event, or that the event is.

    Raises KeyError or TypeError for one whose sentence is none.
    """
    return make_problem(stored_problem.code, stored_problem.message)


def reading_event(
    reading: Reading, models: Mapping[str, str] = MappingProxyType({})
) -> ReadingMade:
    """Return the event of a reading made by these networks."""
    return ReadingMade(**structs.asdict(reading), models=dict(models))
