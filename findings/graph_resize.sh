#!/usr/bin/env bash
# Expect: ONNX's Resize with antialias=1 is Pillow's resize, put into the network.
# Happens: inside the picture it is, to the last digit, but not along its edges: by default the edge pixel is repeated outside, where Pillow
#   leaves the outside out. With exclude_outside=1 linear is equal everywhere; cubic never is (its curve is -0.75, Pillow's -0.5).
# Read: ONNX's page of Resize 18 (antialias, exclude_outside, cubic_coeff_a), Pillow's filters, onnxruntime 1.32 and ONNX's reference.
# Matters: tiles fill their crop: a network trained on Pillow's crops sees other borders once shrinking is part of the graph.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet onnxruntime==1.32.0 onnx==1.23.2 pillow==13.0.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import numpy, onnxruntime
from onnx import TensorProto, helper
from PIL import Image

def resize(pixels, size, mode, outside, curve):
    sizes = helper.make_tensor("sizes", TensorProto.INT64, [4], [1, 1, *size])
    node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode=mode, antialias=1,
                            exclude_outside=outside, cubic_coeff_a=curve)
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "xy")
    model = helper.make_model(helper.make_graph([node], "g", [x], [y], [sizes]),
                              opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"x": pixels[None, None]})[0][0, 0]

tile = numpy.random.default_rng(1).integers(0, 256, (60, 90)).astype(numpy.float32)
print("levels of 255 away from Pillow: whole picture, without two pixels at each edge")
for mode, pillow in (("linear", Image.Resampling.BILINEAR), ("cubic", Image.Resampling.BICUBIC)):
    for outside, curve in ((0, -0.75), (1, -0.75), (1, -0.5)):
        wanted = numpy.asarray(Image.fromarray(tile).resize((30, 20), pillow))
        away = abs(resize(tile, (20, 30), mode, outside, curve) - wanted)
        print(mode, "exclude_outside", outside, "curve", curve, round(float(away.max())), round(float(away[2:-2, 2:-2].max())))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
levels of 255 away from Pillow: whole picture, without two pixels at each edge
linear exclude_outside 0 curve -0.75 9 0
linear exclude_outside 1 curve -0.75 0 0
linear exclude_outside 1 curve -0.5 0 0
cubic exclude_outside 0 curve -0.75 8 6
cubic exclude_outside 1 curve -0.75 6 6
cubic exclude_outside 1 curve -0.5 0 0
END
