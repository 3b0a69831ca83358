"""Name tiles, sets and winds, as messages.

>>> from scorer.message import to_english
>>> to_english(describe_set(TileSet("pung", ("DR", "DR", "DR"), concealed=True)))
'concealed pung of red dragons'
>>> to_english(name_the_set(TileSet("chow", ("O3", "O4", "O5"), concealed=False)))
'the chow of 3-4-5 circles'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import ne

from scorer.breakdown import TileSet
from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.message import Message, message, plain_text
from scorer.tiles import BY_CODE, FACE_DOWN, JOKER

_NAMED_CODES = (*BY_CODE, JOKER, FACE_DOWN)


def name_tile(code: str) -> Message:
    """Return the name of a tile; an unknown code is its own name."""
    return message(f"tile.{code}") if code in _NAMED_CODES else plain_text(code)


def name_tiles(codes: Iterable[str]) -> tuple[Message, ...]:
    """Return the name of each tile."""
    return tuple(map(name_tile, codes))


def name_plural(code: str) -> Message:
    """Return the plural name of a tile: `red dragons`."""
    return message(f"tiles.{code}")


def name_pair(codes: Sequence[str]) -> Message | tuple[Message, ...]:
    """Return the name of a pair: `East winds`; with a wild tile, the names of both tiles."""
    first = codes[0]
    return name_plural(first) if set(codes) == {first} and first in BY_CODE else name_tiles(codes)


def name_wind(letter: str) -> Message:
    """Return the name of a wind: `East`."""
    return message(f"wind.{letter}")


def name_set_tiles(tile_set: TileSet) -> Message:
    """Return the name of the tiles of a set: `red dragons`, `3-4-5 circles`."""
    if tile_set.kind != "chow":
        return name_plural(tile_set.tile.code)
    ranks = "-".join(BY_CODE[code].rank for code in tile_set.faces)
    return message(f"run.{tile_set.tile.code[0]}", ranks=ranks)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def name_the_set(tile_set: TileSet) -> Message:
    """Return the name of a set with the article: `the pair of 1 circles`."""
    return message(f"the-set.{tile_set.kind}", tiles=name_set_tiles(tile_set))


@lru_cache(maxsize=MAX_CACHED_HANDS)
def describe_set(tile_set: TileSet) -> Message:
    """Return the name of a set and how it lies: `exposed chow of 3-4-5 circles`.

    Wild tiles are said: `concealed pair of South winds with a wild tile`.
    """
    kind = tile_set.kind
    key = f"concealed.{kind}" if tile_set.concealed else f"exposed.{kind}"
    name = message(key, tiles=name_set_tiles(tile_set))
    wild_count = sum(map(ne, tile_set.tiles, tile_set.faces))
    return message("compared.with-wild", set=name, count=wild_count) if wild_count else name
