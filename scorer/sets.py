"""Make sets of tiles, and find the traits that rules test.

>>> make_set(("B1", "B1", "JK"), concealed=False, wild=frozenset({"JK"})).stands_for
('B1', 'B1', 'B1')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from scorer.breakdown import SetKind, TileSet
from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.hand import NO_TILES, Codes
from scorer.patterns.notation import GREEN_CODES
from scorer.tiles import BY_CODE, SUITS, Tile

KIND_BY_SIZE: dict[int, SetKind] = {2: "pair", 3: "pung", 4: "kong"}
"""The kind of set that this many equal tiles make."""

MAX_WILDS_BY_KIND: dict[SetKind, int] = {"pair": 1, "pung": 1, "kong": 2}
"""How many wild tiles a set may hold (BMJA-G05). A goulash has no chows."""


_BAMBOO, _CHARACTER, _CIRCLE, _HONOUR, _MINOR, _NOT_GREEN, _CHOW, _KONG, _EXPOSED = (
    1 << place for place in range(9)
)
"""The traits of a set, as bits: each is set when it holds for any tile, or for the set itself.

Minor are suit tiles from 2 to 8.
"""

_BIT_BY_SUIT = dict(zip(SUITS, (_BAMBOO, _CHARACTER, _CIRCLE), strict=True))


@dataclass(frozen=True, slots=True)
class HandTraits:
    """What holds for any tile or set of a hand: the union of its sets' traits, in words."""

    suits: int
    """The number of suits."""
    has_honours: bool
    has_minors: bool
    """A suit tile from 2 to 8."""
    all_green: bool
    """Only tiles of Imperial jade."""
    has_chows: bool
    has_kongs: bool
    has_exposed: bool
    """An exposed set, the one that a claim exposed included."""


def _hand_traits(bits: int) -> HandTraits:
    return HandTraits(
        suits=(bits & (_BAMBOO | _CHARACTER | _CIRCLE)).bit_count(),
        has_honours=bool(bits & _HONOUR),
        has_minors=bool(bits & _MINOR),
        all_green=not bits & _NOT_GREEN,
        has_chows=bool(bits & _CHOW),
        has_kongs=bool(bits & _KONG),
        has_exposed=bool(bits & _EXPOSED),
    )


HAND_TRAITS = tuple(map(_hand_traits, range(2 * _EXPOSED)))
"""The traits of a hand by the union of its sets' bits: they are looked up for every arrangement."""


def chow_starting_at(tile: Tile) -> tuple[Tile, ...] | None:
    """Return the chow that begins with this tile; None if there is none (BMJA-H04)."""
    if not tile.is_suit or tile.rank > "7":
        return None
    return tuple(BY_CODE[f"{tile.family}{int(tile.rank) + step}"] for step in range(3))


@lru_cache(maxsize=MAX_CACHED_HANDS)
def make_set(codes: Codes, *, concealed: bool, wild: frozenset[str] = NO_TILES) -> TileSet | None:
    """Return the pair, pung, kong or chow of these tiles; None when they are no set.

    Wild tiles stand for the face of the others, as many as BMJA-G05 allows, and come last.
    """
    if not all(code in BY_CODE or code in wild for code in codes):
        return None
    natural = sorted((code for code in codes if code not in wild), key=BY_CODE.__getitem__)
    wilds = tuple(sorted(code for code in codes if code in wild))
    kind = KIND_BY_SIZE.get(len(codes))
    if kind and len(set(natural)) == 1 and len(wilds) <= MAX_WILDS_BY_KIND[kind]:
        faces = (natural[0],) * len(codes) if wilds else ()
        return TileSet(kind, (*natural, *wilds), concealed, faces)
    chow = chow_starting_at(BY_CODE[natural[0]]) if len(natural) == len(codes) == 3 else None
    if chow and natural == [tile.code for tile in chow]:
        return TileSet("chow", tuple(natural), concealed)
    return None


def classify_set(codes: Codes) -> SetKind | None:
    """Return the kind of set that these tiles make; None if they make none.

    >>> classify_set(("B1", "B2", "B3")), classify_set(("B1", "B2"))
    ('chow', None)
    """
    tile_set = make_set(codes, concealed=True)
    return tile_set.kind if tile_set else None


@lru_cache(maxsize=MAX_CACHED_HANDS)
def expose_set(tile_set: TileSet) -> TileSet:
    """Return the set as exposed, after one of its tiles was claimed (BMJA-K01)."""
    return TileSet(tile_set.kind, tile_set.tiles, False, tile_set.stands_for)


def has_extra_wild(tile_set: TileSet, wild: frozenset[str]) -> bool:
    """Return whether a set holds more wild tiles than are allowed (BMJA-G05)."""
    wilds = sum(code in wild for code in tile_set.tiles)
    return wilds > MAX_WILDS_BY_KIND.get(tile_set.kind, wilds)


def trait_bits(tile_set: TileSet) -> int:
    """Return the set's traits as bits, an index of `HAND_TRAITS`.

    A loose wild tile stands for nothing, and has none.
    """
    bits = 0 if tile_set.concealed else _EXPOSED
    bits |= _BIT_BY_KIND.get(tile_set.kind, 0)
    for code in tile_set.faces:
        bits |= _BITS_BY_CODE.get(code, 0)
    return bits


_BIT_BY_KIND = {"chow": _CHOW, "kong": _KONG}


def _tile_bits(tile: Tile) -> int:
    bits = _BIT_BY_SUIT.get(tile.family, _HONOUR)
    if tile.is_minor:
        bits |= _MINOR
    return bits if tile.code in GREEN_CODES else bits | _NOT_GREEN


_BITS_BY_CODE = {code: _tile_bits(tile) for code, tile in BY_CODE.items()}
"""The traits of each single tile."""
