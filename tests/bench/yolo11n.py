"""A stand-in for YOLO11n: a network of its very layers with random weights, to measure against.

Its speed and its cost hang on the layers alone, so that nobody's weights are needed. Built from the
published layer list of the detector at scale n (depth 0.5, width 0.25): 80 classes, one picture of
640 by 640, batch normalisation folded into the convolutions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

INPUT_SIDE_PX = 640
CLASS_COUNT = 80
DISTANCE_BINS = 16
"""Steps into which the distance from an anchor to each side of its box is cut."""

STRIDES = (8, 16, 32)
OPSET_VERSION, IR_VERSION = 17, 8

Attribute = int | str | list[int]
"""What may be said of a node."""


@dataclass(frozen=True, slots=True)
class FeatureMap:
    """A tensor in the graph."""

    name: str
    wide: int
    """Channels."""


@dataclass(slots=True)
class GraphBuilder:
    """The graph while it is being built: nodes and weights in the order in which they come."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(11))

    def op(self, kind: str, *inputs: str, **attributes: Attribute) -> str:
        """Add a node; return the name of its output."""
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, values: npt.ArrayLike, kind: type[np.generic] = np.float32) -> str:
        """Add weights or figures; return their name."""
        name = f"constant{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def convolve(
        self, x: FeatureMap, wide: int, size: int = 1, *, stride: int = 1, groups: int = 1
    ) -> FeatureMap:
        """Add a convolution with its bias, its weights such that the signal keeps its strength."""
        shape = (wide, x.wide // groups, size, size)
        spread = np.sqrt(2 / np.prod(shape[1:]))
        weights = self.constant(self.random.normal(0, spread, shape))
        bias = self.constant(self.random.normal(0, 0.1, wide))
        attributes = {"kernel_shape": [size] * 2, "pads": [size // 2] * 4, "strides": [stride] * 2}
        return FeatureMap(self.op("Conv", x.name, weights, bias, group=groups, **attributes), wide)

    def block(
        self, x: FeatureMap, wide: int, size: int = 1, *, stride: int = 1, groups: int = 1
    ) -> FeatureMap:
        """Add a convolution and SiLU."""
        y = self.convolve(x, wide, size, stride=stride, groups=groups)
        return FeatureMap(self.op("Mul", y.name, self.op("Sigmoid", y.name)), wide)

    def add(self, x: FeatureMap, y: FeatureMap) -> FeatureMap:
        """Add two maps of one shape."""
        return FeatureMap(self.op("Add", x.name, y.name), x.wide)

    def join(self, maps: Sequence[FeatureMap]) -> FeatureMap:
        """Lay the channels of maps of one size beside each other."""
        name = self.op("Concat", *(m.name for m in maps), axis=1)
        return FeatureMap(name, sum(m.wide for m in maps))

    def halves(self, x: FeatureMap) -> tuple[FeatureMap, FeatureMap]:
        """Part the channels in two."""
        left, right = self.split(x.name, 1, x.wide // 2, x.wide // 2)
        return FeatureMap(left, x.wide // 2), FeatureMap(right, x.wide // 2)

    def split(self, name: str, axis: int, *sizes: int) -> list[str]:
        """Cut a tensor along an axis into pieces of these sizes."""
        pieces = [f"split{len(self.nodes)}.{i}" for i in range(len(sizes))]
        inputs = [name, self.constant(sizes, np.int64)]
        self.nodes.append(helper.make_node("Split", inputs, pieces, axis=axis))
        return pieces

    def reshape(self, name: str, *shape: int) -> str:
        """Return the tensor in another shape."""
        return self.op("Reshape", name, self.constant(shape, np.int64))


def downsample(net: GraphBuilder, x: FeatureMap, wide: int) -> FeatureMap:
    """Halve the size."""
    return net.block(x, wide, 3, stride=2)


def upsample(net: GraphBuilder, x: FeatureMap, wide: int) -> FeatureMap:
    """Double the size."""
    scales = net.constant([1, 1, 2, 2])
    return FeatureMap(net.op("Resize", x.name, "", scales, mode="nearest"), wide)


def bottleneck(net: GraphBuilder, x: FeatureMap, hidden_channels: int) -> FeatureMap:
    """Add two convolutions with a way round them."""
    return net.add(x, net.block(net.block(x, hidden_channels, 3), x.wide, 3))


def c3k(net: GraphBuilder, x: FeatureMap) -> FeatureMap:
    """Add two bottlenecks on half the channels, and a way round them."""
    half = x.wide // 2
    deep = net.block(x, half)
    for _ in range(2):
        deep = bottleneck(net, deep, half)
    return net.block(net.join([deep, net.block(x, half)]), x.wide)


def c3k2(
    net: GraphBuilder, x: FeatureMap, wide: int, share: float = 0.5, *, deep: bool = False
) -> FeatureMap:
    """Part the channels, work on one part, join all that came up on the way."""
    parts = net.halves(net.block(x, 2 * int(wide * share)))
    last = parts[1]
    last_map = c3k(net, last) if deep else bottleneck(net, last, last.wide // 2)
    return net.block(net.join([*parts, last_map]), wide)


def thin(net: GraphBuilder, x: FeatureMap, wide: int) -> FeatureMap:
    """Add the block of the large maps, on a quarter of the channels."""
    return c3k2(net, x, wide, 0.25)


def deep(net: GraphBuilder, x: FeatureMap, wide: int) -> FeatureMap:
    """Add the block of the small maps."""
    return c3k2(net, x, wide, deep=True)


def pool(net: GraphBuilder, x: FeatureMap, wide: int) -> FeatureMap:
    """Add SPPF: join the map and what lies within 2, 4 and 6 cells of each of its cells."""
    maps = [net.block(x, x.wide // 2)]
    for _ in range(3):
        wider = net.op("MaxPool", maps[-1].name, kernel_shape=[5, 5], pads=[2] * 4)
        maps.append(FeatureMap(wider, maps[-1].wide))
    return net.block(net.join(maps), wide)


def attend(net: GraphBuilder, x: FeatureMap, wide: int) -> FeatureMap:
    """Add C2PSA: half of the channels go through attention between all cells."""
    bypass, y = net.halves(net.block(x, wide))
    y = net.add(y, attention(net, y, INPUT_SIDE_PX // STRIDES[-1]))
    y = net.add(y, net.convolve(net.block(y, 2 * y.wide), y.wide))
    return net.block(net.join([bypass, y]), wide)


def attention(net: GraphBuilder, x: FeatureMap, side: int) -> FeatureMap:
    """Add attention between the cells of a square map, 64 channels and 32 of keys to a head."""
    heads, head, key = x.wide // 64, 64, 32
    projection = net.convolve(x, heads * (2 * key + head))
    asked_by_head = net.reshape(projection.name, 1, heads, 2 * key + head, side * side)
    queries, keys, values = net.split(asked_by_head, 2, key, key, head)
    likeness = net.op("MatMul", net.op("Transpose", queries, perm=[0, 1, 3, 2]), keys)
    weights = net.op("Softmax", net.op("Mul", likeness, net.constant(key**-0.5)), axis=-1)
    attention_map = net.op("MatMul", values, net.op("Transpose", weights, perm=[0, 1, 3, 2]))
    attention_map, flat = (
        net.reshape(name, 1, x.wide, side, side) for name in (attention_map, values)
    )
    place = net.convolve(FeatureMap(flat, x.wide), x.wide, 3, groups=x.wide)
    return net.convolve(net.add(FeatureMap(attention_map, x.wide), place), x.wide)


@dataclass(frozen=True, slots=True)
class Layer:
    """A line of the layer list."""

    make: Callable[[GraphBuilder, FeatureMap, int], FeatureMap]
    wide: int
    join_index: int | None = None
    """The earlier layer whose output is joined to the one before."""


LAYERS = (
    Layer(downsample, 16),
    Layer(downsample, 32),
    Layer(thin, 64),
    Layer(downsample, 64),
    Layer(thin, 128),
    Layer(downsample, 128),
    Layer(deep, 128),
    Layer(downsample, 256),
    Layer(deep, 256),
    Layer(pool, 256),
    Layer(attend, 256),
    Layer(upsample, 256),
    Layer(c3k2, 128, join_index=6),
    Layer(upsample, 128),
    Layer(c3k2, 64, join_index=4),
    Layer(downsample, 64),
    Layer(c3k2, 128, join_index=12),
    Layer(downsample, 128),
    Layer(deep, 256, join_index=10),
)
"""Joining is not counted as a layer of its own here."""

HEADS = (14, 16, 18)
"""The layers that the boxes are read from, at STRIDES."""


def boxes(net: GraphBuilder, x: FeatureMap) -> FeatureMap:
    """Add the branch that says how far away the sides of a box are."""
    wide = 4 * DISTANCE_BINS
    return net.convolve(net.block(net.block(x, wide, 3), wide, 3), wide)


def classes(net: GraphBuilder, x: FeatureMap) -> FeatureMap:
    """Add the branch that says what is in the box, its 3×3 convolutions depthwise."""
    y = net.block(net.block(x, x.wide, 3, groups=x.wide), CLASS_COUNT)
    y = net.block(net.block(y, y.wide, 3, groups=y.wide), CLASS_COUNT)
    return net.convolve(y, CLASS_COUNT)


def detect(net: GraphBuilder, maps: Sequence[FeatureMap]) -> str:
    """Add the head; return its output (1, 4 + CLASSES, cells): centre, size, chances."""
    cells = sum((INPUT_SIDE_PX // stride) ** 2 for stride in STRIDES)
    joined_maps = [net.join([boxes(net, x), classes(net, x)]) for x in maps]
    all_cells = net.op("Concat", *(net.reshape(m.name, 1, m.wide, -1) for m in joined_maps), axis=2)
    bins, chances = net.split(all_cells, 1, 4 * DISTANCE_BINS, CLASS_COUNT)
    bins = net.op("Transpose", net.reshape(bins, 1, 4, DISTANCE_BINS, cells), perm=[0, 2, 1, 3])
    steps = net.constant(np.arange(DISTANCE_BINS).reshape(1, DISTANCE_BINS, 1, 1))
    distances = net.reshape(net.op("Conv", net.op("Softmax", bins, axis=1), steps), 1, 4, cells)
    before, after = net.split(distances, 1, 2, 2)
    anchors, strides = (net.constant(figures) for figures in _anchors())
    low, high = net.op("Sub", anchors, before), net.op("Add", anchors, after)
    middle = net.op("Mul", net.op("Add", low, high), net.constant(0.5))
    box = net.op("Concat", middle, net.op("Sub", high, low), axis=1)
    return net.op("Concat", net.op("Mul", box, strides), net.op("Sigmoid", chances), axis=1)


def _anchors() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the cells' centres in cells (1, 2, cells), and a cell's side in pixels (1, cells)."""
    centres, strides = [], []
    for stride in STRIDES:
        rows, columns = np.indices((INPUT_SIDE_PX // stride,) * 2).reshape(2, -1) + 0.5
        centres.append(np.stack([columns, rows]))
        strides.append(np.full(len(rows), stride))
    return np.concatenate(centres, 1, dtype=np.float32)[None], np.concatenate(strides)[None]


def build() -> onnx.ModelProto:
    """Return the network as an ONNX model: `images` (1, 3, 640, 640) → `output` (1, 84, 8400)."""
    net = GraphBuilder()
    maps: list[FeatureMap] = []
    last = FeatureMap("images", 3)
    for layer in LAYERS:
        layer_input = last if layer.join_index is None else net.join([last, maps[layer.join_index]])
        last = layer.make(net, layer_input, layer.wide)
        maps.append(last)
    output = detect(net, [maps[i] for i in HEADS])
    graph = helper.make_graph(
        net.nodes,
        "yolo11n-stand-in",
        [
            helper.make_tensor_value_info(
                "images", TensorProto.FLOAT, [1, 3, INPUT_SIDE_PX, INPUT_SIDE_PX]
            )
        ],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, 4 + CLASS_COUNT, None])],
        net.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET_VERSION)])
    model.ir_version = IR_VERSION
    onnx.checker.check_model(model, full_check=True)
    return model
