#!/usr/bin/env bash
# Expect: INTER_AREA averages a side that shrinks, whatever the other side does.
# Happens: where the other side grows, if only by one pixel, nothing is averaged: both sides are interpolated between neighbours. Stripes of 0 and
#   100, four to one, come out as 75 instead of 50 (OpenCV 5.0.0.93; Pillow's BOX gives 50).
# Read: OpenCV's page of resize ("similar to nearest when enlarging"; nothing on a side of each kind) and Pillow's filters.
# Matters: a flat tile, wide and low, that is brought to a square input loses its ink to aliasing although "area" was asked for.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 pillow==13.0.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import cv2, numpy
from PIL import Image

stripes = numpy.tile(numpy.array([0, 100], numpy.uint8), (4, 8))  # 4 rows, 16 columns
print(cv2.__version__, "rows x columns: OpenCV's area, Pillow's box")
for rows, columns in ((4, 4), (2, 4), (5, 4), (8, 4)):
    area = cv2.resize(stripes, (columns, rows), interpolation=cv2.INTER_AREA)
    box = numpy.asarray(Image.fromarray(stripes).resize((columns, rows), Image.Resampling.BOX))
    print(rows, "x", columns, numpy.unique(area).tolist(), numpy.unique(box).tolist())
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
5.0.0 rows x columns: OpenCV's area, Pillow's box
4 x 4 [50] [50]
2 x 4 [50] [50]
5 x 4 [75] [50]
8 x 4 [75] [50]
END
