#!/usr/bin/env bash
# Expect: an ONNX network that a runtime takes has the same answers in each, apart from the last digits; what one cannot do, it refuses.
# Happens: OpenCV 5.0.0.93 pads a convolution of SAME_UPPER at the top and left, pools of SAME_LOWER at the bottom and right, takes places beyond the edge into
#   a mean, and scales of 1.7 for others; it and OpenVINO 2026.4.1 pass over antialias; a softmax of opset 11 is another one in all but ONNX Runtime 1.32. None says a word.
# Read: ONNX's pages of Conv, MaxPool, AveragePool, Resize and Softmax (11), and ONNX's own reference, which agrees with ONNX Runtime but for the softmax.
# Matters: networks made by TensorFlow pad by SAME_UPPER. A tile reader that is moved to a smaller runtime still answers, with confidence, and wrongly.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0 openvino==2026.4.1 opencv-python-headless==5.0.0.93 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" 2> "$folder/errors" <<'END' || { cat "$folder/errors"; exit 1; }
import cv2, numpy, onnx, onnxruntime, openvino
from onnx import TensorProto, helper, numpy_helper, reference

chance = numpy.random.default_rng(0)
TILES = chance.normal(0, 1, (1, 4, 7, 9)).astype(numpy.float32)
EVEN = numpy.ascontiguousarray(TILES[:, :, :6, :8])
KERNEL = chance.normal(0, 1, (4, 4, 3, 3)).astype(numpy.float32)
HALF, ODD = numpy.array([1, 1, 0.5, 0.5], numpy.float32), numpy.array([1, 1, 1.7, 1.7], numpy.float32)
NETWORKS = {  # operator, opset, picture, further inputs, attributes
    "convolution, pads as given": ("Conv", 18, EVEN, [KERNEL], {"pads": [0, 0, 1, 1], "strides": [2, 2]}),
    "the same pads by SAME_UPPER": ("Conv", 18, EVEN, [KERNEL], {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
    "greatest of four, SAME_LOWER": ("MaxPool", 18, TILES, [], {"auto_pad": "SAME_LOWER", "kernel_shape": [2, 2]}),
    "mean of four, whole windows": ("AveragePool", 18, TILES, [], {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "mean of four, to the edge": ("AveragePool", 18, TILES, [], {"kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1, "count_include_pad": 1}),
    "half as large": ("Resize", 18, EVEN, [None, HALF], {"mode": "linear"}),
    "half as large, antialias": ("Resize", 18, EVEN, [None, HALF], {"mode": "linear", "antialias": 1}),
    "1.7 times as large": ("Resize", 18, TILES, [None, ODD], {"mode": "linear"}),
    "softmax of opset 13": ("Softmax", 13, TILES, [], {"axis": 1}),
    "softmax of opset 11": ("Softmax", 11, TILES, [], {"axis": 1}),
}

def build(operator, opset, picture, inputs, attributes):
    names = ["x", *("" if value is None else f"c{number}" for number, value in enumerate(inputs))]
    constants = [numpy_helper.from_array(value, f"c{number}") for number, value in enumerate(inputs) if value is not None]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in (("x", picture.shape), ("y", None)))
    graph = helper.make_graph([helper.make_node(operator, names, ["y"], **attributes)], "g", [x], [y], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    shape = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": picture})[0].shape
    graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.FLOAT, shape))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
    onnx.checker.check_model(model, full_check=True)
    return model

def opencv(model, picture):
    network = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8))
    network.setInput(picture)
    return network.forward()

def openvino_cpu(model, picture):
    core = openvino.Core()
    return core.compile_model(core.read_model(model.SerializeToString()), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})([picture])[0]

RUNTIMES = {
    "ONNX Runtime": lambda model, picture: onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": picture})[0],
    "reference": lambda model, picture: reference.ReferenceEvaluator(model).run(None, {"x": picture})[0],
    "OpenVINO": openvino_cpu, "OpenCV": opencv,
}
print("ONNX Runtime", onnxruntime.__version__, "ONNX's reference", onnx.__version__, "OpenVINO", openvino.__version__.split("-")[0], "OpenCV", cv2.__version__)
print("who answers otherwise than ONNX Runtime, by more than a hundredth")
for title, (operator, opset, picture, inputs, attributes) in NETWORKS.items():
    model = build(operator, opset, picture, inputs, attributes)
    answers = {name: numpy.asarray(run(model, picture)) for name, run in RUNTIMES.items()}
    wanted = answers["ONNX Runtime"]
    print(title, *(name for name, answer in answers.items() if answer.shape != wanted.shape or abs(answer - wanted).max() > 0.01), sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
ONNX Runtime 1.32.0 ONNX's reference 1.23.2 OpenVINO 2026.4.1 OpenCV 5.0.0
who answers otherwise than ONNX Runtime, by more than a hundredth
convolution, pads as given
the same pads by SAME_UPPER | OpenCV
greatest of four, SAME_LOWER | OpenCV
mean of four, whole windows
mean of four, to the edge | OpenCV
half as large
half as large, antialias | OpenVINO | OpenCV
1.7 times as large | OpenCV
softmax of opset 13
softmax of opset 11 | reference | OpenVINO | OpenCV
END
