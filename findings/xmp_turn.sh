#!/usr/bin/env bash
# Expect: programs agree how to turn a photograph, or at least read the same mark: EXIF's Orientation.
# Happens: where EXIF has none, Pillow takes the one of XMP (13.0; so since 11.3, of PNG before), OpenCV 5.0.0.93 and libvips 8.18 do not, nor do Chromium and WebKitGTK (156, 2.50).
#   Saved as AVIF, a photograph that EXIF calls upright loses that mark, and is turned by XMP when it is opened next.
# Read: Pillow's page of exif_transpose ("if an image has an EXIF Orientation tag"), OpenCV's of imread, libvips' of autorot.
# Matters: a photograph that was edited once is upright in the browser and lies on its side for the program that reads its tiles.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pillow==13.0.0 opencv-python-headless==5.0.0.93 pyvips==3.2.0 pyvips-binary==8.18.7 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import io
import cv2, numpy, pyvips
from PIL import Image, ImageOps, PngImagePlugin

XMP = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/></rdf:RDF></x:xmpmeta>"""

def save(kind, exif_turn):
    exif, text, file = Image.Exif(), PngImagePlugin.PngInfo(), io.BytesIO()
    if exif_turn:
        exif[0x0112] = exif_turn
    text.add_itxt("XML:com.adobe.xmp", XMP.decode())
    marks = {"pnginfo": text} if kind == "PNG" else {"xmp": XMP}
    Image.new("RGB", (64, 32)).save(file, kind, exif=exif.tobytes(), **marks)
    return file.getvalue()

print("OpenCV", cv2.__version__, "libvips", pyvips.version(0), pyvips.version(1), "lying 64 x 32; turned by XMP it would be 32 x 64")
for exif_turn in (None, 1):
    for kind in ("JPEG", "PNG", "WEBP", "AVIF"):
        data = save(kind, exif_turn)
        pillow = ImageOps.exif_transpose(Image.open(io.BytesIO(data))).size
        opencv = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_COLOR).shape[1::-1]
        vips = pyvips.Image.new_from_buffer(data, "").autorot()
        print("EXIF", exif_turn, "XMP 6", kind, "| Pillow", pillow, "| OpenCV", opencv, "| libvips", (vips.width, vips.height))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
OpenCV 5.0.0 libvips 8 18 lying 64 x 32; turned by XMP it would be 32 x 64
EXIF None XMP 6 JPEG | Pillow (32, 64) | OpenCV (64, 32) | libvips (64, 32)
EXIF None XMP 6 PNG | Pillow (32, 64) | OpenCV (64, 32) | libvips (64, 32)
EXIF None XMP 6 WEBP | Pillow (32, 64) | OpenCV (64, 32) | libvips (64, 32)
EXIF None XMP 6 AVIF | Pillow (32, 64) | OpenCV (64, 32) | libvips (64, 32)
EXIF 1 XMP 6 JPEG | Pillow (64, 32) | OpenCV (64, 32) | libvips (64, 32)
EXIF 1 XMP 6 PNG | Pillow (64, 32) | OpenCV (64, 32) | libvips (64, 32)
EXIF 1 XMP 6 WEBP | Pillow (64, 32) | OpenCV (64, 32) | libvips (64, 32)
EXIF 1 XMP 6 AVIF | Pillow (32, 64) | OpenCV (64, 32) | libvips (64, 32)
END
