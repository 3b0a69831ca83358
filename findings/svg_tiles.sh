#!/usr/bin/env bash
# Expect: a tile face as SVG looks alike wherever it is turned into a PDF or a picture; what an engine cannot draw, it says.
# Happens: CairoSVG 2.9.1, svglib 2.3.2 and PyMuPDF 2.0 draw ten of these eleven plain features wrongly in one engine or more, and none raises an error: MuPDF draws what is
#   hidden and drops styles, gradients and clips; svglib drops masks, patterns and a symbol's viewBox; CairoSVG drops hsl() colours.
# Read: SVG 1.1 and 2 on these features; the projects' lists of what they support.
# Matters: tile sets are shared as SVG. A printed sheet shows faces without their red, or both faces of a layered drawing on top of each other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet cairosvg==2.9.1 svglib==2.3.2 reportlab==5.1.0 pymupdf==2.0 pypdfium2==5.15.2 pillow==13.0.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import io, logging
import cairosvg, numpy, pymupdf, pypdfium2
from PIL import Image
from reportlab.graphics import renderPDF
from svglib.svglib import svg2rlg

logging.disable(logging.CRITICAL)
RED = 'x="10" y="10" width="40" height="60" fill="#f00"'
BODIES = {  # share of the tile that is red, in per cent, by SVG's rules
    "plain rectangle": (50, f"<rect {RED}/>"),
    "class in a style": (50, "<style>.ink{fill:#f00}</style>" + f"<rect {RED}/>".replace('fill="#f00"', 'class="ink"')),
    "colour as hsl": (50, f"<rect {RED}/>".replace("#f00", "hsl(0,100%,50%)")),
    "currentColor": (50, '<g color="#f00">' + f"<rect {RED}/>".replace("#f00", "currentColor") + "</g>"),
    "gradient": (50, '<linearGradient id="g"><stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#f00"/></linearGradient>'
                 + f"<rect {RED}/>".replace("#f00", "url(#g)")),
    "pattern": (50, '<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="5" height="5" fill="#f00"/></pattern>'
                + f"<rect {RED}/>".replace("#f00", "url(#p)")),
    "hidden layer": (0, f'<g display="none"><rect {RED}/></g>'),
    "clip": (25, f'<clipPath id="c"><rect width="30" height="80"/></clipPath><rect {RED} clip-path="url(#c)"/>'),
    "mask": (25, f'<mask id="m"><rect width="30" height="80" fill="#fff"/></mask><rect {RED} mask="url(#m)"/>'),
    "symbol with viewBox": (8, '<symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10" fill="#f00"/></symbol>'
                            '<use xlink:href="#s" x="10" y="10" width="20" height="20"/>'),
    "inner svg": (8, '<svg x="10" y="10" width="40" height="20" viewBox="0 0 10 10"><rect width="10" height="10" fill="#f00"/></svg>'),
}

def svglib(text):
    pdf = renderPDF.drawToString(svg2rlg(io.StringIO(text)))
    return pypdfium2.PdfDocument(pdf)[0].render(scale=2).to_pil()

def cairo(text):
    return Image.open(io.BytesIO(cairosvg.svg2png(text.encode(), scale=2)))

def mupdf(text):
    pixels = pymupdf.open("svg", text.encode())[0].get_pixmap(dpi=192)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)

def red_share(picture):
    pixels = numpy.asarray(picture.convert("RGB")).astype(int)
    return round(100 * float((pixels[..., 0] - pixels[..., 1:].max(2) > 100).mean()))

def near(share, wanted):
    return "yes" if abs(share - wanted) <= 2 else f"no, {'nothing' if not share else 'too much' if share > wanted else 'too little'}"

print("as it should be? CairoSVG, svglib, MuPDF")
for name, (wanted, body) in BODIES.items():
    text = ('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="60" height="80"'
            f' viewBox="0 0 60 80"><rect width="60" height="80" fill="#fff"/>{body}</svg>')
    print(name, *(near(red_share(draw(text)), wanted) for draw in (cairo, svglib, mupdf)), sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
as it should be? CairoSVG, svglib, MuPDF
plain rectangle | yes | yes | yes
class in a style | yes | yes | no, nothing
colour as hsl | no, nothing | yes | no, nothing
currentColor | yes | yes | no, nothing
gradient | yes | yes | no, nothing
pattern | yes | no, nothing | no, nothing
hidden layer | yes | yes | no, too much
clip | yes | yes | no, too much
mask | no, too much | no, too much | no, too much
symbol with viewBox | yes | no, too little | no, too little
inner svg | yes | no, too little | yes
END
