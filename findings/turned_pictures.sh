#!/usr/bin/env bash
# Expect: OpenCV turns every photograph as its file says, unless it is asked for the pixels unchanged.
# Happens: with 5.0.0.93 JPEG, PNG and WebP are turned so; AVIF never is; TIFF also where pixels are asked for unchanged, and at half
#   size it is squeezed into the shape that it had before the turn.
# Read: OpenCV's page of imread (EXIF orientation, IMREAD_UNCHANGED, IMREAD_REDUCED_*) and the shapes that come back.
# Matters: a row of tiles from a phone held upright comes lying or squeezed, and every tile with it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 pillow==13.0.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import io
import cv2, numpy
from PIL import Image

lying = Image.new("RGB", (64, 32), "red")
exif = Image.Exif()
exif[0x0112] = 6  # to be shown turned to the right: 32 wide, 64 high
print("format: colour, unchanged, half size (rows, columns); wanted (64, 32), (32, 64), (32, 16)")
for name in ("JPEG", "PNG", "WEBP", "TIFF", "AVIF"):
    file = io.BytesIO()
    lying.save(file, name, exif=exif if name == "TIFF" else exif.tobytes())
    data = numpy.frombuffer(file.getvalue(), numpy.uint8)
    flags = (cv2.IMREAD_COLOR, cv2.IMREAD_UNCHANGED, cv2.IMREAD_REDUCED_COLOR_2)
    print(f"{name}:", *(cv2.imdecode(data, flag).shape[:2] for flag in flags))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
format: colour, unchanged, half size (rows, columns); wanted (64, 32), (32, 64), (32, 16)
JPEG: (64, 32) (32, 64) (32, 16)
PNG: (64, 32) (32, 64) (32, 16)
WEBP: (64, 32) (32, 64) (32, 16)
TIFF: (64, 32) (64, 32) (16, 32)
AVIF: (32, 64) (32, 64) (16, 32)
END
