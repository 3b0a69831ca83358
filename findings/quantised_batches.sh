#!/usr/bin/env bash
# Expect: what a network answers to a picture does not depend on the pictures that share its batch, quantised or not.
# Happens: after ONNX Runtime's quantize_dynamic it does (1.32; so by ONNX's DynamicQuantizeLinear since opset 11): one step of brightness is chosen for the whole batch.
#   One bright picture in it gives more than one in twenty of these dim ones another name, the network in float none.
# Read: ONNX Runtime's page on quantisation (scales are found "on the fly"; nothing of batches), ONNX's page of the operator.
# Matters: tiles of a dim hand, read in one batch with one in glare, get other names than each by itself; tests on single crops never see it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet onnxruntime==1.32.0 onnx==1.23.2 numpy==2.4.6
cat > "$folder/program" <<'END'
import sys, logging
import numpy, onnx, onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

logging.disable(logging.CRITICAL)
chance = numpy.random.default_rng(1)
faces = numpy.repeat(chance.integers(0, 2, (1, 64)), 34, axis=0).astype(numpy.float32)  # 34 kinds of tile, 8 x 8 pixels each,
for face in faces:
    face[chance.choice(64, 2, replace=False)] = 0.5  # that differ by four at most
weights = (faces - faces.mean(0)).T
weights -= weights.mean(0)  # the face that is most like it has the highest answer
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "xy")
graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", [x], [y], [numpy_helper.from_array(weights, "w")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), sys.argv[1])
quantize_dynamic(sys.argv[1], sys.argv[2], weight_type=QuantType.QUInt8)
dim = 0.01 * faces[chance.integers(0, 34, 400)] + 0.01 + chance.normal(0, 0.001, (400, 64)).astype(numpy.float32)
bright = faces[:1]
print("onnxruntime", onnxruntime.__version__, "dim tiles that get another name beside a bright one than alone")
for name, path in (("float", sys.argv[1]), ("quantised", sys.argv[2])):
    session = onnxruntime.InferenceSession(path)
    alone = numpy.concatenate([session.run(None, {"x": one[None]})[0] for one in dim])
    beside = numpy.concatenate([session.run(None, {"x": numpy.stack([one, bright[0]])})[0][:1] for one in dim])
    print(name, "more than one in twenty:", bool((alone.argmax(1) != beside.argmax(1)).mean() > 0.05))
END
"$folder/venv/bin/python" "$folder/program" "$folder/float.onnx" "$folder/quantised.onnx" > "$folder/output"
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
onnxruntime 1.32.0 dim tiles that get another name beside a bright one than alone
float more than one in twenty: False
quantised more than one in twenty: True
END
