"""A network that is made again on another processor leaves the shipped file as it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

import models
from models.train.rounding import choose_bytes, largest_difference

SHIPPED_FILE = Path(models.__file__).with_name("locator.onnx")


def change_weight(network: onnx.ModelProto, amount: float) -> None:
    weight = network.graph.initializer[0]
    values = onnx.numpy_helper.to_array(weight).copy()
    values.flat[0] += amount
    weight.raw_data = values.tobytes()


@pytest.mark.parametrize(
    ("change", "stays", "reason"),
    [
        (lambda n: None, True, "the same bytes"),
        (lambda n: change_weight(n, 2e-7), True, "batch norms folded on another processor"),
        (lambda n: change_weight(n, 1e-4), False, "other weights"),
        (lambda n: change_weight(n, math.nan), False, "a weight that is no number"),
        (lambda n: setattr(n.graph.node[0], "name", "other"), False, "another graph"),
        (lambda n: n.graph.initializer.pop(), False, "a weight too few"),
        (lambda n: setattr(n, "producer_version", "9"), False, "another exporter"),
    ],
)  # fmt: skip
def test_rounding_alone_changes_no_file(
    change: Callable[[onnx.ModelProto], object], stays: bool, reason: str
) -> None:
    shipped_bytes = SHIPPED_FILE.read_bytes()
    network = onnx.load_from_string(shipped_bytes)
    change(network)
    made_bytes = network.SerializeToString()
    assert (choose_bytes(shipped_bytes, made_bytes) == shipped_bytes) == stays, reason
    assert choose_bytes(None, made_bytes) == made_bytes, "nothing was shipped"


def test_the_largest_difference_of_all_weights_counts() -> None:
    shipped_bytes = SHIPPED_FILE.read_bytes()
    network = onnx.load_from_string(shipped_bytes)
    for weight in network.graph.initializer:
        values = onnx.numpy_helper.to_array(weight).astype(np.float64)
        weight.raw_data = (values + 0.25 * (weight.name == "heads.weight")).astype("f4").tobytes()
    made_bytes = network.SerializeToString()
    assert largest_difference(shipped_bytes, made_bytes) == pytest.approx(0.25, abs=1e-6)
