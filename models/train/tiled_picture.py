"""A picture with all that is known of its tiles: a photograph, or one that was drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class TiledPicture:
    """A picture in memory with all that is known of its tiles."""

    rgb: npt.NDArray[np.uint8]
    quads: npt.NDArray[np.float32]
    """(N, 4, 2) in pixels, clockwise."""
    codes: tuple[str, ...]
    exact: npt.NDArray[np.bool_]
    """(N,): outlines with their own top left first, or upright boxes."""
    known_mask: npt.NDArray[np.uint8]
    """(H, W): 0 where unlabelled tiles may lie, else 1."""
    other_quads: npt.NDArray[np.float32] = field(
        default_factory=lambda: np.zeros((0, 4, 2), np.float32)
    )
    """(M, 4, 2): dice, cards, keys, …: what must not be taken for a tile."""
