"""The table's own tile sets: how their crops look, looked at once each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from vision.networks.classify import Classifier
from vision.networks.prototypes import Prototypes, limited
from vision.networks.which_set import CROPS
from vision.preprocess import RGB

CropOf = Callable[[str], RGB]
"""Returns the straightened tile of a name; asked for those alone that are new."""


REMEMBERED = 3000
"""Crops of which is known how they look, a kilobyte each: eight sets, so that tables that play with
different ones do not have each other's looked at anew."""


class OwnSets:
    """What a classifier saw of the crops of a table's sets."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self._looks: dict[str, npt.NDArray[np.float32]] = {}  # the last asked for stand last

    def chosen(self, codes: Mapping[str, str], crop: CropOf) -> Prototypes | None:
        """Return how the tiles of the chosen set look; None of no crops at all.

        `codes` says what each crop shows, by its name, out of `vision.networks.prototypes.NAMES`.
        """
        looks = self._looked_at(codes, crop)
        return _prototypes(codes, looks) if codes else None

    def whose(
        self,
        tiles: Sequence[tuple[str, RGB]],
        sets: Mapping[str, Mapping[str, str]],
        chosen: str,
        crop: CropOf,
    ) -> str | None:
        """Return the set that tiles are of, each a code and a crop, if it is clearly not `chosen`.

        `sets` holds what the method `chosen` takes as codes, set by set.
        """
        faces = {code for code, _ in tiles}
        few = {own: _few(codes, faces) for own, codes in sets.items()}
        every = {name: code for codes in few.values() for name, code in codes.items()}
        looks = self._looked_at(every, crop)
        known = {own: _prototypes(codes, looks) for own, codes in few.items() if codes}
        if chosen not in known or len(known) < 2:
            return None
        codes, crops = [code for code, _ in tiles], [crop for _, crop in tiles]
        return self._classifier.whose(codes, crops, known, chosen)

    def _looked_at(
        self, names: Collection[str], crop: CropOf
    ) -> dict[str, npt.NDArray[np.float32]]:
        """Return how crops look, by their names; only those not met before are looked at."""
        new = [name for name in names if name not in self._looks]
        looks = self._classifier.look([crop(name) for name in new]) if new else ()
        known = self._looks | dict(zip(new, looks, strict=True))
        asked = {name: known[name] for name in names}
        others = [name for name in known if name not in asked]
        too_many = max(len(known) - REMEMBERED, 0)
        self._looks = {name: known[name] for name in others[too_many:]} | asked
        return asked


def _few(codes: Mapping[str, str], faces: Collection[str]) -> dict[str, str]:
    """Return a few pictures of each of these faces, the first ones."""
    names = [name for name, code in codes.items() if code in faces]
    return {names[k]: codes[names[k]] for k in limited([codes[name] for name in names], CROPS)}


def _prototypes(
    codes: Mapping[str, str], looks: Mapping[str, npt.NDArray[np.float32]]
) -> Prototypes:
    views = np.array([looks[name] for name in codes], np.float32)
    return Prototypes(tuple(codes.values()), views)
