"""Name tiles, sets and winds, as messages.

>>> from scorer.message import english
>>> english(described(TileSet("pung", ("DR", "DR", "DR"), concealed=True)))
'concealed pung of red dragons'
>>> english(bare(TileSet("pair", ("O1", "O1"), concealed=True)))
'pair of 1 circles'
>>> english(the_set(TileSet("chow", ("O3", "O4", "O5"), concealed=False)))
'the chow of 3-4-5 circles'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scorer.breakdown import TileSet
from scorer.message import Message, message, plain
from scorer.tiles import BY_CODE, FACE_DOWN, JOKER

_NAMED = (*BY_CODE, JOKER, FACE_DOWN)


def tile(code: str) -> Message:
    """Return the name of a tile; an unknown code is its own name."""
    return message(f"tile.{code}") if code in _NAMED else plain(code)


def tiles(codes: Iterable[str]) -> tuple[Message, ...]:
    """Return the name of each tile."""
    return tuple(map(tile, codes))


def several(code: str) -> Message:
    """Return the plural name of a tile: `red dragons`."""
    return message(f"tiles.{code}")


def two(codes: Sequence[str]) -> Message | tuple[Message, ...]:
    """Return the name of a pair: `East winds`; with a wild tile, the names of both tiles."""
    first = codes[0]
    return several(first) if set(codes) == {first} and first in BY_CODE else tiles(codes)


def wind(letter: str) -> Message:
    """Return the name of a wind: `East`."""
    return message(f"wind.{letter}")


def in_set(tile_set: TileSet) -> Message:
    """Return the name of the tiles of a set: `red dragons`, `3-4-5 circles`."""
    if tile_set.kind != "chow":
        return several(tile_set.tile.code)
    ranks = "-".join(BY_CODE[code].rank for code in tile_set.faces)
    return message(f"run.{tile_set.tile.code[0]}", ranks=ranks)


def bare(tile_set: TileSet) -> Message:
    """Return the name of a set without an article: `pair of 1 circles`."""
    return message(f"set.{tile_set.kind}", tiles=in_set(tile_set))


def the_set(tile_set: TileSet) -> Message:
    """Return the name of a set with the article: `the pair of 1 circles`."""
    return message(f"the-set.{tile_set.kind}", tiles=in_set(tile_set))


def described(tile_set: TileSet) -> Message:
    """Return the name of a set and how it lies: `exposed chow of 3-4-5 circles`."""
    kind = tile_set.kind
    key = f"concealed.{kind}" if tile_set.concealed else f"exposed.{kind}"
    return message(key, tiles=in_set(tile_set))
