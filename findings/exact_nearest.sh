#!/usr/bin/env bash
# Expect: INTER_NEAREST_EXACT means what its name says in every OpenCV: the pixel in which the centre lies, as in Pillow.
# Happens: 4.13 and 5.0.0.93 take different neighbours in 879 of 4,641 pairs of lengths. 5.0 agrees with Pillow in all of them.
# Read: OpenCV's page of resize (bit exact, as Pillow, scikit-image and Matlab) and the pixels of both versions and of Pillow.
# Matters: pictures of labels (which pixel is which tile), shrunk on two computers, disagree along edges, and nobody looks for it there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/program" <<'END'
import cv2, numpy
from PIL import Image

pairs = differing = 0
for length in range(1, 40):
    row = numpy.arange(length, dtype=numpy.uint8)[None]
    for new in range(1, 120):
        exact = cv2.resize(row, (new, 1), interpolation=cv2.INTER_NEAREST_EXACT)
        pillow = numpy.asarray(Image.fromarray(row).resize((new, 1), Image.Resampling.NEAREST))
        pairs += 1
        differing += bool((exact != pillow).any())
print(cv2.__version__, "differs from Pillow in", differing, "of", pairs, "pairs of lengths")
END
for version in 4.13.0.92 5.0.0.93; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet "opencv-python-headless==$version" pillow==13.0.0 numpy==2.4.6
  "$folder/$version/bin/python" "$folder/program" >> "$folder/output"
done
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
4.13.0 differs from Pillow in 879 of 4641 pairs of lengths
5.0.0 differs from Pillow in 0 of 4641 pairs of lengths
END
