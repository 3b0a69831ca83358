"""Whether a photograph is a mirror image: a phone's front camera gives such, and they misread.

Mirrored, 7 circles is named 6 circles and 9 characters 6, and surely so. The classifier says of
each tile how likely it is mirrored (`models/train/mirror`): most say a little, a hand's together
tell surely.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.networks.classify import Named

MIRRORED = 8.0
"""The sum of the tiles' log odds from which players are asked: of 2,400 hands of 13 tiles out
of held-out photographs none reaches it as photographed (the highest is 4.3), and 97 % do mirrored:
`python -m models.train.mirror.measure`."""

MEAN = 0.5
"""Their mean, from which it is: a table full of tiles sums up small errors as well."""

SURE = 0.8
"""Tiles named with less confidence say nothing: a blurred tile looks like no mirror image either.
Of 140 photographs spoilt on purpose (`tests/prove/faults.py`) one looked mirrored before that."""


def look_mirrored(tiles: Sequence[Named]) -> bool:
    """Whether these tiles of a photograph look like a mirror image: a suspicion, to be asked about.

    Bamboos, souths and flowers alone say little, and art differs.
    """
    return is_mirrored([tile.mirrored for tile in tiles if tile.confidence >= SURE])


def is_mirrored(odds: Sequence[float]) -> bool:
    """Whether tiles of these log odds are mirrored together."""
    return sum(odds) >= max(MIRRORED, MEAN * len(odds))
