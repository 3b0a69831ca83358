#!/usr/bin/env bash
# Expect: of ArUco's ways to refine a marker's corners each is nearer to the truth than none, and all mean the same place by (x, y).
# Happens: "contour" measures a printed marker smaller than without any refinement, at 40 pixels by two per cent; "apriltag" is exact, but counts from
#   pixels' edges where the others count from their centres: choosing it moves the whole mat by almost half a pixel (4.11, 4.13 and 5.0.0.93).
# Read: OpenCV's page of DetectorParameters and tutorial on corner refinement ("subpix", "contour" by lines, "apriltag" after AprilTag 2).
# Matters: a mat's scale, and so every tile's size and place, depends on an option whose name promises more exactness.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import cv2, numpy

FINE, PAGE, DRAWN = 8, 300, 600  # the page is photographed at eight times its size, and each 8 x 8 averaged, as a sensor does
dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
sheet = numpy.full((1000, 1000), 255, numpy.uint8)
sheet[200:800, 200:800] = cv2.aruco.generateImageMarker(dictionary, 7, DRAWN)
corners = numpy.array([[200, 200], [800, 200], [800, 800], [200, 800]], float)  # on the sheet, from pixels' edges
chance = numpy.random.default_rng(3)

def photograph(side):
    """Return a picture of the marker, turned and moved by chance, and where its corners are, from pixels' edges."""
    angle, centre = chance.uniform(0, 2 * numpy.pi), PAGE / 2 + chance.uniform(-0.5, 0.5, 2)
    turn = side / DRAWN * numpy.array([[numpy.cos(angle), -numpy.sin(angle)], [numpy.sin(angle), numpy.cos(angle)]])
    shift = centre - turn @ (500, 500)
    from_centres = FINE * (turn @ (0.5, 0.5) + shift) - 0.5  # warpAffine counts from pixels' centres
    fine = cv2.warpAffine(sheet, numpy.column_stack([FINE * turn, from_centres]), (PAGE * FINE, PAGE * FINE), borderValue=255)
    return fine.reshape(PAGE, FINE, PAGE, FINE).mean((1, 3)).round().astype(numpy.uint8), corners @ turn.T + shift

def measure(picture, way):
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = getattr(cv2.aruco, f"CORNER_REFINE_{way}")
    return cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)[0][0][0]

print("OpenCV", cv2.__version__, "sixty markers; mean of the measured side in per cent, and of the shift of the centre from where it is by pixels' edges")
for side in (40, 60):
    views = [photograph(side) for _ in range(60)]
    for way in ("NONE", "SUBPIX", "CONTOUR", "APRILTAG"):
        found = [(measure(picture, way), truth) for picture, truth in views]
        size = numpy.mean([numpy.linalg.norm(quad - numpy.roll(quad, 1, 0), axis=1).mean() / side for quad, _ in found])
        shift = numpy.mean([quad.mean(0) - truth.mean(0) for quad, truth in found])
        print(f"{side} pixels, {way}: side {100 * size:.1f} %, shift {shift:+.1f}")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 sixty markers; mean of the measured side in per cent, and of the shift of the centre from where it is by pixels' edges
40 pixels, NONE: side 98.2 %, shift -0.5
40 pixels, SUBPIX: side 99.4 %, shift -0.5
40 pixels, CONTOUR: side 97.8 %, shift -0.5
40 pixels, APRILTAG: side 100.0 %, shift -0.1
60 pixels, NONE: side 98.7 %, shift -0.5
60 pixels, SUBPIX: side 99.7 %, shift -0.5
60 pixels, CONTOUR: side 98.5 %, shift -0.5
60 pixels, APRILTAG: side 100.0 %, shift -0.1
END
