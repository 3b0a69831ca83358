"""Which side of its rows a hand's owner sits at."""

from __future__ import annotations

from vision.geometry.plane import Plane
from vision.preprocess import Float64s

CLEAR_MAJORITY = 2 / 3
"""Share of a row's tiles that must be the same way up to say which way that is: many faces look
alike either way up, and few people turn all their tiles."""

SWEEPING_MAJORITY = 3 / 4
"""The same where the view is so oblique that the camera is at the owner's side, and says otherwise:
a careless player may turn two tiles in three, and half of the faces look much alike either way."""

TILTED = 0.012
"""Growth of tiles towards the camera, a share of their size for every tile width, from which the
view is so oblique that the camera must be at the owner's side."""

UPRIGHT = 0.7
"""The photograph is held upright whose lower edge lies along the rows within 45 degrees: of that
edge's direction, of length 1, the part across them."""


def which_way_up(right: Float64s, plane: Plane) -> tuple[bool, bool]:
    """Return whether the owner sits below the rows, and whether that is clear.

    `right` (N, 2): the own direction of each of the hand's tiles, in the rows' coordinates. The
    tiles themselves say which way they lie. Where they lie both ways, or an oblique view belies
    most but not nearly all of them, that view is one from the owner's seat; failing that, the
    photograph is held as the owner sees it. That last is a guess, and never clear: no quarter turn
    of a photograph may make the hand in it any clearer.
    """
    votes = float((right[:, 0] > 0).mean()) if len(right) else 0.5
    oblique, below = abs(plane.near[1]) >= TILTED, bool(plane.near[1] > 0)
    against = oblique and below != (votes > 0.5)
    if max(votes, 1 - votes) >= (SWEEPING_MAJORITY if against else CLEAR_MAJORITY):
        return votes > 0.5, True
    if oblique:
        return below, (votes if below else 1 - votes) >= 0.5
    if abs(plane.held[1]) >= UPRIGHT:
        return bool(plane.held[1] > 0), False
    return votes > 0.5, False
