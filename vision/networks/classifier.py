"""Classify straightened tiles: name, which way up, and whether mirrored.

A phone's front camera gives mirrored photographs, which are misread with confidence: 7 circles
becomes 6 circles. A single tile says little about it; the tiles of a hand together say it clearly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.errors import ModelError
from vision.networks.model import Model
from vision.networks.prototypes import (
    CLASS_NAMES,
    OTHER_SET_MIN_LEAD,
    VIEWS_PER_CROP,
    PrototypeMix,
    Prototypes,
    measure_leads,
    mix_chances,
    pick_other_set,
)
from vision.preprocess import LABELS, NO_TILE, RGB, Float32s, to_input
from vision.reading import MAX_ALTERNATIVES

MAX_BATCH_CROPS = 32
"""Crops per run of the network; limits the memory for a full table."""

MIN_BONUS_SHARE = np.float32(1e-6)
"""Lower limit of a flower's chance before it is scaled."""

_NO_TILE_INDEX = LABELS.index(NO_TILE)
_BONUS_CLASSES = np.array([name[0] in "FS" for name in CLASS_NAMES], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Classification:
    """What a crop shows."""

    code: str
    confidence: float
    """Calibrated probability, 0 to 1, that `code` is right."""
    tile_chance: float
    """Probability, 0 to 1, that the crop shows a tile."""
    alternatives: tuple[tuple[str, float], ...]
    """The next best codes with their probabilities."""
    quarter_turns: int
    """Clockwise quarter turns of the tile in the crop, 0 to 3."""
    mirror_log_odds: float
    """Log odds that the crop is a mirror image."""
    raw_outputs: tuple[Float32s, ...] = ()
    """The raw outputs, to be averaged with those of a second look: class chances (44 or 45,), turns
    (4,), embedding (128,) and mirror log odds ()."""

    @property
    def chances(self) -> dict[str, float]:
        """The likely codes with their chances."""
        return {self.code: self.confidence, **dict(self.alternatives)}


class Classifier:
    """Classifies tiles with the network `models/classifier.onnx`."""

    def __init__(self, model: Model) -> None:
        if model.card.labels != LABELS:
            raise ModelError("The classifier's labels are not the 42 tiles, face down and no tile.")
        self._model = model
        self._temperature = model.card.settings["temperature"]
        self._mix = PrototypeMix.from_settings(model.card.settings)
        self.gate = model.card.settings["gate"]
        """Below this confidence a tile is doubtful."""
        self.floor = model.card.settings["floor"]
        """Below this, locator's score times tile chance, it is taken for no tile at all."""
        self.has_looks = not model.card.settings.get("untrained_looks")
        """Whether the embedding tells faces apart; cross-validation trains it no head for that."""
        self._other_set = model.card.settings.get("other_set", OTHER_SET_MIN_LEAD)

    @classmethod
    def load(cls, folder: Path | None = None) -> Classifier:
        """Load the network; raise ModelError when it is missing or altered."""
        return cls(Model.load("classifier", folder))

    def classify(
        self, crops: Sequence[RGB], prototypes: Prototypes | None = None
    ) -> list[Classification]:
        """Classify each crop; `prototypes` are the prototypes of the known set.

        Crops have the shape (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3).
        """
        return self._to_classifications(*self._run_weighed(crops, prototypes)) if crops else []

    def agree(
        self,
        first: Sequence[Classification],
        looks: Sequence[list[RGB]],
        prototypes: Prototypes | None = None,
    ) -> list[Classification]:
        """Classify tiles again by the mean of the first answer and of further crops.

        `looks` holds the same number of crops for each tile. `prototypes` must be the prototypes
        used at first.
        """
        if not looks:
            return []
        further = self._run_weighed([crop for crops in looks for crop in crops], prototypes)
        before = zip(*(named.raw_outputs for named in first), strict=True)
        mean_outputs = (
            np.concatenate([np.stack(old)[:, None], new.reshape(len(looks), -1, *new.shape[1:])], 1)
            for old, new in zip(before, further, strict=True)
        )
        return self._to_classifications(*(each.mean(1, dtype=np.float32) for each in mean_outputs))

    def _run_weighed(
        self, crops: Sequence[RGB], prototypes: Prototypes | None
    ) -> Sequence[Float32s]:
        """Return class chances (N, 44 or 45), turns, embeddings and mirror log odds."""
        outputs = zip(*self._run_batches(crops), strict=True)
        faces, turns, embeddings, mirror_log_odds = (
            np.concatenate(each, dtype=np.float32) for each in outputs
        )
        chances = self._weigh(chances_of(faces, self._temperature), embeddings, prototypes)
        return chances, turns, embeddings, mirror_log_odds

    def _to_classifications(self, *raw_outputs: Float32s) -> list[Classification]:
        return [to_classification(*of_one) for of_one in zip(*raw_outputs, strict=True)]

    def look(self, crops: Sequence[RGB]) -> Float32s:
        """Return embeddings of crops, upright and upside down: (N, VIEWS_PER_CROP, 128)."""
        views = [view for crop in crops for view in (crop, crop[::-1, ::-1])]
        looks = [embeddings for _, _, embeddings, _ in self._run_batches(views)]
        return np.concatenate(looks).reshape(len(crops), VIEWS_PER_CROP, -1)

    def find_other_set(
        self,
        codes: Sequence[str],
        crops: Sequence[RGB],
        sets: Mapping[str, Prototypes],
        own_set: str,
    ) -> str | None:
        """Return the set that these tiles belong to, if it is clearly not `own_set`."""
        embeddings = self.look(crops)[:, 0]
        return pick_other_set(
            measure_leads(codes, embeddings, sets, own_set, self._mix), self._other_set
        )

    def _run_batches(self, crops: Sequence[RGB]) -> Iterator[Sequence[Float32s]]:
        """Yield faces, turns, embeddings and mirror log odds, batch by batch."""
        for start in range(0, len(crops), MAX_BATCH_CROPS):
            yield self._model.run(to_input(np.stack(crops[start : start + MAX_BATCH_CROPS])))

    def _weigh(
        self, chances: Float32s, embeddings: Float32s, prototypes: Prototypes | None
    ) -> Float32s:
        return (
            chances
            if prototypes is None
            else mix_chances(chances, embeddings, prototypes, self._mix)
        )


def to_classification(
    chances: Float32s, turns: Float32s, embedding: Float32s, mirror_log_odds: Float32s
) -> Classification:
    """Return the classification of one crop from its raw outputs."""
    best = np.argsort(-chances)[: MAX_ALTERNATIVES + 2].tolist()
    best_names = [i for i in best if i != _NO_TILE_INDEX][: MAX_ALTERNATIVES + 1]
    name_chances = [(CLASS_NAMES[i], round(float(chances[i]), 4)) for i in best_names]
    code, confidence = name_chances[0]
    return Classification(
        code=code,
        confidence=confidence,
        tile_chance=float(1 - chances[_NO_TILE_INDEX]),
        alternatives=tuple(name_chances[1:]),
        quarter_turns=int(turns.argmax()),
        mirror_log_odds=float(mirror_log_odds),
        raw_outputs=(chances, turns, embedding, mirror_log_odds),
    )


def name_unknown_picture(classification: Classification, chance: float) -> Classification:
    """Return the classification as one of the flowers and seasons, with `chance` in all."""
    face_chances = np.maximum(classification.raw_outputs[0], MIN_BONUS_SHARE)
    bonus = face_chances * _BONUS_CLASSES[: len(face_chances)]
    return to_classification(bonus * (chance / bonus.sum()), *classification.raw_outputs[1:])


def chances_of(logits: Float32s, temperature: float) -> Float32s:
    """Return the chances of all LABELS from logits along the last axis.

    The temperature is fitted on tile names and applies to these only. Otherwise a network made more
    confident of names would also be more confident that an unfamiliar tile is none.
    """
    tile = np.arange(logits.shape[-1]) != _NO_TILE_INDEX
    no_tile_chance = softmax(logits)[..., _NO_TILE_INDEX, None]
    tile_chances = softmax(np.where(tile, logits / np.float32(temperature), np.float32(-np.inf)))
    return np.asarray(
        np.where(tile, tile_chances * (1 - no_tile_chance), no_tile_chance), np.float32
    )


def softmax(logits: Float32s) -> Float32s:
    """Return probabilities along the last axis."""
    exponentials = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(-1, keepdims=True), np.float32)


MIN_MIRROR_LOG_ODDS = 8.0
"""Players are asked from this sum of the tiles' log odds. Of 2,400 hands of 13 tiles from held-out
photographs none reaches it as photographed (highest: 4.3). Mirrored, 97 % do: `python -m
models.train.mirror.measure`."""

MIN_MEAN_LOG_ODDS = 0.5
"""The mean must reach this too, because small errors add up on a full table."""

MIN_MIRROR_CONFIDENCE = 0.8
"""Less confident tiles are ignored: a blurred tile looks mirrored as easily. Without this, one of
140 photographs spoilt on purpose looked mirrored (`tests/prove/degraded_photos.py`)."""


def look_mirrored(tiles: Sequence[Classification]) -> bool:
    """Return whether a photograph seems to be a mirror image; the player is asked.

    Bamboos, south winds and flowers alone say little, because their art varies.
    """
    return is_mirrored(
        [tile.mirror_log_odds for tile in tiles if tile.confidence >= MIN_MIRROR_CONFIDENCE]
    )


def is_mirrored(odds: Sequence[float]) -> bool:
    """Return whether tiles with these log odds are mirrored."""
    return sum(odds) >= max(MIN_MIRROR_LOG_ODDS, MIN_MEAN_LOG_ODDS * len(odds))
