#!/usr/bin/env bash
# Expect: an opening takes ink away and adds none, and doing it again changes nothing: that is what the words mean.
# Happens: with a kernel of even sides OpenCV 4.13 and 5.0.0.93 move all ink by a pixel to the lower right, once more with each call: it adds as much as it takes.
#   MORPH_TOPHAT and MORPH_BLACKHAT show rims of clean ink. SciPy 1.17.1 and scikit-image 0.26.0 are right with the same kernel.
# Read: OpenCV's pages and tutorial of morphologyEx ("erosion followed by dilation"; the second is not mirrored), its issue 22042, SciPy's page.
# Matters: "np.ones((2, 2)) against speckles" moves each tile's mask from its tile; a cleaning that is run on every frame wanders over the table.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 scikit-image==0.26.0 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import cv2, numpy, scipy, skimage
from scipy import ndimage
from skimage import morphology

ink = numpy.zeros((30, 40), numpy.uint8)
ink[10:18, 12:22] = 1
WAYS = {
    "OpenCV": lambda mask, kernel: cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel),
    "SciPy": lambda mask, kernel: ndimage.binary_opening(mask, kernel).astype(numpy.uint8),
    "scikit-image": lambda mask, kernel: morphology.opening(mask, kernel),
}
print("OpenCV", cv2.__version__, "SciPy", scipy.__version__, "scikit-image", skimage.__version__, "ink of 80 pixels, from row 10 and column 12 on")
for side in (2, 3, 4):
    kernel = numpy.ones((side, side), numpy.uint8)
    for name, way in WAYS.items():
        once = way(ink, kernel)
        often = once
        for _ in range(4):
            often = way(often, kernel)
        added, lost = int((once > ink).sum()), int((once < ink).sum())
        print(f"opened with {side} x {side} by {name}: added {added}, lost {lost}, begins at {numpy.argwhere(once)[0].tolist()}, after five times {numpy.argwhere(often)[0].tolist()}")
for name in ("MORPH_TOPHAT", "MORPH_BLACKHAT"):
    print(f"rims of clean ink by {name} with 2 x 2, 3 x 3:", *(int(cv2.morphologyEx(ink, getattr(cv2, name), numpy.ones((side, side), numpy.uint8)).sum()) for side in (2, 3)))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 SciPy 1.17.1 scikit-image 0.26.0 ink of 80 pixels, from row 10 and column 12 on
opened with 2 x 2 by OpenCV: added 17, lost 17, begins at [11, 13], after five times [15, 17]
opened with 2 x 2 by SciPy: added 0, lost 0, begins at [10, 12], after five times [10, 12]
opened with 2 x 2 by scikit-image: added 0, lost 0, begins at [10, 12], after five times [10, 12]
opened with 3 x 3 by OpenCV: added 0, lost 0, begins at [10, 12], after five times [10, 12]
opened with 3 x 3 by SciPy: added 0, lost 0, begins at [10, 12], after five times [10, 12]
opened with 3 x 3 by scikit-image: added 0, lost 0, begins at [10, 12], after five times [10, 12]
opened with 4 x 4 by OpenCV: added 17, lost 17, begins at [11, 13], after five times [15, 17]
opened with 4 x 4 by SciPy: added 0, lost 0, begins at [10, 12], after five times [10, 12]
opened with 4 x 4 by scikit-image: added 0, lost 0, begins at [10, 12], after five times [10, 12]
rims of clean ink by MORPH_TOPHAT with 2 x 2, 3 x 3: 17 0
rims of clean ink by MORPH_BLACKHAT with 2 x 2, 3 x 3: 17 0
END
