"""A network and its card: the `.onnx` file must be the one that the card describes."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from vision.preprocess import Float32s

# onnxruntime 1.31 can report its use to its makers (mobile.events.data.microsoft.com), starting at
# import. Nothing may leave the box, so reporting is disabled before the import.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

from vision.allocator import trim
from vision.errors import ModelError


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Description of a model: `models/NAME.json`."""

    name: str
    sha256: str
    labels: tuple[str, ...]
    settings: dict[str, float]
    """Thresholds and temperatures, fitted on pictures held out of the training."""


class Model:
    """A loaded network; for one thread at a time."""

    def __init__(self, card: ModelCard, session: onnxruntime.InferenceSession) -> None:
        self.card = card
        self.session = session
        self._input = session.get_inputs()[0].name

    @classmethod
    def load(cls, name: str, folder: Path | None = None, threads: int = 2) -> Model:
        """Load `models/NAME.onnx`; raise ModelError when it is missing or altered.

        `folder` holds other networks than the built-in ones, for example those being measured.
        """
        card, file = verify_model(name, folder)
        options = onnxruntime.SessionOptions()
        # An arena keeps the memory of the largest hand, over 60 MB, and is no faster.
        options.enable_cpu_mem_arena = False
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Waiting threads sleep, because the box has other work too.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        trim()  # optimising the largest network leaves 17 MB free
        return cls(card, session)

    def run(self, pictures: Float32s) -> list[Float32s]:
        """Run the network on input (N, 3, H, W), 0 to 1; return its outputs."""
        outputs: list[Float32s] = self.session.run(None, {self._input: pictures})
        return outputs


def verify_model(name: str, folder: Path | None = None) -> tuple[ModelCard, Path]:
    """Return a model's card and file; raise ModelError if the file is missing or altered."""
    try:
        place = folder or Path(str(resources.files("models")))
        card = _card(json.loads((place / f"{name}.json").read_text(encoding="utf-8")))
        file = place / f"{name}.onnx"
        with file.open("rb") as model_file:
            digest = hashlib.file_digest(model_file, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise ModelError(f"The model “{name}” is missing: install Tongbox again.") from error
    if digest != card.sha256:
        raise ModelError(
            f"The model “{name}” is not the file its card describes: install Tongbox again."
        )
    return card, file


def _card(data: dict[str, Any]) -> ModelCard:
    return ModelCard(data["name"], data["sha256"], tuple(data["labels"]), data["settings"])
