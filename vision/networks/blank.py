"""Tell a blank white dragon from a face-down tile by the tiles around it.

Both are plain, and a crop alone may be either. The faces of a set share one ivory, and its backs
share one colour. A plain tile of its neighbours' ivory is therefore more likely a face. The player
is still asked: some backs are as white as the faces, and squares of cloth can look like backs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorer.tiles import FACE_DOWN, Tile, copies_in_set
from vision.networks.classify import Named
from vision.networks.stepping_back import Sight
from vision.preprocess import RGB, Float32s

WHITE = "DW"

PLAIN = 30.0
"""A blank tile's middle differs from its own colour by at most this (90th percentile, levels of
255). Three in four labelled backs keep to it. No framed white dragon is below 50 unless glare burns
it out."""

TINT, SHADE = 0.1, 0.35
"""A tile has its neighbours' ivory within these distances of hue and of brightness, as logarithms.
Hue is the greatest change of one colour against the others. Framed white dragons of the labelled
photographs stay within 0.1 and 0.3 unless badly lit. Their backs differ by 0.16 to 2 in hue."""

NEIGHBOURS, FEWEST = 6, 4
"""The nearest faces determine the ivory, because light falls off; fewer than the minimum tell
nothing."""

OPEN = 0.5
"""Confidence that a blank tile of its neighbours' ivory is a face."""

LIKELY = 0.5
"""Confidence from which a named tile counts as a face, whichever it is."""

_MIDDLE = (slice(20, 60), slice(14, 50))
"""Rows and columns where a frame or a sign would have ink and no neighbour shows."""
_FACE = (slice(12, 68), slice(9, 55))
_LIGHT_PART = 70
"""Percentile of a face's brightness above which nothing is ink."""
_BLACK = 8.0
"""Added to all colours, so that dark noise has no hue."""


FAR = 0.2
"""From this hue distance a tile has another colour for certain. So it has when both hue and
brightness differ, as for all labelled backs except those as white as faces."""

EITHER = 0.9
"""A colour decides only if the tile is blank, on either side, with at least this chance."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """A tile with nothing on it."""

    place: int
    is_ivory: bool
    is_other: bool
    """Its colour is clearly different, so it lies face down."""


def whites_told(sights: Sequence[Sight]) -> list[Sight]:
    """Return the detections with blank tiles named by comparing them to the other tiles' ivory."""
    told = list(sights)
    plain = _plain(sights)
    for tile in plain:
        if tile.is_other:
            told[tile.place] = replace(sights[tile.place], named=_as_back(sights[tile.place].named))
    white = [tile.place for tile in plain if tile.is_ivory]
    if len(white) > copies_in_set(Tile.parse(WHITE)):
        return told  # more than a set has: a wall of white backs
    for place in white:
        told[place] = replace(sights[place], named=_as_white(sights[place].named))
    return told


def _plain(sights: Sequence[Sight]) -> list[_Plain]:
    """Return the blank tiles; empty where too few faces show the ivory."""
    blank = [k for k, s in enumerate(sights) if s.named.code in (WHITE, FACE_DOWN)]
    faces = [
        s for s in sights if s.named.code not in (WHITE, FACE_DOWN) and s.named.confidence >= LIKELY
    ]
    if not blank or len(faces) < FEWEST:
        return []
    places = np.array([s.located.quad.mean(0) for s in faces])
    ivories = np.array([_light(s.crop) for s in faces])
    found = []
    for k in blank:
        colour, spread = _colour(sights[k].crop)
        if spread <= PLAIN:
            away = np.linalg.norm(places - sights[k].located.quad.mean(0), axis=1)
            ivory = np.median(ivories[np.argsort(away)[:NEIGHBOURS]], axis=0)
            shade, tint = _off(colour, ivory)
            off = (shade > SHADE, tint > TINT)
            found.append(_Plain(k, not any(off), all(off) or tint > FAR))
    return found


def _off(colour: Float32s, ivory: Float32s) -> tuple[float, float]:
    """Return the distance of a colour from ivory in brightness and in hue."""
    off = np.log((colour + _BLACK) / (ivory + _BLACK))
    return float(abs(off.mean())), float(np.abs(off - off.mean()).max())


def _light(crop: RGB) -> Float32s:
    """Return the colour (3,) of a face where it has no ink."""
    pixels = crop[_FACE].reshape(-1, 3).astype(np.float32)
    bright = pixels.mean(1)
    return np.asarray(np.median(pixels[bright >= np.percentile(bright, _LIGHT_PART)], 0))


def _colour(crop: RGB) -> tuple[Float32s, float]:
    """Return the colour (3,) of a crop's middle, and how far the middle differs from it."""
    pixels = crop[_MIDDLE].reshape(-1, 3).astype(np.float32)
    colour = np.asarray(np.median(pixels, 0))
    return colour, float(np.percentile(np.abs(pixels - colour).max(1), 90))


def _as_back(named: Named) -> Named:
    """Return the classification as face down if it wavers between that and a white dragon."""
    chances = {named.code: named.confidence, **dict(named.alternatives)}
    either = chances.get(WHITE, 0.0) + chances.get(FACE_DOWN, 0.0)
    if either < EITHER:
        return named
    others = [a for a in chances.items() if a[0] not in (WHITE, FACE_DOWN)]
    return replace(named, code=FACE_DOWN, confidence=round(either, 4), alternatives=tuple(others))


def _as_white(named: Named) -> Named:
    """Return the classification as a white dragon that must be asked about."""
    if named.code == WHITE:
        return named
    others = [a for a in ((named.code, named.confidence), *named.alternatives) if a[0] != WHITE]
    rest = sum(chance for _, chance in others)
    shrunk = tuple((code, round(p * (1 - OPEN) / max(rest, 1e-6), 4)) for code, p in others)
    return replace(named, code=WHITE, confidence=OPEN, alternatives=shrunk)
