#!/usr/bin/env bash
# Expect: text of a PDF that was written in an embedded font can be copied and found again, whoever drew it.
# Happens: Skia (skia-python 144.1) takes back from the font what a glyph means, and of two signs with one glyph the lower number: 一 二 八 白 become
#   radicals (U+2F00, 2F06, 2F0B, 2F69) in Noto Sans CJK. The Japanese face's 西 becomes U+2EC4, which even NFKC leaves. fpdf2 2.8.9 writes what was said.
# Read: Unicode's blocks of radicals, ISO 32000-1, 9.10 (ToUnicode), Skia's page on its PDF backend, and what PDFium and MuPDF read.
# Matters: sheets of tiles, labels and score books: five of these ten names look right on paper, and a search for 白 or 一萬 finds none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet skia-python==144.1 fpdf2==2.8.9 pypdfium2==5.15.2 pymupdf==2.0 noto-cjk-sans-otc==0.0.1
venv/bin/python - > output 2> errors <<'END' || { cat errors; exit 1; }
import logging, pathlib, unicodedata
import fpdf, noto_cjk_sans_otc, pymupdf, pypdfium2, skia

logging.disable(logging.CRITICAL)
FONT = str(pathlib.Path(noto_cjk_sans_otc.__file__).with_name("NotoSansCJK-Regular.ttc"))
NAMES = "一萬 二萬 八萬 東 南 西 北 中 發 白".split()

def by_skia(face):
    stream = skia.DynamicMemoryWStream()
    document = skia.PDF.MakeDocument(stream)
    page, font = document.beginPage(400, 400), skia.Font(skia.FontMgr().makeFromFile(FONT, face), 20)
    for line, name in enumerate(NAMES, 1):
        page.drawString(name, 20, 30 * line, font, skia.Paint())
    document.endPage()
    document.close()
    return bytes(stream.detachAsData())

def by_fpdf(face):
    document = fpdf.FPDF()
    document.add_font("noto", "", FONT, collection_font_number=face)
    document.set_font("noto", size=20)
    document.add_page()
    for line, name in enumerate(NAMES, 1):
        document.text(20, 15 * line, name)
    return bytes(document.output())

def missing(text):
    return "all are there" if not (names := [name for name in NAMES if name not in text]) else "missing: " + " ".join(names)

print("skia-python", skia.__version__, "fpdf2", fpdf.__version__, "noto-cjk-sans-otc 0.0.1")
for face, language in ((0, "Japanese"), (3, "traditional Chinese")):
    for title, write in (("Skia", by_skia), ("fpdf2", by_fpdf)):
        pdf = write(face)
        texts = {"PDFium": pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range(), "MuPDF": pymupdf.open("pdf", pdf)[0].get_text()}
        for reader, text in texts.items():
            print(f"{language} face, by {title}, read by {reader}: {missing(text)}; after NFKC {missing(unicodedata.normalize('NFKC', text))}")
END
cat output
diff - output <<'END' || { echo "This has changed."; exit 1; }
skia-python 144.1 fpdf2 2.8.9 noto-cjk-sans-otc 0.0.1
Japanese face, by Skia, read by PDFium: missing: 一萬 二萬 八萬 西 白; after NFKC missing: 西
Japanese face, by Skia, read by MuPDF: missing: 一萬 二萬 八萬 西 白; after NFKC missing: 西
Japanese face, by fpdf2, read by PDFium: all are there; after NFKC all are there
Japanese face, by fpdf2, read by MuPDF: all are there; after NFKC all are there
traditional Chinese face, by Skia, read by PDFium: missing: 一萬 二萬 八萬 白; after NFKC all are there
traditional Chinese face, by Skia, read by MuPDF: missing: 一萬 二萬 八萬 白; after NFKC all are there
traditional Chinese face, by fpdf2, read by PDFium: all are there; after NFKC all are there
traditional Chinese face, by fpdf2, read by MuPDF: all are there; after NFKC all are there
END
