"""What the finished classifier's features say of crops: what the heads beside it learn from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from models.train.classifier.net import Classifier
from models.train.look.net import cells
from models.train.training import averaged
from vision.preprocess import to_input

BATCH = 64


def trained(checkpoint: Path) -> Classifier:
    """Return the classifier of a checkpoint, not to be trained further."""
    classifier = Classifier()
    classifier.load_state_dict(averaged(checkpoint))
    classifier.eval()
    return classifier


def features(classifier: Classifier, crops: npt.NDArray[np.uint8]) -> Tensor:
    """Return what `cells` says of crops (N, CROP_HEIGHT, CROP_WIDTH, 3), in half precision."""
    with torch.no_grad():
        found = [
            cells(*classifier.maps(torch.from_numpy(to_input(crops[k : k + BATCH])))).half()
            for k in range(0, len(crops), BATCH)
        ]
    return torch.cat(found)
