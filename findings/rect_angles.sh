#!/usr/bin/env bash
# Expect: minAreaRect's angle lies between 0 and 90 degrees, as in every OpenCV since 4.5.1, and a minor version leaves it there.
# Happens: since 4.13 (5.0.0.93, too) it lies between -90 and 0, and width and height have changed places, but for a tile that lies straight. 4.12,
#   whose help says [-90, 0) already, answers (0, 90]. boxPoints' first corner is another, too.
# Read: OpenCV's help of minAreaRect in 4.12 and 5.0, and its issues 19472, 24436 and pull request 28051.
# Matters: "turn by the angle, then cut out width x height" lays tiles on their side after an update; the rectangle itself is the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import cv2, numpy

print(cv2.__version__, "help says [-90, 0):", "[-90, 0)" in cv2.minAreaRect.__doc__)
for turn in (0, 30, 60, 135):
    way = numpy.deg2rad(turn)
    turned = numpy.array([[0, 0], [40, 0], [40, 20], [0, 20]]) @ [[numpy.cos(way), numpy.sin(way)], [-numpy.sin(way), numpy.cos(way)]] + 100
    rectangle = cv2.minAreaRect(turned.astype(numpy.float32))
    (width, height), angle = rectangle[1:]
    first = numpy.linalg.norm(turned - cv2.boxPoints(rectangle)[0], axis=1).argmin()
    print(f"a tile of 40 x 20 turned by {turn}: {width:.0f} x {height:.0f} at {angle:.0f}; boxPoints begins at corner {first}")
END
for version in 4.12.0.88 4.13.0.92 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" numpy==2.2.6
  "$folder/$version/bin/python" "$folder/program" >> "$folder/output"
done
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
4.12.0 help says [-90, 0): True
a tile of 40 x 20 turned by 0: 20 x 40 at 90; boxPoints begins at corner 0
a tile of 40 x 20 turned by 30: 40 x 20 at 30; boxPoints begins at corner 3
a tile of 40 x 20 turned by 60: 40 x 20 at 60; boxPoints begins at corner 3
a tile of 40 x 20 turned by 135: 20 x 40 at 45; boxPoints begins at corner 2
4.13.0 help says [-90, 0): True
a tile of 40 x 20 turned by 0: 20 x 40 at -90; boxPoints begins at corner 2
a tile of 40 x 20 turned by 30: 20 x 40 at -60; boxPoints begins at corner 2
a tile of 40 x 20 turned by 60: 20 x 40 at -30; boxPoints begins at corner 2
a tile of 40 x 20 turned by 135: 40 x 20 at -45; boxPoints begins at corner 1
5.0.0 help says [-90, 0): True
a tile of 40 x 20 turned by 0: 20 x 40 at -90; boxPoints begins at corner 2
a tile of 40 x 20 turned by 30: 20 x 40 at -60; boxPoints begins at corner 2
a tile of 40 x 20 turned by 60: 20 x 40 at -30; boxPoints begins at corner 2
a tile of 40 x 20 turned by 135: 40 x 20 at -45; boxPoints begins at corner 1
END
