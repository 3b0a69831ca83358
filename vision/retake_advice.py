"""Decide whether a photograph should be taken again, and say why.

The remarks of `vision.quality` still leave a hand to look at. These reasons interrupt the players
while the tiles still lie there, so false alarms must be rare. `python -m
tests.prove.degraded_photos` measures false alarms and what is caught.

Tiles mostly outside the picture are not found, so nothing else reports them as missing. Where a row
reaches the picture's edge, one more tile may lie beyond its last one. A tile is assumed there when
the visible part has the tiles' colour and the rest of the table does not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set

import cv2
import numpy as np

from scorer.message import message
from scorer.tiles import FACE_DOWN
from vision.networks.locator import shared_area
from vision.photo import Photo
from vision.preprocess import Float32s
from vision.quality import MAX_OUTSIDE_SHARE, NO_TILES, NOT_A_HAND, share_outside
from vision.reading import Problem, Reading, RowName, Side, TileReading, make_problem

PHOTO_FAULT_CODES = frozenset({"no-tiles", "too-dark", "too-far", "blurred", "too-low"})
"""Codes of faults of the whole photograph: tiles are then missed and misread without any sign."""


def reasons_to_retake(reading: Reading, photo: Photo) -> tuple[Problem, ...]:
    """Return why a photograph of a hand should be taken again; empty if it is good enough."""
    cut = _find_harmful_cuts(reading, photo)
    reasons = [_cut_off_problem(reading, cut)] if cut else []
    reasons += [problem for problem in reading.problems if problem.code in PHOTO_FAULT_CODES]
    return tuple(reasons)


def table_reasons_to_retake(readings: Mapping[Side, Reading], photo: Photo) -> tuple[Problem, ...]:
    """Return the same for a photograph of the whole table, each reason once."""
    if not readings:
        return (NO_TILES,)
    reasons = [
        problem for reading in readings.values() for problem in reasons_to_retake(reading, photo)
    ]
    return tuple({problem.code: problem for problem in reasons}.values())


def _find_harmful_cuts(reading: Reading, photo: Photo) -> list[Float32s]:
    """Return the quads (4, 2) of the hand's tiles that are cut off so that it matters.

    Empty where other players' hands are in the picture: that is a question of its own.
    """
    codes = {problem.code for problem in reading.problems}
    if NOT_A_HAND.code in codes:
        return []
    rows = {tile: laid.row for laid in reading.sets for tile in laid.tiles}
    quads = {place: np.array(reading.tiles[place].quad, np.float32) for place in rows}
    size = reading.width, reading.height
    cut_tiles = {
        place: rows[place]
        for place in rows
        if share_outside(quads[place], *size) > MAX_OUTSIDE_SHARE
    }
    cut_quads = (
        [quads[place] for place in cut_tiles] if _is_harmful(reading, cut_tiles, codes) else []
    )
    return cut_quads + find_tiles_mostly_outside(photo, reading.tiles, rows)


def _is_harmful(reading: Reading, cut: Mapping[int, RowName], codes: Set[str]) -> bool:
    """Return whether it matters that these tiles are cut off.

    It does not when they are read with confidence and the hand is complete. Nor does it for a
    single flower, which may belong to anybody.
    """
    if [*cut.values()] == ["bonus"]:
        return False
    is_miscounted = bool(cut and "tile-count" in codes)
    return is_miscounted or any(reading.tiles[place].doubtful for place in cut)


def _cut_off_problem(reading: Reading, quads: Sequence[Float32s]) -> Problem:
    """Return the problem that names the edge at which tiles are cut off."""
    corners = np.concatenate(quads)
    (left, top), (x, y) = -corners.min(0), corners.max(0)
    overhang = {"left": left, "right": x - reading.width, "top": top, "bottom": y - reading.height}
    edge = max(overhang, key=lambda side: float(overhang[side]))
    return make_problem(f"cut-{edge}", message(f"again.cut-{edge}"))


NEXT_TILE_WIDTHS = 1.04
"""Distance from one tile of a set to the next, in tile widths."""

MAX_COVERED_SHARE = 0.12
"""A place is taken where another tile covers more than this share of it."""

MAX_FULLY_SEEN_SHARE, MIN_MISSED_SHARE, MAX_MISSED_SHARE = 0.05, 0.3, 0.93
"""Shares of a place that lie outside the picture. Up to the first, the place counts as fully seen.
Between the other two, a tile there is hardly ever found but still shows its colour."""

MAX_COLOUR_DISTANCE = 20.0
"""Greatest distance of a pixel's colour from the tiles' colour, in CIE L*a*b*. Ink and shade
account for it."""

MIN_TILE_COLOUR_SHARE = 0.75
"""A place holds a tile when this share of its visible part has the tiles' colour. Chosen with
`python -m tests.prove.degraded_photos`."""

MAX_TABLE_COLOUR_SHARE = 0.35
"""The table is too similar to the tiles when this share of the empty places has their colour."""

_FACE_SHARE = 0.8
"""Share of a tile's width and height that is its face, without the edges."""

_FACE_PERCENTILE = 60
"""Percentile of brightness above which a pixel of a face is not ink."""

_MIN_PIXELS = 12
"""Fewest pixels from which a place can be judged."""


def find_tiles_mostly_outside(
    photo: Photo, tiles: Sequence[TileReading], hand_tiles: Collection[int]
) -> list[Float32s]:
    """Return the quads (4, 2) of the hand's tiles that lie mostly outside the picture.

    Quads are in the photo's pixels. `hand_tiles` holds the positions of the hand's tiles in
    `tiles`.
    """
    rgb, scale = photo.locator_input
    width, height = round(photo.width * scale), round(photo.height * scale)
    light = rgb[:height, :width].astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(light, cv2.COLOR_RGB2LAB), np.float32)
    quads = [np.array(tile.quad, np.float32) * np.float32(scale) for tile in tiles]
    faces = [
        _face_colour(lab, quads[place]) for place in hand_tiles if tiles[place].code != FACE_DOWN
    ]
    if not (known_faces := [face for face in faces if face is not None]):
        return []
    colour = np.median(known_faces, axis=0)
    empty, beyond_quads = [], []
    for place, in_row in _neighbouring_places(quads, hand_tiles):
        outside, colour_share = (
            share_outside(place, width, height),
            _colour_share(lab, place, colour),
        )
        if outside < MAX_FULLY_SEEN_SHARE and colour_share is not None:
            empty.append(colour_share)
        if (
            in_row
            and MIN_MISSED_SHARE < outside < MAX_MISSED_SHARE
            and colour_share is not None
            and colour_share > MIN_TILE_COLOUR_SHARE
        ):
            beyond_quads.append(place / np.float32(scale))
    return beyond_quads if empty and np.median(empty) < MAX_TABLE_COLOUR_SHARE else []


def _neighbouring_places(
    quads: Sequence[Float32s], hand_tiles: Collection[int]
) -> Iterator[tuple[Float32s, bool]]:
    """Yield the free places around the hand's tiles, and whether each continues a row."""
    for tile in hand_tiles:
        (a, b, c, d) = quads[tile]
        along_side, across_side = (
            np.float32(NEXT_TILE_WIDTHS) * side / 2 for side in (b - a + c - d, d - a + c - b)
        )
        for step, in_row in (
            (-along_side, True),
            (along_side, True),
            (-across_side, False),
            (across_side, False),
        ):
            place = quads[tile] + step
            if all(shared_area(place, other) <= MAX_COVERED_SHARE for other in quads):
                yield place, in_row


def _face_colour(lab: Float32s, quad: Float32s) -> Float32s | None:
    """Return the colour of a tile's face; None where too little of it is visible."""
    middle = quad.mean(0)
    pixels = _pixels_inside(lab, middle + (quad - middle) * np.float32(_FACE_SHARE))
    if len(pixels) < _MIN_PIXELS:
        return None
    is_lit = pixels[:, 0] >= np.percentile(pixels[:, 0], _FACE_PERCENTILE)
    return np.asarray(np.median(pixels[is_lit], axis=0), np.float32)


def _colour_share(lab: Float32s, place: Float32s, colour: Float32s) -> float | None:
    """Return the share of a place that has a colour; None where too little of it is visible."""
    pixels = _pixels_inside(lab, place)
    if len(pixels) < _MIN_PIXELS:
        return None
    return float((np.linalg.norm(pixels - colour, axis=1) < MAX_COLOUR_DISTANCE).mean())


def _pixels_inside(lab: Float32s, quad: Float32s) -> Float32s:
    """Return the pixels (N, 3) of a picture that lie inside a quad (4, 2)."""
    height, width = lab.shape[:2]
    x0, y0 = np.clip(np.floor(quad.min(0)), 0, (width, height)).astype(int)
    x1, y1 = np.clip(np.ceil(quad.max(0)), 0, (width, height)).astype(int)
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    if mask.size:
        cv2.fillConvexPoly(mask, np.round(quad - (x0, y0)).astype(np.int32), 1)
    return lab[y0:y1, x0:x1][mask > 0]
