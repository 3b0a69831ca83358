"""Print labels: how phones reach the box, and the codes of the club's tables."""

from __future__ import annotations

from collections.abc import Sequence

import segno

from device.host.page_links import PageLink
from device.i18n.words import say
from device.paper.letters import width_of
from device.paper.pages import A4_UPRIGHT, Pages

WIDTH, HEIGHT = 148.0, 105.0
"""Size of a label: A6 landscape."""

_LEFT = (A4_UPRIGHT[0] - WIDTH) / 2
_TOP, _APART = 20.0, 28.0
_LARGE = 11.0
"""Height of the letters of a name that fits."""

_CUT = 8.0
"""Length of the cut marks; half of it separates them from the label."""

_COLUMNS = (_LEFT + 8, _LEFT + WIDTH / 2 + 4)
_CODE = 44.0
"""Side of a QR code without its quiet zone: readable at arm's length, and flat on the box."""


def label(ways: Sequence[PageLink]) -> bytes:
    """Return one sheet of A4 with a label for each way in, as PDF."""
    pages = Pages(say("label.title"), A4_UPRIGHT)
    for number, way in enumerate(ways):
        draw_label(pages, number, way)
    pages.end()
    return pages.pdf()


def draw_label(pages: Pages, number: int, way: PageLink, name: str = "", path: str = "") -> None:
    """Draw one of a sheet's two labels: the box's, or one with a table's name and address."""
    top = _TOP + number * (HEIGHT + _APART)
    _cut_marks(pages, top)
    pages.text(_LEFT + 8, top + 15, name or say("site.name"), _size_of(name), bold=True)
    if not name:
        what = say("label.codes") if way.wifi else say("site.tagline")
        pages.text(_LEFT + WIDTH - 8, top + 15, what, 4, align="right")
    pages.text(_COLUMNS[0], top + 27, say("join.first"), 5, bold=True)
    pages.text(_COLUMNS[1], top + 27, say("join.then"), 5, bold=True)
    if way.wifi:
        _code(pages, _COLUMNS[0], top + 31, way.wifi.code)
        _words(pages, _COLUMNS[0], top, [
            (way.wifi.name, True), (say("label.password"), False), (way.wifi.password, True)
        ])  # fmt: skip
    else:
        for line, words in enumerate(say("label.same").split(" / ")):
            pages.text(_COLUMNS[0], top + 38 + 7 * line, words, 4.5)
    _code(pages, _COLUMNS[1], top + 31, way.link_to(path))
    lines = [(way.address + path, True)]
    if way.name and not path:
        lines.append((say("join.or", name=way.name), False))
    if way.pin:
        lines.append((say("join.pin", pin=way.pin), True))
    _words(pages, _COLUMNS[1], top, lines)
    pages.text(_LEFT + 8, top + HEIGHT - 5, say("join.stay"), 3.5)


def _size_of(name: str) -> float:
    """Return the letter height, in millimetres, at which a name fits on the label."""
    wide = width_of(name, "Helvetica-Bold", 1.0)
    return min(_LARGE, (WIDTH - 16) / wide) if wide else _LARGE


def _words(pages: Pages, x: float, top: float, lines: Sequence[tuple[str, bool]]) -> None:
    """Write the lines below a code, for people who type."""
    for line, (words, bold) in enumerate(lines):
        pages.text(x, top + 81 + 6 * line, words, 4.5, bold=bold)


def _code(pages: Pages, x: float, y: float, text: str) -> None:
    rows = [[bool(dark) for dark in row] for row in segno.make(text, error="m").matrix]
    pages.squares(x, y, _CODE / len(rows), rows)


def _cut_marks(pages: Pages, top: float) -> None:
    far, low = _LEFT + WIDTH, top + HEIGHT
    for x, out in ((_LEFT, -1), (far, 1)):
        for y, beyond in ((top, -1), (low, 1)):
            pages.line(x + out * _CUT / 2, y, x + out * 1.5 * _CUT, y)
            pages.line(x, y + beyond * _CUT / 2, x, y + beyond * 1.5 * _CUT)
