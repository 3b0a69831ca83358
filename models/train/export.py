"""Write trained networks as ONNX, each with its card: `python -m models.train.export RUNS [OUT]`.

A card begins with cautious `settings` and nothing measured: `models.train.fit` fills in both.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from pathlib import Path
from typing import Any, TypeVar

import onnx
import torch
from torch import Tensor, nn

from models.train.classifier.net import Classifier
from models.train.heads.net import Look, Mirror, cells
from models.train.locator.net import Locator
from models.train.printed.net import PrintChances, PrintNet
from models.train.rounding import choose_bytes
from models.train.training import load_averaged
from vision.networks.print_reader import WINDOW_SIDE_PX
from vision.networks.print_signs import SIGNS
from vision.preprocess import (
    CROP_HEIGHT_PX,
    CROP_WIDTH_PX,
    INPUT_STRIDE_PX,
    LABELS,
    LOCATOR_SIDE_PX,
)

ONNX_OPSET = 17
"""Known to every onnxruntime that the box may have."""

MODELS_FOLDER = Path("models")

Net = TypeVar("Net", bound=nn.Module)

DATA_SOURCES = [
    "riichimahjongdetection/chinese-mahjong-detection v4, Roboflow Universe, CC BY 4.0",
    "Camerash/mahjong-dataset, MIT",
    "justinchan114/Mahjong_Tile_Classifier, MIT",
    "kch3coo/mahjong_detection, Apache-2.0",
    "tile faces: FluffyStuff (CC0), Shizhao (public domain), I.Mahjong and lietxia (M+ licence), "
    "Noto Sans Symbols 2 (OFL), Symbola (free for any use), xhokir through ffalt/mah (CC BY 4.0)",
    "scenes and faces drawn by models.train.drawing.compose and models.train.drawing.faces",
]
"""What the networks learned from: photographs, drawings and our own pictures."""

SECOND_SOURCE = "marco-liu-vwkdl/13423423c-rethink-bonus-label v3, Roboflow Universe, CC BY 4.0"
"""Photographs that the print network alone learned from."""


class ClassifierWithHeads(nn.Module):
    """What the box runs on crops: the classifier, and the two heads beside it."""

    def __init__(self, classifier: Classifier, look: Look, mirror: Mirror) -> None:
        super().__init__()
        self.classifier = classifier
        self.look = look
        self.mirror = mirror

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Crops (N, 3, 80, 64), 0 to 1 → logits (N, 44), turns (N, 4), looks (N, 128), odds (N,).

        The last are the log odds that a crop is a mirror image.
        """
        fine, maps = self.classifier.maps(crops)
        answers = cells(fine, maps)
        return *self.classifier.answers(maps), self.look(answers), self.mirror(answers)


INPUT_AXES = {"locator": {0: "n", 2: "h", 3: "w"}, "signs": {0: "n", 3: "w"}}
"""Axes of a network's input that may have any length, where it is more than their number."""

OUTPUT_AXES = {"signs": {0: "n", 1: "steps"}}
"""The same of its answers, where they differ from the input's."""

PRINT_TEACHER = (
    "PP-OCRv6_small_rec of the PaddleOCR authors (PaddlePaddle, Baidu), turned into ONNX "
    "by the RapidOCR authors (both Apache-2.0): models/train/printed/teacher.py"
)


def main() -> None:
    """Export all networks from RUNS/locator, /classifier with /look and /mirror, and /signs."""
    runs, out_folder = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else MODELS_FOLDER
    export_both(runs, out_folder)
    export_print(runs, out_folder)


def export_both(runs: Path, out_folder: Path) -> None:
    """Write `locator` and `classifier`, .onnx and .json, into the folder `out_folder`."""
    export_locator(runs, out_folder)
    export_classifier(runs, out_folder)


def export_locator(runs: Path, out_folder: Path) -> None:
    """Write `locator`, .onnx and .json, into the folder `out_folder`."""
    _export(
        out_folder / "locator.onnx",
        _load_trained(Locator(), runs / "locator"),
        torch.zeros(1, 3, 480, 640),
        ["centre", "outline"],
        {
            "input": f"(N, 3, H, W) RGB 0 to 1, longer side {LOCATOR_SIDE_PX}, "
            f"multiples of {INPUT_STRIDE_PX}",
            "labels": ["tile"],
            "settings": {"threshold": 0.3},
        },
    )


def export_classifier(runs: Path, out_folder: Path) -> None:
    """Write `classifier`, .onnx and .json, into `out_folder`, with its heads if there are any.

    Cross-validation, which needs no head, trains none. Then the card says that the embedding, which
    comes from random weights, means nothing.
    """
    settings = {"temperature": 1.0, "gate": 0.9, "floor": 0.1}
    if not (runs / "look").exists():
        settings["untrained_looks"] = 1.0
    _export(
        out_folder / "classifier.onnx",
        _load_classifier(runs),
        torch.zeros(2, 3, CROP_HEIGHT_PX, CROP_WIDTH_PX),
        ["face", "turn", "embedding", "mirrored"],
        {
            "input": f"(N, 3, {CROP_HEIGHT_PX}, {CROP_WIDTH_PX}) RGB 0 to 1, one straightened tile",
            "labels": list(LABELS),
            "settings": settings,
        },
    )


def export_print(runs: Path, out_folder: Path) -> None:
    """Write `signs`, .onnx and .json, into the folder `out_folder`."""
    net = PrintChances(_load_trained(PrintNet(), runs / "signs"))
    _export(
        out_folder / "signs.onnx",
        net.eval(),
        torch.zeros(2, 3, WINDOW_SIDE_PX, WINDOW_SIDE_PX),
        ["chances"],
        {
            "input": f"(N, 3, {WINDOW_SIDE_PX}, W) RGB 0 to 1, windows of a straightened tile",
            "labels": list(SIGNS),
            "settings": {},
            "taught": PRINT_TEACHER,
            "data": [*DATA_SOURCES, SECOND_SOURCE],
        },
    )


def _load_trained(net: Net, folder: Path) -> Net:
    net.load_state_dict(load_averaged(folder / "checkpoint.pt"))
    net.eval()
    return net


def _load_classifier(runs: Path) -> ClassifierWithHeads:
    heads = Look(), Mirror()
    for head, name in zip(heads, ("look", "mirror"), strict=True):
        if (runs / name).exists():
            _load_trained(head, runs / name)
    trained = ClassifierWithHeads(_load_trained(Classifier(), runs / "classifier"), *heads)
    trained.eval()
    return trained


def _export(
    path: Path, net: nn.Module, example: torch.Tensor, outputs: list[str], facts: dict[str, Any]
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    axes = INPUT_AXES.get(path.stem, {0: "n"})
    answer_axes = OUTPUT_AXES.get(path.stem, axes)
    buffer = io.BytesIO()
    torch.onnx.export(
        net,
        (example,),
        buffer,
        input_names=["picture"],
        output_names=outputs,
        dynamic_axes={"picture": axes, **dict.fromkeys(outputs, answer_axes)},
        opset_version=ONNX_OPSET,
        dynamo=False,
    )
    onnx.checker.check_model(buffer.getvalue())
    network = choose_bytes(path.read_bytes() if path.exists() else None, buffer.getvalue())
    path.write_bytes(network)
    sha256 = hashlib.sha256(network).hexdigest()
    card = {"name": path.stem, "data": DATA_SOURCES, **facts, "measured": {}, "sha256": sha256}
    text = json.dumps({**card, **_recipe_fields(path)}, indent=2, ensure_ascii=False) + "\n"
    path.with_suffix(".json").write_text(text, encoding="utf-8")
    print(
        f"{path}: {len(network) // 1000} kB{'' if network == buffer.getvalue() else ', as it was'}"
    )


def _recipe_fields(path: Path) -> dict[str, Any]:
    """Return what the card before said of the recipe, not of that one network."""
    card = path.with_suffix(".json")
    before = json.loads(card.read_text(encoding="utf-8")) if card.exists() else {}
    return {key: before[key] for key in ("cross_validated",) if key in before}


if __name__ == "__main__":
    main()
