"""Embeddings of the crops of the club's tile sets, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from vision.networks.classifier import Classifier
from vision.networks.prototypes import MAX_CROPS_PER_FACE, Prototypes, first_of_each
from vision.preprocess import RGB

CropOf = Callable[[str], RGB]
"""Returns the straightened tile of a crop's name; called for new names only."""


MAX_CACHED_CROPS = 3000
"""Crops with a cached embedding, one kilobyte each: eight sets. Tables that play with different
sets then do not evict each other's."""


class SetEmbeddings:
    """Cache of the embeddings of crops."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self._looks: dict[str, npt.NDArray[np.float32]] = {}  # most recently used last

    def load_prototypes(self, codes: Mapping[str, str], crop: CropOf) -> Prototypes | None:
        """Return the prototypes of the chosen set; None without crops.

        `codes` maps the name of each crop to its code, one of
        `vision.networks.prototypes.CLASS_NAMES`.
        """
        looks = self._embed_new(codes, crop)
        return _to_prototypes(codes, looks) if codes else None

    def find_other_set(
        self,
        tiles: Sequence[tuple[str, RGB]],
        sets: Mapping[str, Mapping[str, str]],
        chosen_set: str,
        crop: CropOf,
    ) -> str | None:
        """Return the set that tiles (code and crop) belong to, if it is clearly not `chosen_set`.

        `sets` maps the name of each set to its codes, as `load_prototypes` takes them.
        """
        faces = {code for code, _ in tiles}
        crops_by_set = {own: _first_crops(codes, faces) for own, codes in sets.items()}
        code_by_crop = {
            name: code for codes in crops_by_set.values() for name, code in codes.items()
        }
        looks = self._embed_new(code_by_crop, crop)
        prototypes_by_set = {
            own: _to_prototypes(codes, looks) for own, codes in crops_by_set.items() if codes
        }
        if chosen_set not in prototypes_by_set or len(prototypes_by_set) < 2:
            return None
        codes, crops = [code for code, _ in tiles], [crop for _, crop in tiles]
        return self._classifier.find_other_set(codes, crops, prototypes_by_set, chosen_set)

    def _embed_new(
        self, names: Collection[str], crop: CropOf
    ) -> dict[str, npt.NDArray[np.float32]]:
        """Return the embeddings of crops by name; only new ones are computed."""
        new = [name for name in names if name not in self._looks]
        looks = self._classifier.look([crop(name) for name in new]) if new else ()
        known_looks = self._looks | dict(zip(new, looks, strict=True))
        wanted_looks = {name: known_looks[name] for name in names}
        spare_names = [name for name in known_looks if name not in wanted_looks]
        excess = max(len(known_looks) - MAX_CACHED_CROPS, 0)
        self._looks = {name: known_looks[name] for name in spare_names[excess:]} | wanted_looks
        return wanted_looks


def _first_crops(codes: Mapping[str, str], faces: Collection[str]) -> dict[str, str]:
    """Return the first few crops of each of these faces."""
    names = [name for name, code in codes.items() if code in faces]
    return {
        names[k]: codes[names[k]]
        for k in first_of_each([codes[name] for name in names], MAX_CROPS_PER_FACE)
    }


def _to_prototypes(
    codes: Mapping[str, str], looks: Mapping[str, npt.NDArray[np.float32]]
) -> Prototypes:
    views = np.array([looks[name] for name in codes], np.float32)
    return Prototypes(tuple(codes.values()), views)
