"""Labelled photographs: the format of the marked tiles used for training and measuring.

One JSON object per line; `../shared/data/tiles/README.md` describes the fields.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scorer.tiles import FACE_DOWN

PixelBox = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels."""

FACE_DOWN_LABEL = "BACK"
"""Code that the labels use for a face-down tile."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTile:
    """A tile in a photograph."""

    code: str
    """A tile code, or `??` for one lying face down."""
    quad: npt.NDArray[np.float32]
    """Shape (4, 2), in pixels. An upright box around the tile, unless `exact`."""
    exact: bool
    """The quad is the outline of the face and starts at the face's own top left."""
    approximate: bool
    """The label is drawn roughly, so it is matched by its centre."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPhoto:
    """A photograph with its tiles."""

    path: Path
    kind: Literal["photo", "crop"]
    roi: PixelBox
    """Outside this box there may be tiles without labels."""
    tiles: tuple[LabelledTile, ...]
    unlabelled_boxes: tuple[PixelBox, ...] = ()
    """Parts of `roi` that contain tiles without labels."""
    group: str = ""
    """Name of its scene; if the labels name none, of its tile set or session."""

    def is_known(self, x: float, y: float) -> bool:
        """Return whether a tile at this point would have a label."""
        return _is_inside(x, y, self.roi) and not any(
            _is_inside(x, y, box) for box in self.unlabelled_boxes
        )


def _is_inside(x: float, y: float, box: PixelBox) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def read_labels(labels: Path, photos: Path | None = None) -> list[LabelledPhoto]:
    """Return the photographs that a label file names, in its order.

    Image files lie under `photos`, or beside the label file. Raises FileNotFoundError if the label
    file is missing. Raises ValueError, with the line number, for a line that is not a label, and
    for a file without photographs.
    """
    folder = photos or labels.parent
    photos_of_file = []
    for number, line in enumerate(labels.read_text(encoding="utf-8").splitlines(), 1):
        try:
            photos_of_file.append(_parse_photo(json.loads(line), folder))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{labels}, line {number}: not a label ({error})") from error
    if not photos_of_file:
        raise ValueError(f"{labels} names no photographs.")
    return photos_of_file


def _parse_photo(row: dict[str, Any], folder: Path) -> LabelledPhoto:
    x0, y0, x1, y1 = full = (0, 0, row["w"], row["h"])
    if row.get("complete") is not True:
        x0, y0, x1, y1 = row.get("roi", full)
    return LabelledPhoto(
        path=folder / row["file"],
        kind=row.get("kind", "photo"),
        roi=(x0, y0, x1, y1),
        tiles=tuple(_parse_tile(tile) for tile in row["tiles"] if not tile.get("ignore")),
        unlabelled_boxes=tuple((a, b, c, d) for a, b, c, d in row.get("unlabelled", ())),
        group=str(row.get("scene") or row.get("group") or ""),
    )


def _parse_tile(tile: dict[str, Any]) -> LabelledTile:
    return LabelledTile(
        code=FACE_DOWN if tile["code"] == FACE_DOWN_LABEL else tile["code"],
        quad=np.asarray(tile["quad"], np.float32).reshape(4, 2),
        exact=tile.get("up") == 0,
        approximate=bool(tile.get("approx")),
    )
