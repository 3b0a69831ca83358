"""Merge several photographs of one hand into one reading.

The hand is flat, so a homography maps one photograph to another. The name of a tile combines all
photographs (`vision.merging.alignment.pooled`). One confident reading is enough; two confident
readings that differ make the tile doubtful.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import structs

from scorer.message import message
from vision.geometry.places import find_rows
from vision.geometry.rows import lay_out, reading_order
from vision.hand.laid_hand import lay_hand
from vision.merging.alignment import FACES, TileSequence, align, chances, pool_chances
from vision.reading import MAX_ALTERNATIVES, Problem, Quad, Reading, TileReading, turn_of

MIN_SAME_HAND_SHARE = 0.7
"""Share of the smaller hand's tiles that must match in place and name. Two hands of one suit played
after each other can share nine of fourteen."""

MAX_SAME_TILE_WIDTHS = 0.5
"""Tiles closer than this, in tile widths, are one tile."""

OTHER_HAND = Problem("another-hand", message("seen.another-hand"))

COUNTS_DIFFER = Problem("counts-differ", message("seen.counts-differ"))


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

    seen: dict[int, int]
    row: float


@dataclass(frozen=True, slots=True)
class _Views:
    """The photographs that count, and the homography of each to the best one."""

    readings: Sequence[Reading]
    to_best: dict[int, Homography]

    def readings_of(self, tile: _MergedTile) -> dict[int, TileReading]:
        """Return each photograph's reading of a tile."""
        return {k: self.readings[k].tiles[place] for k, place in sorted(tile.seen.items())}

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
        seen = self.readings_of(tile)
        if photo in seen:
            return seen[photo].quad
        source = next(iter(seen))
        way = np.linalg.inv(self.to_best[photo]) @ self.to_best[source]
        return map_quad(seen[source].quad, way)

    def is_missed(self, tile: _MergedTile) -> bool:
        """Return whether a photograph fails to show a tile that lies inside its picture."""
        return any(
            k not in tile.seen
            and is_inside(self.quad(tile, k), self.readings[k].width, self.readings[k].height)
            for k in self.to_best
        )


def merge(readings: Sequence[Reading], rules: str = "bmja") -> MergedReading:
    """Return what these photographs of one hand show together; raise ValueError for none.

    The order only decides whose pixels the quads use. A repeated photograph counts once, and one of
    another hand is ignored. Tiles apart from the hand are left out.
    """
    ranked = sorted(range(len(readings)), key=lambda k: _rank(readings[k]))
    if not ranked:
        raise ValueError("no readings to merge")
    best = ranked[0]
    views = _Views(readings, {best: np.eye(3)})
    tiles = _tiles_in_order(readings[best], best)
    others = 0
    for k in ranked[1:]:
        if any(readings[k].tiles == readings[j].tiles for j in views.to_best):
            continue
        joined = _add_photo(views, tiles, k, best)
        if joined is None:
            others += 1
        else:
            views, tiles = joined
    return _to_merged_reading(views, tiles, best, rules, (OTHER_HAND,) if others else ())


def _rank(reading: Reading) -> tuple[float, str, str]:
    """Return a sort key that puts the photograph that shows most, with most confidence, first."""
    own = {place for laid in reading.sets for place in laid.tiles}
    sure = sum(reading.tiles[place].confidence for place in own)
    return -sure, reading.photo, repr(reading.tiles)


def _tiles_in_order(reading: Reading, photo: int) -> list[_MergedTile]:
    """Return the hand's tiles of one photograph in reading order."""
    rows = find_rows(reading.tiles, reading.sets)
    in_rows = [
        _MergedTile({photo: place}, number / (len(rows) - 1) if len(rows) > 1 else 0.5)
        for number, row in enumerate(rows)
        for place in row
    ]
    placed = {place for row in rows for place in row}
    beside = sorted({place for laid in reading.sets for place in laid.tiles} - placed)
    return in_rows + [
        _MergedTile({photo: place}, 0.0 if len(rows) > 1 else 0.5) for place in beside
    ]


def _add_photo(
    views: _Views, tiles: list[_MergedTile], k: int, best: int
) -> tuple[_Views, list[_MergedTile]] | None:
    """Return the hand with photograph `k` added; None if that shows another hand.

    The order of the tiles gives the homography between the photographs. The homography then shows
    which tile is which, even among three alike.
    """
    more = _tiles_in_order(views.readings[k], k)
    pairs = _align_tiles(views, tiles, more)
    way = fit_homography([(views.quad(b, k), views.quad(a, best)) for a, b in pairs])
    if way is None:
        return None
    views = _Views(views.readings, {**views.to_best, k: way})
    met = _match_quads([views.quad(t, best) for t in tiles], [views.quad(t, best) for t in more])
    alike = sum(views.name(tiles[a]) == views.name(more[b]) for a, b in met.items())
    if alike < MIN_SAME_HAND_SHARE * min(len(tiles), len(more)):
        return None
    known = [
        _MergedTile(tile.seen | more[met[a]].seen, tile.row) if a in met else tile
        for a, tile in enumerate(tiles)
    ]
    new = [tile for b, tile in enumerate(more) if b not in met.values()]
    return views, _sort_into_rows(views, [*known, *new], best)


def _align_tiles(
    views: _Views, known: Sequence[_MergedTile], more: Sequence[_MergedTile]
) -> list[tuple[_MergedTile, _MergedTile]]:
    """Return the pairs of tiles that correspond in both.

    A photograph from the other side of the table shows the hand upside down.
    """
    spots = views.spots(known)
    turned = [_MergedTile(tile.seen, 1 - tile.row) for tile in reversed(more)]
    ways = [(align(spots, views.spots(tiles)), tiles) for tiles in (more, turned)]
    (pairs, _), tiles = max(ways, key=lambda way: way[0][1])
    return [(known[a], tiles[b]) for a, b in pairs]


def _match_quads(here: Sequence[Quad], there: Sequence[Quad]) -> dict[int, int]:
    """Return which quads of `there` lie on which of `here`, nearest first, each once."""
    width = float(np.median([math.dist(quad[0], quad[1]) for quad in here]))
    apart = [
        (math.dist(np.mean(a, axis=0), np.mean(b, axis=0)), i, j)
        for i, a in enumerate(here)
        for j, b in enumerate(there)
    ]
    met: dict[int, int] = {}
    for distance, i, j in sorted(apart):
        if distance < MAX_SAME_TILE_WIDTHS * width and i not in met and j not in met.values():
            met[i] = j
    return met


def _sort_into_rows(views: _Views, tiles: Sequence[_MergedTile], best: int) -> list[_MergedTile]:
    """Return the tiles in reading order."""
    quads = np.array([views.quad(tile, best) for tile in tiles], np.float32)
    rows = lay_out(quads).rows
    places = {i: n / (len(rows) - 1) for n, row in enumerate(rows) for i in row.tiles if n}
    order = reading_order(rows, quads)
    return [_MergedTile(tiles[i].seen, places.get(i, 0.0 if len(rows) > 1 else 0.5)) for i in order]


def _to_merged_reading(
    views: _Views,
    tiles: Sequence[_MergedTile],
    best: int,
    rules: str,
    problems: tuple[Problem, ...],
) -> MergedReading:
    first = min(views.to_best)
    named = [_name_tile(views, tile, best) for tile in tiles]
    laid = lay_hand(named, rules)
    ordered = [tiles[i] for i in laid.order]
    if any(views.is_missed(tile) for tile in tiles):
        problems = (*problems, COUNTS_DIFFER)
    reading = replace(
        views.readings[first],
        problems=(*problems, *_common_problems(views)),
        **laid.fields() | {"tiles": _in_photo_pixels(views, ordered, first, laid.tiles)},
    )
    photos = range(len(views.readings))
    return MergedReading(
        reading, tuple(tuple(tile.seen.get(k) for k in photos) for tile in ordered)
    )


def _in_photo_pixels(
    views: _Views, tiles: Sequence[_MergedTile], photo: int, laid: Sequence[TileReading]
) -> tuple[TileReading, ...]:
    """Return the tiles in pixels of a photograph, as doubtful as in the laid hand."""
    told = zip(tiles, laid, strict=True)
    return tuple(
        structs.replace(_name_tile(views, t, photo), doubtful=as_laid.doubtful)
        for t, as_laid in told
    )


def _name_tile(views: _Views, tile: _MergedTile, photo: int) -> TileReading:
    """Return a tile as all photographs that show it read it together."""
    seen = views.readings_of(tile)
    known = views.chances(tile)
    best = np.argsort(-known, kind="stable")[: MAX_ALTERNATIVES + 1]
    (code, confidence), *others = [(FACES[i], round(float(known[i]), 4)) for i in best]
    surely = {said.code for said in seen.values() if not said.doubtful}
    quad = views.quad(tile, photo)
    return TileReading(
        code=code,
        confidence=confidence,
        quad=quad,
        turn=turn_of(quad),
        alternatives=tuple(others),
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
    here = np.array([a for a, _ in pairs], np.float64).reshape(-1, 2)
    there = np.array([b for _, b in pairs], np.float64).reshape(-1, 2)
    if len(here) < 4:
        return None
    width = float(np.median([np.linalg.norm(np.subtract(b[1], b[0])) for _, b in pairs]))
    found, agree = cv2.findHomography(here, there, cv2.RANSAC, MAX_CORNER_ERROR_SHARE * width)
    return None if found is None or agree.sum() < 4 else np.asarray(found, np.float64)


def map_quad(quad: Quad, matrix: Homography) -> Quad:
    """Return the quad in the other photograph."""
    points = cv2.perspectiveTransform(np.array([quad], np.float64), matrix)[0]
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in points)
    return (a, b, c, d)


def is_inside(quad: Quad, width: int, height: int) -> bool:
    """Return whether the middle of a quad lies in a picture of this size."""
    x, y = np.mean(quad, axis=0)
    return bool(0 <= x < width and 0 <= y < height)
