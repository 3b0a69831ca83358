"""Decide whether a photograph is a mirror image."""

from __future__ import annotations

from collections.abc import Sequence

from vision.networks.classify import Named

MIRRORED = 8.0
"""Players are asked from this sum of the tiles' log odds. Of 2,400 hands of 13 tiles from held-out
photographs none reaches it as photographed (highest: 4.3). Mirrored, 97 % do: `python -m
models.train.mirror.measure`."""

MEAN = 0.5
"""The mean must reach this too, because small errors add up on a full table."""

SURE = 0.8
"""Less confident tiles are ignored: a blurred tile looks mirrored as easily. Without this, one of
140 photographs spoilt on purpose looked mirrored (`tests/prove/faults.py`)."""


def look_mirrored(tiles: Sequence[Named]) -> bool:
    """Return whether a photograph seems to be a mirror image; the player is asked.

    Bamboos, south winds and flowers alone say little, because their art varies.
    """
    return is_mirrored([tile.mirrored for tile in tiles if tile.confidence >= SURE])


def is_mirrored(odds: Sequence[float]) -> bool:
    """Return whether tiles with these log odds are mirrored."""
    return sum(odds) >= max(MIRRORED, MEAN * len(odds))
