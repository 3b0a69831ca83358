#!/usr/bin/env bash
# Expect: a QR code of a name, or of "½", says the same in every reader.
# Happens: segno writes 東 in kanji mode or as Shift-JIS and ½ as Latin-1, and does not say which. OpenCV raises an error for the first and reads other
#   signs in the second; ZXing reads a half-width kana for ½. Written as UTF-8, both readers read all of them. So since segno 1.x.
# Read: segno's page on encodings (ISO 8859-1, then Shift-JIS, then UTF-8, "eci" off) and what both readers return.
# Matters: a club's Wi-Fi called 東風, a player's name or "2½" in a code is another text on another phone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet segno==1.6.6 opencv-python-headless==5.0.0.93 zxing-cpp==3.1.1 pillow==13.0.0 numpy==2.4.6
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import io
import cv2, numpy, segno, zxingcpp
from PIL import Image

def draw(code):
    file = io.BytesIO()
    code.save(file, kind="png", scale=6, border=4)
    return numpy.asarray(Image.open(file).convert("L"))

def opencv(pixels):
    try:
        return ascii(cv2.QRCodeDetector().detectAndDecode(pixels)[0])
    except UnicodeDecodeError:
        return "UnicodeDecodeError"

def zxing(pixels):
    return "".join(code.text for code in zxingcpp.read_barcodes(pixels))

for text in ("東", "北京 8", "½", "é"):
    code, unicode = segno.make_qr(text), segno.make_qr(text, encoding="utf-8")
    assert cv2.QRCodeDetector().detectAndDecode(draw(unicode))[0] == zxing(draw(unicode)) == text
    print(text, code.mode, "OpenCV", opencv(draw(code)), "ZXing", zxing(draw(code)), sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
東 | kanji | OpenCV | UnicodeDecodeError | ZXing | 東
北京 8 | byte | OpenCV | '\x96k\x8b\x9e 8' | ZXing | 北京 8
½ | byte | OpenCV | '\xbd' | ZXing | ｽ
é | byte | OpenCV | '\xe9' | ZXing | é
END
