"""Merge several photographs of one hand into one reading.

The hand is flat, so a homography maps one photograph to another. The name of a tile combines all
photographs (`vision.merging.alignment.pooled`). One confident reading is enough; two confident
readings that differ make the tile doubtful.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import structs

from scorer.message import message
from vision.geometry.places import find_rows
from vision.geometry.rows import lay_out, reading_order
from vision.hand.laid_hand import lay_hand
from vision.merging.alignment import FACES, TileSequence, align, chances, pool_chances
from vision.reading import (
    MAX_ALTERNATIVES,
    Problem,
    Quad,
    Reading,
    TileReading,
    make_problem,
    turn_of,
)

MIN_SAME_HAND_SHARE = 0.7
"""Share of the smaller hand's tiles that must match in place and name. Two hands of one suit played
after each other can share nine of fourteen."""

MAX_SAME_TILE_WIDTHS = 0.5
"""Tiles closer than this, in tile widths, are one tile."""

OTHER_HAND = make_problem("another-hand", message("seen.another-hand"))

COUNTS_DIFFER = make_problem("counts-differ", message("seen.counts-differ"))


@dataclass(frozen=True, slots=True)
class MergedReading:
    """One hand as read from several photographs."""

    reading: Reading
    """The merged hand. All quads are in pixels of the first photograph that counts."""
    places: tuple[tuple[int | None, ...], ...]
    """For each tile of `reading`, its position in each photograph's own reading. None where that
    photograph does not show it or was left out."""


@dataclass(frozen=True, slots=True)
class _MergedTile:
    """A tile of the hand: its position in each photograph that shows it, and its row."""

    places: dict[int, int]
    row: float


@dataclass(frozen=True, slots=True)
class _Views:
    """The photographs that count, and the homography of each to the best one."""

    readings: Sequence[Reading]
    to_best: dict[int, Homography]

    def readings_of(self, tile: _MergedTile) -> dict[int, TileReading]:
        """Return each photograph's reading of a tile."""
        return {k: self.readings[k].tiles[place] for k, place in sorted(tile.places.items())}

    def chances(self, tile: _MergedTile) -> npt.NDArray[np.float64]:
        """Return the chances (43,) of a tile by all photographs."""
        return pool_chances([chances(said) for said in self.readings_of(tile).values()])

    def name(self, tile: _MergedTile) -> str:
        """Return the most likely code of a tile."""
        return FACES[int(self.chances(tile).argmax())]

    def spots(self, tiles: Sequence[_MergedTile]) -> TileSequence:
        """Return the tiles in the form that is aligned."""
        table = np.array([self.chances(tile) for tile in tiles]).reshape(-1, len(FACES))
        return TileSequence(table, np.array([tile.row for tile in tiles]))

    def quad(self, tile: _MergedTile, photo: int) -> Quad:
        """Return where a tile lies in a photograph, even if that does not show it."""
        views = self.readings_of(tile)
        if photo in views:
            return views[photo].quad
        source = next(iter(views))
        way = np.linalg.inv(self.to_best[photo]) @ self.to_best[source]
        return map_quad(views[source].quad, way)

    def is_missed(self, tile: _MergedTile) -> bool:
        """Return whether a photograph fails to show a tile that lies inside its picture."""
        return any(
            k not in tile.places
            and is_inside(self.quad(tile, k), self.readings[k].width, self.readings[k].height)
            for k in self.to_best
        )


def merge(readings: Sequence[Reading], rules: str = "bmja") -> MergedReading:
    """Return what these photographs of one hand show together; raise ValueError for none.

    The order only decides whose pixels the quads use. A repeated photograph counts once, and one of
    another hand is ignored. Tiles apart from the hand are left out.
    """
    ranking = sorted(range(len(readings)), key=lambda k: _rank(readings[k]))
    if not ranking:
        raise ValueError("no readings to merge")
    best = ranking[0]
    views = _Views(readings, {best: np.eye(3)})
    tiles = _tiles_in_order(readings[best], best)
    problems: tuple[Problem, ...] = ()
    for k in ranking[1:]:
        if any(readings[k].tiles == readings[j].tiles for j in views.to_best):
            continue
        added_photo = _add_photo(views, tiles, k, best)
        if added_photo is None:
            problems = (OTHER_HAND,)
        else:
            views, tiles = added_photo
    return _to_merged_reading(views, tiles, best, rules, problems)


def _rank(reading: Reading) -> tuple[float, str, str]:
    """Return a sort key that puts the photograph that shows most, with most confidence, first."""
    hand_tiles = {place for laid in reading.sets for place in laid.tiles}
    sure = sum(reading.tiles[place].confidence for place in hand_tiles)
    return -sure, reading.photo, repr(reading.tiles)


def _tiles_in_order(reading: Reading, photo: int) -> list[_MergedTile]:
    """Return the hand's tiles of one photograph in reading order."""
    rows = find_rows(reading.tiles, reading.sets)
    in_rows = [
        _MergedTile({photo: place}, number / (len(rows) - 1) if len(rows) > 1 else 0.5)
        for number, row in enumerate(rows)
        for place in row
    ]
    row_tiles = {place for row in rows for place in row}
    bonus_tiles = sorted({place for laid in reading.sets for place in laid.tiles} - row_tiles)
    return in_rows + [
        _MergedTile({photo: place}, 0.0 if len(rows) > 1 else 0.5) for place in bonus_tiles
    ]


def _add_photo(
    views: _Views, tiles: list[_MergedTile], k: int, best: int
) -> tuple[_Views, list[_MergedTile]] | None:
    """Return the hand with photograph `k` added; None if that shows another hand.

    The order of the tiles gives the homography between the photographs. The homography then shows
    which tile is which, even among three alike.
    """
    new_tiles = _tiles_in_order(views.readings[k], k)
    pairs = _align_tiles(views, tiles, new_tiles)
    way = fit_homography([(views.quad(b, k), views.quad(a, best)) for a, b in pairs])
    if way is None:
        return None
    views = _Views(views.readings, {**views.to_best, k: way})
    matches = _match_quads(
        [views.quad(t, best) for t in tiles], [views.quad(t, best) for t in new_tiles]
    )
    agreements = sum(views.name(tiles[a]) == views.name(new_tiles[b]) for a, b in matches.items())
    if agreements < MIN_SAME_HAND_SHARE * min(len(tiles), len(new_tiles)):
        return None
    merged_tiles = [
        _MergedTile(tile.places | new_tiles[matches[a]].places, tile.row) if a in matches else tile
        for a, tile in enumerate(tiles)
    ]
    new = [tile for b, tile in enumerate(new_tiles) if b not in matches.values()]
    return views, _sort_into_rows(views, [*merged_tiles, *new], best)


def _align_tiles(
    views: _Views, merged_tiles: Sequence[_MergedTile], new_tiles: Sequence[_MergedTile]
) -> list[tuple[_MergedTile, _MergedTile]]:
    """Return the pairs of tiles that correspond in both.

    A photograph from the other side of the table shows the hand upside down.
    """
    spots = views.spots(merged_tiles)
    turned_tiles = [_MergedTile(tile.places, 1 - tile.row) for tile in reversed(new_tiles)]
    ways = [(align(spots, views.spots(tiles)), tiles) for tiles in (new_tiles, turned_tiles)]
    (pairs, _), tiles = max(ways, key=lambda way: way[0][1])
    return [(merged_tiles[a], tiles[b]) for a, b in pairs]


def _match_quads(first: Sequence[Quad], second: Sequence[Quad]) -> dict[int, int]:
    """Return which quads of `second` lie on which of `first`, nearest first, each once."""
    width = float(np.median([math.dist(quad[0], quad[1]) for quad in first]))
    distances = [
        (math.dist(np.mean(a, axis=0), np.mean(b, axis=0)), i, j)
        for i, a in enumerate(first)
        for j, b in enumerate(second)
    ]
    matches: dict[int, int] = {}
    for distance, i, j in sorted(distances):
        is_near = distance < MAX_SAME_TILE_WIDTHS * width
        if is_near and i not in matches and j not in matches.values():
            matches[i] = j
    return matches


def _sort_into_rows(views: _Views, tiles: Sequence[_MergedTile], best: int) -> list[_MergedTile]:
    """Return the tiles in reading order."""
    quads = np.array([views.quad(tile, best) for tile in tiles], np.float32)
    rows = lay_out(quads).rows
    places = {i: n / (len(rows) - 1) for n, row in enumerate(rows) for i in row.tiles if n}
    order = reading_order(rows, quads)
    return [
        _MergedTile(tiles[i].places, places.get(i, 0.0 if len(rows) > 1 else 0.5)) for i in order
    ]


def _to_merged_reading(
    views: _Views,
    tiles: Sequence[_MergedTile],
    best: int,
    rules: str,
    problems: tuple[Problem, ...],
) -> MergedReading:
    first = min(views.to_best)
    named_tiles = [_name_tile(views, tile, best) for tile in tiles]
    laid_hand = lay_hand(named_tiles, rules)
    ordered_tiles = [tiles[i] for i in laid_hand.order]
    if any(views.is_missed(tile) for tile in tiles):
        problems = (*problems, COUNTS_DIFFER)
    reading = structs.replace(
        views.readings[first],
        problems=(*problems, *_common_problems(views)),
        **laid_hand.fields()
        | {"tiles": _in_photo_pixels(views, ordered_tiles, first, laid_hand.tiles)},
    )
    photos = range(len(views.readings))
    return MergedReading(
        reading, tuple(tuple(tile.places.get(k) for k in photos) for tile in ordered_tiles)
    )


def _in_photo_pixels(
    views: _Views, tiles: Sequence[_MergedTile], photo: int, laid_tiles: Sequence[TileReading]
) -> tuple[TileReading, ...]:
    """Return the tiles in pixels of a photograph, as doubtful as in the laid hand."""
    return tuple(
        structs.replace(_name_tile(views, tile, photo), doubtful=as_laid.doubtful)
        for tile, as_laid in zip(tiles, laid_tiles, strict=True)
    )


def _name_tile(views: _Views, tile: _MergedTile, photo: int) -> TileReading:
    """Return a tile as all photographs that show it read it together."""
    photo_views = views.readings_of(tile)
    merged_chances = views.chances(tile)
    best = np.argsort(-merged_chances, kind="stable")[: MAX_ALTERNATIVES + 1]
    names = [(FACES[i], round(float(merged_chances[i]), 4)) for i in best]
    (code, confidence), *alternatives = names
    surely = {said.code for said in photo_views.values() if not said.doubtful}
    quad = views.quad(tile, photo)
    return TileReading(
        code=code,
        confidence=confidence,
        quad=quad,
        turn=turn_of(quad),
        alternatives=tuple(alternatives),
        doubtful=surely != {code} or views.is_missed(tile),
    )


def _common_problems(views: _Views) -> tuple[Problem, ...]:
    """Return the problems of every photograph: another one may have what this one lacks."""
    lists = [views.readings[k].problems for k in sorted(views.to_best)]
    common = set.intersection(*({problem.code for problem in each} for each in lists))
    return tuple(problem for problem in lists[0] if problem.code in common)


Homography = npt.NDArray[np.float64]
"""A homography (3, 3) from the pixels of one photograph to those of another."""

MAX_CORNER_ERROR_SHARE = 0.25
"""Corners further off than this share of a tile's width are outliers. A tile read the other way
round has its corners elsewhere."""


def fit_homography(pairs: Sequence[tuple[Quad, Quad]]) -> Homography | None:
    """Return the homography that maps the first quad of each pair to the second.

    None if the pairs do not agree: the photographs then show different tiles.
    """
    source = np.array([a for a, _ in pairs], np.float64).reshape(-1, 2)
    target = np.array([b for _, b in pairs], np.float64).reshape(-1, 2)
    if len(source) < 4:
        return None
    width = float(np.median([np.linalg.norm(np.subtract(b[1], b[0])) for _, b in pairs]))
    homography, agree = cv2.findHomography(
        source, target, cv2.RANSAC, MAX_CORNER_ERROR_SHARE * width
    )
    return None if homography is None or agree.sum() < 4 else np.asarray(homography, np.float64)


def map_quad(quad: Quad, matrix: Homography) -> Quad:
    """Return the quad in the other photograph."""
    points = cv2.perspectiveTransform(np.array([quad], np.float64), matrix)[0]
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in points)
    return (a, b, c, d)


def is_inside(quad: Quad, width: int, height: int) -> bool:
    """Return whether the middle of a quad lies in a picture of this size."""
    x, y = np.mean(quad, axis=0)
    return bool(0 <= x < width and 0 <= y < height)
