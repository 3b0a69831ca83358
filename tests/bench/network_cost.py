"""Counts what a network costs: multiplications a run, and figures learned.

Only convolutions and matrix products are counted, one multiply-accumulate each, as is the custom.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import onnx
from onnx import shape_inference

from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, LOCATOR_SIDE_PX

Shape = tuple[int, ...]

MODELS_FOLDER = Path("models")

TILES_PER_HAND = 14
"""Crops in a hand."""

OUR_INPUTS: dict[str, Shape] = {
    "locator": (1, 3, LOCATOR_SIDE_PX * 3 // 4, LOCATOR_SIDE_PX),
    "classifier": (TILES_PER_HAND, 3, CROP_HEIGHT_PX, CROP_WIDTH_PX),
}
"""What our networks are given of a hand in a picture of 4:3."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a network takes."""

    macs: int
    """Multiply-accumulates a run."""
    parameters: int
    """Figures in the weights of what multiplies."""

    @property
    def gmac(self) -> float:
        """Thousand million multiply-accumulates a run."""
        return self.macs / 1e9


def measure_cost(model: onnx.ModelProto, shape: Shape) -> Cost:
    """Return the cost of an ONNX model whose first input has this shape.

    Raises ValueError where the shapes within do not follow from that of the input.
    """
    graph = _with_shapes(model, shape)
    shapes = _shapes(graph)
    counted_nodes = [node for node in graph.node if node.op_type in _MACS_PER_OUTPUT]
    input_names = {name for node in counted_nodes for name in node.input}
    return Cost(
        sum(_macs(node, shapes) for node in counted_nodes),
        sum(
            math.prod(weights.dims) for weights in graph.initializer if weights.name in input_names
        ),
    )


def _with_shapes(model: onnx.ModelProto, shape: Shape) -> onnx.GraphProto:
    """Return the graph with the shape of everything in it."""
    fixed_model = onnx.ModelProto()
    fixed_model.CopyFrom(model)
    del fixed_model.graph.value_info[:]
    for output in fixed_model.graph.output:
        output.type.tensor_type.ClearField("shape")  # its unknowns need not be the input's
    input_shape = fixed_model.graph.input[0].type.tensor_type.shape
    del input_shape.dim[:]
    for length in shape:
        input_shape.dim.add().dim_value = length
    return shape_inference.infer_shapes(fixed_model, strict_mode=True, data_prop=True).graph


def _shapes(graph: onnx.GraphProto) -> dict[str, Shape]:
    """Return the shapes that are known to the last figure, by name."""
    shapes: dict[str, Shape] = {w.name: tuple(w.dims) for w in graph.initializer}
    for value in (*graph.input, *graph.value_info, *graph.output):
        dims = value.type.tensor_type.shape.dim
        if all(dim.HasField("dim_value") for dim in dims):
            shapes[value.name] = tuple(dim.dim_value for dim in dims)
    return shapes


def _macs(node: onnx.NodeProto, shapes: dict[str, Shape]) -> int:
    names = (node.input[0], node.input[1], node.output[0])
    unknown_names = [name for name in names if not shapes.get(name)]
    if unknown_names:
        raise ValueError(f"{node.op_type} {node.name}: no shape is known for {unknown_names[0]}")
    first, second, output = (shapes[name] for name in names)
    return math.prod(output) * _MACS_PER_OUTPUT[node.op_type](node, first, second)


def _gemm(node: onnx.NodeProto, first: Shape, _: Shape) -> int:
    is_transposed = any(a.name == "transA" and a.i for a in node.attribute)
    return first[0] if is_transposed else first[1]


_MACS_PER_OUTPUT: dict[str, Callable[[onnx.NodeProto, Shape, Shape], int]] = {
    "Conv": lambda _node, _first, weights: math.prod(weights[1:]),
    "Gemm": _gemm,
    "MatMul": lambda _node, first, _second: first[-1],
}
"""By kind of node, how many products are summed for one figure of the output."""


def measure_our_costs() -> dict[str, Cost]:
    """Return the costs of our networks on a hand of TILES."""
    return {
        name: measure_cost(onnx.load(MODELS_FOLDER / f"{name}.onnx"), shape)
        for name, shape in OUR_INPUTS.items()
    }
