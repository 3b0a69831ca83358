"""The fonts that pages are measured with: those of one kind of phone, whatever this machine has.

Chromium is given a fontconfig of its own, in which there is one family without serifs, one with
them and a Chinese one. It draws letters unhinted, as phones do: hinted ones are wider or narrower
by a pixel, and not the same after the size of text is changed on an open page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape


@dataclass(frozen=True, slots=True)
class Fonts:
    """What `--sans` and `--serif` of the style sheet come to on one kind of phone."""

    sans: str
    serif: str


CHINESE = "Noto Sans CJK TC"

FONTS: Mapping[str, Fonts] = {
    # The widest that there are, and what a fresh Debian has alone.
    "dejavu": Fonts("DejaVu Sans", "DejaVu Serif"),
    # Android. Its serif, Noto Serif, is narrower than DejaVu's by a tenth.
    "roboto": Fonts("Roboto", "DejaVu Serif"),
    # San Francisco's nearest free relative. An iPhone's serif, Iowan Old Style, is narrower, too.
    "inter": Fonts("Inter", "DejaVu Serif"),
    # As wide as Arial and Times: Windows, and many a Linux.
    "liberation": Fonts("Liberation Sans", "Liberation Serif"),
    # Western letters out of a Chinese font: the highest lines.
    "noto": Fonts(CHINESE, "Noto Serif CJK TC"),
}
"""By name; `tests/install-packages` installs them."""

USUAL = "dejavu"
"""Whose fonts every test has that asks for no others."""

_TEMPLATE = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <selectfont>
    <rejectfont><pattern><patelt name="family"/></pattern></rejectfont>
    <acceptfont>{accepted}</acceptfont>
  </selectfont>
  <match target="pattern"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>
  {generic}
</fontconfig>
"""
_ACCEPTED_FAMILY = '<pattern><patelt name="family"><string>{}</string></patelt></pattern>'
_GENERIC = """<match target="pattern">
    <test name="family"><string>{}</string></test>
    <edit name="family" mode="assign" binding="strong"><string>{}</string></edit>
  </match>"""

_FOLDER = TemporaryDirectory(prefix="tongbox-fonts-")


@cache
def environment(name: str) -> Mapping[str, str]:
    """Return the environment in which a browser has these fonts alone."""
    fonts = FONTS[name]
    generic = dict.fromkeys(("sans", "sans-serif", "system-ui"), fonts.sans)
    generic["serif"] = fonts.serif
    families = dict.fromkeys((fonts.sans, fonts.serif, CHINESE))
    path = Path(_FOLDER.name) / f"{name}.conf"
    path.write_text(
        _TEMPLATE.format(
            accepted="".join(_ACCEPTED_FAMILY.format(escape(each)) for each in families),
            generic="".join(_GENERIC.format(each, escape(to)) for each, to in generic.items()),
        )
    )
    return {"FONTCONFIG_FILE": str(path)}
