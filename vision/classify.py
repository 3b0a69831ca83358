"""Name straightened tiles, and say which way up each lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.errors import ModelError
from vision.model import Array, Model
from vision.preprocess import LABELS, RGB, to_input

ALTERNATIVES = 5
"""How many next best names a reading offers."""

BATCH = 32
"""Crops to one run of the network: bounds the memory that a full table takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """What a crop shows."""

    code: str
    confidence: float
    """Calibrated probability, 0 to 1, that `code` is right."""
    alternatives: tuple[tuple[str, float], ...]
    """The next best codes with their probabilities."""
    quarter_turns: int
    """Quarters that the tile lies turned clockwise in the crop, 0 to 3."""
    embedding: npt.NDArray[np.float32]
    """How the tile looks: a unit vector, near to those of tiles that look alike."""


class Classifier:
    """Names tiles with the network `models/classifier.onnx`."""

    def __init__(self, model: Model) -> None:
        if model.card.labels != LABELS:
            raise ModelError("The classifier's labels are not the 42 tiles and face down.")
        self._model = model
        self._temperature = np.float32(model.card.settings["temperature"])
        self.gate = model.card.settings["gate"]
        """Below this confidence a tile is doubtful."""
        self.floor = model.card.settings["floor"]
        """Below this, times the locator's score, it is taken for no tile at all."""

    @classmethod
    def load(cls) -> Classifier:
        """Load the network; raise ModelError when it is missing or altered."""
        return cls(Model.load("classifier"))

    def classify(self, crops: list[RGB]) -> list[Named]:
        """Name each crop, shape (CROP_HEIGHT, CROP_WIDTH, 3)."""
        named: list[Named] = []
        for start in range(0, len(crops), BATCH):
            inputs = to_input(np.stack(crops[start : start + BATCH]))
            faces, turns, embeddings = self._model.run(inputs)
            chances = softmax(faces / self._temperature)
            named += [
                self._name(chance, int(turn.argmax()), embedding)
                for chance, turn, embedding in zip(chances, turns, embeddings, strict=True)
            ]
        return named

    def _name(self, chances: Array, quarter_turns: int, embedding: Array) -> Named:
        best = np.argsort(-chances)[: ALTERNATIVES + 1]
        ranked = [(LABELS[i], round(float(chances[i]), 4)) for i in best]
        code, confidence = ranked[0]
        return Named(code, confidence, tuple(ranked[1:]), quarter_turns, embedding)


def softmax(logits: Array) -> Array:
    """Return probabilities along the last axis."""
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True), np.float32)
