"""Describe in words where a tile lies in the hand."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.message import Message, message
from vision.geometry.plane import quads_of
from vision.geometry.rows import lay_out
from vision.reading import SetReading, TileReading

_MAX_PLACE_IN_WORDS = 10
"""Largest ordinal that is written as a word, such as `third`."""

_MAX_NAMED_PLACES = 3
"""Longest list of places that players can follow."""

RowsOfTiles = tuple[tuple[int, ...], ...]
"""Positions of the hand's tiles, row by row, farthest row first, left to right."""


def find_rows(tiles: Sequence[TileReading], sets: Sequence[SetReading]) -> RowsOfTiles:
    """Return the rows of the tiles that belong to a set."""
    hand_tiles = sorted({place for laid in sets for place in laid.tiles})
    layout = lay_out(quads_of([tiles[place] for place in hand_tiles]))
    return tuple(tuple(hand_tiles[i] for i in row.tiles) for row in layout.rows)


def describe_place(rows: RowsOfTiles, place: int) -> Message:
    """Return words such as `the third tile from the left in the bottom row`.

    >>> from vision.words import to_english
    >>> to_english(describe_place(((0, 1), (2, 3, 4)), 3))
    'the second tile from the left in the bottom row'
    >>> to_english(describe_place(((0, 1),), 1)), to_english(describe_place(((0,),), 5))
    ('the rightmost tile', 'a tile apart')
    """
    for number, row in enumerate(rows):
        if place in row:
            return _add_row(_describe_in_row(row.index(place), len(row)), number, len(rows))
    return message("place.apart")


def describe_places(rows: RowsOfTiles, places: Sequence[int]) -> tuple[Message, ...]:
    """Return the places of one or more tiles; only the first few are named."""
    descriptions = [describe_place(rows, place) for place in places[:_MAX_NAMED_PLACES]]
    unnamed_count = len(places) - _MAX_NAMED_PLACES
    if unnamed_count > 0:
        descriptions.append(message("place.more", count=unnamed_count))
    return tuple(descriptions)


def _describe_in_row(index: int, length: int) -> Message:
    """Describe a place in its row, counted from the nearer end."""
    if length == 1:
        return message("place.single")
    before, side = min((index, "left"), (length - 1 - index, "right"), key=lambda end: end[0])
    if not before:
        return message(f"place.{side}most")
    nth = before + 1
    if nth > _MAX_PLACE_IN_WORDS:
        return message(f"place.far-from-{side}", nth=nth)
    return message(f"place.from-{side}", nth=message(f"nth.{nth}"))


def _add_row(place: Message, number: int, rows: int) -> Message:
    if rows == 1:
        return place
    if number in (0, rows - 1):
        return message("place.bottom" if number else "place.top", place=place)
    return message("place.row", place=place, nth=message(f"nth.{number + 1}"))
