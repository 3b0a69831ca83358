"""Tell a blank white dragon from a tile lying face down, by the tiles about it.

Both are plain, and one crop by itself may be either. But a set's faces are all of one ivory, and
its backs all of one colour: what is plain and of its neighbours' ivory is more likely a face. The
player is asked all the same: some sets' backs are as white as their faces, and squares of a cloth
can pass for backs of another colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorer.tiles import FACE_DOWN, Tile, copies
from vision.networks.classify import Named
from vision.networks.stepping_back import Sight
from vision.preprocess import RGB, Float32s

WHITE = "DW"

PLAIN = 30.0
"""Greatest difference from its own colour, in levels of 255, of nine tenths of a blank tile's
middle. Of the labelled photographs' backs three in four keep to it; no framed white dragon has
under 50 but one that glare burns out."""

TINT, SHADE = 0.1, 0.35
"""How far a tile's colour may lie from its neighbours' ivory and still be it: by its hue, the
greatest part of one colour against the others, and by its brightness; as logarithms. Framed white
dragons of the labelled photographs keep within 0.1 and 0.3 of it but for the worst lit, while their
backs are 0.16 to 2 off in hue."""

NEIGHBOURS, FEWEST = 6, 4
"""The nearest faces tell the ivory, since light falls off; fewer say nothing."""

OPEN = 0.5
"""How sure a blank tile of its neighbours' ivory is a face."""

LIKELY = 0.5
"""How sure a name must be for its tile to be a face: which face is all one here."""

_MIDDLE = (slice(20, 60), slice(14, 50))
"""Where a frame or a sign has ink, if anywhere, and no neighbour shows."""
_FACE = (slice(12, 68), slice(9, 55))
_LIGHT_PART = 70
"""Percentile of a face's brightness above which nothing is ink."""
_BLACK = 8.0
"""Levels added to all colours, so that dark noise is no hue."""


FAR = 0.2
"""From this far off in hue it is another colour for certain; so it is where hue and brightness are
off both, as of all the labelled photographs' backs but those as white as faces."""

EITHER = 0.9
"""How sure it must be that a tile is blank, whichever side is up, for its colour to decide."""


@dataclass(frozen=True, slots=True)
class _Plain:
    """A tile with nothing on it."""

    place: int
    is_ivory: bool
    is_other: bool
    """Whether it is of quite another colour: it lies face down."""


def whites_told(sights: Sequence[Sight]) -> list[Sight]:
    """Return what was seen, blank tiles named by whether they are of the other tiles' ivory."""
    told = list(sights)
    plain = _plain(sights)
    for tile in plain:
        if tile.is_other:
            told[tile.place] = replace(sights[tile.place], named=_as_back(sights[tile.place].named))
    white = [tile.place for tile in plain if tile.is_ivory]
    if len(white) > copies(Tile.parse(WHITE)):
        return told  # so many are a wall of white backs
    for place in white:
        told[place] = replace(sights[place], named=_as_white(sights[place].named))
    return told


def _plain(sights: Sequence[Sight]) -> list[_Plain]:
    """Return the blank tiles; none where too few faces tell what ivory is."""
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
    """Return how far a colour lies from ivory in brightness and in hue."""
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
    """Return a name that is face down where the network wavers between that and a white dragon."""
    chances = {named.code: named.confidence, **dict(named.alternatives)}
    either = chances.get(WHITE, 0.0) + chances.get(FACE_DOWN, 0.0)
    if either < EITHER:
        return named
    others = [a for a in chances.items() if a[0] not in (WHITE, FACE_DOWN)]
    return replace(named, code=FACE_DOWN, confidence=round(either, 4), alternatives=tuple(others))


def _as_white(named: Named) -> Named:
    """Return a blank face's name: a white dragon's, and to be asked about."""
    if named.code == WHITE:
        return named
    others = [a for a in ((named.code, named.confidence), *named.alternatives) if a[0] != WHITE]
    rest = sum(chance for _, chance in others)
    shrunk = tuple((code, round(p * (1 - OPEN) / max(rest, 1e-6), 4)) for code, p in others)
    return replace(named, code=WHITE, confidence=OPEN, alternatives=shrunk)
