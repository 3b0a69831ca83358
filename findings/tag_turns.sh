#!/usr/bin/env bash
# Expect: an AprilTag that OpenCV draws is AprilTag's own picture of that number, so both libraries agree which side of it is up.
# Happens: OpenCV (4.13 and 5.0.0.93) draws the families 16h5, 25h9 and 36h11 upside down, and reads them so: number and place agree, the turn is 180 degrees
#   away in AprilTag 3 (pupil-apriltags 1.0.4.post11), corners run the other way round.
# Read: opencv-python's issue 1195 and OpenCV's pull request 28823 (merged in April 2026, not in 5.0.0.93), AprilTag's issue 21 (the order of corners).
# Matters: a mat printed with one and read with the other has its rows exchanged: the player's own tiles are her neighbour's, and all of them on their heads.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 pupil-apriltags==1.0.4.post11 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import cv2, numpy, pupil_apriltags

CORNERS = {(-1, -1): "upper left", (1, -1): "upper right", (1, 1): "lower right", (-1, 1): "lower left"}

def order(corners):
    corners = numpy.asarray(corners).reshape(4, 2)
    return ", ".join(CORNERS[tuple(int(sign) for sign in numpy.sign(corner - corners.mean(0)))] for corner in corners)

print("OpenCV", cv2.__version__, "a tag as OpenCV draws it, upright; its corners in turn, and the tag's turn")
for family in ("16h5", "25h9", "36h11"):
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_APRILTAG_{family}"))
    side = 24 * (dictionary.markerSize + 2)
    page = numpy.full((side + 160, side + 160), 255, numpy.uint8)
    page[80:-80, 80:-80] = cv2.aruco.generateImageMarker(dictionary, 7, side)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(page)
    tags = pupil_apriltags.Detector(families=f"tag{family}").detect(page, estimate_tag_pose=True, camera_params=(500, 500, side / 2 + 80, side / 2 + 80), tag_size=1)
    tag = max(tags, key=lambda tag: tag.decision_margin)
    turn = round(float(numpy.degrees(numpy.arctan2(tag.pose_R[1, 0], tag.pose_R[0, 0])))) % 360
    print(f"{family}: OpenCV {numbers.ravel().tolist()} {order(corners[0])} | AprilTag [{tag.tag_id}] {order(tag.corners)}; turned by {turn}")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 a tag as OpenCV draws it, upright; its corners in turn, and the tag's turn
16h5: OpenCV [7] upper left, upper right, lower right, lower left | AprilTag [7] upper right, upper left, lower left, lower right; turned by 180
25h9: OpenCV [7] upper left, upper right, lower right, lower left | AprilTag [7] upper right, upper left, lower left, lower right; turned by 180
36h11: OpenCV [7] upper left, upper right, lower right, lower left | AprilTag [7] upper right, upper left, lower left, lower right; turned by 180
END
