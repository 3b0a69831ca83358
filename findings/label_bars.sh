#!/usr/bin/env bash
# Expect: a PDF's black bar comes out as wide as it is drawn, rounded to dots or with grey edges, whatever way it was drawn.
# Happens: PDFium (159.0.8149, in pypdfium2 5.15.2) rounds the width of a rectangle up to whole dots, without grey: bars of 1.5 dots are 2 wide. The same
#   bars in one path, a hair out of square, or as lines are 1.5, as in MuPDF. This is with smoothing on.
# Read: PDFium's header of FPDF_RenderPage (smoothing is on unless FPDF_RENDER_NO_SMOOTHPATH), MuPDF's manual, and the pixels.
# Matters: barcodes, QR codes and markers on labels of 203 dots an inch: two drawings that look alike print with white gaps of other widths.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pypdfium2==5.15.2 pymupdf==2.0 reportlab==5.1.0 numpy==2.4.6 pillow==13.0.0
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import numpy, pymupdf, pypdfium2
from reportlab.pdfgen.canvas import Canvas

DOT = 72 / 203
BARS = 40

def draw(way):
    canvas = Canvas("", pagesize=(160 * DOT, 30 * DOT))
    together = canvas.beginPath()
    for bar in range(BARS):
        left, width, top = (20.3 + 3 * bar) * DOT, 1.5 * DOT, 30 * DOT
        if way == "rectangles":
            canvas.rect(left, 0, width, top, stroke=0, fill=1)
        elif way == "one path":
            together.rect(left, 0, width, top)
        elif way == "lines":
            canvas.setLineWidth(width)
            canvas.line(left + width / 2, 0, left + width / 2, top)
        else:
            path = canvas.beginPath()
            path.moveTo(left, 0)
            for x, y in ((left + width, 0), (left + width + 0.001, top), (left + 0.001, top)):
                path.lineTo(x, y)
            path.close()
            canvas.drawPath(path, stroke=0, fill=1)
    if way == "one path":
        canvas.drawPath(together, stroke=0, fill=1)
    return canvas.getpdfdata()

def share(pixels):  # of black, in per cent, over whole bars
    return round(float((255 - pixels[15, 23:23 + 3 * (BARS - 2)].astype(float)).mean() / 2.55))

print("pypdfium2", pypdfium2.PYPDFIUM_INFO.version, "PDFium", pypdfium2.PDFIUM_INFO.build, "PyMuPDF", pymupdf.__version__, "per cent black; drawn: 50")
for way in ("rectangles", "one path", "out of square", "lines"):
    data = draw(way)
    pdfium = pypdfium2.PdfDocument(data)[0].render(scale=1 / DOT, grayscale=True).to_numpy()
    page = pymupdf.open("pdf", data)[0].get_pixmap(dpi=203, colorspace=pymupdf.csGRAY)
    mupdf = numpy.frombuffer(page.samples, numpy.uint8).reshape(page.h, page.stride)[:, :page.w]
    print(way, "| PDFium", share(pdfium.reshape(*pdfium.shape[:2], -1)[..., 0]), "| MuPDF", share(mupdf))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
pypdfium2 5.15.2 PDFium 8149 PyMuPDF 2.0 per cent black; drawn: 50
rectangles | PDFium 67 | MuPDF 49
one path | PDFium 50 | MuPDF 49
out of square | PDFium 50 | MuPDF 49
lines | PDFium 50 | MuPDF 49
END
