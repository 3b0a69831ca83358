#!/usr/bin/env bash
# Expect: of adaptiveThreshold's two ways one is the other turned round: each pixel is white in BINARY or in BINARY_INV, whatever C is.
# Happens: where C is no whole number, pixels are white in both: C is rounded up for the one and down for the other. With C = 2.2, 132 to 179 of these 6,400 pixels
#   are ink and paper at once, and any C between 2 and 3 is the same as one of these (4.13 and 5.0.0.93).
# Read: OpenCV's page of adaptiveThreshold: two formulas that exclude each other, and a C of any size, as a double. The pixels of both versions.
# Matters: whoever looks for dark print and for light engraving on one tile with "C = 2.5" finds the same speckles in both, and whoever tunes C by tenths tunes nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import cv2, numpy

draw = numpy.random.default_rng(1)
paper = cv2.GaussianBlur(draw.integers(0, 256, (80, 80)).astype(numpy.uint8), (5, 5), 0)
print("of", paper.size, "pixels")
for name in ("MEAN_C", "GAUSSIAN_C"):
    way = getattr(cv2, "ADAPTIVE_THRESH_" + name)
    for offset in (2, 2.2, 2.5, 2.8, 3):
        plain = cv2.adaptiveThreshold(paper, 255, way, cv2.THRESH_BINARY, 11, offset)
        inverse = cv2.adaptiveThreshold(paper, 255, way, cv2.THRESH_BINARY_INV, 11, offset)
        whole = [number for number in range(6) if (plain == cv2.adaptiveThreshold(paper, 255, way, cv2.THRESH_BINARY, 11, number)).all()]
        other = [number for number in range(6) if (inverse == cv2.adaptiveThreshold(paper, 255, way, cv2.THRESH_BINARY_INV, 11, number)).all()]
        print(f"{name}, C {offset}: white in both {int((plain & inverse > 0).sum())}, in neither {int((plain | inverse == 0).sum())}; BINARY is that of C {whole}, BINARY_INV that of {other}")
END
cat > "$folder/expected" <<'END'
of 6400 pixels
MEAN_C, C 2: white in both 0, in neither 0; BINARY is that of C [2], BINARY_INV that of [2]
MEAN_C, C 2.2: white in both 132, in neither 0; BINARY is that of C [3], BINARY_INV that of [2]
MEAN_C, C 2.5: white in both 132, in neither 0; BINARY is that of C [3], BINARY_INV that of [2]
MEAN_C, C 2.8: white in both 132, in neither 0; BINARY is that of C [3], BINARY_INV that of [2]
MEAN_C, C 3: white in both 0, in neither 0; BINARY is that of C [3], BINARY_INV that of [3]
GAUSSIAN_C, C 2: white in both 0, in neither 0; BINARY is that of C [2], BINARY_INV that of [2]
GAUSSIAN_C, C 2.2: white in both 179, in neither 0; BINARY is that of C [3], BINARY_INV that of [2]
GAUSSIAN_C, C 2.5: white in both 179, in neither 0; BINARY is that of C [3], BINARY_INV that of [2]
GAUSSIAN_C, C 2.8: white in both 179, in neither 0; BINARY is that of C [3], BINARY_INV that of [2]
GAUSSIAN_C, C 3: white in both 0, in neither 0; BINARY is that of C [3], BINARY_INV that of [3]
END
for version in 4.13.0.92 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" numpy==2.4.6
  echo "OpenCV $version"
  "$folder/$version/bin/python" "$folder/program" | tee "$folder/output"
  diff "$folder/expected" "$folder/output" || { echo "This has changed."; exit 1; }
done
