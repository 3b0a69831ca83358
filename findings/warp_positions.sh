#!/usr/bin/env bash
# Expect: a tile cut out by warpPerspective or warpAffine has the same pixels in OpenCV 4 and 5, apart from rounding.
# Happens: 4.13 rounds every place to a 32nd of a pixel before it interpolates, 5.0.0.93 does not. A step of 0 to 255, moved by 0.52, is 120 in
#   the one and 122 in the other; of a turned, sharp pattern a third or more of the pixels differ, some by more than five levels.
# Read: OpenCV's page of geometric transformations (INTER_BITS = 5), the notes on 5.0, and both versions' pixels.
# Matters: networks that were trained on crops of one version see others on the box: compare what they answer, not pixels, across versions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import sys
import cv2, numpy

step = numpy.array([[0, 255, 255]], numpy.uint8)
moved = cv2.warpAffine(step, numpy.float32([[1, 0, 0.52], [0, 1, 0]]), (3, 1))
print(cv2.__version__, "a step moved by 0.52 px:", moved.ravel().tolist())
ink = numpy.random.default_rng(7).integers(0, 2, (120, 160)).astype(numpy.uint8) * 255
turn = cv2.getRotationMatrix2D((80, 60), 7, 0.8)
numpy.save(sys.argv[1], cv2.warpAffine(ink, turn, (160, 120)).astype(int))
END
cat > "$folder/compare" <<'END'
import sys
import numpy

away = abs(numpy.load(sys.argv[1]) - numpy.load(sys.argv[2]))
print("turned ink: more than a third of the pixels differ:", bool((away > 0).mean() > 1 / 3),
      "some by more than five levels:", bool(away.max() > 5))
END
for version in 4.13.0.92 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" numpy==2.4.6
  "$folder/$version/bin/python" "$folder/program" "$folder/$version.npy" >> "$folder/output"
done
"$folder/5.0.0.93/bin/python" "$folder/compare" "$folder"/*.npy >> "$folder/output"
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
4.13.0 a step moved by 0.52 px: [0, 120, 255]
5.0.0 a step moved by 0.52 px: [0, 122, 255]
turned ink: more than a third of the pixels differ: True some by more than five levels: True
END
