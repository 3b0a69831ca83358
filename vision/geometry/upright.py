"""Decide at which side of the rows the hand's owner sits."""

from __future__ import annotations

from vision.geometry.plane import Plane
from vision.preprocess import Float64s

CLEAR_MAJORITY = 2 / 3
"""Share of a row's tiles with the same way up that decides it. Many faces look alike either way up,
and few people turn all their tiles."""

SWEEPING_MAJORITY = 3 / 4
"""The same where an oblique view says otherwise. A careless player may turn two tiles in three, and
half of the faces look much alike either way."""

TILTED = 0.012
"""Growth of tiles towards the camera, per tile width, from which the view is oblique. The camera is
then at the owner's side."""

UPRIGHT = 0.7
"""A photograph is held upright if its lower edge is within 45 degrees of the rows. This is the part
across the rows of that edge's unit direction."""


def which_way_up(right: Float64s, plane: Plane) -> tuple[bool, bool]:
    """Return whether the owner sits below the rows, and whether that is clear.

    `right` (N, 2) are the directions of the hand's tiles in the rows' coordinates. A clear majority
    of the tiles decides. Otherwise an oblique view is one from the owner's seat. Otherwise the
    photograph is held as the owner sees it, which is a guess and never clear. Turning a photograph
    by a quarter must not make its hand clearer.
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
