"""Tiles too large for the locator at the first look: the photograph is shown to it smaller.

Whoever learns the tiles points the phone at one of them. In the locator's usual picture such a tile
is larger than any that it learned, so it finds nothing, or takes circles and strokes for tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2

from scorer.tiles import CODES, Tile, copies
from vision.networks.classify import Named
from vision.networks.locate import OVERLAP, Located, shared_area
from vision.preprocess import RGB

FEWEST = 8
"""Tiles read surely that leave no doubt: so many do not fit into a photograph when they are too
large for the first look."""

PART = 0.25
"""Share of a tile's area below which what lies in it is a part of it: the tiles of a photograph are
about as large as one another."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What both networks say of one find."""

    located: Located
    named: Named
    """What it shows."""
    crop: RGB
    """It, straightened."""
    again: bool = False
    """Whether it was in doubt and has been looked at a second time."""
    matters: bool = True
    """Whether it is worth that: it may be one of a hand's tiles."""

    @property
    def chance(self) -> float:
        """Whether it is a tile, 0 to 1: what both networks together say."""
        return self.located.score * self.named.tile_chance

    @property
    def area(self) -> float:
        """In square pixels of the photograph."""
        return float(cv2.contourArea(self.located.quad))


def may_be_parts(sights: Sequence[Sight], gate: float) -> bool:
    """Whether a photograph shows so few sure tiles that they may be parts of larger ones.

    Of one face no more count than a tile set has: the circles of a tile all look like the 1 of
    circles.
    """
    sure = Counter(s.named.code for s in sights if s.named.confidence >= gate)
    return sum(min(count, _held(code)) for code, count in sure.items()) < FEWEST


def _held(code: str) -> int:
    """Return how many of a face a set holds; of those face down and of jokers, any number."""
    return copies(Tile.parse(code)) if code in CODES else FEWEST


def whole_tiles(sights: Sequence[Sight], gate: float) -> list[Sight]:
    """Return each tile once, the likeliest first; the parts of a tile give way to it.

    A part may be surer than its tile, a large circle above all. So it gives way, however sure, to a
    tile whose name is beyond doubt; unless sure parts show different faces, for then the tile may
    be a group of small ones.
    """
    kept: list[Sight] = []
    sure = [s for s in sights if s.named.confidence >= gate]
    whole = [s for s in sure if len({p.named.code for p in sure if _is_part(p, s)}) <= 1]
    for sight in sorted(sights, key=lambda s: -s.chance):
        within = any(_is_part(sight, tile) for tile in whole)
        if not within and not any(_meet(sight, other) for other in kept):
            kept.append(sight)
    return kept


def _is_part(a: Sight, b: Sight) -> bool:
    return a.area < PART * b.area and _meet(a, b)


def _meet(a: Sight, b: Sight) -> bool:
    return shared_area(a.located.quad, b.located.quad) > OVERLAP
