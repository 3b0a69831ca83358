"""Find the fonts on this computer that a paper can embed, and the one that has a letter.

fontconfig (`fc-list`) names the fonts with their letters. A font of the installed version itself,
in `share/fonts` of its virtual environment, and the one that comes with ReportLab follow.
ReportLab is loaded with the first font: pages ask about western letters, too.
"""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont

_log = logging.getLogger(__name__)

_SAMPLE = "麻雀陳发発點静½éĐłıŠΔиạ김→−★"
"""Letters of our texts and of names. The font that has most of them is asked first."""

_QUERY = (
    "fc-list",
    "--format",
    "%{file}\t%{index}\t%{slant}\t%{weight}\t%{charset}\n",
    ":fontformat=TrueType:variable=false",
)
"""ReportLab embeds TrueType outlines alone. It takes a variable font's thinnest letters."""

_FACE = re.compile(r"^(.+)\t(\d+)\t(\d+)\t([\d.]+)\t([0-9a-f -]+)$", re.MULTILINE)
"""A line of the answer. A face that says less is passed over."""

_QUERY_TIMEOUT_S = 20.0
"""Where fontconfig has no cache yet, it reads every font on the card."""

_MAX_INDEX = 0xFFFF
"""Higher numbers of a face are fontconfig's names for instances of variable fonts."""

_REGULAR_WEIGHT = 80
"""fontconfig's number for letters that are neither light nor bold."""


@dataclass(frozen=True, slots=True)
class FontFile:
    """A face in a file of TrueType fonts."""

    path: str
    index: int = 0
    """Its place in a file of several faces."""
    letters: tuple[range, ...] = (range(sys.maxunicode + 1),)
    """Code points that it may have; ReportLab knows for sure."""

    def may_have(self, letter: str) -> bool:
        """Return whether it is worth asking for a letter."""
        return any(ord(letter) in some for some in self.letters)


class PaperFonts:
    """Fonts in the order in which they are asked for a letter. Safe to share between threads."""

    def __init__(self, files: Iterable[FontFile]) -> None:
        self._files = tuple(files)
        self._fonts: dict[FontFile, TTFont | None] = {}
        self._names: dict[str, str] = {}
        self._lock = threading.Lock()

    def find(self, letter: str) -> str:
        """Return the name by which ReportLab knows a font that has the letter, "" for none."""
        with self._lock:  # a font that is registered again in the middle of a paper spoils it
            if letter not in self._names:
                faces = (self._load(file) for file in self._files if file.may_have(letter))
                self._names[letter] = next(
                    (font.fontName for font in faces if font and _has(font, letter)), ""
                )
            return self._names[letter]

    def _load(self, file: FontFile) -> TTFont | None:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFError, TTFont

        if file not in self._fonts:
            name = f"{Path(file.path).stem}-{file.index}"
            try:
                self._fonts[file] = TTFont(name, file.path, subfontIndex=file.index)
            except (TTFError, OSError) as error:  # an outline or a licence that is not for paper
                _log.info("Cannot print with the font %s: %s", file.path, error)
                self._fonts[file] = None
            else:
                pdfmetrics.registerFont(self._fonts[file])
        return self._fonts[file]


def has_letter(name: str, letter: str) -> bool:
    """Return whether a registered font that is embedded has a letter."""
    from reportlab.pdfbase import pdfmetrics

    return _has(pdfmetrics.getFont(name), letter)


def _has(font: TTFont, letter: str) -> bool:
    return ord(letter) in font.face.charToGlyph


@cache
def paper_fonts() -> PaperFonts:
    """Return the fonts of this computer, looked up once."""
    own_fonts = sorted(Path(sys.prefix, "share", "fonts").glob("*.tt[cf]"))
    last = resources.files("reportlab") / "fonts" / "Vera.ttf"
    return PaperFonts((*_system_fonts(), *(FontFile(str(path)) for path in (*own_fonts, last))))


def _system_fonts() -> list[FontFile]:
    """Return fontconfig's fonts, the one with most letters of the sample first."""
    try:
        listing = subprocess.run(  # noqa: S603 - no word of it comes from outside
            _QUERY, capture_output=True, text=True, timeout=_QUERY_TIMEOUT_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        _log.info("Cannot list the system's fonts: %s", error)
        return []
    return [
        file for _, file in sorted(_read_fonts(listing), key=lambda ranked_font: ranked_font[0])
    ]


def _read_fonts(lines: str) -> Iterator[tuple[tuple[int, bool, int, str, int], FontFile]]:
    """Yield each face with its rank: letters missing, slant, distance to the regular weight."""
    for path, index, slant, weight, charset in _FACE.findall(lines):
        if int(index) > _MAX_INDEX:
            continue
        file = FontFile(path, int(index), tuple(map(_parse_range, charset.split())))
        lacks = sum(not file.may_have(letter) for letter in _SAMPLE)
        weight_offset = abs(int(float(weight)) - _REGULAR_WEIGHT)
        yield (lacks, slant != "0", weight_offset, path, file.index), file


def _parse_range(text: str) -> range:
    """Return the code points of one part of fontconfig's list.

    >>> _parse_range("20-7e"), _parse_range("192")
    (range(32, 127), range(402, 403))
    """
    first, _, last = text.partition("-")
    return range(int(first, 16), int(last or first, 16) + 1)
