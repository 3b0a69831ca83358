"""Tell a blank white dragon from a face-down tile by the tiles around it.

Both are plain, and a crop alone may be either. The faces of a set share one ivory, and its backs
share one colour. A plain tile of its neighbours' ivory may therefore be either: some backs are as
white as the faces, and squares of cloth can look like backs. How it lies in the hand tells more
(`vision.hand.joint_decoding`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
from msgspec import structs

from scorer.tiles import FACE_DOWN, WHITE_DRAGON, Tile, copies_in_set
from vision.geometry.plane import mean_sides, median
from vision.networks.classifier import Classification
from vision.networks.locator import Detection
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import RGB, Float32s, Float64s, straighten
from vision.reading import BLANK_CODES, TileReading

MAX_BLANK_SPREAD_LEVELS = 30.0
"""A blank tile's middle differs from its own colour by at most this (90th percentile, levels of
255). Three in four labelled backs keep to it. No framed white dragon is below 50 unless glare burns
it out."""

MAX_HUE_DISTANCE, MAX_BRIGHTNESS_DISTANCE = 0.1, 0.35
"""A tile has its neighbours' ivory within these distances of hue and of brightness, as logarithms.
Hue is the greatest change of one colour against the others. Framed white dragons of the labelled
photographs stay within 0.1 and 0.3 unless badly lit. Their backs differ by 0.16 to 2 in hue."""

MAX_NEIGHBOURS, MIN_NEIGHBOURS = 6, 4
"""The nearest faces determine the ivory, because light falls off; fewer than the minimum tell
nothing."""

FAINT_BLANK_SCORE = 0.5
"""Chance that a faint detection is a tile, where it is plain, ivory and beside one of its size."""

BLANK_FACE_CONFIDENCE = 0.5
"""Confidence that a blank tile of its neighbours' ivory is a face."""

MIN_BURNT_LEVEL, MAX_BURNT_CONFIDENCE = 250.0, 0.3
"""A tile that is as bright as this in every colour may have had any print, so its name counts at
most so much. White dragons that were read rightly were darker in one colour."""

MIN_FACE_CONFIDENCE = 0.5
"""Confidence from which a named tile counts as a face, whichever it is."""

_MIDDLE_PX = (slice(20, 60), slice(14, 50))
"""Rows and columns where a frame or a sign would have ink and no neighbour shows."""
_BEYOND_SHARE = 0.3
"""How far a crop is moved to show the ground beyond a tile's end, as a share of its height."""
_TOP_PX, _BOTTOM_PX = (slice(4, 12), slice(14, 50)), (slice(68, 76), slice(14, 50))
"""Rows and columns of the ground in a crop that was moved up, and in one that was moved down."""
_FACE_PX = (slice(12, 68), slice(9, 55))
_DARKER_SHARE = 0.7
"""Share of a face's pixels that are darker than those that are surely no ink."""
_BLACK_OFFSET_LEVELS = 8.0
"""Added to all colours, so that dark noise has no hue."""


MAX_BLANK_GAP_WIDTHS, MAX_ASIDE_HEIGHTS, MAX_BLANK_SIZE_FACTOR = 2.3, 0.2, 1.25
"""How far the middle of a blank tile that was barely seen lies from another of its row, in tile
widths and heights, and how many times larger or smaller it is."""

MIN_GROUND_BRIGHTNESS_DISTANCE, MIN_GROUND_HUE_DISTANCE = 0.9, 0.15
"""A ground surely differs from a tile by so much of either, whatever shadows lie on it."""

MAX_GAP_BRIGHTNESS_DISTANCE, MAX_GAP_HUE_DISTANCE = 0.5, 0.11
"""What is so near to the ground at both ends, and no lighter, may be a gap between two tiles, in
their shadow. Of 209 blank tiles and backs in photographs nine were so near: eight gaps, and paper.
The backs of a drawn set on cloth of their colour are lighter by 0.3."""

MAX_GAP_CONFIDENCE = 0.5
"""Confidence that such a one is a tile at all."""

MIN_OTHER_HUE_DISTANCE = 0.2
"""From this hue distance a tile has another colour for certain. So it has when both hue and
brightness differ, as for all labelled backs except those as white as faces."""

MIN_BLANK_CHANCE = 0.9
"""A colour decides only if the tile is blank, on either side, with at least this chance."""


@dataclass(frozen=True, slots=True)
class _BlankTile:
    """A tile with nothing on it."""

    place: int
    is_ivory: bool
    is_other: bool
    """Its colour is clearly different, so it lies face down."""
    is_burnt: bool
    """Light has washed out any print."""


def name_blank_tiles(sights: Sequence[NamedDetection]) -> list[NamedDetection]:
    """Return the detections with blank tiles named by comparing them to the other tiles' ivory."""
    plain = _find_blank_tiles(sights)
    names = {tile.place: _name_face_down for tile in plain if tile.is_other}
    names |= {tile.place: _doubt for tile in plain if tile.is_burnt}
    white = [tile.place for tile in plain if tile.is_ivory and not tile.is_burnt]
    # More than a set has are a wall of white backs.
    if len(white) <= copies_in_set(Tile.parse(WHITE_DRAGON)):
        names |= dict.fromkeys(white, _name_white_dragon)
    return [
        replace(sight, classification=names[k](sight.classification)) if k in names else sight
        for k, sight in enumerate(sights)
    ]


def doubt_gaps(rgb: RGB, tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the tiles, sure blank ones in doubt that look like the ground above and below them."""
    return tuple(
        structs.replace(tile, confidence=MAX_GAP_CONFIDENCE, doubtful=True)
        if tile.code in BLANK_CODES and not tile.doubtful and _may_be_gap(rgb, tile, tiles)
        else tile
        for tile in tiles
    )


def _may_be_gap(rgb: RGB, tile: TileReading, tiles: Sequence[TileReading]) -> bool:
    """Whether a tile is plain and about as the ground at both ends of it, or in a shadow there."""
    quad = np.array(tile.quad, np.float32)
    colour, spread = _middle_colour(straighten(rgb, quad))
    if spread > MAX_BLANK_SPREAD_LEVELS or not all(
        shade <= MAX_GAP_BRIGHTNESS_DISTANCE
        and tint <= MAX_GAP_HUE_DISTANCE
        and colour.mean() <= ground.mean()
        for ground in _ground_colours(rgb, quad)
        for shade, tint in [_colour_distance(ground, colour)]
    ):
        return False
    offset = (0.5 + _BEYOND_SHARE / 2) * mean_sides(quad)[1]
    ends = [(quad.mean(0) + end).tolist() for end in (-offset, offset)]
    is_seen = all(0 <= x < rgb.shape[1] and 0 <= y < rgb.shape[0] for x, y in ends)
    return is_seen and not any(
        cv2.pointPolygonTest(np.array(other.quad, np.float32), end, measureDist=False) >= 0
        for other in tiles
        for end in ends
    )


def find_faint_blanks(
    rgb: RGB, sights: Sequence[NamedDetection], faint: Sequence[Detection]
) -> list[Detection]:
    """Return the faint detections that are blank tiles of a row, as likely as need be to be kept.

    A blank white dragon shows nothing but its edges, and beside another hardly these. It is plain,
    has the faces' ivory, and lies beside a tile of its size. `faint` lie on none of the sights.
    """
    ivory = _Ivory(sights)
    if not (faint and ivory.is_known):
        return []
    quads = np.stack([tile.quad for tile in faint])
    is_in_row = _lie_beside(quads, np.stack([s.detection.quad for s in sights]))
    looked_at, blank = np.zeros(len(faint), bool), []
    while (is_in_row & ~looked_at).any():
        k = int(np.argmax(is_in_row & ~looked_at))
        looked_at[k] = True
        if _is_ivory_on_a_ground(rgb, quads[k], ivory):
            blank.append(replace(faint[k], score=FAINT_BLANK_SCORE))
            is_in_row |= _lie_beside(quads, quads[k : k + 1])
    if not blank:
        return []
    white = sum(tile.is_ivory for tile in _find_blank_tiles(sights))
    return blank if white + len(blank) <= copies_in_set(Tile.parse(WHITE_DRAGON)) else []


def _lie_beside(quads: Float32s, other_quads: Float32s) -> npt.NDArray[np.bool_]:
    """Return which quads (N, 4, 2) continue the row of one of (M, 4, 2) of about their size."""
    offsets = quads.mean(1)[:, None] - other_quads.mean(1)
    min_ratio, max_ratio = MAX_BLANK_SIZE_FACTOR**-2, MAX_BLANK_SIZE_FACTOR**2
    fits = np.ones(offsets.shape[:2], bool)
    max_shares = (MAX_BLANK_GAP_WIDTHS, MAX_ASIDE_HEIGHTS)
    for sides, other_sides, max_share in zip(
        mean_sides(quads), mean_sides(other_quads), max_shares, strict=True
    ):
        length = (other_sides**2).sum(1)
        ratios = (sides**2).sum(1)[:, None] / length
        fits &= (min_ratio <= ratios) & (ratios <= max_ratio)
        fits &= np.abs((offsets * other_sides).sum(2)) / length <= max_share
    return np.asarray(fits.any(1))


def _is_ivory_on_a_ground(rgb: RGB, quad: Float32s, ivory: _Ivory) -> bool:
    """Whether a quad (4, 2) is plain and as the faces, and another colour begins at its ends."""
    colour, spread = _middle_colour(straighten(rgb, quad))
    if spread > MAX_BLANK_SPREAD_LEVELS or not ivory.is_like(colour, quad):
        return False
    return _stands_out(rgb, quad, colour)


def _stands_out(rgb: RGB, quad: Float32s, colour: Float64s) -> bool:
    """Whether another colour begins above a tile or below it: a light table has the faces' own."""
    return any(
        shade > MIN_GROUND_BRIGHTNESS_DISTANCE or tint > MIN_GROUND_HUE_DISTANCE
        for ground in _ground_colours(rgb, quad)
        for shade, tint in [_colour_distance(ground, colour)]
    )


def _ground_colours(rgb: RGB, quad: Float32s) -> list[Float64s]:
    """Return the colour (3,) of the ground above a tile, and of that below it."""
    strip_height = (_BEYOND_SHARE * mean_sides(quad)[1]).astype(np.float32)
    strips = (
        straighten(rgb, quad - strip_height)[_TOP_PX],
        straighten(rgb, quad + strip_height)[_BOTTOM_PX],
    )
    return [median(strip.reshape(-1, 3).astype(np.float64)) for strip in strips]


class _Ivory:
    """The colour of the faces, as light falls on the nearest of them."""

    def __init__(self, sights: Sequence[NamedDetection]) -> None:
        faces = [s for s in sights if not s.is_blank]
        faces = [s for s in faces if s.classification.confidence >= MIN_FACE_CONFIDENCE]
        self.is_known = len(faces) >= MIN_NEIGHBOURS
        self._places = np.array([s.detection.quad.mean(0) for s in faces])
        self._colour_of = cache(lambda face: ivory_colour(faces[face].crop))

    def distance(self, colour: Float64s, quad: Float32s) -> tuple[float, float]:
        """Return the distance, in brightness and in hue, of the colour (3,) of a quad (4, 2)."""
        distances = np.linalg.norm(self._places - quad.mean(0), axis=1)
        nearest_places = np.argsort(distances)[:MAX_NEIGHBOURS].tolist()
        nearest_colours = np.array([self._colour_of(k) for k in nearest_places])
        return _colour_distance(colour, median(nearest_colours))

    def is_like(self, colour: Float64s, quad: Float32s) -> bool:
        """Whether the colour (3,) of a quad (4, 2) is the faces'."""
        shade, tint = self.distance(colour, quad)
        return shade <= MAX_BRIGHTNESS_DISTANCE and tint <= MAX_HUE_DISTANCE


def _find_blank_tiles(sights: Sequence[NamedDetection]) -> list[_BlankTile]:
    """Return the blank tiles; empty where too few faces show the ivory."""
    blank = [k for k, s in enumerate(sights) if s.is_blank]
    if not blank or not (ivory := _Ivory(sights)).is_known:
        return []
    blank_tiles = []
    for k in blank:
        colour, spread = _middle_colour(sights[k].crop)
        if spread <= MAX_BLANK_SPREAD_LEVELS:
            shade, tint = ivory.distance(colour, sights[k].detection.quad)
            is_off_colour = (shade > MAX_BRIGHTNESS_DISTANCE, tint > MAX_HUE_DISTANCE)
            is_other = all(is_off_colour) or tint > MIN_OTHER_HUE_DISTANCE
            is_burnt = bool(colour.min() >= MIN_BURNT_LEVEL)
            blank_tiles.append(_BlankTile(k, not any(is_off_colour), is_other, is_burnt))
    return blank_tiles


def _colour_distance(colour: Float64s, ivory: Float64s) -> tuple[float, float]:
    """Return the distance of a colour from ivory in brightness and in hue."""
    log_ratios = colour_shift(colour, ivory)
    return float(abs(log_ratios.mean())), float(np.abs(log_ratios - log_ratios.mean()).max())


def colour_shift(colours: Float64s, ivory: Float64s) -> Float64s:
    """Return how colours (..., 3) differ from ivory (3,), as logarithms of their ratios."""
    return np.log((colours + _BLACK_OFFSET_LEVELS) / (ivory + _BLACK_OFFSET_LEVELS))


def ivory_colour(crop: RGB) -> Float64s:
    """Return the colour (3,) of a face where it has no ink."""
    pixels = crop[_FACE_PX].reshape(-1, 3)
    red, green, blue = pixels.T.astype(np.uint16)
    bright = red + green + blue
    rank = math.ceil(_DARKER_SHARE * (len(bright) - 1))
    light = pixels[bright >= np.sort(bright, kind="stable")[rank]]
    return median(light.astype(np.float64))


def _middle_colour(crop: RGB) -> tuple[Float64s, float]:
    """Return the colour (3,) of a crop's middle, and how far the middle differs from it."""
    # NumPy compares rows ten times as fast as three neighbouring numbers.
    colours = np.ascontiguousarray(crop[_MIDDLE_PX].reshape(-1, 3).T, np.float64)
    colour = median(colours.T)
    deviations = np.abs(colours - colour[:, None]).max(0)
    return colour, float(np.percentile(deviations, 90))


def _name_face_down(classification: Classification) -> Classification:
    """Return the classification as face down if it wavers between that and a white dragon."""
    chances = classification.chances
    blank_chance = chances.get(WHITE_DRAGON, 0.0) + chances.get(FACE_DOWN, 0.0)
    if blank_chance < MIN_BLANK_CHANCE:
        return classification
    alternatives = tuple(a for a in chances.items() if a[0] not in BLANK_CODES)
    return _rename(classification, FACE_DOWN, blank_chance, alternatives)


def _doubt(classification: Classification) -> Classification:
    """Return the classification with all names so unlikely that the tile may be anything."""
    share = min(MAX_BURNT_CONFIDENCE / classification.confidence, 1.0)
    alternatives = tuple((a, round(p * share, 4)) for a, p in classification.alternatives)
    confidence = classification.confidence * share
    return _rename(classification, classification.code, confidence, alternatives)


def _name_white_dragon(classification: Classification) -> Classification:
    """Return the classification as a white dragon, or as likely whatever it was."""
    if classification.code == WHITE_DRAGON:
        return classification
    every_name = ((classification.code, classification.confidence), *classification.alternatives)
    other_names = [a for a in every_name if a[0] != WHITE_DRAGON]
    rest = max(sum(chance for _, chance in other_names), 1e-6)
    alternatives = tuple(
        (a, round(p * (1 - BLANK_FACE_CONFIDENCE) / rest, 4)) for a, p in other_names
    )
    return _rename(classification, WHITE_DRAGON, BLANK_FACE_CONFIDENCE, alternatives)


def _rename(
    classification: Classification,
    code: str,
    confidence: float,
    alternatives: tuple[tuple[str, float], ...],
) -> Classification:
    confidence = round(confidence, 4)
    return replace(classification, code=code, confidence=confidence, alternatives=alternatives)
