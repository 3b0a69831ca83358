"""The four corners of a tile's face or back."""

from __future__ import annotations

import numpy as np

from models.train.render.scene import Floats, Solid

_CORNERS = np.array(((-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)))
"""Top left, top right, bottom right, bottom left, as one looks at the face."""


def face_points(solid: Solid, places: Floats, back: bool = False) -> Floats:
    """Return world points (N, 3) at `places` (N, 2), each from -1 to 1, of the face or the back.

    Of the back, places count from its own left, as one looks at it.
    """
    half = np.array(solid.size) / 2
    side = -1.0 if back else 1.0
    local = np.column_stack((places * (side, 1.0), np.full(len(places), side))) * half
    return np.asarray(solid.centre + local @ solid.axes)


def face_corners(solid: Solid, back: bool = False) -> Floats:
    """Return (4, 3): the corners, clockwise from the tile's own top left, as if not rounded."""
    return face_points(solid, _CORNERS, back)
