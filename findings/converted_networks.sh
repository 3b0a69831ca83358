#!/usr/bin/env bash
# Expect: ONNX's version_converter brings an old network to a new opset with the same answers, or says that it cannot.
# Happens: what makes a picture larger or smaller linearly (Upsample of opsets 7 and 9, Resize of 10) comes out as another rule: from corners to centres.
#   Made four times as large, everything moves by a pixel and a half, without a word; "nearest" stays as it was (onnx 1.23.2; both run by ONNX Runtime 1.32).
# Read: ONNX's pages of Upsample and Resize 10 (no rule named; ONNX Runtime's is corners) and 11 (coordinate_transformation_mode, half_pixel by default) and the converted graphs.
# Matters: a network that finds tiles enlarges its map of places in this way: after "only an update" each tile is cut out beside itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import numpy, onnx, onnxruntime
from onnx import TensorProto, helper, numpy_helper, version_converter

MAP = numpy.zeros((1, 1, 8, 8), numpy.float32)
MAP[0, 0, 3, 3:5] = 1  # a tile lies here

def build(operator, opset, mode):
    scales = numpy.array([1, 1, 4, 4], numpy.float32)
    inputs, attributes, constants = ["x"], {"mode": mode}, []
    if opset == 7:
        attributes["scales"] = scales.tolist()
    else:
        inputs.append("scales")
        constants.append(numpy_helper.from_array(scales, "scales"))
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 1, side, side]) for name, side in (("x", 8), ("y", 32)))
    graph = helper.make_graph([helper.make_node(operator, inputs, ["y"], **attributes)], "g", [x], [y], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=6)
    onnx.checker.check_model(model, full_check=True)
    return model

def centre(model):
    """Return the row and column where the enlarged map says that the tile is: its centre of mass."""
    large = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": MAP})[0][0, 0]
    return [round(float((large * places).sum() / large.sum()), 2) for places in numpy.mgrid[:32, :32]]

print("onnx", onnx.__version__, "onnxruntime", onnxruntime.__version__, "where the tile is: before, converted to opset 13, 18, 22")
for operator, opset in (("Upsample", 7), ("Upsample", 9), ("Resize", 10)):
    for mode in ("nearest", "linear"):
        model = build(operator, opset, mode)
        converted = [version_converter.convert_version(model, target) for target in (13, 18, 22)]
        print(operator, opset, mode, centre(model), *(centre(other) for other in converted), sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
onnx 1.23.2 onnxruntime 1.32.0 where the tile is: before, converted to opset 13, 18, 22
Upsample | 7 | nearest | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5]
Upsample | 7 | linear | [12.0, 14.0] | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5]
Upsample | 9 | nearest | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5]
Upsample | 9 | linear | [12.0, 14.0] | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5]
Resize | 10 | nearest | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5]
Resize | 10 | linear | [12.0, 14.0] | [13.5, 15.5] | [13.5, 15.5] | [13.5, 15.5]
END
