"""Change how a hand's tiles are grouped into sets and rows.

A set keeps its number even when all its tiles have moved. A phone with an older page therefore
still means the set that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from device.hands.record import HandTile, parse_tile_code
from scorer.breakdown import SetKind
from scorer.hand import WILD_CODES
from scorer.layings import MAX_SET_TILES
from scorer.sets import make_set
from scorer.tiles import FACE_DOWN
from vision.hand.assembly import AssembledHand, AssembledSet, LaidSet
from vision.reading import RowName

_Sets = tuple[LaidSet, ...]
Tiles = tuple[HandTile, ...]


def put_tile(sets: _Sets, tile: int, which: int | None, row: object) -> _Sets:
    """Return the sets with a tile moved to a set, or to a new one; raise ValueError."""
    left = _without(sets, (tile,))
    if which is None:
        return (*left, LaidSet((tile,), parse_row(row), placed_by_hand=True))
    if not 0 <= which < len(left):
        raise ValueError(f"the hand has no set {which}")
    grown = replace(left[which], tiles=(*left[which].tiles, tile))
    return (*left[:which], grown, *left[which + 1 :])


def add_tiles(
    tiles: Tiles, sets: _Sets, codes: Sequence[object], which: int | None, row: object
) -> tuple[Tiles, _Sets]:
    """Return the tiles and sets with tiles added to one set; `which` None makes a new set.

    Raises ValueError for an unknown tile or row, or too many tiles.
    """
    if not 1 <= len(codes) <= MAX_SET_TILES:
        raise ValueError(f"{len(codes)} tiles make no set")
    for place in range(len(tiles), len(tiles) + len(codes)):
        sets = put_tile(sets, place, which, row)
        which = len(sets) - 1 if which is None else which
    return (*tiles, *(HandTile(parse_tile_code(code), None, changed=True) for code in codes)), sets


def group_tiles(sets: _Sets, groups: Sequence[Sequence[int]]) -> _Sets:
    """Return the sets with these tiles regrouped: split, joined, or both.

    The first group stays in the set of its first tile. Every other group becomes a set in the same
    row. Raises ValueError for tiles that are in no set or named twice.
    """
    tiles = tuple(chain.from_iterable(groups))
    laid = {tile for each in sets for tile in each.tiles}
    if len(set(tiles)) != len(tiles) or not tiles or not all(groups) or not laid.issuperset(tiles):
        raise ValueError(f"the hand cannot be laid as {groups}")
    home = next(number for number, each in enumerate(sets) if groups[0][0] in each.tiles)
    left = _without(sets, tiles)
    grown = replace(left[home], tiles=(*left[home].tiles, *groups[0]))
    others = tuple(replace(grown, tiles=tuple(group)) for group in groups[1:])
    return (*left[:home], grown, *left[home + 1 :], *others)


def move_set(sets: _Sets, which: int, row: object) -> _Sets:
    """Return the sets with one set moved to another row; raise ValueError."""
    if not 0 <= which < len(sets) or not sets[which].tiles:
        raise ValueError(f"the hand has no set {which}")
    there = replace(sets[which], row=parse_row(row), placed_by_hand=True)
    return (*sets[:which], there, *sets[which + 1 :])


def count_hand_tiles(hand: AssembledHand, *, goulash: bool = False) -> int:
    """Return how many of a hand's fourteen tiles there are: a kong counts as three."""
    sets = [each for each in hand.sets if each.row != "bonus"]
    kongs = sum(kind_of(each, goulash=goulash) == "kong" for each in sets)
    return sum(len(each.tiles) for each in sets) - kongs


def kind_of(laid: AssembledSet, *, goulash: bool) -> SetKind:
    """Return the kind of a set; in a goulash, wild tiles are included (BMJA-G05)."""
    wild = goulash and laid.kind == "loose" and FACE_DOWN not in laid.codes
    made = make_set(laid.codes, concealed=True, wild=WILD_CODES) if wild else None
    return made.kind if made else laid.kind


def _without(sets: _Sets, tiles: Sequence[int]) -> _Sets:
    return tuple(replace(s, tiles=tuple(t for t in s.tiles if t not in tiles)) for s in sets)


def parse_row(value: object) -> RowName:
    """Return the row named in an event; raise ValueError."""
    match value:
        case "exposed" | "concealed" | "bonus":
            return value
    raise ValueError(f"{value!r} is no row")
