"""Where in the hand a tile lies, in words: so that it can be pointed out without a picture."""

from __future__ import annotations

from collections.abc import Sequence

from vision.geometry.plane import quads_of
from vision.geometry.rows import lay_out
from vision.reading import SetReading, TileReading

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip

_MOST_NAMED = 3
"""A sentence that names more places than this is not followed at a table."""

Rows = tuple[tuple[int, ...], ...]
"""Positions of the hand's tiles, row by row, the farthest first, left to right as one reads."""


def rows_of(tiles: Sequence[TileReading], sets: Sequence[SetReading]) -> Rows:
    """Return the rows in which the tiles that are in a set lie."""
    own = sorted({place for laid in sets for place in laid.tiles})
    layout = lay_out(quads_of([tiles[place] for place in own]))
    return tuple(tuple(own[i] for i in row.tiles) for row in layout.rows)


def place_words(rows: Rows, place: int) -> str:
    """Return words such as `the third tile from the left in the bottom row`.

    >>> place_words(((0, 1), (2, 3, 4)), 3), place_words(((0, 1),), 1), place_words(((0,),), 5)
    ('the second tile from the left in the bottom row', 'the rightmost tile', 'a tile apart')
    """
    for number, row in enumerate(rows):
        if place in row:
            return _in_row(row.index(place), len(row)) + _which_row(number, len(rows))
    return "a tile apart"


def places_words(rows: Rows, places: Sequence[int]) -> str:
    """Return the places of one or more tiles as one phrase, the first few of them named."""
    named = [place_words(rows, place) for place in places[:_MOST_NAMED]]
    more = len(places) - _MOST_NAMED
    if more > 0:
        named.append("one more" if more == 1 else f"{more} more")
    return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def _in_row(index: int, length: int) -> str:
    """Count from the nearer end: nobody counts to the eleventh tile in a dim room."""
    from_right = length - 1 - index
    count, side = min((index, "left"), (from_right, "right"), key=lambda end: end[0])
    if length == 1:
        return "the single tile"
    return f"the {_ordinal(count)} tile from the {side}" if count else f"the {side}most tile"


def _ordinal(count: int) -> str:
    return _ORDINALS[count] if count < len(_ORDINALS) else f"{count + 1}th"


def _which_row(number: int, rows: int) -> str:
    if rows == 1:
        return ""
    name = "top" if number == 0 else "bottom" if number == rows - 1 else _ORDINALS[number]
    return f" in the {name} row"
