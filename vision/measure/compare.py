"""Compare a photograph's reading with its labels, tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from vision.labels import LabelledPhoto, LabelledTile
from vision.reading import Quad, TileReading

MIN_SAME_TILE_IOU = 0.5
"""Intersection over union of their boxes from which a read and a labelled tile are the same.
Roughly drawn labels are matched by their centre."""

MIN_LABEL_WITHIN_SHARE, MIN_PRINT_LABEL_IOU = 0.9, 0.3
"""They are also the same if this share of the label lies within the tile read and the overlap
reaches the second value. Many labels enclose only the print, as little as a third of the face."""

_Outcome = Literal["right", "wrong", "missed", "invented"]
"""Found and named right; found and named wrong; labelled only; read only."""


@dataclass(frozen=True, slots=True)
class TileResult:
    """Result for one tile."""

    label: str | None
    """Its label; None for an invented tile."""
    read: str | None
    """The code read; None for a missed tile."""
    confidence: float
    """Confidence of the reading, 0 to 1; 0 for a missed tile."""
    doubtful: bool
    """The player would be asked about it."""
    quad: Quad
    """Where it was read, from its own top left; for a missed tile, its label's quad."""

    @property
    def outcome(self) -> _Outcome:
        """One of `right`, `wrong`, `missed` and `invented`."""
        if self.read is None:
            return "missed"
        if self.label is None:
            return "invented"
        return "right" if self.read == self.label else "wrong"

    @property
    def unflagged_error(self) -> bool:
        """Whether it is an error that nobody is asked about, as all missed tiles are."""
        return self.outcome != "right" and not self.doubtful


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """Result for one photograph."""

    path: Path
    kind: Literal["photo", "crop"]
    tiles: tuple[TileResult, ...]
    ms: float
    group: str = ""
    """Its tile set, table or session."""
    tile_width: float = 0.0
    """Median width of its labelled tiles in pixels; 0 without any."""
    is_miscounted: bool = False
    """The player would be told that the hand has a tile too few or too many."""

    def count(self, *outcomes: _Outcome) -> int:
        """Return the number of tiles with one of these outcomes."""
        return sum(tile.outcome in outcomes for tile in self.tiles)

    @property
    def all_right(self) -> bool:
        """Whether every tile was found and named right, and none invented."""
        return self.count("right") == len(self.tiles)

    @property
    def questions(self) -> int:
        """Number of its tiles that would be asked about."""
        return sum(tile.doubtful for tile in self.tiles)

    @property
    def unflagged_errors(self) -> int:
        """Number of errors that would not be asked about."""
        return sum(tile.unflagged_error for tile in self.tiles)

    @property
    def confusions(self) -> tuple[tuple[str, str], ...]:
        """Labelled and read code of every tile named wrong."""
        pairs = [(t.label, t.read) for t in self.tiles if t.label and t.read]
        return tuple((label, read) for label, read in pairs if label != read)

    @property
    def confidences(self) -> tuple[tuple[float, bool], ...]:
        """Stated confidence of every tile found, and whether its name was right."""
        return tuple((t.confidence, t.read == t.label) for t in self.tiles if t.read and t.label)


def compare(photo: LabelledPhoto, read: Sequence[TileReading], ms: float) -> PhotoResult:
    """Match read tiles to labels, best overlap first, each at most once.

    A tile read in an unlabelled part does not count.
    """
    quads = [np.asarray(tile.quad, np.float32) for tile in read]
    label_of = {j: photo.tiles[i] for i, j in match_tiles(photo, quads)}
    matched_labels = set(label_of.values())
    missed_tiles = [
        _to_missed_result(label) for label in photo.tiles if label not in matched_labels
    ]
    read_tiles = [
        _to_read_result(tile, label_of[j].code if j in label_of else None)
        for j, tile in enumerate(read)
        if j in label_of or photo.is_known(*quads[j].mean(0))
    ]
    widths = [_label_width(label) for label in photo.tiles]
    return PhotoResult(
        path=photo.path,
        kind=photo.kind,
        tiles=(*read_tiles, *missed_tiles),
        ms=ms,
        group=photo.group,
        tile_width=float(np.median(widths)) if widths else 0.0,
    )


def _to_read_result(tile: TileReading, label: str | None) -> TileResult:
    return TileResult(label, tile.code, tile.confidence, tile.doubtful, tile.quad)


def _to_missed_result(label: LabelledTile) -> TileResult:
    a, b, c, d = ((float(x), float(y)) for x, y in label.quad)
    return TileResult(label.code, None, 0.0, False, (a, b, c, d))


def _label_width(label: LabelledTile) -> float:
    """Return the shorter side; too large for an upright box around a turned tile."""
    sides = np.linalg.norm(label.quad - np.roll(label.quad, -1, axis=0), axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def match_tiles(
    photo: LabelledPhoto, quads: Sequence[npt.NDArray[np.float32]]
) -> list[tuple[int, int]]:
    """Return pairs of positions: labelled tile and matching quad (4, 2)."""
    if photo.kind == "crop":
        return [(0, 0)] if photo.tiles and len(quads) else []
    overlaps = [
        (_match_score(label, quad), i, j)
        for i, label in enumerate(photo.tiles)
        for j, quad in enumerate(quads)
    ]
    pairs: list[tuple[int, int]] = []
    for overlap, i, j in sorted(overlaps, reverse=True):
        if overlap < MIN_SAME_TILE_IOU:
            break
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def _match_score(label: LabelledTile, quad: npt.NDArray[np.float32]) -> float:
    """Return how certain it is that they are the same tile, 0 to 1."""
    low, high = label.quad.min(0), label.quad.max(0)
    if label.approximate:
        centre = quad.mean(0)
        offsets = np.abs(centre - (low + high) / 2) / (high - low)
        return float(1 - offsets.max()) if (offsets < 0.5).all() else 0.0
    common_size = np.minimum(high, quad.max(0)) - np.maximum(low, quad.min(0))
    if (common_size <= 0).any():
        return 0.0
    overlap_area, label_area = common_size.prod(), (high - low).prod()
    overlap = float(overlap_area / (label_area + np.ptp(quad, axis=0).prod() - overlap_area))
    is_print = (
        overlap_area >= MIN_LABEL_WITHIN_SHARE * label_area and overlap >= MIN_PRINT_LABEL_IOU
    )
    return max(overlap, MIN_SAME_TILE_IOU) if is_print else overlap
