"""Take the font for papers from this computer into a bundle, for boxes without a network."""

from __future__ import annotations

import hashlib
from pathlib import Path

INSTALLED_FONT = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
FONT_SHA256 = "2420e8078af796b19a3f6ef13de527a1a91c1e7171eea115926c614ced1009b3"
"""The file of Debian's fonts-wqy-microhei 0.2.0-beta-3.1: the same commit makes the same bytes."""

FONT_VERSION = "0.2.0-beta"
FONT_LICENCE = "Apache-2.0"
_LICENCE_TEXT = f"""WenQuanYi Micro Hei {FONT_VERSION}: {FONT_LICENCE} (see the file LICENSE),
or GPL-3+ with the font exception.

2008-2009, The WenQuanYi Project Board of Trustees, Qianqian Fang, mozbug.
Based on Droid Sans Fallback, Droid Sans and Droid Sans Mono: 2006-2008, Google Corporation;
Steve Matteson, Ascender Corp. Some punctuation is from Ume-Font: 2003-2004, Electronic Font Open
Laboratory; 1990-2003, Wada Laboratory, the University of Tokyo.
"""


class MissingFontError(Exception):
    """This computer has not the font that goes into a bundle."""


def take_font(folder: Path, source: Path = INSTALLED_FONT) -> None:
    """Copy the font and its licence into a new folder; raise MissingFontError."""
    data = source.read_bytes() if source.exists() else b""
    if hashlib.sha256(data).hexdigest() != FONT_SHA256:
        raise MissingFontError(
            f"A bundle has a font for papers: {source}. Install Debian's fonts-wqy-microhei."
        )
    folder.mkdir()
    (folder / source.name).write_bytes(data)
    (folder / f"{source.stem}.txt").write_text(_LICENCE_TEXT)
