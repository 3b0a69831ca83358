#!/usr/bin/env bash
# Expect: a PNG read with IMREAD_GRAYSCALE is what cvtColor makes of its colours, as of any other format: a dark red 61, a green 75.
# Happens: where the file says that it is sRGB, or names its gamma, as screenshots and most editors' files do, red is 118 and green 101: the
#   grey is mixed in linear light, and red is now lighter than green. The colours themselves are the same (4.11, 4.13 and 5.0.0.93).
# Read: OpenCV's page of imread (grey by the codec may differ from cvtColor), libpng's manual (png_set_rgb_to_gray, gamma).
# Matters: a tile saved by two programs has two greys; a threshold that finds red ink on ivory in one file loses it in the other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet opencv-python-headless==5.0.0.93 numpy==2.4.6 pillow==13.0.0
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import io
import cv2, numpy
from PIL import Image, PngImagePlugin

INKS = {"ivory": (240, 235, 215), "red": (204, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 200)}
tiles = Image.fromarray(numpy.array([list(INKS.values())], numpy.uint8).repeat(16, 0).repeat(16, 1))

def files():
    for name, chunks in (("PNG", {}), ("PNG with sRGB", {b"sRGB": b"\0"}), ("PNG with gamma", {b"gAMA": (45455).to_bytes(4, "big")})):
        info, file = PngImagePlugin.PngInfo(), io.BytesIO()
        for kind, data in chunks.items():
            info.add(kind, data)
        tiles.save(file, "PNG", pnginfo=info)
        yield name, file
    for name in ("WEBP", "TIFF", "BMP"):
        file = io.BytesIO()
        tiles.save(file, name, **({"lossless": True} if name == "WEBP" else {}))
        yield name, file

def values(grey):
    return [int(grey[8, 16 * number + 8]) for number in range(len(INKS))]

print("OpenCV", cv2.__version__, *INKS, "| read as grey, made grey by cvtColor, by Pillow")
for name, file in files():
    pixels = numpy.frombuffer(file.getvalue(), numpy.uint8)
    colours = cv2.imdecode(pixels, cv2.IMREAD_COLOR)
    print(name, values(cv2.imdecode(pixels, cv2.IMREAD_GRAYSCALE)), values(cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY)),
          values(numpy.asarray(Image.open(file).convert("L"))), sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 ivory red green blue | read as grey, made grey by cvtColor, by Pillow
PNG | [234, 60, 75, 22] | [234, 61, 75, 23] | [234, 61, 75, 23]
PNG with sRGB | [234, 118, 101, 74] | [234, 61, 75, 23] | [234, 61, 75, 23]
PNG with gamma | [234, 118, 101, 74] | [234, 61, 75, 23] | [234, 61, 75, 23]
WEBP | [234, 61, 75, 23] | [234, 61, 75, 23] | [234, 61, 75, 23]
TIFF | [234, 61, 75, 23] | [234, 61, 75, 23] | [234, 61, 75, 23]
BMP | [234, 61, 75, 23] | [234, 61, 75, 23] | [234, 61, 75, 23]
END
