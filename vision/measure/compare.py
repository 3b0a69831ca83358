"""One photograph's reading beside its labels: what became of every tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from vision.labels import LabelledPhoto, LabelledTile
from vision.reading import Quad, TileReading

SAME_TILE = 0.5
"""A tile read and a tile labelled are the same when their boxes' overlap, as intersection over
union, reaches this; labels drawn roughly are matched by their centre."""

WITHIN, PRINT = 0.9, 0.3
"""Or when so much of the label lies within the tile read and the overlap reaches the second: many
labels are drawn around a tile's print alone, as little as a third of the box of its face."""

_Outcome = Literal["right", "wrong", "missed", "invented"]
"""Found and named rightly; found and named wrongly; labelled only; read only."""


@dataclass(frozen=True, slots=True)
class TileResult:
    """What became of one tile."""

    label: str | None
    """What it is; None of a tile invented."""
    read: str | None
    """What it was read as; None of a tile missed."""
    confidence: float
    """Of the reading, 0 to 1; 0 of a tile missed."""
    doubtful: bool
    """The player would be asked about it."""
    quad: Quad
    """Where it was read, from its own top left; of a tile missed, where it is labelled."""

    @property
    def outcome(self) -> _Outcome:
        """What it comes to."""
        if self.read is None:
            return "missed"
        if self.label is None:
            return "invented"
        return "right" if self.read == self.label else "wrong"

    @property
    def unflagged_error(self) -> bool:
        """Wrong, and nobody would be asked: of a tile missed nobody ever is."""
        return self.outcome != "right" and not self.doubtful


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """How one photograph was read."""

    path: Path
    kind: Literal["photo", "crop"]
    tiles: tuple[TileResult, ...]
    ms: float
    group: str = ""
    """The set, table or session that it belongs to."""
    tile_width: float = 0.0
    """Median width of its labelled tiles, pixels; 0 without any."""
    miscounted: bool = False
    """The player would be told that the hand holds a tile too few or too many."""

    def count(self, *outcomes: _Outcome) -> int:
        """Return how many tiles came to one of these."""
        return sum(tile.outcome in outcomes for tile in self.tiles)

    @property
    def all_right(self) -> bool:
        """Every tile found and named rightly, none invented."""
        return self.count("right") == len(self.tiles)

    @property
    def questions(self) -> int:
        """How many of its tiles, found or invented, would be asked about."""
        return sum(tile.doubtful for tile in self.tiles)

    @property
    def unflagged_errors(self) -> int:
        """Tiles missed, invented, or named wrongly without being doubtful."""
        return sum(tile.unflagged_error for tile in self.tiles)

    @property
    def confusions(self) -> tuple[tuple[str, str], ...]:
        """Labelled and read code of every tile named wrongly."""
        found = [(t.label, t.read) for t in self.tiles if t.label and t.read]
        return tuple((label, read) for label, read in found if label != read)

    @property
    def confidences(self) -> tuple[tuple[float, bool], ...]:
        """Stated confidence of every tile found, and whether its name was right."""
        return tuple((t.confidence, t.read == t.label) for t in self.tiles if t.read and t.label)


def compare(photo: LabelledPhoto, read: Sequence[TileReading], ms: float) -> PhotoResult:
    """Match the tiles read to the tiles labelled, best overlap first, each at most once.

    A tile read where the labels tell of nothing does not count.
    """
    quads = [np.asarray(tile.quad, np.float32) for tile in read]
    label_of = {j: photo.tiles[i] for i, j in match_tiles(photo, quads)}
    found = set(label_of.values())
    missed = [_missed(label) for label in photo.tiles if label not in found]
    known = [
        _read(tile, label_of[j].code if j in label_of else None)
        for j, tile in enumerate(read)
        if j in label_of or photo.is_known(*quads[j].mean(0))
    ]
    widths = [_width(label) for label in photo.tiles]
    return PhotoResult(
        path=photo.path,
        kind=photo.kind,
        tiles=(*known, *missed),
        ms=ms,
        group=photo.group,
        tile_width=float(np.median(widths)) if widths else 0.0,
    )


def _read(tile: TileReading, label: str | None) -> TileResult:
    return TileResult(label, tile.code, tile.confidence, tile.doubtful, tile.quad)


def _missed(label: LabelledTile) -> TileResult:
    a, b, c, d = ((float(x), float(y)) for x, y in label.quad)
    return TileResult(label.code, None, 0.0, False, (a, b, c, d))


def _width(label: LabelledTile) -> float:
    """Return the shorter side; of an upright box around a tile that lies askew, it is too much."""
    sides = np.linalg.norm(label.quad - np.roll(label.quad, -1, axis=0), axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def match_tiles(
    photo: LabelledPhoto, quads: Sequence[npt.NDArray[np.float32]]
) -> list[tuple[int, int]]:
    """Return which labelled tile is which quad (4, 2): pairs of positions."""
    if photo.kind == "crop":
        return [(0, 0)] if photo.tiles and len(quads) else []
    overlaps = [
        (_likeness(label, quad), i, j)
        for i, label in enumerate(photo.tiles)
        for j, quad in enumerate(quads)
    ]
    pairs: list[tuple[int, int]] = []
    for overlap, i, j in sorted(overlaps, reverse=True):
        if overlap < SAME_TILE:
            break
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def _likeness(label: LabelledTile, quad: npt.NDArray[np.float32]) -> float:
    """Return how surely they are the same tile, 0 to 1."""
    low, high = label.quad.min(0), label.quad.max(0)
    if label.approximate:
        centre = quad.mean(0)
        off = np.abs(centre - (low + high) / 2) / (high - low)
        return float(1 - off.max()) if (off < 0.5).all() else 0.0
    shared = np.minimum(high, quad.max(0)) - np.maximum(low, quad.min(0))
    if (shared <= 0).any():
        return 0.0
    both, label_area = shared.prod(), (high - low).prod()
    overlap = float(both / (label_area + np.ptp(quad, axis=0).prod() - both))
    is_print = both >= WITHIN * label_area and overlap >= PRINT
    return max(overlap, SAME_TILE) if is_print else overlap
