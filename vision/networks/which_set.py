"""Decide which known tile set a photograph's tiles belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.networks.prototypes import NAMES, Mix, Prototypes
from vision.preprocess import Float32s

LEAST_FACES = 5
"""Different faces known of both sets that allow a comparison; fewer may look alike."""

MARGIN = 1.78
"""Lead of another set over the chosen one from which the player is asked.

`python -m models.train.which_set` fits it and writes it into the classifier's card as `other_set`.
This value is used for a card without it."""


CROPS = 3
"""Crops compared per face; more would only take longer."""


def leads(
    codes: Sequence[str], seen: Float32s, sets: Mapping[str, Prototypes], chosen: str, mix: Mix
) -> dict[str, float]:
    """Return how much more M tiles look like each other set than like the chosen one.

    `codes` names the tiles, and `seen` (M, 128) are their embeddings. A lead is the mean difference
    of the log likeness over faces known of both sets. Sets with fewer than MIN_SHARED_FACES of them
    are left out.
    """
    places = {code: [k for k, each in enumerate(codes) if each == code] for code in codes}
    like = {name: own.likeness(seen, mix) for name, own in sets.items()}
    found = {}
    for other in sets.keys() - {chosen}:
        shared = places.keys() & set(sets[chosen].codes) & set(sets[other].codes)
        if len(shared) >= LEAST_FACES:
            more = like[other] - like[chosen]
            by_face = [more[places[code], NAMES.index(code)].mean() for code in sorted(shared)]
            found[other] = float(np.mean(by_face))
    return found


def other_set(found: Mapping[str, float], margin: float) -> str | None:
    """Return the set that leads by at least `margin`; None if the chosen one may be right."""
    best = max(found, key=lambda name: found[name], default=None)
    return best if best is not None and found[best] >= margin else None
