#!/usr/bin/env bash
# Expect: a colour becomes the same grey everywhere, within a few levels: 30 % of its red, 59 % of its green, 11 % of its blue.
# Happens: so it is with Pillow 13, OpenCV 5, PDFium and poppler 22.12. MuPDF 2.0 and Ghostscript 10.00 mix light, not its codes (by ICC profiles), and give a dark red 102
#   instead of 61, a blue 40 instead of 18. A bamboo green, dark to a label printer by the first way, is light to it by the second.
# Read: the pages of Pillow's convert and OpenCV's cvtColor, Ghostscript's on colour management, MuPDF's on ICC, and the pixels.
# Matters: coloured tiles on a grey or thermal printer: ink is black with one driver and missing with another; print tiles in black.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pypdfium2==5.15.2 pymupdf==2.0 numpy==2.4.6 pillow==13.0.0 reportlab==5.1.0 opencv-python-headless==5.0.0.93
mkdir -p "$folder/packages/partial"
apt-get install -qq -y --download-only -o Debug::NoLocking=1 -o Dir::Cache::Archives="$folder/packages" \
  poppler-utils=22.12.0-2+deb12u3 ghostscript=10.0.0~dfsg-11+deb12u9 > "$folder/apt" 2>&1 || { cat "$folder/apt"; exit 1; }
for package in "$folder"/packages/*.deb; do [ ! -e "$package" ] || dpkg -x "$package" "$folder/debian"; done
libraries=$(printf '%s:' "$folder"/debian/usr/lib/*-linux-gnu "$folder"/debian/lib/*-linux-gnu)
export PATH="$folder/debian/usr/bin:$PATH" LD_LIBRARY_PATH="${libraries%:}"
[ ! -e "$folder/debian/usr/bin/gs" ] || export GS_LIB="$folder/debian/usr/share/ghostscript/10.00.0/Resource/Init:$folder/debian/usr/share/ghostscript/10.00.0/lib:$folder/debian/var/lib/ghostscript/CMap"
"$folder/venv/bin/python" - "$folder" > "$folder/output" <<'END'
import os, subprocess, sys
import cv2, numpy, pymupdf, pypdfium2
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

os.chdir(sys.argv[1])
INKS = {"ivory": (240, 235, 215), "red": (204, 0, 0), "green": (0, 160, 0), "blue": (0, 0, 160), "grey": (128, 128, 128), "black": (0, 0, 0)}
sheet = Canvas("inks.pdf", pagesize=(10 * len(INKS), 10))
for number, ink in enumerate(INKS.values()):
    sheet.setFillColorRGB(*(value / 255 for value in ink))
    sheet.rect(10 * number, 0, 10, 10, stroke=0, fill=1)
sheet.save()
colours = numpy.array([list(INKS.values())], numpy.uint8).repeat(40, 0).repeat(40, 1)

def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout

def mupdf():
    pixels = pymupdf.open("inks.pdf")[0].get_pixmap(dpi=288, colorspace=pymupdf.csGRAY)
    return numpy.frombuffer(pixels.samples, numpy.uint8).reshape(pixels.height, pixels.width)

def poppler():
    run("pdftoppm", "-r", "288", "-gray", "-singlefile", "inks.pdf", "poppler")
    return numpy.asarray(Image.open("poppler.pgm"))

def ghostscript():
    run("gs", "-q", "-sDEVICE=pgmraw", "-r288", "-o", "ghostscript.pgm", "inks.pdf")
    return numpy.asarray(Image.open("ghostscript.pgm"))

WAYS = {
    "Pillow": lambda: numpy.asarray(Image.fromarray(colours).convert("L")),
    "OpenCV": lambda: cv2.cvtColor(colours, cv2.COLOR_RGB2GRAY),
    "PDFium": lambda: numpy.asarray(pypdfium2.PdfDocument("inks.pdf")[0].render(scale=4, grayscale=True).to_pil().convert("L")),
    "poppler": poppler, "MuPDF": mupdf, "Ghostscript": ghostscript,
}
version = subprocess.run(["pdftoppm", "-v"], capture_output=True, text=True).stderr.split("\n")[0]
print(f"Pillow 13.0, OpenCV {cv2.__version__}, PDFium of pypdfium2 5.15.2, MuPDF of PyMuPDF 2.0, {version}, Ghostscript {run('gs', '--version').strip()}")
print("inks:", *INKS, "| black on a label that is cut at half")
for name, way in WAYS.items():
    greys = dict(zip(INKS, way()[20, 20::40].tolist(), strict=True))
    print(f"{name:<11}", *greys.values(), "|", *(ink for ink, grey in greys.items() if grey < 127))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
Pillow 13.0, OpenCV 5.0.0, PDFium of pypdfium2 5.15.2, MuPDF of PyMuPDF 2.0, pdftoppm version 22.12.0, Ghostscript 10.00.0
inks: ivory red green blue grey black | black on a label that is cut at half
Pillow      234 61 94 18 128 0 | red green blue black
OpenCV      234 61 94 18 128 0 | red green blue black
PDFium      234 61 94 17 128 0 | red green blue black
poppler     234 61 94 18 128 0 | red green blue black
MuPDF       235 102 137 40 128 0 | red blue black
Ghostscript 234 102 137 40 128 0 | red blue black
END
