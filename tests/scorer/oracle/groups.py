"""Tiles as plain strings, and every way to part them into groups. Brute force on purpose.

A wild tile is the string "*" here; which codes are wild is for the caller to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

SUIT_TILES = tuple(suit + rank for suit in "BCO" for rank in "123456789")
WIND_TILES = ("WE", "WS", "WW", "WN")
DRAGON_TILES = ("DR", "DG", "DW")
HONOURS = WIND_TILES + DRAGON_TILES
TERMINALS = tuple(code for code in SUIT_TILES if code[1] in "19")
MAJORS = TERMINALS + HONOURS
PLAYING_CODES = SUIT_TILES + HONOURS
BONUS = tuple(family + number for family in "FS" for number in "1234")
WILD = "*"

STANDARD = ("chow", "pung", "kong", "pair")
SETS = ("chow", "pung", "kong")
MOST_WILD = {"chow": 0, "pung": 1, "kong": 2, "pair": 1, "knit-pair": 1, "knit-triplet": 1}
"""How many wild tiles a group may hold (BMJA-G05)."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles read as one set or pair."""

    kind: str
    tiles: tuple[str, ...]
    """What every tile stands for."""
    naturals: tuple[str, ...]
    """The tiles that stand for themselves."""
    exposed: bool = False

    @property
    def wilds(self) -> int:
        """How many of the tiles are wild."""
        return len(self.tiles) - len(self.naturals)

    def show(self) -> Group:
        """Return the group lying open."""
        return replace(self, exposed=True)

    def holds(self, tile: str | None) -> bool:
        """Whether this tile lies in the group; None is any tile at all."""
        if tile is None:
            return True
        return self.wilds > 0 if tile == WILD else tile in self.naturals


def shapes(tile: str, kind: str) -> Iterator[tuple[str, ...]]:
    """Yield every group of a kind that holds the tile: the tile first, then the others."""
    if kind in ("pair", "pung", "kong"):
        yield (tile,) * {"pair": 2, "pung": 3, "kong": 4}[kind]
    if tile in HONOURS:
        return
    suit, rank = tile[0], int(tile[1])
    if kind == "chow":
        for low in range(max(1, rank - 2), min(7, rank) + 1):
            yield (tile, *(f"{suit}{r}" for r in range(low, low + 3) if r != rank))
    equal_ranks = [f"{other}{rank}" for other in "BCO" if other != suit]
    if kind == "knit-triplet":
        yield (tile, *equal_ranks)
    if kind == "knit-pair":
        for other in equal_ranks:
            yield (tile, other)


def _groups_with_first(tiles: Sequence[str], wilds: int, kind: str) -> Iterator[Group]:
    """Yield the groups that hold the first tile, with every mix of natural and wild others."""
    known_groups: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    for shape in shapes(tiles[0], kind):
        for mask in product((True, False), repeat=len(shape) - 1):
            naturals = (
                shape[0],
                *(tile for tile, stays in zip(shape[1:], mask, strict=True) if stays),
            )
            if len(shape) - len(naturals) > wilds or (shape, naturals) in known_groups:
                continue
            known_groups.add((shape, naturals))
            if all(naturals.count(tile) <= tiles.count(tile) for tile in naturals):
                yield Group(kind, shape, naturals)


def partitions(
    tiles: Sequence[str], wilds: int, kinds: Sequence[str], extra: bool = False
) -> Iterator[tuple[Group, ...]]:
    """Yield every way to part natural and wild tiles into groups, with nothing left over.

    `extra` allows one wild tile more than usual in one pair or pung: the drawn tile of BMJA-G05.
    """
    if not tiles:
        yield from _only_wild(wilds, kinds, extra)
        return
    for kind in kinds:
        for group in _groups_with_first(tiles, wilds, kind):
            excess = group.wilds - MOST_WILD[kind]
            if excess > (1 if extra and len(group.tiles) < 4 else 0):
                continue
            rest = list(tiles)
            for tile in group.naturals:
                rest.remove(tile)
            for more in partitions(rest, wilds - group.wilds, kinds, extra and excess <= 0):
                yield (group, *more)


def _only_wild(wilds: int, kinds: Sequence[str], extra: bool) -> Iterator[tuple[Group, ...]]:
    """Yield what is left when the natural tiles are used up: nothing, or a pair of wild tiles."""
    if wilds == 0:
        yield ()
    if wilds == 2 and extra:
        for kind in {"pair", "knit-pair"} & set(kinds):
            for code in PLAYING_CODES:
                for shape in shapes(code, kind):
                    yield (Group(kind, shape, ()),)


def laid_group(codes: Sequence[str], kinds: Sequence[str] = STANDARD) -> Group | None:
    """Return what these tiles are as one set or pair on the table; None when they are none."""
    naturals = sorted(code for code in codes if code != WILD)
    for whole in partitions(naturals, len(codes) - len(naturals), kinds) if naturals else ():
        if len(whole) == 1:
            return whole[0]
    return None
