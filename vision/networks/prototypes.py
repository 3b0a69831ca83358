"""Prototypes: how the tiles of a known set look, and how that changes the chances.

Each confirmed crop is kept as a prototype: its embedding, upright and upside down. A kernel density
in the embedding says how much a tile looks like a face. Its logarithm is added to the logarithm of
the network's chance (a log-linear mix). The more crops of a face are known, the more the prototypes
count and the less the network does. A face without crops keeps the network's chance, so an empty
set changes nothing.

The same likeness tells which known set a photograph's tiles belong to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from scorer.tiles import JOKER
from vision.preprocess import LABELS, Float32s

CLASS_NAMES: tuple[str, ...] = (*LABELS, JOKER)
"""The network's classes and the joker, which can only be learnt from its set."""

VIEWS_PER_CROP = 2
"""Upright and upside down, because the next tile may lie either way."""

MIN_CHANCE = 1e-9
"""Lower limit of a chance, so that the network never rules out a face completely."""

_PREFIX = "own_"


@dataclass(frozen=True, slots=True)
class PrototypeMix:
    """Weights of likeness and network, fitted on whole sets that the network never saw.

    `python -m models.train.own_set` fits them and writes them into the classifier's card, with
    `own_` before the name of each. These values are used for a card without them.
    """

    sharpness: float = 35.0
    """Weight of a difference in cosine: how narrow the kernel is."""
    neutral: float = 0.66
    """Cosine that speaks neither for a face nor against it."""
    faint: float = -3.0
    """Log density below which a tile is simply unlike a face. A lower density says no more, because
    another set may lie on the table."""
    half: float = 0.01
    """Number of crops of a face at which it has half of the full weight."""
    silenced: float = 0.46
    """Share of the network's weight that very many crops of a face remove."""
    joker: float = -2.3
    """Log chance of a joker before anything is seen; the network has no name for it."""

    @classmethod
    def from_settings(cls, settings: Mapping[str, float]) -> PrototypeMix:
        """Return the weights in a card's settings."""
        names = (f.name for f in fields(cls) if _PREFIX + f.name in settings)
        return cls(**{name: settings[_PREFIX + name] for name in names})

    def to_settings(self) -> dict[str, float]:
        """Return the entries for a card's settings."""
        return {_PREFIX + f.name: round(float(getattr(self, f.name)), 4) for f in fields(self)}


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """Known crops of one tile set."""

    codes: tuple[str, ...]
    """Code of each of N crops, one of CLASS_NAMES."""
    embeddings: Float32s
    """(N, VIEWS, 128), unit vectors."""

    def crop_counts(self) -> Float32s:
        """Return the number of crops of each of CLASS_NAMES, shape (45,)."""
        counts = np.zeros(len(CLASS_NAMES), np.float32)
        np.add.at(counts, [CLASS_NAMES.index(code) for code in self.codes], 1)
        return counts

    def likeness(self, embeddings: Float32s, mix: PrototypeMix) -> Float32s:
        """Return the log likeness (M, 45) of tiles to CLASS_NAMES; 0 says nothing.

        `embeddings` are the tiles' unit vectors (M, 128).
        """
        like = np.zeros((len(embeddings), len(CLASS_NAMES)), np.float32)
        views = self.embeddings.reshape(-1, embeddings.shape[1])
        faint = np.exp(mix.faint)
        similarities = np.exp(mix.sharpness * (embeddings @ views.T - mix.neutral))
        codes = np.repeat(np.array(self.codes), VIEWS_PER_CROP)
        for code in set(self.codes):
            like[:, CLASS_NAMES.index(code)] = np.log(
                similarities[:, codes == code].mean(1) + faint
            )
        return like


def mix_chances(
    chances: Float32s, embeddings: Float32s, prototypes: Prototypes, mix: PrototypeMix
) -> Float32s:
    """Return the chances (M, 45) of CLASS_NAMES from the network's (M, 44) and the prototypes."""
    crop_counts = prototypes.crop_counts()
    log_chances = np.log(np.maximum(chances, MIN_CHANCE))
    joker = np.full((len(chances), 1), mix.joker if crop_counts[-1] else -np.inf)
    weight = crop_counts / (crop_counts + mix.half)
    trust = 1 - mix.silenced * weight
    score = trust * np.concatenate([log_chances, joker], 1) + weight * prototypes.likeness(
        embeddings, mix
    )
    exponentials = np.exp(score - score.max(1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(1, keepdims=True), np.float32)


def first_of_each(codes: Sequence[str], limit: int) -> list[int]:
    """Return the positions of the first `limit` of each code: list the newest first."""
    counts: dict[str, int] = {}
    places = []
    for place, code in enumerate(codes):
        counts[code] = counts.get(code, 0) + 1
        if counts[code] <= limit:
            places.append(place)
    return places


MIN_SHARED_FACES = 5
"""Different faces known of both sets that allow a comparison; fewer may look alike."""

OTHER_SET_MIN_LEAD = 1.78
"""Lead of another set over the chosen one from which the player is asked.

`python -m models.train.which_set` fits it and writes it into the classifier's card as `other_set`.
This value is used for a card without it."""


MAX_CROPS_PER_FACE = 3
"""Crops compared per face; more would only take longer."""


def measure_leads(
    codes: Sequence[str],
    embeddings: Float32s,
    sets: Mapping[str, Prototypes],
    chosen_set: str,
    mix: PrototypeMix,
) -> dict[str, float]:
    """Return how much more M tiles look like each other set than like the chosen one.

    `codes` names the tiles, and `embeddings` (M, 128) are their embeddings. A lead is the mean
    difference of the log likeness over faces known of both sets. Sets with fewer than
    MIN_SHARED_FACES of them are left out.
    """
    places = {code: [k for k, each in enumerate(codes) if each == code] for code in codes}
    like = {name: own.likeness(embeddings, mix) for name, own in sets.items()}
    leads = {}
    for other in sets.keys() - {chosen_set}:
        common_codes = places.keys() & set(sets[chosen_set].codes) & set(sets[other].codes)
        if len(common_codes) >= MIN_SHARED_FACES:
            lead = like[other] - like[chosen_set]
            by_face = [
                lead[places[code], CLASS_NAMES.index(code)].mean() for code in sorted(common_codes)
            ]
            leads[other] = float(np.mean(by_face))
    return leads


def pick_other_set(leads: Mapping[str, float], margin: float) -> str | None:
    """Return the set that leads by at least `margin`; None if the chosen one may be right."""
    best = max(leads, key=lambda name: leads[name], default=None)
    return best if best is not None and leads[best] >= margin else None
