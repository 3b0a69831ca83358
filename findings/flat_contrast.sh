#!/usr/bin/env bash
# Expect: CLAHE evens out dim light gently: what has one grey keeps it, about, and the same tile in a larger picture comes out the same.
# Happens: with limit 2 and 8 x 8 parts, as in OpenCV's tutorial, a blank tile of grey 100 becomes 108 at 64 pixels, 133 at 80, 181 at 96 and 103 at 128; ivory of 150 becomes
#   pure white at 96. What the limit cuts off goes to the darkest greys first where it is less than one a grey (4.13 and 5.0.0.93). With 16 bits 100 stays 102 to 104.
# Read: OpenCV's page and tutorial of CLAHE (what is cut off is spread evenly over all greys), and the greys of both versions, printed here.
# Matters: crops of tiles are brightened so before a network sees them: one of 96 pixels is then white where one of 128 is grey, and a pale mark on it is lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import cv2, numpy

clahe = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8))
for side in (64, 80, 96, 112, 128, 256):
    greys = []
    for grey in (30, 100, 200):
        values = numpy.unique(clahe.apply(numpy.full((side, side), grey, numpy.uint8))).tolist()
        greys.append(f"{grey} becomes {' '.join(map(str, values))}")
    tile = numpy.full((side, side), 150, numpy.uint8)
    tile[side // 4 : side // 2, side // 4 : side // 2] = 60
    result = clahe.apply(tile)
    print(f"{side} x {side}:", ", ".join(greys) + f"; a tile of 150 with a mark of 60: corner {result[0, 0]}, mark {result[side * 3 // 8, side * 3 // 8]}")
deep = [float(clahe.apply(numpy.full((side, side), 100 * 257, numpy.uint16))[0, 0]) / 257 for side in (64, 96, 128)]
print("with 16 bits, of 100 at 64, 96, 128:", *(round(each, 1) for each in deep))
print("equalizeHist of 100:", cv2.equalizeHist(numpy.full((96, 96), 100, numpy.uint8))[0, 0])
END
cat > "$folder/expected" <<'END'
64 x 64: 30 becomes 36, 100 becomes 108, 200 becomes 207; a tile of 150 with a mark of 60: corner 155, mark 68
80 x 80: 30 becomes 43, 100 becomes 133, 200 becomes 255; a tile of 150 with a mark of 60: corner 196, mark 82
96 x 96: 30 becomes 57, 100 becomes 181, 200 becomes 255; a tile of 150 with a mark of 60: corner 255, mark 110
112 x 112: 30 becomes 42, 100 becomes 133, 200 becomes 255; a tile of 150 with a mark of 60: corner 198, mark 81
128 x 128: 30 becomes 33, 100 becomes 103, 200 becomes 202; a tile of 150 with a mark of 60: corner 152, mark 63
256 x 256: 30 becomes 33, 100 becomes 103, 200 becomes 202; a tile of 150 with a mark of 60: corner 152, mark 63
with 16 bits, of 100 at 64, 96, 128: 103.6 102.7 101.6
equalizeHist of 100: 100
END
for version in 4.13.0.92 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" numpy==2.4.6
  echo "OpenCV $version"
  "$folder/$version/bin/python" "$folder/program" | tee "$folder/output"
  diff "$folder/expected" "$folder/output" || { echo "This has changed."; exit 1; }
done
