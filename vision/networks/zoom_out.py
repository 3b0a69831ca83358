"""Find tiles too large for the first look by showing the locator a smaller picture.

A beginner points the phone at a single tile. It is then larger than any that the locator learned.
The locator finds nothing, or takes circles and strokes for tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scorer.tiles import CODES, Tile, copies_in_set
from vision.networks.classifier import Classification
from vision.networks.locator import MAX_SHARED_AREA, Detection, shared_area
from vision.preprocess import RGB, Float32s
from vision.reading import BLANK_CODES

MIN_SURE_TILES = 8
"""From this number of confident tiles there is no doubt: so many large tiles do not fit in a
photo."""

MAX_PART_AREA_SHARE = 0.25
"""A detection inside a tile is part of it if its area is below this share. Tiles of a photograph
have about the same size."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedDetection:
    """A detection with its classification."""

    detection: Detection
    classification: Classification
    """What it shows."""
    crop: RGB
    """The straightened tile."""
    is_reviewed: bool = False
    """Doubtful, and already looked at a second time."""
    is_relevant: bool = True
    """Worth a second look, because it may belong to the hand."""
    look_group: int = 0
    """Number of the photograph's group of tiles that look like this one; 0 for none."""
    lone_confidence: float | None = None
    """Confidence by its look, where the photograph's other tiles or its print were weighed, too."""
    print_odds: float = 1.0
    """How many times its print raised the odds of its name."""
    is_read: bool = False
    """Its print has been weighed."""

    @property
    def chance(self) -> float:
        """Chance that it is a tile, 0 to 1, by both networks."""
        return self.detection.score * self.classification.tile_chance

    def upright_quad(self, further: int = 0) -> Float32s:
        """Return the quad (4, 2) from the tile's own upper left, or `further` quarters on."""
        return np.roll(self.detection.quad, -self.classification.quarter_turns - further, axis=0)

    @property
    def is_blank(self) -> bool:
        """Whether nothing is on it: a blank white dragon, or a tile that lies face down."""
        return self.classification.code in BLANK_CODES

    @property
    def area(self) -> float:
        """Area in square pixels of the photograph."""
        return float(cv2.contourArea(self.detection.quad))


def may_be_parts(sights: Sequence[NamedDetection], gate: float) -> bool:
    """Return whether the few confident tiles may be parts of larger ones.

    A face counts at most as often as a set has it, because the circles of one tile all look like
    the 1 of circles.
    """
    sure = Counter(s.classification.code for s in sights if s.classification.confidence >= gate)
    return sum(min(count, _set_count(code)) for code, count in sure.items()) < MIN_SURE_TILES


def _set_count(code: str) -> int:
    """Return how many of a face a set has; for face-down tiles and jokers, any number."""
    return copies_in_set(Tile.parse(code)) if code in CODES else MIN_SURE_TILES


def drop_parts(sights: Sequence[NamedDetection], gate: float) -> list[NamedDetection]:
    """Return each tile once, most likely first, without the parts of tiles.

    A part may be more confident than its tile, for example a large circle. So it is dropped if the
    tile's name is beyond doubt. But if confident parts show different faces, the tile may be a
    group of small ones.
    """
    distinct_sights: list[NamedDetection] = []
    sure = [s for s in sights if s.classification.confidence >= gate]
    whole_tiles = [
        s for s in sure if len({p.classification.code for p in sure if _is_part(p, s)}) <= 1
    ]
    for sight in sorted(sights, key=lambda s: -s.chance):
        is_part = any(_is_part(sight, tile) for tile in whole_tiles)
        if not is_part and not any(_overlap(sight, other) for other in distinct_sights):
            distinct_sights.append(sight)
    return distinct_sights


def _is_part(a: NamedDetection, b: NamedDetection) -> bool:
    return a.area < MAX_PART_AREA_SHARE * b.area and _overlap(a, b)


def _overlap(a: NamedDetection, b: NamedDetection) -> bool:
    return shared_area(a.detection.quad, b.detection.quad) > MAX_SHARED_AREA
