#!/usr/bin/env bash
# Expect: a page has one size. ISO 32000 says that the CropBox is shown and printed, and that UserUnit enlarges it.
# Happens: of four renderers PDFium and MuPDF 2.0 show the CropBox, pdftoppm 22.12 the whole sheet (pdfinfo names the CropBox's size), Ghostscript 10.00 the
#   whole sheet with white outside the CropBox. With UserUnit 2 MuPDF and Ghostscript double everything, PDFium and poppler nothing.
# Read: ISO 32000-1, 14.11.2 and table 30; the manuals (pdftoppm -cropbox, Ghostscript's -dUseCropBox) and the pixels.
# Matters: a mat or a sheet of tiles with a bleed, printed "to fit", has tiles of another size from each: the same file fits its frame in one
#   program only. Files for printing should have no CropBox and no UserUnit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pypdfium2==5.15.2 pymupdf==2.0 numpy==2.4.6 pillow==13.0.0 reportlab==5.1.0 pypdf==7.1.0
mkdir -p "$folder/packages/partial"
apt-get install -qq -y --download-only -o Debug::NoLocking=1 -o Dir::Cache::Archives="$folder/packages" \
  poppler-utils=22.12.0-2+deb12u3 ghostscript=10.0.0~dfsg-11+deb12u9 > "$folder/apt" 2>&1 || { cat "$folder/apt"; exit 1; }
for package in "$folder"/packages/*.deb; do [ ! -e "$package" ] || dpkg -x "$package" "$folder/debian"; done
libraries=$(printf '%s:' "$folder"/debian/usr/lib/*-linux-gnu "$folder"/debian/lib/*-linux-gnu)
export PATH="$folder/debian/usr/bin:$PATH" LD_LIBRARY_PATH="${libraries%:}"
[ ! -e "$folder/debian/usr/bin/gs" ] || export GS_LIB="$folder/debian/usr/share/ghostscript/10.00.0/Resource/Init:$folder/debian/usr/share/ghostscript/10.00.0/lib:$folder/debian/var/lib/ghostscript/CMap"
"$folder/venv/bin/python" - "$folder" > "$folder/output" <<'END'
import io, os, subprocess, sys
import numpy, pymupdf, pypdfium2
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject
from reportlab.pdfgen.canvas import Canvas

os.chdir(sys.argv[1])

def write(entries):
    file = io.BytesIO()
    sheet = Canvas(file, pagesize=(600, 400))
    sheet.setFillColorRGB(1, 0, 0)
    sheet.rect(0, 100, 400, 200, stroke=0, fill=1)
    sheet.save()
    writer = PdfWriter(PdfReader(file))
    for name, value in entries.items():
        writer.pages[0][NameObject(name)] = value
    writer.write("sheet.pdf")

def red(picture):
    pixels = numpy.asarray(picture.convert("RGB")).astype(int)
    ink = pixels[..., 0] - pixels[..., 1] > 100
    return f"{picture.width} x {picture.height}, red {10 * round(int(ink.any(0).sum()) / 10)} x {10 * round(int(ink.any(1).sum()) / 10)}"

def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout

def mupdf():
    pixels = pymupdf.open("sheet.pdf")[0].get_pixmap(dpi=72)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)

def poppler():
    run("pdftoppm", "-r", "72", "-png", "-singlefile", "sheet.pdf", "poppler")
    return Image.open("poppler.png")

def ghostscript():
    run("gs", "-q", "-sDEVICE=png16m", "-r72", "-o", "ghostscript.png", "sheet.pdf")
    return Image.open("ghostscript.png")

print("a page of 600 x 400 points with a red part of 400 x 200 at its left edge, at 72 dots an inch")
version = subprocess.run(["pdftoppm", "-v"], capture_output=True, text=True).stderr.split("\n")[0]
print(f"PDFium of pypdfium2 5.15.2, MuPDF of PyMuPDF 2.0, {version}, Ghostscript {run('gs', '--version').strip()}")
for title, entries in {
    "plain": {},
    "CropBox 100 to 500 by 50 to 350": {"/CropBox": ArrayObject(map(FloatObject, (100, 50, 500, 350)))},
    "UserUnit 2": {"/UserUnit": NumberObject(2)},
}.items():
    write(entries)
    size = next(line.split(":")[1].strip() for line in run("pdfinfo", "sheet.pdf").splitlines() if line.startswith("Page size"))
    print(title)
    print("  PDFium     ", red(pypdfium2.PdfDocument("sheet.pdf")[0].render(scale=1).to_pil()))
    print("  MuPDF      ", red(mupdf()))
    print("  poppler    ", red(poppler()), "| pdfinfo says", size)
    print("  Ghostscript", red(ghostscript()))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
a page of 600 x 400 points with a red part of 400 x 200 at its left edge, at 72 dots an inch
PDFium of pypdfium2 5.15.2, MuPDF of PyMuPDF 2.0, pdftoppm version 22.12.0, Ghostscript 10.00.0
plain
  PDFium      600 x 400, red 400 x 200
  MuPDF       600 x 400, red 400 x 200
  poppler     600 x 400, red 400 x 200 | pdfinfo says 600 x 400 pts
  Ghostscript 600 x 400, red 400 x 200
CropBox 100 to 500 by 50 to 350
  PDFium      400 x 300, red 300 x 200
  MuPDF       400 x 300, red 300 x 200
  poppler     600 x 400, red 400 x 200 | pdfinfo says 400 x 300 pts
  Ghostscript 600 x 400, red 300 x 200
UserUnit 2
  PDFium      600 x 400, red 400 x 200
  MuPDF       1200 x 800, red 800 x 400
  poppler     600 x 400, red 400 x 200 | pdfinfo says 600 x 400 pts
  Ghostscript 1200 x 800, red 800 x 400
END
