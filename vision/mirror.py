"""Whether a photograph is a mirror image: a phone's front camera gives such, and they misread.

Mirrored, 7 circles is named 6 circles and 9 characters 6, and surely so. The classifier says of
each tile how likely it is mirrored (`models/train/mirror`): most say a little, a hand's together
tell surely.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.classify import Named
from vision.errors import PhotoError

MIRRORED = 12.0
"""The sum of the tiles' log odds from which a photograph is refused: of 2,400 hands of 13 tiles out
of held-out photographs none reaches it as photographed, and 95 % do mirrored. At 6 it was 0.2 and
99 %: `python -m models.train.mirror.measure`."""

MEAN = 0.5
"""Their mean, from which it is: a table full of tiles sums up small errors as well."""


def refuse_mirrored(tiles: Sequence[Named]) -> None:
    """Raise PhotoError if these tiles of a photograph are mirrored."""
    odds = sum(tile.mirrored for tile in tiles)
    if odds >= max(MIRRORED, MEAN * len(tiles)):
        raise PhotoError(
            "mirrored",
            "This photo looks like a mirror image. Please turn off mirroring, or use the "
            "phone's other camera, and take it again.",
        )
