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

NAMES: tuple[str, ...] = (*LABELS, JOKER)
"""The network's classes and the joker, which can only be learnt from its set."""

VIEWS = 2
"""Upright and upside down, because the next tile may lie either way."""

FAINTEST = 1e-9
"""Lower limit of a chance, so that the network never rules out a face completely."""

_PREFIX = "own_"


@dataclass(frozen=True, slots=True)
class Mix:
    """Weights of likeness and network, fitted on whole sets that the network never saw.

    `python -m models.train.own_set` fits them and writes them into the classifier's card as
    `own_likeness` and so on. These values are used for a card without them.
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
    def from_settings(cls, settings: Mapping[str, float]) -> Mix:
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

    def known(self) -> Float32s:
        """Return the number of crops of each of CLASS_NAMES, shape (45,)."""
        counts = np.zeros(len(NAMES), np.float32)
        np.add.at(counts, [NAMES.index(code) for code in self.codes], 1)
        return counts

    def likeness(self, embeddings: Float32s, mix: Mix) -> Float32s:
        """Return the log likeness (M, 45) of tiles to CLASS_NAMES; 0 says nothing.

        `embeddings` are the tiles' unit vectors (M, 128).
        """
        like = np.zeros((len(embeddings), len(NAMES)), np.float32)
        views = self.embeddings.reshape(-1, embeddings.shape[1])
        faint = np.exp(mix.faint)
        near = np.exp(mix.sharpness * (embeddings @ views.T - mix.neutral))
        codes = np.repeat(np.array(self.codes), VIEWS)
        for code in set(self.codes):
            like[:, NAMES.index(code)] = np.log(near[:, codes == code].mean(1) + faint)
        return like


def weigh(chances: Float32s, embeddings: Float32s, own: Prototypes, mix: Mix) -> Float32s:
    """Return the chances (M, 45) of CLASS_NAMES from the network's (M, 44) and the prototypes."""
    known = own.known()
    said = np.log(np.maximum(chances, FAINTEST))
    joker = np.full((len(chances), 1), mix.joker if known[-1] else -np.inf)
    weight = known / (known + mix.half)
    trust = 1 - mix.silenced * weight
    score = trust * np.concatenate([said, joker], 1) + weight * own.likeness(embeddings, mix)
    raised = np.exp(score - score.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


def limited(codes: Sequence[str], most: int) -> list[int]:
    """Return the positions of the first `most` of each code; list the newest first to keep them."""
    counts: dict[str, int] = {}
    kept = []
    for place, code in enumerate(codes):
        counts[code] = counts.get(code, 0) + 1
        if counts[code] <= most:
            kept.append(place)
    return kept
