#!/usr/bin/env bash
# Expect: the parts of a mask are numbered as one reads: the first that is met, row by row, is 1, as in SciPy and scikit-image.
# Happens: OpenCV's connectedComponents looks at blocks of 2 x 2: of two tiles whose tops are a row apart the lower one, on the left, is 1 if the higher one begins
#   in an even row. Move the picture by a pixel and they change places. By 4 neighbours, and with CCL_SAUF, it is as expected (4.13 and 5.0.0.93).
# Read: OpenCV's page of connectedComponents (no order is promised), and the numbers that SciPy and scikit-image give the same tiles.
# Matters: tiles, pips or rows that are told apart by their number ("1 is the upper one") are exchanged now and then, by one pixel of a hand that trembles.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import cv2, numpy, scipy, skimage
from scipy import ndimage
from skimage import measure

def order(labels):
    """Return the numbers of the parts in the order in which a reader meets them, row by row."""
    numbers, first = numpy.unique(labels, return_index=True)
    return [int(number) for _, number in sorted(zip(first, numbers)) if number]

print("SciPy", scipy.__version__, "scikit-image", skimage.__version__)
for top in range(4):
    tiles = numpy.zeros((40, 100), numpy.uint8)
    tiles[top : top + 20, 60:80] = 1  # the higher of the two, on the right
    tiles[top + 1 : top + 21, 10:30] = 1
    print(f"the higher tile begins in row {top}:",
        "OpenCV", order(cv2.connectedComponents(tiles)[1]), "by 4 neighbours", order(cv2.connectedComponents(tiles, connectivity=4)[1]), "CCL_SAUF", order(cv2.connectedComponentsWithAlgorithm(tiles, 8, cv2.CV_32S, cv2.CCL_SAUF)[1]),
        "SciPy", order(ndimage.label(tiles, numpy.ones((3, 3)))[0]), "scikit-image", order(measure.label(tiles, connectivity=2)))
END
cat > "$folder/expected" <<'END'
SciPy 1.17.1 scikit-image 0.26.0
the higher tile begins in row 0: OpenCV [2, 1] by 4 neighbours [1, 2] CCL_SAUF [1, 2] SciPy [1, 2] scikit-image [1, 2]
the higher tile begins in row 1: OpenCV [1, 2] by 4 neighbours [1, 2] CCL_SAUF [1, 2] SciPy [1, 2] scikit-image [1, 2]
the higher tile begins in row 2: OpenCV [2, 1] by 4 neighbours [1, 2] CCL_SAUF [1, 2] SciPy [1, 2] scikit-image [1, 2]
the higher tile begins in row 3: OpenCV [1, 2] by 4 neighbours [1, 2] CCL_SAUF [1, 2] SciPy [1, 2] scikit-image [1, 2]
END
for version in 4.13.0.92 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" scikit-image==0.26.0 scipy==1.17.1 numpy==2.4.6
  echo "OpenCV $version"
  "$folder/$version/bin/python" "$folder/program" | tee "$folder/output"
  diff "$folder/expected" "$folder/output" || { echo "This has changed."; exit 1; }
done
