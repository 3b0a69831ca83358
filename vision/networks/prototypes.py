"""What the box knows of the very tile set on its table, and how it weighs that with the network.

Each confirmed crop is kept as a prototype: how the tile looks to the network, upright and upside
down. How densely a face's prototypes lie around a tile says how like it the tile is (a kernel
density in the network's embedding). The logarithm of that is added to the logarithm of the
network's chance, with more weight the more crops of the face are known, while what the network
itself said counts less (a log-linear mix). A face of which no crop is known keeps the network's
chance: an empty set changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from scorer.tiles import JOKER
from vision.preprocess import LABELS, Float32s

NAMES: tuple[str, ...] = (*LABELS, JOKER)
"""The network's answers and what it has no name for; a joker can only be learnt from its set."""

VIEWS = 2
"""Upright and upside down: how the next tile will lie is not known."""

FAINTEST = 1e-9
"""No chance is taken for less, so that the network rules no face out for good."""

_PREFIX = "own_"


@dataclass(frozen=True, slots=True)
class Mix:
    """How likeness and the network are weighed; fitted on whole sets that the network never saw.

    `python -m models.train.own_set` fits these and writes them into the classifier's card as
    `own_likeness` and so on. The figures here stand in for a card without them.
    """

    sharpness: float = 35.0
    """How much a difference in cosine says: how narrow the kernel is."""
    neutral: float = 0.66
    """The cosine that speaks neither for a face nor against it."""
    faint: float = -3.0
    """Logarithm of the density below which a tile is simply unlike a face: how much so says no
    more, since another set may lie on the table than was said."""
    half: float = 0.01
    """So many crops of a face have half the weight of very many."""
    silenced: float = 0.46
    """The share of the network's say on a face that very many crops of it take away."""
    joker: float = -2.3
    """Logarithm of a joker's chance before anything is seen, the network having no name for it."""

    @classmethod
    def from_settings(cls, settings: Mapping[str, float]) -> Mix:
        """Return what a card's settings say."""
        names = (f.name for f in fields(cls) if _PREFIX + f.name in settings)
        return cls(**{name: settings[_PREFIX + name] for name in names})

    def to_settings(self) -> dict[str, float]:
        """Return the entries for a card's settings."""
        return {_PREFIX + f.name: round(float(getattr(self, f.name)), 4) for f in fields(self)}


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """The crops that are known of one tile set."""

    codes: tuple[str, ...]
    """What each of N crops shows, one of NAMES."""
    embeddings: Float32s
    """(N, VIEWS, 128), unit vectors."""

    def known(self) -> Float32s:
        """Return how many crops of each name are known, shape (45,)."""
        counts = np.zeros(len(NAMES), np.float32)
        np.add.at(counts, [NAMES.index(code) for code in self.codes], 1)
        return counts

    def likeness(self, embeddings: Float32s, mix: Mix) -> Float32s:
        """Return how like each of NAMES tiles are, shape (M, 45), as logarithms; 0 says nothing.

        `embeddings` are the (M, 128) unit vectors of the tiles.
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
    """Return the chances (M, 45) of all NAMES from the network's (M, 44) and what is known."""
    known = own.known()
    said = np.log(np.maximum(chances, FAINTEST))
    joker = np.full((len(chances), 1), mix.joker if known[-1] else -np.inf)
    weight = known / (known + mix.half)
    trust = 1 - mix.silenced * weight
    score = trust * np.concatenate([said, joker], 1) + weight * own.likeness(embeddings, mix)
    raised = np.exp(score - score.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


def limited(codes: Sequence[str], most: int) -> list[int]:
    """Return the places of the first `most` of each code: list the newest first to keep these."""
    counts: dict[str, int] = {}
    kept = []
    for place, code in enumerate(codes):
        counts[code] = counts.get(code, 0) + 1
        if counts[code] <= most:
            kept.append(place)
    return kept
