#!/usr/bin/env bash
# Expect: Unicode's 44 tiles (U+1F000 to U+1F02B) take the same room in a table of plain text, and sort and stand as one set.
# Happens: the red dragon alone takes two columns, for it is an emoji (since Unicode 9; 14.0 here). As text (with U+FE0E) it takes one for
#   wcwidth 0.9.4 and two for rich 15.0.0; str.ljust and format give every tile one, so that lines with a red dragon are too long.
# Read: Unicode's EastAsianWidth and its note on emoji, wcwidth's and rich's pages.
# Matters: hands printed in columns, in a terminal, a chat or on a receipt, are out of line wherever a red dragon is; tests with winds pass.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet wcwidth==0.9.4 rich==15.0.0
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import unicodedata
import wcwidth
from rich.cells import cell_len

for code in range(0x1F000, 0x1F02C):
    tile = chr(code)
    widths = unicodedata.east_asian_width(tile), wcwidth.wcswidth(tile), cell_len(tile)
    if widths != ("N", 1, 1):
        print(unicodedata.name(tile), *widths, "| as text", wcwidth.wcswidth(tile + "\ufe0e"), cell_len(tile + "\ufe0e"))
lines = [f"{chr(code) * 3:<6}|" for code in (0x1F000, 0x1F004, 0x1F005)]
print("columns of three lines that format made alike:", *(wcwidth.wcswidth(line) for line in lines))
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
MAHJONG TILE RED DRAGON W 2 2 | as text 1 2
columns of three lines that format made alike: 7 10 7
END
