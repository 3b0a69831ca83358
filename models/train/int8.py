"""Try the networks in whole numbers: `python -m models.train.int8` tells what that gains and costs.

Both are quantised to INT8 (weights per channel, activations by their extremes over training
pictures) in a temporary folder, and read the held-out photographs beside the ones that are shipped,
under the same settings. Nothing is written into `models/`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

import numpy as np
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.train.data.photos import photos_by_scene, training_photos
from models.train.data.scenes import read_rgb
from vision.labels import LabelledPhoto
from vision.measure.evaluate import MeasureSummary, evaluate, expected_calibration_error
from vision.networks.classifier import Classifier
from vision.networks.locator import Locator
from vision.networks.model import Model
from vision.preprocess import (
    CROP_HEIGHT_PX,
    CROP_WIDTH_PX,
    LOCATOR_SIDE_PX,
    Float32s,
    shrink_for_locator,
    straighten,
    to_input,
)
from vision.reader import Reader

PICTURES, SEED = 200, 5
"""How many training pictures each network's activations are taken from."""

HAND = {
    "locator": (1, 3, LOCATOR_SIDE_PX * 3 // 4, LOCATOR_SIDE_PX),
    "classifier": (14, 3, CROP_HEIGHT_PX, CROP_WIDTH_PX),
}
"""What each network is given of a hand when its speed is measured."""

WARM_UP, ROUNDS = 3, 20

Files = Mapping[str, Path]
"""The networks' files by name."""


class _Inputs(CalibrationDataReader):
    """Hands the quantiser one input after the other."""

    def __init__(self, inputs: Iterator[Float32s]) -> None:
        self._inputs = inputs

    def get_next(self) -> dict[str, Float32s] | None:
        """Return the next input by its name; None at the end."""
        picture = next(self._inputs, None)
        return None if picture is None else {"picture": picture}


def main() -> None:
    """Print speed and size, then what the held-out photographs say of every pairing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=PICTURES, help="to calibrate with")
    parser.add_argument("--every", type=int, default=1, help="read only every so many photographs")
    args = parser.parse_args()
    whole = {name: Path("models") / f"{name}.onnx" for name in HAND}
    held_out = [photo for photos in photos_by_scene(held_out=True).values() for photo in photos]
    with tempfile.TemporaryDirectory() as folder:
        small = quantise(whole, args.pictures, Path(folder))
        print(*_speed_lines(whole, small), "", sep="\n")
        pairings = {
            "FP32": whole,
            "INT8 locator": {**whole, "locator": small["locator"]},
            "INT8 classifier": {**whole, "classifier": small["classifier"]},
            "INT8": small,
        }
        for name, files in pairings.items():
            told = _accuracy(files, held_out[:: args.every])
            if files is whole:
                print(f"{'':16}" + "".join(f"{figure:>13}" for figure in told))
            print(f"{name:16}" + "".join(f"{value:>13}" for value in told.values()), flush=True)


def quantise(whole: Files, pictures: int, folder: Path) -> Files:
    """Write the networks in INT8 into the folder; return their files."""
    rng = np.random.default_rng(SEED)
    photos = training_photos()
    inputs = {"locator": _views(photos, pictures, rng), "classifier": _crops(photos, pictures, rng)}
    small = {}
    for name, file in whole.items():
        prepared, small[name] = folder / f"{name}-prepared.onnx", folder / f"{name}.onnx"
        quant_pre_process(file, prepared, skip_symbolic_shape=True)
        quantize_static(
            prepared,
            small[name],
            _Inputs(inputs[name]),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    return small


def _views(
    photos: Sequence[LabelledPhoto], count: int, rng: np.random.Generator
) -> Iterator[Float32s]:
    """Yield photographs of hands as the locator is given them."""
    hands = [photo for photo in photos if photo.kind == "photo"]
    for i in rng.choice(len(hands), min(count, len(hands)), replace=False):
        picture, _ = shrink_for_locator(read_rgb(hands[i].path))
        yield to_input(picture[None])


def _crops(
    photos: Sequence[LabelledPhoto], count: int, rng: np.random.Generator
) -> Iterator[Float32s]:
    """Yield tiles as the classifier is given them, one from each of some photographs."""
    for i in rng.choice(len(photos), min(count, len(photos)), replace=False):
        tiles = photos[i].tiles
        quad = tiles[int(rng.integers(len(tiles)))].quad
        yield to_input(straighten(read_rgb(photos[i].path), quad)[None])


def _model(name: str, file: Path) -> Model:
    """Load a network that is not the one of its card, on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    return Model(Model.load(name).card, session)


def _speed_lines(whole: Files, small: Files) -> list[str]:
    """Return sizes, and the processor's time on one thread, the files being run in turn."""
    lines = [f"{'':16}{'MB':>18}{'ms, one thread':>24}"]
    for name, shape in HAND.items():
        given = np.random.default_rng(SEED).random(shape, dtype=np.float32)
        models = [_model(name, files[name]) for files in (whole, small)]
        spent = np.array([[_ms(m, given) for m in models] for _ in range(WARM_UP + ROUNDS)])
        before, after = (median(column) for column in spent[WARM_UP:].T)
        sizes = " → ".join(f"{files[name].stat().st_size / 1e6:.2f}" for files in (whole, small))
        lines.append(f"{name:16}{sizes:>18}{f'{before:.1f} → {after:.1f}':>24}")
    return lines


def _ms(model: Model, given: Float32s) -> float:
    start = time.process_time()
    model.run(given)
    return 1000 * (time.process_time() - start)


def _accuracy(files: Files, photos: Sequence[LabelledPhoto]) -> dict[str, str]:
    """Return how these networks read, by the name of each figure."""
    reader = Reader(
        Locator(_model("locator", files["locator"])),
        Classifier(_model("classifier", files["classifier"])),
    )
    report = evaluate(photos, reader)
    hands, singles = MeasureSummary(tuple(report.photos)), MeasureSummary(tuple(report.crops))
    shares = {
        "found": hands.found / hands.labelled,
        "invented": hands.invented / hands.read,
        "named right": hands.right / hands.found,
        "hands right": hands.all_right / len(report.photos),
        "unflagged": hands.unflagged / len(report.photos),
        "singles": singles.right / singles.found,
        "calibration": expected_calibration_error(report.photos + report.crops),
    }
    told = {name: f"{100 * share:.2f} %" for name, share in shares.items()}
    return {**told, "questions": f"{hands.questions:.2f}"}


if __name__ == "__main__":
    main()
