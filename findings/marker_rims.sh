#!/usr/bin/env bash
# Expect: an ArUco marker on a dark table is found at its own corners, or, with too little white around it, not at all.
# Happens: with OpenCV 4.13 and 5.0 a white rim of 2 to 15 % of the marker's side is taken for its edge: the number is right, the corners
#   lie outside by the rim, to a tenth of the side, also after corner refinement. Without any rim, or with a wide one, they are right.
# Read: OpenCV's tutorial on markers (a white border is needed) and issues on its contours; none tells how far corners move.
# Matters: tiles on a mat with printed markers are measured ten per cent too small, and nothing says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import cv2, numpy

dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
SIDE = 240
marker = cv2.aruco.generateImageMarker(dictionary, 3, SIDE)
START = SIDE // 2
true = numpy.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (SIDE - 1) + START
print(cv2.__version__, "rim in pixels: greatest error of a corner without and with refinement; the marker's side is", SIDE)
for rim in (0, 1, 4, 8, 12, 24, 40):
    table = numpy.full((2 * SIDE, 2 * SIDE), 60, numpy.uint8)
    table[START - rim:START + SIDE + rim, START - rim:START + SIDE + rim] = 255
    table[START:START + SIDE, START:START + SIDE] = marker
    errors = []
    for refinement in (cv2.aruco.CORNER_REFINE_NONE, cv2.aruco.CORNER_REFINE_SUBPIX):
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = refinement
        corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(table)
        assert ids.ravel().tolist() == [3]
        errors.append(round(float(abs(corners[0].reshape(4, 2) - true).max())))
    print(rim, errors)
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
5.0.0 rim in pixels: greatest error of a corner without and with refinement; the marker's side is 240
0 [0, 0]
1 [2, 1]
4 [13, 13]
8 [17, 17]
12 [21, 21]
24 [0, 0]
40 [0, 0]
END
