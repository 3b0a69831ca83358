"""Read from a rendered picture's label where each tile lies, and to which hand it belongs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import FACE_DOWN
from vision.labels import FACE_DOWN_LABEL
from vision.reading import Quad, RowName

Corners = npt.NDArray[np.float32]

MIN_SHARED_AREA = 0.4
"""A tile read and a tile that lies there are one when they share so much of what both cover."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueTile:
    """One tile as it lies."""

    code: str
    """What is seen of it: `??` where it lies face down."""
    face: str
    """What it is."""
    quad: Corners
    """(4, 2) pixels, from its own top left."""
    row: RowName | None
    """None for a tile of no hand."""
    group: int
    """Number of its set in the hand."""
    won: bool = False
    owner: str = ""
    """The side of the picture whose hand it is of; empty for a tile of none."""
    ignore: bool = False
    """Half hidden: neither to be found nor wrong to find."""

    @property
    def width(self) -> float:
        """Mean of its shorter sides, pixels."""
        sides = np.linalg.norm(self.quad - np.roll(self.quad, -1, axis=0), axis=1)
        return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One picture."""

    path: Path
    kind: str
    style: str
    hands: dict[str, str]
    """Hand texts by the owner's side; empty for a picture of no hand."""
    tiles: tuple[TrueTile, ...] = field(default=())


def read_cases(folder: Path) -> Iterator[Case]:
    """Yield the pictures of a folder; raise FileNotFoundError without its `labels.jsonl`."""
    text = (folder / "labels.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        row = json.loads(line)
        tiles = tuple(_tile(tile) for tile in row["tiles"])
        yield Case(folder / row["file"], row["case"], row["style"], row["hands"], tiles)


def _tile(row: dict[str, Any]) -> TrueTile:
    return TrueTile(
        code=FACE_DOWN if row["code"] == FACE_DOWN_LABEL else row["code"],
        face=row["face"],
        quad=np.asarray(row["quad"], np.float32),
        row=None if row["part"] == "other" else row["part"],
        group=row["set"],
        won=row["won"],
        owner=row["owner"],
        ignore=row["ignore"],
    )


def match_tiles(tiles: Sequence[TrueTile], quads: Sequence[Quad]) -> dict[int, int]:
    """Return which quad is which tile: its place among `quads` to the tile's among `tiles`."""
    read = [np.asarray(quad, np.float32) for quad in quads]
    pairs = sorted(
        ((overlap_share(tile.quad, quad), i, j) for i, tile in enumerate(tiles)
         for j, quad in enumerate(read) if _distance(tile.quad, quad)),
        reverse=True,
    )  # fmt: skip
    matches: dict[int, int] = {}
    for share, i, j in pairs:
        if share >= MIN_SHARED_AREA and j not in matches and i not in matches.values():
            matches[j] = i
    return matches


def _distance(corners: Corners, other: Corners) -> bool:
    return bool((corners.min(0) < other.max(0)).all() and (other.min(0) < corners.max(0)).all())


def overlap_share(corners: Corners, other: Corners) -> float:
    """Return how much of what two quads cover both cover, 0 to 1."""
    intersection, _ = cv2.intersectConvexConvex(cv2.convexHull(corners), cv2.convexHull(other))
    areas = cv2.contourArea(cv2.convexHull(corners)) + cv2.contourArea(cv2.convexHull(other))
    return float(intersection / max(areas - intersection, 1e-6))


def corner_error(tile: TrueTile, quad: Quad) -> float:
    """Return the mean distance of corresponding corners in tile widths, whichever way is up."""
    read = np.asarray(quad, np.float32)
    errors = [np.linalg.norm(np.roll(read, k, axis=0) - tile.quad, axis=1).mean() for k in range(4)]
    return float(min(errors)) / tile.width
