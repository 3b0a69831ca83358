"""The recipe of the print network's teacher, on a small one made here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from models.train.printed.teacher import (
    HEAD_BIAS,
    HEAD_WEIGHTS,
    extract_network,
    halve_weights,
    shorten_head,
)
from vision.networks.print_signs import NO_SIGN, OTHER_SIGN, SIGNS, WRITTEN_FORMS

LISTED_SIGNS = [*"!?äöü", *(form for forms in WRITTEN_FORMS.values() for form in forms), *"éàß"]
DEEP = 120


def small() -> onnx.ModelProto:
    """Return a network that turns the mean of each column of a window into LISTED's signs."""
    rng = np.random.default_rng(3)
    weights = {
        "spread": rng.normal(size=(3, DEEP)),
        HEAD_WEIGHTS: rng.normal(size=(DEEP, len(LISTED_SIGNS) + 1)),
        HEAD_BIAS: rng.normal(size=len(LISTED_SIGNS) + 1),
    }
    nodes = [
        helper.make_node("ReduceMean", ["x"], ["mean"], axes=[2], keepdims=0),
        helper.make_node("Identity", ["mean"], ["same"]),
        helper.make_node("Transpose", ["same"], ["steps"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["steps", "spread"], ["deep"]),
        helper.make_node("MatMul", ["deep", HEAD_WEIGHTS], ["weighed by all"]),
        helper.make_node("Add", ["weighed by all", HEAD_BIAS], ["all"]),
        helper.make_node("Softmax", ["all"], ["fetch"], axis=2),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, 48, "w"])],
        [
            helper.make_tensor_value_info(
                "fetch", TensorProto.FLOAT, ["n", "w", len(LISTED_SIGNS) + 1]
            )
        ],
        [numpy_helper.from_array(w.astype(np.float32), name) for name, w in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)])
    model.ir_version = 8
    model.metadata_props.add(key="character", value="\n".join(LISTED_SIGNS))
    return model


def test_all_answers_are_kept_that_stand_on_tiles_and_what_looks_like_them() -> None:
    """A small network has no more answers than that, so that nothing is lost but their names."""
    model = small()
    windows = np.random.default_rng(4).random((2, 3, 48, 5), dtype=np.float32)
    network_input = 2 * windows[:, ::-1] - 1  # BGR, −1 to 1, as the original is
    (answers,) = _session(model).run(None, {"x": np.ascontiguousarray(network_input)})
    shorten_head(model)
    halve_weights(model)
    onnx.checker.check_model(model)
    (signs,) = _session(model).run(None, {"windows": windows})
    expected = np.zeros(signs.shape)
    expected[..., SIGNS.index(NO_SIGN)] = answers[..., 0]
    forms = {form: sign for sign, of_sign in WRITTEN_FORMS.items() for form in of_sign}
    for place, listed in enumerate(LISTED_SIGNS, 1):
        expected[..., SIGNS.index(forms.get(listed, OTHER_SIGN))] += answers[..., place]
    assert signs == pytest.approx(expected, abs=0.01)
    assert {node.op_type for node in model.graph.node}.isdisjoint({"Identity"})


def _session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(model.SerializeToString())


def test_another_wheel_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "rapidocr-9.whl"
    wheel.write_bytes(b"another")
    with pytest.raises(ValueError, match="not the file that this recipe was written for"):
        extract_network(wheel)
