#!/usr/bin/env bash
# Expect: python-escpos sends a letter in one way; what the printer lacks becomes "?".
# Happens: one Chinese character changes the whole text: with it all of the line goes out as GBK bytes, "é" and "★", too, and no command tells
#   the printer so; without it the same "é" goes out by code page and "★" as "?". No warning in either case (3.1, every profile).
# Read: python-escpos's pages on text and code pages (magic encoding), and the bytes that its Dummy printer collects.
# Matters: score slips and labels: a player's name prints well until 東 stands on the same line, or until a printer that knows no Chinese gets it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet python-escpos==3.1
"$folder/venv/bin/python" - > "$folder/output" <<'END'
from escpos.printer import Dummy

for text in ("é", "é 東", "★", "★ 東", "東"):
    for profile in ("default", "TM-T20II", "TM-U220"):
        printer = Dummy(profile=profile)
        printer.text(text)
        plain = text.encode("gbk", "replace")
        print(profile, text, printer.output, "GBK" if printer.output == plain else "", sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
default | é | b'\x1bt\x00\x82' | 
TM-T20II | é | b'\x1bt\x00\x82' | 
TM-U220 | é | b'\x1bt\x00\x82' | 
default | é 東 | b'\xa8\xa6 \x96|' | GBK
TM-T20II | é 東 | b'\xa8\xa6 \x96|' | GBK
TM-U220 | é 東 | b'\xa8\xa6 \x96|' | GBK
default | ★ | b'\x1bt\x00?' | 
TM-T20II | ★ | b'\x1bt\x00?' | 
TM-U220 | ★ | b'\x1bt\x00?' | 
default | ★ 東 | b'\xa1\xef \x96|' | GBK
TM-T20II | ★ 東 | b'\xa1\xef \x96|' | GBK
TM-U220 | ★ 東 | b'\xa1\xef \x96|' | GBK
default | 東 | b'\x96|' | GBK
TM-T20II | 東 | b'\x96|' | GBK
TM-U220 | 東 | b'\x96|' | GBK
END
