"""Tiles and sets in a British player's words.

>>> describe(TileSet("pung", ("DR", "DR", "DR"), concealed=True))
'concealed pung of red dragons'
>>> describe(TileSet("chow", ("O3", "O4", "O5"), concealed=False))
'exposed chow of 3-4-5 circles'
>>> listed(["East", "West", "North"])
'East, West and North'
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.breakdown import TileSet
from scorer.tiles import BY_CODE, JOKER


def tile_name(code: str) -> str:
    """Return what a tile is called; a code that is no face is its own name."""
    return "joker" if code == JOKER else BY_CODE[code].name if code in BY_CODE else code


def set_name(tile_set: TileSet) -> str:
    """Return what a set is, exposed or not.

    >>> set_name(TileSet("pair", ("O1", "O1"), concealed=True))
    'pair of 1 circles'
    """
    tile = tile_set.tile
    name = tile.plural
    if tile_set.kind == "chow":
        ranks = "-".join(BY_CODE[code].rank for code in tile_set.faces)
        name = name.replace(tile.rank, ranks, 1)
    return f"{tile_set.kind} of {name}"


def pair_name(codes: Sequence[str]) -> str:
    """Return what two alike are called: `East winds`; with a wild tile, both by their names."""
    first = codes[0]
    return BY_CODE[first].plural if set(codes) == {first} else listed(list(map(tile_name, codes)))


def describe(tile_set: TileSet) -> str:
    """Return what a set is, as said at the table."""
    return f"{'concealed' if tile_set.concealed else 'exposed'} {set_name(tile_set)}"


def describe_all(sets: Sequence[TileSet]) -> str:
    """Return what sets are, in a line; loose tiles by their codes."""
    return "; ".join(
        f"loose {' '.join(each.tiles)}" if each.kind == "loose" else describe(each) for each in sets
    )


def listed(words: Sequence[str]) -> str:
    """Return the words as a list in a sentence."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def sentence(text: str) -> str:
    """Return the text with a capital first letter, the rest as it is."""
    return text[0].upper() + text[1:]


PROPER = ("Mah", "Purity")
"""How those names begin that keep their capital within a sentence."""


def within(label: str) -> str:
    """Return a label as it stands within a sentence.

    >>> within("No chows"), within("Mah-Jong on a loose tile")
    ('no chows', 'Mah-Jong on a loose tile')
    """
    return label if label.startswith(PROPER) else label[0].lower() + label[1:]
