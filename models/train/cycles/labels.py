"""A picture's line of labels: the format of `vision.labels`, and what the hand is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from models.train.cycles.camera import View
from models.train.cycles.layouts import Laid
from models.train.cycles.spots import Shape, Spot, corners

MIN_VISIBLE_SHARE = 0.45
"""A tile that shows less is neither asked for nor wrong to find."""
BACK_CODE = "BACK"


def label_line(
    name: str, case: str, style: str, laid: Laid, seen: tuple[Shape, View, Sequence[float]]
) -> str:
    """Return the line; `seen` are the bodies' shape, the view and each tile's visible share."""
    shape, view, visible = seen
    line = {
        "file": name,
        "w": view.size[0],
        "h": view.size[1],
        "complete": True,
        "case": case,
        "style": style,
        "hands": dict(laid.hands),
        "tiles": [
            tile
            for spot, share in zip(laid.spots, visible, strict=True)
            if (tile := _tile(spot, shape, view, share))
        ],
    }
    return json.dumps(line, ensure_ascii=False)


def _tile(spot: Spot, shape: Shape, view: View, share: float) -> dict[str, Any] | None:
    if share == 0.0:
        return None
    quad = view.project(corners(spot, shape))
    return {
        "code": BACK_CODE if spot.down else spot.code,
        "face": spot.code,
        "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in quad],
        "up": 0,
        "part": spot.part,
        "set": spot.group,
        "won": spot.won,
        "owner": spot.owner,
        "degrees": spot.degrees,
        "ignore": share < MIN_VISIBLE_SHARE,
    }
